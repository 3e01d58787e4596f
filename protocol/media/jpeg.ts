/** JPEG (ITU-T T.81, annex B; JFIF: T.871; EXIF: Exif 2.32, § 4.5.4). */
import { joined, latin1, type Source, u8, u16be } from './bytes.ts';
import { EXIF_PREFIX, isSideways, orientationOf, tinyTiff } from './exif.ts';
import { type Piece, Pieces } from './pieces.ts';

/** The coded picture between two segments is one of these, too: its `marker` is `SCAN`. */
interface Segment {
  readonly marker: number;
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

const SCAN = 0;
const SOS = 0xda;
const EOI = 0xd9;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;

/** The start of image and all that follows it, up to the end of image. It ends early where the file does. */
async function* segmentsOf(file: Source): AsyncGenerator<Segment> {
  let at = 2;
  while (file.next()) {
    const head = await nextMarker(file, at);
    if (head === null) return;
    const { marker, from } = head;
    if (marker === EOI) return yield { marker, from, to: from + 2 };
    // Between segments these have no meaning: they carry no length.
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at = from + 2;
      continue;
    }
    const length = await file.bytes(from + 2, 2);
    const to = from + 2 + (length === null ? 0 : u16be(length, 0));
    if (length === null || u16be(length, 0) < 2 || to > file.size) return;
    yield { marker, from, to };
    at = to;
    if (marker !== SOS) continue;
    at = await scanEnd(file, to);
    yield { marker: SCAN, from: to, to: at };
  }
}

/** The next marker from `at` on. Decoders pass over all other bytes, and over any number of FF before it. */
async function nextMarker(file: Source, at: number): Promise<{ marker: number; from: number } | null> {
  let wasFF = false;
  for (let from = at; from < file.size; ) {
    const bytes = await file.from(from);
    if (bytes.length === 0) return null;
    for (let index = 0; index < bytes.length; index++) {
      const byte = u8(bytes, index);
      if (wasFF && byte !== 0xff && byte !== 0) return { marker: byte, from: from + index - 1 };
      wasFF = byte === 0xff;
    }
    from += bytes.length;
  }
  return null;
}

/** The end of a coded picture: a marker that is no restart. In it, FF 00 stands for FF. */
async function scanEnd(file: Source, at: number): Promise<number> {
  for (let from = at; from + 1 < file.size; ) {
    const bytes = await file.from(from, 2);
    if (bytes.length < 2) break;
    let index = bytes.indexOf(0xff);
    while (index !== -1 && index + 1 < bytes.length) {
      const next = u8(bytes, index + 1);
      if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return from + index;
      index = bytes.indexOf(0xff, index + 1);
    }
    // An FF at the end of the window is looked at again, with what follows it.
    from += index === -1 ? bytes.length : index;
  }
  return file.size;
}

/** Start of frame, of any coding. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** The orientation that an APP1 says; null when it is no EXIF. */
async function exifOrientation(file: Source, segment: Segment): Promise<number | null> {
  const body = await file.bytes(segment.from + 4, segment.to - segment.from - 4);
  return body !== null && latin1(body, 0, 5) === 'Exif\0' ? orientationOf(body) : null;
}

export async function jpegSize(file: Source): Promise<{ width: number; height: number } | null> {
  let orientation: number | null = null;
  for await (const segment of segmentsOf(file)) {
    if (segment.marker === APP1) orientation ??= await exifOrientation(file, segment);
    if (segment.marker === SOS) return null;
    if (!isFrame(segment.marker)) continue;
    const frame = await file.bytes(segment.from + 5, 4);
    if (frame === null || segment.to - segment.from < 10) return null;
    const [height, width] = [u16be(frame, 0), u16be(frame, 2)];
    return isSideways(orientation ?? 1) ? { width: height, height: width } : { width, height };
  }
  return null;
}

/**
 * Keeps what decodes the picture: its tables, frames and scans, JFIF, the colour profile, Adobe's colour transform, and
 * of EXIF the orientation. All other segments go, and all that follows the end of image: previews, depth maps and
 * videos, which the index (MPF) points to.
 */
export async function stripJpeg(file: Source): Promise<readonly Piece[] | null> {
  const pieces = new Pieces();
  let hasExif = false;
  let hasFrame = false;
  pieces.keep(0, 2);
  for await (const segment of segmentsOf(file)) {
    const { marker, from, to } = segment;
    if (marker === APP1) {
      // As decoders do: the first EXIF counts.
      const orientation: number | null = hasExif ? null : await exifOrientation(file, segment);
      hasExif ||= orientation !== null;
      if (orientation !== null && orientation > 1) pieces.add(exifSegment(orientation));
    } else if (marker === APP0) {
      if ((await nameOf(file, segment, 5)) === 'JFIF\0') await keepJfif(file, segment, pieces);
    } else if (marker === APP2) {
      if ((await nameOf(file, segment, 12)) === 'ICC_PROFILE\0') pieces.keep(from, to);
    } else if (marker === APP14) {
      if ((await nameOf(file, segment, 5)) === 'Adobe') pieces.keep(from, to);
    } else if (marker === SCAN || (marker >= 0xc0 && marker <= 0xdf)) {
      hasFrame ||= isFrame(marker);
      pieces.keep(from, to);
    }
  }
  return hasFrame ? pieces.all() : null;
}

async function nameOf(file: Source, segment: Segment, length: number): Promise<string> {
  const name = await file.bytes(segment.from + 4, Math.min(length, segment.to - segment.from - 4));
  return latin1(name ?? new Uint8Array(), 0, length);
}

/** JFIF without its thumbnail, which may show more than the picture does. */
async function keepJfif(file: Source, segment: Segment, pieces: Pieces): Promise<void> {
  const jfif = segment.to - segment.from < 18 ? null : await file.bytes(segment.from + 4, 12);
  if (jfif !== null) pieces.add(joined([0xff, APP0, 0, 16], jfif, [0, 0]));
}

function exifSegment(orientation: number): Uint8Array {
  const body = joined(EXIF_PREFIX, tinyTiff(orientation));
  return joined([0xff, APP1, 0, body.length + 2], body);
}
