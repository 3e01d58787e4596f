/** HEIC and AVIF pictures and sequences (ISO/IEC 23008-12; AV1 Image File Format 1.1). */
import { boxesOf } from './boxes.ts';
import type { Source } from './bytes.ts';
import { itemSize } from './items.ts';
import { movieSize } from './movie.ts';

/** The first picture's size, or that of the sequence; and the number of its pictures. */
export async function heifSize(
  file: Source,
): Promise<{ width: number; height: number; frames: number } | null> {
  const movie = await movieSize(file);
  const frames = Math.max(1, movie?.samples ?? 1);
  for await (const box of boxesOf(file)) {
    if (box.type !== 'meta') continue;
    const meta = await file.bytes(box.body, box.end - box.body);
    const size = meta === null ? null : itemSize(meta);
    if (size !== null) return { ...size, frames };
  }
  if (movie?.width == null || movie.height == null) return null;
  return { width: movie.width, height: movie.height, frames };
}
