/** Opens a picture that the user gives, and makes a small square one of it. */
import { PICTURE_MAX } from '../../../../protocol/limits.ts';
import { look } from '../files/look.ts';
import type { Zoom } from '../files/zoom.ts';
import { squareOf } from './crop.ts';

export interface OpenPicture {
  readonly bitmap: ImageBitmap;
  /** For an image element. */
  readonly url: string;
}

/** What a picture is for. */
export type PictureKind = 'person' | 'server' | 'emoji';

interface Format {
  readonly side: number;
  readonly type: string;
  readonly quality?: number;
}

/**
 * The first that is small enough is taken. A browser that cannot write WebP gives a PNG instead, so the type is checked.
 * Systems show the server's picture among their icons, some of them as PNG alone.
 */
const FORMATS: Readonly<Record<PictureKind, readonly Format[]>> = {
  person: [
    { side: 256, type: 'image/webp', quality: 0.86 },
    { side: 256, type: 'image/jpeg', quality: 0.86 },
  ],
  emoji: [
    { side: 128, type: 'image/webp', quality: 0.9 },
    { side: 128, type: 'image/png' },
  ],
  server: [
    { side: 512, type: 'image/png' },
    { side: 256, type: 'image/png' },
    { side: 256, type: 'image/jpeg', quality: 0.86 },
  ],
};

/** Null: the browser cannot open it as a picture. `closePicture` lets go of it. */
export async function openPicture(file: Blob): Promise<OpenPicture | null> {
  // A large one is decoded beside the page, and only its preview in it.
  const { width, preview = file } = await look(file, file.type);
  if (width === undefined) return null;
  const bitmap = await createImageBitmap(preview, { imageOrientation: 'from-image' }).catch(() => null);
  return bitmap && { bitmap, url: URL.createObjectURL(preview) };
}

export function closePicture({ bitmap, url }: OpenPicture): void {
  bitmap.close();
  URL.revokeObjectURL(url);
}

/** Rejects when the browser can write it in no format. */
export async function makePicture(kind: PictureKind, { bitmap }: OpenPicture, zoom: Zoom): Promise<Blob> {
  for (const { side, type, quality } of FORMATS[kind]) {
    const canvas = drawn(bitmap, zoom, side, type === 'image/jpeg');
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));
    if (blob?.type === type && blob.size <= PICTURE_MAX) return blob;
  }
  throw new Error('the picture could not be written');
}

/** `isOpaque`: white stands behind what is transparent. */
function drawn(bitmap: ImageBitmap, zoom: Zoom, most: number, isOpaque: boolean): HTMLCanvasElement {
  const { left, top, side } = squareOf(bitmap, zoom);
  const canvas = document.createElement('canvas');
  canvas.width = Math.min(most, Math.max(1, Math.round(side)));
  canvas.height = canvas.width;
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  if (isOpaque) {
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, left, top, side, side, 0, 0, canvas.width, canvas.height);
  return canvas;
}
