/** MP4 and QuickTime films, and the sequences of HEIF and AVIF (ISO/IEC 14496-12, §§ 8.2 to 8.7). */
import { type Box, boxesIn, boxesOf, findBox } from './boxes.ts';
import { latin1, type Source, u8, u32be, u64be } from './bytes.ts';

export interface MovieSize {
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  /** The samples of the first picture track. */
  readonly samples: number;
}

/** Reads the header `moov`, wherever it is. Null when there is none, or it is cut or too long. */
export async function movieSize(file: Source): Promise<MovieSize | null> {
  for await (const box of boxesOf(file)) {
    if (box.type !== 'moov') continue;
    const moov = await file.bytes(box.body, box.end - box.body);
    return moov === null ? null : sizeIn(moov);
  }
  return null;
}

function sizeIn(moov: Uint8Array): MovieSize | null {
  const header = findBox(moov, 0, moov.length, 'mvhd');
  if (header === null) return null;
  const durationMs = durationIn(moov, header);
  for (const track of boxesIn(moov, 0, moov.length)) {
    if (track.type !== 'trak' || !/^(vide|pict)$/.test(handlerOf(moov, track))) continue;
    const shown = shownSize(moov, track);
    if (shown === null) continue;
    const table = findBox(moov, track.body, track.end, 'mdia', 'minf', 'stbl', 'stsz');
    const samples = table === null ? 0 : u32be(moov, table.body + 8);
    return { ...shown, durationMs, samples };
  }
  return { width: null, height: null, durationMs, samples: 0 };
}

/** What a track holds: `vide`, `soun`, `pict` and others; empty without a handler. */
export function handlerOf(moov: Uint8Array, track: Box): string {
  const handler = findBox(moov, track.body, track.end, 'mdia', 'hdlr');
  return handler === null ? '' : latin1(moov, handler.body + 8, 4);
}

/** In milliseconds. A film in fragments has 0 in its header, and perhaps the whole duration in another place. */
function durationIn(moov: Uint8Array, header: Box): number | null {
  const isLong = u8(moov, header.body) === 1;
  const scale = u32be(moov, header.body + (isLong ? 20 : 12));
  let duration = isLong ? u64be(moov, header.body + 24) : u32be(moov, header.body + 16);
  if (duration === 0) {
    const whole = findBox(moov, 0, moov.length, 'mvex', 'mehd');
    if (whole === null) return null;
    duration = u8(moov, whole.body) === 1 ? u64be(moov, whole.body + 4) : u32be(moov, whole.body + 4);
  }
  if (scale === 0 || duration === 0xffffffff || duration > 2 ** 43) return null;
  return Math.round((duration / scale) * 1000) || null;
}

/** As it is shown: the matrix of a film of a phone that was held upright turns it by 90 degrees. */
function shownSize(moov: Uint8Array, track: Box): { width: number; height: number } | null {
  const header = findBox(moov, track.body, track.end, 'tkhd');
  if (header === null) return null;
  const matrix = header.body + (u8(moov, header.body) === 1 ? 52 : 40);
  const [width, height] = [u32be(moov, matrix + 36) >>> 16, u32be(moov, matrix + 40) >>> 16];
  if (width === 0 || height === 0 || matrix + 44 > header.end) return null;
  const [a, b, c, d] = [0, 4, 12, 16].map((at) => u32be(moov, matrix + at));
  const isTurned = a === 0 && d === 0 && b !== 0 && c !== 0;
  return isTurned ? { width: height, height: width } : { width, height };
}
