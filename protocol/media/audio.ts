/** How long a sound is, where its header says so: MP3, WAV, FLAC, Ogg. In milliseconds. */
import { latin1, type Source, u8, u16le, u32be, u32le } from './bytes.ts';

/** Where the first frame of an MP3 is: behind the tag ID3v2, whose size has 7 bits a byte (ID3v2.4, § 3.1). */
async function frameStart(file: Source): Promise<number> {
  const head = await file.bytes(0, 10);
  if (head === null || latin1(head, 0, 3) !== 'ID3') return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (u8(head, at) & 127), 0);
  return 10 + size + (u8(head, 5) & 0x10 ? 10 : 0);
}

interface Frame {
  readonly bytes: number;
  readonly samples: number;
  readonly rate: number;
  /** Where a table of the whole file may be within the frame. */
  readonly table: number;
}

const RATES = [44_100, 48_000, 32_000];
/** Kilobits a second of layer III, by index (ISO/IEC 11172-3, § 2.4.2.3; 13818-3 for the lower rates). */
const KILOBITS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const KILOBITS_LOW = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/** The header of a frame of layer III; null for anything else. */
function frameOf(head: Uint8Array): Frame | null {
  if (u8(head, 0) !== 0xff || (u8(head, 1) & 0xe6) !== 0xe2) return null;
  const version = (u8(head, 1) >> 3) & 3;
  const isFirst = version === 3;
  const base = RATES[(u8(head, 2) >> 2) & 3];
  const kilobits = (isFirst ? KILOBITS : KILOBITS_LOW)[u8(head, 2) >> 4];
  if (version === 1 || base === undefined || kilobits === undefined || kilobits === 0) return null;
  const rate = base / (isFirst ? 1 : version === 2 ? 2 : 4);
  const samples = isFirst ? 1152 : 576;
  const isMono = u8(head, 3) >> 6 === 3;
  const table = isFirst ? (isMono ? 21 : 36) : isMono ? 13 : 21;
  const bytes = Math.floor((samples / 8) * ((kilobits * 1000) / rate)) + ((u8(head, 2) >> 1) & 1);
  return { bytes, samples, rate, table };
}

/** Two frames, one behind the other: two bytes alone may be anything. */
export async function isMp3(file: Source): Promise<boolean> {
  const at = await frameStart(file);
  const head = await file.bytes(at, 4);
  const frame = head && frameOf(head);
  if (frame === null) return false;
  const next = await file.bytes(at + frame.bytes, 4);
  return next !== null && frameOf(next) !== null;
}

/** By the number of frames in the table of Xing, LAME (`Info`) or Fraunhofer (`VBRI`). */
export async function mp3Duration(file: Source): Promise<number | null> {
  const at = await frameStart(file);
  const head = await file.bytes(at, 64);
  const frame = head && frameOf(head);
  if (head === null || frame === null) return null;
  const name = latin1(head, frame.table, 4);
  const hasFrames = (u8(head, frame.table + 7) & 1) === 1;
  let frames = 0;
  if ((name === 'Xing' || name === 'Info') && hasFrames) frames = u32be(head, frame.table + 8);
  else if (latin1(head, 36, 4) === 'VBRI') frames = u32be(head, 50);
  return milliseconds(frames * frame.samples, frame.rate);
}

/** Null for none, and for more than a number in JSON may say. */
function milliseconds(count: number, rate: number): number | null {
  const found = rate > 0 ? Math.round((count / rate) * 1000) : 0;
  return found > 0 && Number.isSafeInteger(found) ? found : null;
}

/** By the bytes of the chunk `data` and the bytes a second of `fmt `. A recording that was cut has less. */
export async function wavDuration(file: Source): Promise<number | null> {
  let at = 12;
  let rate = 0;
  for (let chunks = 0; chunks < 1000; chunks++) {
    const head = await file.bytes(at, 8);
    if (head === null) return null;
    const length = u32le(head, 4);
    if (latin1(head, 0, 4) === 'fmt ') rate = u32le((await file.bytes(at + 8, 16)) ?? new Uint8Array(), 8);
    if (latin1(head, 0, 4) === 'data') return milliseconds(Math.min(length, file.size - at - 8), rate);
    at += 8 + length + (length % 2);
  }
  return null;
}

/** By STREAMINFO (RFC 9639, § 8.2): a rate of 20 bits, and 36 bits of samples. */
export async function flacDuration(file: Source): Promise<number | null> {
  const info = await file.bytes(8, 34);
  if (info === null) return null;
  const rate = u32be(info, 10) >>> 12;
  return milliseconds((u8(info, 13) & 15) * 2 ** 32 + u32be(info, 14), rate);
}

/** By the position of the last page (RFC 3533, § 6) of the stream that the file begins with. */
export async function oggDuration(file: Source): Promise<number | null> {
  const first = await file.bytes(0, 64);
  if (first === null) return null;
  const body = 27 + u8(first, 26);
  const isOpus = latin1(first, body, 8) === 'OpusHead';
  const isVorbis = latin1(first, body, 7) === '\x01vorbis';
  if (!isOpus && !isVorbis) return null;
  // A page has at most 65 307 bytes.
  const tail = await file.bytes(Math.max(0, file.size - 65_536), Math.min(file.size, 65_536));
  for (let at = (tail?.length ?? 0) - 27; tail !== null && at >= 0; at--) {
    if (latin1(tail, at, 4) !== 'OggS' || u32le(tail, at + 14) !== u32le(first, 14)) continue;
    const position = u32le(tail, at + 6) + u32le(tail, at + 10) * 2 ** 32;
    // A page on which no packet ends has none.
    if (position >= 2 ** 53) continue;
    // Opus counts at 48 kHz, with samples before the beginning (RFC 7845, § 4).
    if (isOpus) return milliseconds(position - u16le(first, body + 10), 48_000);
    return milliseconds(position, u32le(first, body + 12));
  }
  return null;
}
