/** WebM, which is Matroska of a few codecs (RFC 8794, EBML; RFC 9559, §§ 5.1.2 and 5.1.4). */
import { latin1, type Source, u8 } from './bytes.ts';

const EBML = 0x1a45dfa3;
const DOC_TYPE = 0x4282;
const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const INFO = 0x1549a966;
const SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const TRACKS = 0x1654ae6b;
const ENTRY = 0xae;
const VIDEO = 0xe0;
const WIDTH = 0xb0;
const HEIGHT = 0xba;
const SHOWN_WIDTH = 0x54b0;
const SHOWN_HEIGHT = 0x54ba;
const SHOWN_UNIT = 0x54b2;

/** The most elements of a level that are looked at, and the longest that is read whole. */
const ELEMENTS_MAX = 1000;
const ELEMENT_MAX = 1024 * 1024;

interface Element {
  readonly id: number;
  readonly body: number;
  /** Excluded. Infinity where a live recording did not know it. */
  readonly end: number;
}

/** The element at `at`, of at most 12 bytes of header. Null for what is none. */
function elementAt(bytes: Uint8Array, at: number, offset: number): Element | null {
  const idLength = Math.clz32(u8(bytes, at)) - 23;
  if (idLength > 4 || at + idLength >= bytes.length) return null;
  const first = u8(bytes, at + idLength);
  const sizeLength = Math.clz32(first) - 23;
  if (sizeLength > 8 || at + idLength + sizeLength > bytes.length) return null;
  const id = number(bytes, at, idLength);
  const marker = 2 ** (8 - sizeLength);
  let size = first - marker;
  for (let index = 1; index < sizeLength; index++) size = size * 256 + u8(bytes, at + idLength + index);
  const body = offset + at + idLength + sizeLength;
  return {
    id,
    body,
    end: size >= marker * 256 ** (sizeLength - 1) - 1 ? Number.POSITIVE_INFINITY : body + size,
  };
}

function number(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = 0; index < Math.min(8, length); index++) value = value * 256 + u8(bytes, at + index);
  return value;
}

/** The elements in `bytes`, from `from` to `to`. It ends before the first that is broken. */
function* elementsIn(bytes: Uint8Array, from: number, to: number): Generator<Element> {
  let at = from;
  for (let elements = 0; elements < ELEMENTS_MAX && at < to; elements++) {
    const element = elementAt(bytes, at, 0);
    if (element === null || element.end > to) return;
    yield element;
    at = element.end;
  }
}

function find(bytes: Uint8Array, from: number, to: number, id: number): Element | null {
  for (const element of elementsIn(bytes, from, to)) if (element.id === id) return element;
  return null;
}

/** `webm` or `matroska`, as the first element says; null when the bytes do not begin with one. */
export function docTypeOf(head: Uint8Array): string | null {
  const header = elementAt(head, 0, 0);
  if (header?.id !== EBML || header.end > head.length) return null;
  const type = find(head, header.body, header.end, DOC_TYPE);
  return type === null
    ? null
    : latin1(head, type.body, Math.min(16, type.end - type.body)).replace(/\0+$/, '');
}

interface WebmSize {
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
}

/** By the descriptions before the first cluster. A live recording does not know its duration. */
export async function webmSize(file: Source): Promise<WebmSize | null> {
  let info: Uint8Array | undefined;
  let tracks: Uint8Array | undefined;
  let at = 0;
  for (let elements = 0; elements < ELEMENTS_MAX; elements++) {
    const head = await file.bytes(at, Math.min(12, file.size - at));
    const element = head && elementAt(head, 0, at);
    if (element === null || element.id === CLUSTER) break;
    const { id, body, end } = element;
    if (id === INFO || id === TRACKS) {
      const bytes = end - body > ELEMENT_MAX ? null : await file.bytes(body, end - body);
      if (bytes === null) break;
      if (id === INFO) info ??= bytes.slice();
      else tracks ??= bytes.slice();
    }
    // The segment holds the others.
    at = id === SEGMENT ? body : end;
  }
  if (info === undefined && tracks === undefined) return null;
  return { ...(sizeIn(tracks) ?? { width: null, height: null }), durationMs: info ? durationIn(info) : null };
}

function durationIn(info: Uint8Array): number | null {
  const scale = find(info, 0, info.length, SCALE);
  const duration = find(info, 0, info.length, DURATION);
  if (duration === null) return null;
  const nanoseconds = scale === null ? 1_000_000 : number(info, scale.body, scale.end - scale.body);
  const view = new DataView(info.buffer, info.byteOffset, info.byteLength);
  const length = duration.end - duration.body;
  if (length !== 4 && length !== 8) return null;
  const ticks = length === 4 ? view.getFloat32(duration.body) : view.getFloat64(duration.body);
  const milliseconds = Math.round((ticks * nanoseconds) / 1_000_000);
  return milliseconds > 0 && milliseconds < 2 ** 53 ? milliseconds : null;
}

/** Of the first track with a picture: as it is shown, where it says so in pixels. */
function sizeIn(tracks: Uint8Array = new Uint8Array()): { width: number; height: number } | null {
  for (const track of elementsIn(tracks, 0, tracks.length)) {
    const video = track.id === ENTRY ? find(tracks, track.body, track.end, VIDEO) : null;
    if (video === null) continue;
    const value = (id: number): number => {
      const element = find(tracks, video.body, video.end, id);
      return element === null ? 0 : number(tracks, element.body, element.end - element.body);
    };
    const isInPixels = value(SHOWN_UNIT) === 0;
    const width = (isInPixels ? value(SHOWN_WIDTH) : 0) || value(WIDTH);
    const height = (isInPixels ? value(SHOWN_HEIGHT) : 0) || value(HEIGHT);
    if (width > 0 && height > 0 && width < 2 ** 31 && height < 2 ** 31) return { width, height };
  }
  return null;
}
