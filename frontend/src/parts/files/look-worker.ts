/** Decodes one picture beside the page, and draws a small one. */
import type { FileLook } from '../../../../client/index.ts';
import { previewSize } from './preview-size.ts';

/** As `FILE_PREVIEW_MAX` of the protocol. */
const BYTES_MAX = 512 * 1024;
/** A file of less bytes is shown itself. */
const SMALL = 200 * 1024;

self.addEventListener('message', ({ data }: MessageEvent<Blob>) => {
  void lookAt(data)
    .catch(() => ({}))
    .then((found) => self.postMessage(found));
});

async function lookAt(file: Blob): Promise<FileLook> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const { width, height } = picture;
  const size = previewSize(width, height);
  // The small picture of one that moves would stand still.
  const isSmall = file.size <= SMALL && size.width === width;
  if (isSmall || file.type === 'image/gif') return { width, height };
  const canvas = new OffscreenCanvas(size.width, size.height);
  const context = canvas.getContext('2d');
  if (context === null) return { width, height };
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, size.width, size.height);
  picture.close();
  const preview = await encoded(canvas);
  return { width, height, ...(preview !== null && { preview }) };
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
