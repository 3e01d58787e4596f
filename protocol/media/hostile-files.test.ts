import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readOf } from './bytes.ts';
import { type FileKind, KINDS, kindOf } from './kinds.ts';
import { sizeOf } from './sizes.ts';
import { stripPlan, strippedSize } from './strip.ts';
import { be16, be32, box, cat, fullBox, segment, zeros } from './testing/build.ts';
import { avcTrack, dataTrack, film } from './testing/films.ts';
import { counted, stripped } from './testing/in-memory.ts';
import { PHOTOS } from './testing/phones.ts';
import { JPEG, PNG } from './testing/samples.ts';
import { animatedWebp, apng, flac, gif, m4a, mp3, ogg, wav, webm } from './testing/sounds.ts';

const MIB = 1024 * 1024;
const FILES = [
  ...PHOTOS.map(({ bytes }) => bytes),
  ...[JPEG, PNG, apng(), gif(), animatedWebp(), webm(), mp3(), ogg(), wav().subarray(0, 400), flac(), m4a()],
];

/** All that is done with a file: it neither throws nor reads a place again and again. */
async function judge(kind: FileKind, bytes: Uint8Array): Promise<void> {
  const counts = counted(readOf(bytes));
  const size = await sizeOf(kind, counts.read, bytes.length);
  for (const value of Object.values(size ?? {})) {
    expect(value === null || (Number.isSafeInteger(value) && value > 0)).toBe(true);
  }
  const plan = await stripPlan(kind, counts.read, bytes.length);
  expect(counts.total).toBeLessThanOrEqual(12 * bytes.length + 1000);
  if (plan === null) return;
  for (const piece of plan) if ('from' in piece) expect(piece.to).toBeLessThanOrEqual(bytes.length);
  const once = await stripped(kind, bytes);
  expect(once?.length).toBe(strippedSize(plan));
  // What was made is a file of this structure: it is read to its end, and nothing is left to take away.
  const twice = await stripped(kind, once ?? zeros(0));
  expect(isSame(twice, once), `${kind} of ${bytes.length}: ${once?.length} ${twice?.length}`).toBe(true);
}

/** `toEqual` would print every byte. */
function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a?.length === b?.length && (a ?? []).every((byte, index) => byte === b?.[index]);
}

async function judgeAsItIs(bytes: Uint8Array): Promise<void> {
  await judge(await kindOf(readOf(bytes), bytes.length), bytes);
}

test('every file, cut at every byte, is judged', async () => {
  for (const file of FILES) {
    for (let length = 0; length < file.length; length += length < 400 ? 1 : 7)
      await judgeAsItIs(file.subarray(0, length));
  }
});

test('4000 files with bytes that are changed, dropped or doubled are judged', async () => {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    what: fc.constantFrom('set', 'drop', 'double', 'number'),
    value: fc.oneof(fc.constantFrom(0, 1, 8, 127, 128, 255), fc.integer({ min: 0, max: 255 })),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...FILES),
      fc.array(change, { minLength: 1, maxLength: 6 }),
      async (file, changes) => {
        let bytes = file;
        for (const { at, what, value } of changes) {
          const place = Math.floor(at * bytes.length);
          const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
          if (what === 'set') bytes = cat(before, [value], after.subarray(1));
          if (what === 'drop') bytes = cat(before, after.subarray(value));
          if (what === 'double') bytes = cat(before, after.subarray(0, value), after);
          if (what === 'number') bytes = cat(before, be32(value * 0x101_0101), after.subarray(4));
        }
        await judgeAsItIs(bytes);
      },
    ),
    { numRuns: 4000 },
  );
});

test('a file of one kind, taken for every other, is judged', async () => {
  const files = [...FILES, zeros(0), zeros(1), zeros(7)];
  for (const file of files) for (const kind of Object.keys(KINDS) as FileKind[]) await judge(kind, file);
});

/** Each asks for work without end in few bytes, or for much of it in a large file. */
describe('work has a bound', () => {
  const meta = (...boxes: readonly Uint8Array[]): Uint8Array =>
    cat(box('ftyp', 'heic', be32(0)), fullBox('meta', 0, 0, ...boxes));
  const exif = fullBox('iinf', 0, 0, be16(1), fullBox('infe', 2, 0, be16(1, 0), 'Exif\0'));

  test.each<[string, FileKind, () => Uint8Array]>([
    [
      '65 535 items of 65 535 extents of no bytes',
      'heic',
      () => {
        const item = cat(be16(1, 0, 65_535));
        const items = Array.from({ length: 10_000 }, () => item);
        return meta(exif, fullBox('iloc', 0, 0, be16(0, 10_000), ...items));
      },
    ],
    [
      'an item of all bytes',
      'heic',
      () => meta(exif, fullBox('iloc', 0, 0, be16(0x4400, 1, 1, 0, 1), be32(0, 0))),
    ],
    [
      'a million boxes in a header',
      'mp4',
      () => {
        const boxes = zeros(8 * MIB);
        for (let at = 0; at < boxes.length; at += 8) boxes.set(box('trak'), at);
        return cat(box('ftyp', 'isom'), box('moov', boxes));
      },
    ],
    [
      'a track of 4 billion samples of 4 GiB',
      'mov',
      () => {
        const places = dataTrack('meta', 'mebx', 'x', 'x');
        const bytes = film('qt  ', [avcTrack('x'), places], []);
        const at = cat(bytes).findLastIndex(
          (_, index) => String.fromCharCode(...bytes.subarray(index, index + 4)) === 'stsz',
        );
        bytes.set(be32(0xffffffff, 0xffffffff), at + 8);
        return bytes;
      },
    ],
    ['a header of 17 MiB', 'mp4', () => cat(box('ftyp', 'isom'), box('moov', zeros(17 * MIB)))],
    [
      '4 million chunks of PNG',
      'png',
      () => {
        const chunk = cat(be32(0), 'tEXt', be32(0));
        const bytes = zeros(33 + chunk.length * 4_000_000);
        bytes.set(PNG.subarray(0, 33));
        for (let at = 33; at < bytes.length; at += chunk.length) bytes.set(chunk, at);
        return bytes;
      },
    ],
    [
      '1.2 million segments of JPEG that go and stay in turn',
      'jpeg',
      () => {
        const pair = cat(segment(0xfe), segment(0xdb));
        const bytes = zeros(2 + pair.length * 600_000);
        bytes.set([0xff, 0xd8]);
        for (let at = 2; at < bytes.length; at += pair.length) bytes.set(pair, at);
        return bytes;
      },
    ],
    ['a JPEG of 32 MiB of FF', 'jpeg', () => cat(JPEG.subarray(0, 20), zeros(32 * MIB).fill(0xff))],
    [
      'a scan of 32 MiB of restarts',
      'jpeg',
      () => {
        const scan = zeros(32 * MIB).fill(0xff);
        for (let at = 1; at < scan.length; at += 2) scan[at] = 0xd0;
        return cat([0xff, 0xd8], segment(0xc0, [8], be16(9, 9)), segment(0xda), scan);
      },
    ],
    [
      '60 000 extents that all name the same MiB of a store',
      'heic',
      () => {
        const extents = Array.from({ length: 60_000 }, () => be32(0, MIB));
        const item = cat(be16(1, 1, 0, 60_000), ...extents);
        const table = fullBox('iloc', 1, 0, be16(0x4400, 1), item);
        return meta(exif, table, box('idat', zeros(MIB)));
      },
    ],
    ['a GIF of blocks of one byte', 'gif', () => cat(gif(1).subarray(0, 38), zeros(32 * MIB).fill(1))],
    ['boxes of no end', 'mp4', () => cat(box('ftyp', 'isom'), be32(0), 'free', zeros(100))],
    [
      'a WebM of elements of no end',
      'webm',
      () => cat(webm().subarray(0, 11), [0xff, 0xff, 0xff], zeros(1000).fill(0xff)),
    ],
  ])('%s', async (title, kind, make) => {
    const bytes = make();
    const counts = counted(readOf(bytes));
    await sizeOf(kind, counts.read, bytes.length);
    const plan = await stripPlan(kind, counts.read, bytes.length);
    if (/million (chunks|segments)|extents that/.test(title)) expect(plan).toBeNull();
    expect(counts.total).toBeLessThan(4 * bytes.length + MIB);
    expect(counts.largest).toBeLessThanOrEqual(16 * MIB);
  });
});

test('of a GIF with 1.2 million images a million are counted', async () => {
  const bytes = zeros(13 + 12 * 1_200_000);
  bytes.set(gif(0).subarray(0, 13).fill(0, 10));
  for (let at = 13; at < bytes.length; at += 12) bytes[at] = 0x2c;
  const size = await sizeOf('gif', readOf(bytes), bytes.length);
  expect(size).toEqual({ width: 5, height: 3, frames: 1_000_000, durationMs: null });
});
