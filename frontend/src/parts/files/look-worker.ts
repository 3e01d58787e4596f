/** Decodes one picture beside the page, and draws a small one, and one that is smaller than all others. */
import { rgbaToThumbHash } from 'thumbhash';
import type { FileLook } from '../../../../client/index.ts';
import { previewSize } from './preview-size.ts';

/** The longer side of a small picture. */
const SIDE = 1280;
/** As `FILE_PREVIEW_MAX` of the protocol. */
const BYTES_MAX = 512 * 1024;
/** A file of less bytes is shown itself. */
const SMALL = 200 * 1024;

/** The longer side of what is made a ThumbHash of, which may not be longer. */
const HASHED_SIDE = 100;

/** A picture of a film comes as one that is decoded. */
export type Looked = Blob | ImageBitmap;

self.addEventListener('message', ({ data }: MessageEvent<Looked>) => {
  void lookAt(data)
    .catch(() => ({}))
    .then((found) => self.postMessage(found));
});

async function lookAt(looked: Looked): Promise<FileLook> {
  const picture =
    looked instanceof Blob ? await createImageBitmap(looked, { imageOrientation: 'from-image' }) : looked;
  const { width, height } = picture;
  const size = previewSize(width, height, SIDE);
  const blur = blurOf(picture);
  const known = { width, height, ...(blur !== null && { blur }) };
  // The small picture of one that moves would stand still.
  if (looked instanceof Blob && isShownItself(looked, size.width === width)) return known;
  const canvas = drawn(picture, size)?.canvas;
  picture.close();
  const preview = canvas ? await encoded(canvas) : null;
  return { ...known, ...(preview !== null && { preview }) };
}

function isShownItself({ size, type }: Blob, isSmall: boolean): boolean {
  return type === 'image/gif' || (isSmall && size <= SMALL);
}

function drawn(picture: ImageBitmap, { width, height }: { width: number; height: number }) {
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (context === null) return null;
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  return context;
}

/** A ThumbHash (https://evanw.github.io/thumbhash/) in base64. */
function blurOf(picture: ImageBitmap): string | null {
  const { width, height } = previewSize(picture.width, picture.height, HASHED_SIDE);
  const pixels = drawn(picture, { width, height })?.getImageData(0, 0, width, height).data;
  return pixels ? btoa(String.fromCharCode(...rgbaToThumbHash(width, height, pixels))) : null;
}

/** WebP; what a browser gives instead is judged by its type: Safari's is a PNG, and larger than a JPEG. */
async function encoded(canvas: OffscreenCanvas): Promise<Blob | null> {
  for (const [type, quality] of [
    ['image/webp', 0.8],
    ['image/jpeg', 0.8],
    ['image/jpeg', 0.6],
  ] as const) {
    const blob = await canvas.convertToBlob({ type, quality });
    if (blob.type === type && blob.size <= BYTES_MAX) return blob;
  }
  return null;
}
