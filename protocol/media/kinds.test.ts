import { describe, expect, test } from 'vitest';
import { readOf } from './bytes.ts';
import { type FileKind, KINDS, kindOf } from './kinds.ts';
import { be32, box, cat, type Part, zeros } from './testing/build.ts';
import { PHOTOS } from './testing/phones.ts';
import { JPEG, PNG, VP8, VP8L } from './testing/samples.ts';
import { animatedWebp, apng, flac, gif, m4a, mp3, ogg, wav, webm } from './testing/sounds.ts';

const kind = async (...parts: readonly Part[]): Promise<FileKind> => {
  const bytes = cat(...parts);
  return await kindOf(readOf(bytes), bytes.length);
};

const ftyp = (...brands: readonly string[]): Uint8Array =>
  box('ftyp', brands[0] ?? '', be32(0), ...brands.slice(1));

describe('a file is what its bytes say', () => {
  test.each(PHOTOS)('$name', async ({ bytes, kind: expected }) => {
    expect(await kind(bytes)).toBe(expected);
  });

  test.each<[FileKind, Uint8Array]>([
    ['jpeg', JPEG],
    ['png', PNG],
    ['png', apng()],
    ['gif', gif()],
    ['webp', VP8],
    ['webp', VP8L],
    ['webp', animatedWebp()],
    ['webm', webm()],
    ['mp3', mp3()],
    ['mp3', mp3().subarray(20)],
    ['m4a', m4a()],
    ['ogg', ogg()],
    ['wav', wav()],
    ['flac', flac()],
  ])('%s', async (expected, bytes) => {
    expect(await kind(bytes)).toBe(expected);
  });
});

describe('of MP4 and its kin, the brands decide', () => {
  test.each<[FileKind, string[]]>([
    ['avif', ['avif', 'mif1', 'miaf']],
    ['avif', ['avis', 'msf1']],
    ['avif', ['mif1', 'avif']],
    ['heic', ['heic', 'mif1']],
    ['heic', ['mif1', 'heic']],
    ['heic', ['hevc', 'msf1']],
    ['mp4', ['isom', 'iso2', 'avc1', 'mp41']],
    ['mp4', ['MSNV', 'isom']],
    ['mp4', ['3gp5', 'isom']],
    ['mp4', ['AnyC', 'mp42']],
    ['mov', ['qt  ']],
    ['mov', ['AnyC', 'qt  ']],
    ['m4a', ['M4A ', 'mp42']],
    ['other', ['crx ', 'CAEP']],
    ['other', ['jp2 ']],
  ])('%s: %s', async (expected, brands) => {
    expect(await kind(ftyp(...brands), box('mdat'), zeros(16))).toBe(expected);
  });

  test('QuickTime from before there were brands begins with an atom of its own, and has its header', async () => {
    expect(await kind(box('wide'), box('mdat', 'data'), box('moov', 'header'))).toBe('mov');
    expect(await kind(box('wide'), box('mdat', 'data'))).toBe('other');
    expect(await kind(box('mdat', 'data'), 'no atom')).toBe('other');
  });
});

describe('first bytes alone are not enough', () => {
  test.each<[string, Part]>([
    ['nothing', ''],
    ['one byte', [0xff]],
    ['a script that begins as GIF', 'GIF89a=1;alert(1)//'],
    ['a GIF of no width', cat(gif().subarray(0, 6), zeros(2), gif().subarray(8))],
    ['a script that begins as JPEG', cat([0xff, 0xd8, 0xff], '=1;alert(1)')],
    [
      'a JPEG whose first segment does not end at another',
      cat(JPEG.subarray(0, 4), [0, 9], JPEG.subarray(6)),
    ],
    ['a PNG without a header', cat(PNG.subarray(0, 8), PNG.subarray(33))],
    ['RIFF of another form', cat('RIFF', zeros(4), 'AVI LIST')],
    ['a WebP of an unknown chunk', cat('RIFF', zeros(4), 'WEBPEXIF')],
    ['Matroska', webm('matroska')],
    ['one frame of MP3', mp3().subarray(20, 437)],
    ['a tag of MP3 before text', cat(mp3().subarray(0, 20), '<script>')],
    ['AAC', cat([0xff, 0xf1, 0x50, 0x80], zeros(40))],
    ['UTF-16', cat([0xff, 0xfe], 'a\0b\0')],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['PDF', '%PDF-1.7'],
    ['ZIP', cat('PK\x03\x04', zeros(30))],
  ])('%s is other', async (_, part) => {
    expect(await kind(part)).toBe('other');
  });
});

test('what is inline is a picture, a video or a sound that browsers play; all else is downloaded', () => {
  const downloaded = Object.entries(KINDS).filter(([, facts]) => !facts.inline);
  expect(downloaded.map(([name]) => name)).toEqual(['heic', 'mov', 'other']);
  for (const facts of Object.values(KINDS)) {
    if (facts.inline) expect(facts.type).toMatch(/^(image|video|audio)\/(?!svg)/);
  }
});
