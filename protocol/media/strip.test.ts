import { describe, expect, test } from 'vitest';
import { latin1, readOf } from './bytes.ts';
import { orientationOf } from './exif.ts';
import { kindOf } from './kinds.ts';
import { chunkOf } from './png.ts';
import { sizeOf } from './sizes.ts';
import { stripPlan, strippedSize } from './strip.ts';
import { be16, be32, box, cat, riff, riffChunk, segment, zeros } from './testing/build.ts';
import { exifOf } from './testing/exif-of.ts';
import { avcTrack, dataTrack, film, keyed } from './testing/films.ts';
import { counted, stripped } from './testing/in-memory.ts';
import { PHOTOS } from './testing/phones.ts';
import { AV1, AVC, HEVC, JPEG, PNG, VP8 } from './testing/samples.ts';
import { FILM_TIME, SECRETS } from './testing/secrets.ts';
import { gif, m4a } from './testing/sounds.ts';

const MIB = 1024 * 1024;

/** The bytes as text, so that they can be searched. */
function textOf(bytes: Uint8Array | null): string {
  let text = '';
  for (let at = 0; bytes !== null && at < bytes.length; at += 8192) text += latin1(bytes, at, 8192);
  return text;
}

const TIME = textOf(be32(FILM_TIME));
/** Degrees, minutes and hundredths of seconds of the latitude, in both orders. */
const PLACE = [textOf(be32(2772, 100)), textOf(be32(100, 2772).toReversed())];

/** The coded picture of each kind: not a byte of it changes. */
const CODED = {
  jpeg: JPEG.subarray(JPEG.indexOf(0xdb) - 1),
  png: PNG.subarray(33),
  webp: VP8.subarray(12),
  heic: HEVC,
  avif: AV1,
  mp4: AVC,
  mov: AVC,
};

describe('G20: no picture tells where it was taken', () => {
  test.each(PHOTOS)('$name', async ({ kind, bytes, size: [width, height], orientation }) => {
    const before = textOf(bytes);
    expect(SECRETS.some((secret) => before.includes(secret))).toBe(true);
    const result = await stripped(kind, bytes);
    const after = textOf(result);
    expect([...SECRETS, ...PLACE, TIME].filter((secret) => after.includes(secret))).toEqual([]);

    const read = readOf(result ?? zeros(0));
    expect(await kindOf(read, after.length)).toBe(kind);
    expect(await sizeOf(kind, read, after.length)).toMatchObject({ width, height });
    expect(after).toContain(textOf(CODED[kind as keyof typeof CODED]));
    if (orientation > 1) expect(orientationOf(tiffIn(after))).toBe(orientation);
    // What is stripped is stripped of nothing more.
    expect(await stripped(kind, result ?? zeros(0))).toEqual(result);
  });

  test('each secret is in one of the photos', () => {
    const all = PHOTOS.map(({ bytes }) => textOf(bytes)).join('');
    expect([...SECRETS, ...PLACE, TIME].filter((secret) => !all.includes(secret))).toEqual([]);
  });
});

function tiffIn(text: string): Uint8Array {
  return cat(text.slice(text.indexOf('MM\0*')));
}

describe('JPEG', () => {
  const start = JPEG.subarray(0, 2);
  const rest = JPEG.subarray(2);

  test('JFIF stays, without its thumbnail', async () => {
    const jfif = segment(0xe0, 'JFIF\0', [1, 1, 0, 0, 72, 0, 72, 1, 1], [9, 9, 9]);
    const text = textOf(await stripped('jpeg', cat(start, jfif, CODED.jpeg)));
    expect(text.slice(2, 20)).toBe(textOf(segment(0xe0, 'JFIF\0', [1, 1, 0, 0, 72, 0, 72, 0, 0])));
  });

  test("the colour profile and Adobe's colours stay as they are", async () => {
    const kept = cat(segment(0xe2, 'ICC_PROFILE\0\x01\x01profile'), segment(0xee, 'Adobe', zeros(7)));
    const text = textOf(await stripped('jpeg', cat(start, kept, CODED.jpeg)));
    expect(text).toBe(textOf(cat(start, kept, CODED.jpeg)));
  });

  test('the first EXIF counts, as it does for browsers', async () => {
    const exif = (orientation: number): Uint8Array =>
      segment(0xe1, 'Exif\0\0MM\0*', be32(8), be16(1, 0x112, 3), be32(1), be16(orientation, 0), be32(0));
    const result = await stripped('jpeg', cat(start, exif(1), exif(6), rest));
    expect(textOf(result)).not.toContain('Exif');
    const other = textOf(await stripped('jpeg', cat(start, exif(3), exif(6), rest)));
    expect(other.match(/Exif/g)).toHaveLength(1);
    expect(orientationOf(tiffIn(other))).toBe(3);
  });

  test('it ends at the end of image', async () => {
    const result = await stripped('jpeg', cat(JPEG, JPEG, 'MotionPhoto_Data'));
    expect(result).toEqual(await stripped('jpeg', JPEG));
    expect([...(result ?? []).slice(-2)]).toEqual([0xff, 0xd9]);
  });

  test('one that is cut in its picture keeps what there is; one that is cut before has no plan', async () => {
    const cut = JPEG.subarray(0, JPEG.length - 20);
    expect(textOf(await stripped('jpeg', cut)).endsWith(textOf(cut.subarray(-40)))).toBe(true);
    expect(await stripPlan('jpeg', readOf(JPEG), 100)).toBeNull();
  });

  test('a marker on the border of two reads is seen', async () => {
    for (let fill = 65_536 - 600; fill < 65_536; fill += 7) {
      const scan = cat(segment(0xc0, [8], be16(9, 9), [1, 1, 0x11, 0]), segment(0xda, zeros(6)), zeros(fill));
      const picture = cat(start, scan, [0xff, 0xd9]);
      const result = await stripped('jpeg', cat(picture, 'PlaceOfPhoto'));
      expect(textOf(result) === textOf(picture)).toBe(true);
    }
  });
});

describe('films and HEIF', () => {
  const header = keyed({ 'com.apple.quicktime.location.ISO6709': '+48.8577+002.2950/' });

  test('nothing moves: the new file is as long as the old one, up to what follows its last box', async () => {
    for (const { kind, bytes } of PHOTOS) {
      if (!['mp4', 'mov', 'heic', 'avif'].includes(kind)) continue;
      const result = (await stripped(kind, bytes)) ?? zeros(0);
      expect(bytes.length - result.length).toBeGreaterThanOrEqual(0);
      const at = textOf(bytes).indexOf('mdat');
      expect(textOf(result).indexOf('mdat')).toBe(at);
    }
  });

  test('samples of a track that is hidden become zeros, and those of the picture stay', async () => {
    const places = dataTrack('meta', 'mebx', 'x', 'PlaceOfPhoto', 'PlaceOfPhoto');
    const result = textOf(await stripped('mov', film('qt  ', [places, avcTrack('x'), places], [header])));
    const data = result.slice(result.indexOf('mdat') + 4, result.indexOf('moov') - 4);
    expect(data).toBe(`${'\0'.repeat(24)}${textOf(AVC)}${'\0'.repeat(24)}`);
  });

  test('an unknown box becomes free, also at the end of a list that QuickTime ends with zeros', async () => {
    const told = cat(box('udta', box('name', 'ModelOfPhone'), zeros(4)), zeros(4));
    const result = await stripped('mov', film('qt  ', [avcTrack('x')], [told], box('GPS ', 'PlaceOfPhoto')));
    expect(textOf(result)).not.toMatch(/udta|GPS |OfPhoto|OfPhone/);
    expect(await sizeOf('mov', readOf(result ?? zeros(0)), result?.length ?? 0)).toMatchObject({ width: 32 });
  });

  test('a hidden track whose samples may be in fragments has no plan', async () => {
    const places = dataTrack('meta', 'mebx', 'x', 'PlaceOfPhoto');
    expect(await stripped('mp4', film('isom', [avcTrack('x'), places], [], box('moof')))).toBeNull();
    expect(await stripped('mp4', film('isom', [avcTrack('x')], [], box('moof')))).not.toBeNull();
  });

  test('a film without its header, or with a header that is cut, has no plan', async () => {
    expect(await stripped('mp4', cat(box('ftyp', 'isom', be32(0)), box('mdat', 'x')))).toBeNull();
    expect(await stripped('mp4', film('isom', [avcTrack('x')], []).subarray(0, 400))).toBeNull();
  });

  test('of a film of 100 MiB less than 1 MiB is read, whether its header is before or after its samples', async () => {
    const small = film('isom', [avcTrack('x')], [header]);
    const end = cat(small.subarray(small.length - 4), be32(1), 'mdat', be32(0, 100 * MIB));
    const size = small.length + 16 + 100 * MIB;
    const counts = counted(async (offset, length) => {
      const bytes = zeros(Math.min(length, size - offset));
      bytes.set(cat(small, end.subarray(4)).subarray(offset, offset + bytes.length));
      return bytes;
    });
    const plan = (await stripPlan('mp4', counts.read, size)) ?? [];
    expect(counts.total).toBeLessThan(MIB);
    expect(plan.length).toBeLessThan(10);
    expect(strippedSize(plan)).toBe(small.length + 100 * MIB);
  });
});

test('PNG: chunks of pixels and colour stay, what only describes goes', async () => {
  const names = 'gAMA cHRM sRGB iCCP pHYs tRNS bKGD acTL tEXt zTXt iTXt tIME eXIf prVt'.split(' ');
  const chunks = names.map((name) => cat(be32(0), name, be32(0)));
  const text = textOf(await stripped('png', cat(PNG.subarray(0, 33), ...chunks, PNG.subarray(33))));
  expect(names.filter((name) => !text.includes(name))).toEqual([
    'tEXt',
    'zTXt',
    'iTXt',
    'tIME',
    'eXIf',
    'prVt',
  ]);
});

test('WebP: its size is that of the new file, and its flags say what is left', async () => {
  const webp = PHOTOS.find(({ kind }) => kind === 'webp');
  const result = (await stripped('webp', cat(webp?.bytes ?? '', 'PlaceOfPhoto'))) ?? zeros(0);
  expect(result[4] ?? 0).toBe((result.length - 8) & 255);
  expect(result[20]).toBe(0x08);
});

test('a picture that is upright has no EXIF', async () => {
  const exif = exifOf({ order: 'II', orientation: 1 });
  const png = cat(PNG.subarray(0, 33), chunkOf('eXIf', exif), PNG.subarray(33));
  expect(await stripped('png', png)).toEqual(PNG);
  const canvas = riffChunk('VP8X', [8, 0, 0, 0, 31, 0, 0, 15, 0, 0]);
  const webp = await stripped('webp', riff('WEBP', canvas, VP8.subarray(12), riffChunk('EXIF', exif)));
  expect(textOf(webp)).not.toContain('EXIF');
  expect(webp?.[20]).toBe(0);
});

test('files of other kinds stay as they are', async () => {
  expect(await stripped('gif', gif())).toEqual(gif());
  expect(await stripped('m4a', m4a())).toEqual(m4a());
  expect(await stripPlan('other', readOf(zeros(0)), 0)).toEqual([]);
});
