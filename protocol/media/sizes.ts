/** How large a picture or a video is shown, and how long a sound or a video is: from headers, nothing is decoded. */
import { flacDuration, mp3Duration, oggDuration, wavDuration } from './audio.ts';
import { type Read, type Source, sourceOf } from './bytes.ts';
import { gifSize } from './gif.ts';
import { heifSize } from './heif.ts';
import { jpegSize } from './jpeg.ts';
import type { FileKind } from './kinds.ts';
import { movieSize } from './movie.ts';
import { pngSize } from './png.ts';
import { webmSize } from './webm.ts';
import { webpSize } from './webp.ts';

export interface MediaSize {
  /** In pixels, as browsers show it: turned as its orientation says. Null for sound. */
  readonly width: number | null;
  readonly height: number | null;
  /** Of an animation, how many pictures it has; 1 for other pictures, null for videos and sound. */
  readonly frames: number | null;
  /** In milliseconds. Null for pictures, and where the header does not say it. */
  readonly durationMs: number | null;
}

/**
 * The size of a file of this kind. Null when the header is broken or cut, says a width or height of 0, or the kind has
 * none. It reads headers alone, up to 16 MiB; of GIF, PNG and WebP all parts, to count frames. It throws only what
 * `read` throws.
 */
export async function sizeOf(kind: FileKind, read: Read, size: number): Promise<MediaSize | null> {
  const found = await measure(kind, sourceOf(read, size));
  if (found === null || found.width === 0 || found.height === 0) return null;
  const { width = null, height = null, frames = null, durationMs = null } = found;
  const isPicture = kind !== 'mp4' && kind !== 'mov' && kind !== 'webm' && width !== null;
  return { width, height, frames: isPicture ? (frames ?? 1) : null, durationMs };
}

type Measured = Partial<MediaSize> | null;

async function measure(kind: FileKind, file: Source): Promise<Measured> {
  switch (kind) {
    case 'jpeg':
      return await jpegSize(file);
    case 'png':
      return await pngSize(file);
    case 'gif':
      return await gifSize(file);
    case 'webp':
      return await webpSize(file);
    case 'avif':
    case 'heic':
      return await heifSize(file);
    case 'mp4':
    case 'mov':
      return await movieSize(file);
    case 'webm':
      return await webmSize(file);
    case 'm4a':
      return sound((await movieSize(file))?.durationMs ?? null);
    case 'mp3':
      return sound(await mp3Duration(file));
    case 'ogg':
      return sound(await oggDuration(file));
    case 'wav':
      return sound(await wavDuration(file));
    case 'flac':
      return sound(await flacDuration(file));
    case 'other':
      return null;
  }
}

function sound(durationMs: number | null): Measured {
  return durationMs === null ? null : { durationMs };
}
