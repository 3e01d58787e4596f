/**
 * Takes place, device and time out of boxes without moving anything. What is listed here is kept; every other box
 * becomes `free`, and its content zeros.
 */
import { type Box, boxesIn, findBox } from './boxes.ts';
import { bytesOf, putU32be, u8, u16be, u32be, u64be } from './bytes.ts';
import { handlerOf } from './movie.ts';
import { PIECES_MAX } from './pieces.ts';

/** Bytes of the file. */
interface Range {
  readonly at: number;
  readonly length: number;
}

/** What each box keeps of its content. Boxes that are not here are kept whole. */
const CONTENT: Readonly<Record<string, readonly string[]>> = {
  moov: words('mvhd iods trak mvex clut'),
  trak: words('tkhd edts mdia tref trgr tapt load matt'),
  edts: words('elst'),
  // What describes another track: an alpha plane, and its depth.
  tref: words('auxl vdep thmb fall folw'),
  mdia: words('mdhd hdlr minf elng'),
  minf: words('vmhd smhd hmhd gmhd nmhd sthd hdlr dinf stbl'),
  dinf: words('dref'),
  stbl: words(
    'stsd stts ctts cslg stss stsh stsc stsz stz2 stco co64 sdtp sbgp sgpd subs saiz saio stps padb stdp',
  ),
  mvex: words('mehd trex leva'),
  moof: words('mfhd traf'),
  traf: words('tfhd tfdt trun sdtp sbgp sgpd subs saiz saio senc'),
  meta: words('hdlr pitm iloc iinf iprp iref idat dinf grpl'),
  iprp: words('ipco ipma'),
};

/** Tracks of pictures and sound. All others tell something of the recording: where, when, how, or they are its text. */
const SHOWN = words('vide soun pict auxv');

/** Properties that tell when a picture was made, or whatever a program wrote. */
const TELLING = words('crtt mdft udes uuid');

const FREE = bytesOf('free');

function words(list: string): readonly string[] {
  return list.split(' ');
}

/**
 * Cleans the content of a `moov`, `moof` or `meta` in place. It returns the bytes of the file that belong to tracks
 * which are gone. Null when they are in too many pieces.
 */
export function cleanContent(bytes: Uint8Array, type: 'moov' | 'moof' | 'meta'): Range[] | null {
  const gone: Range[] = [];
  clean(bytes, { type, at: 0, body: type === 'meta' ? 4 : 0, end: bytes.length }, gone);
  return gone.length > PIECES_MAX ? null : gone;
}

function clean(bytes: Uint8Array, parent: Box, gone: Range[]): void {
  const kept = CONTENT[parent.type];
  if (kept === undefined) return cleanLeaf(bytes, parent);
  let done = parent.body;
  for (const box of boxesIn(bytes, parent.body, parent.end)) {
    done = box.end;
    const isHidden = box.type === 'trak' && !SHOWN.includes(handlerOf(bytes, box));
    if (isHidden) addSamples(bytes, box, gone);
    if (isHidden || !kept.includes(box.type)) blank(bytes, box);
    else clean(bytes, box, gone);
  }
  // What is no box: a broken rest, or the zeros at the end of some lists of QuickTime.
  bytes.fill(0, done, parent.end);
  if (parent.end - done >= 8) {
    putU32be(bytes, done, parent.end - done);
    bytes.set(FREE, done + 4);
  }
}

function blank(bytes: Uint8Array, box: Box): void {
  bytes.set(FREE, box.at + 4);
  bytes.fill(0, box.body, box.end);
}

function cleanLeaf(bytes: Uint8Array, { type, body, end }: Box): void {
  const zero = (from: number, to: number): unknown => bytes.fill(0, from, Math.min(to, end));
  switch (type) {
    case 'mvhd':
    case 'tkhd':
    case 'mdhd':
      // The times of creation and modification.
      return void zero(body + 4, body + (u8(bytes, body) === 1 ? 20 : 12));
    case 'hdlr':
      // The maker, and a name such as that of the camera.
      return void zero(body + 12, end);
    case 'dref':
      for (const entry of boxesIn(bytes, body + 8, end)) bytes.fill(0, entry.body + 4, entry.end);
      return;
    case 'stsd':
      return cleanDescriptions(bytes, body + 8, end);
    case 'ipco':
      for (const property of boxesIn(bytes, body, end)) {
        const kept = property.type === 'uuid' ? 16 : 0;
        if (TELLING.includes(property.type)) bytes.fill(0, property.body + kept, property.end);
      }
      return;
  }
}

/** The maker and the name of the encoder in descriptions of pictures; the maker in those of sound. */
function cleanDescriptions(bytes: Uint8Array, from: number, to: number): void {
  for (const { body, end } of boxesIn(bytes, from, to)) {
    // Version, revision and maker: ISO files have zeros here.
    bytes.fill(0, Math.min(body + 12, end), Math.min(body + 16, end));
    // A picture has its resolution here, of which 72 dots an inch is the only one.
    const isPicture = u32be(bytes, body + 28) === 0x480000 && u32be(bytes, body + 32) === 0x480000;
    if (isPicture) bytes.fill(0, Math.min(body + 42, end), Math.min(body + 74, end));
  }
}

/** Adds where the samples of a track are: its chunks (§§ 8.7.3 to 8.7.5). It ends when there are too many. */
function addSamples(moov: Uint8Array, track: Box, gone: Range[]): void {
  const find = (type: string): Box | null =>
    findBox(moov, track.body, track.end, 'mdia', 'minf', 'stbl', type);
  const [runs, sizes, short, long] = [find('stsc'), find('stsz'), find('stco'), find('co64')];
  const chunks = short ?? long;
  if (runs === null || chunks === null) return;
  const sizeOf = sampleSizes(moov, sizes, find('stz2'));
  const width = short === null ? 8 : 4;
  const count = Math.min(u32be(moov, chunks.body + 4), Math.floor((chunks.end - chunks.body - 8) / width));
  let run = runs.body + 8;
  let sample = 0;
  for (let chunk = 0; chunk < count && gone.length <= PIECES_MAX; chunk++) {
    while (run + 24 <= runs.end && u32be(moov, run + 12) <= chunk + 1) run += 12;
    const samples = run + 12 <= runs.end ? u32be(moov, run + 4) : 0;
    const entry = chunks.body + 8 + chunk * width;
    const at = width === 4 ? u32be(moov, entry) : u64be(moov, entry);
    const length = sizeOf(sample, samples);
    sample += samples;
    if (length > 0) gone.push({ at, length });
  }
}

/** Tells how many bytes a number of samples have, from one on. All calls together read each entry once. */
function sampleSizes(
  moov: Uint8Array,
  sizes: Box | null,
  compact: Box | null,
): (first: number, samples: number) => number {
  const table = sizes ?? compact;
  if (table === null) return () => 0;
  const same = sizes === null ? 0 : u32be(moov, table.body + 4);
  if (same > 0) return (_, samples) => same * samples;
  const bits = sizes === null ? u8(moov, table.body + 7) : 32;
  const entries = table.body + 12;
  const sizeOf = (sample: number): number => {
    const at = entries + Math.floor((sample * bits) / 8);
    if (bits === 4) return sample % 2 === 0 ? u8(moov, at) >> 4 : u8(moov, at) & 15;
    return bits === 8 ? u8(moov, at) : bits === 16 ? u16be(moov, at) : u32be(moov, at);
  };
  const count = Math.floor(((table.end - entries) * 8) / bits);
  return (first, samples) => {
    let length = 0;
    for (let sample = first; sample < Math.min(count, first + samples); sample++) length += sizeOf(sample);
    return length;
  };
}

/** Whether a film has a track that is not kept: what `addSamples` does not see are its samples in fragments. */
export function hasHiddenTrack(moov: Uint8Array): boolean {
  for (const box of boxesIn(moov, 0, moov.length)) {
    if (box.type === 'trak' && !SHOWN.includes(handlerOf(moov, box))) return true;
  }
  return false;
}
