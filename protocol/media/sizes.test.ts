import { describe, expect, test } from 'vitest';
import { readOf } from './bytes.ts';
import { type FileKind, kindOf } from './kinds.ts';
import { type MediaSize, sizeOf } from './sizes.ts';
import { be32, cat, zeros } from './testing/build.ts';
import { avcTrack, film } from './testing/films.ts';
import { PHOTOS } from './testing/phones.ts';
import { JPEG, PNG, VP8L } from './testing/samples.ts';
import { animatedWebp, apng, flac, gif, m4a, mp3, ogg, wav, webm } from './testing/sounds.ts';

async function measured(bytes: Uint8Array): Promise<MediaSize | null> {
  const read = readOf(bytes);
  return await sizeOf(await kindOf(read, bytes.length), read, bytes.length);
}

/** The bytes with others in one place. */
function changed(bytes: Uint8Array, at: number, ...others: readonly number[]): Uint8Array {
  const copy = bytes.slice();
  copy.set(others, at);
  return copy;
}

describe('width and height are those that are shown, turned', () => {
  test.each(PHOTOS)('$name', async ({ bytes, size: [width, height] }) => {
    expect(await measured(bytes)).toMatchObject({ width, height });
  });

  test.each<[string, Uint8Array, object]>([
    ['JPEG', JPEG, { width: 32, height: 16, frames: 1, durationMs: null }],
    ['PNG', PNG, { width: 32, height: 16, frames: 1, durationMs: null }],
    ['WebP without losses', VP8L, { width: 32, height: 16, frames: 1, durationMs: null }],
    ['GIF', gif(), { width: 5, height: 3, frames: 3, durationMs: null }],
    ['an animation of PNG', apng(), { width: 32, height: 16, frames: 4, durationMs: null }],
    ['an animation of WebP', animatedWebp(), { width: 32, height: 16, frames: 2, durationMs: null }],
    ['WebM', webm(), { width: 80, height: 48, frames: null, durationMs: 1500 }],
    ['MP4', film('isom', [avcTrack('x')], []), { width: 32, height: 16, frames: null, durationMs: 2000 }],
  ])('%s', async (_, bytes, expected) => {
    expect(await measured(bytes)).toEqual(expected);
  });

  test('a sequence of AVIF has as many frames as its track has samples', async () => {
    const track = avcTrack('x');
    const sequence = film('avis', [{ ...track, handler: 'vide', samples: ['a', 'b', 'c'] }], []);
    expect(await measured(sequence)).toEqual({ width: 32, height: 16, frames: 3, durationMs: null });
  });
});

describe('a sound is as long as its header says', () => {
  test.each<[string, Uint8Array, number]>([
    ['WAV', wav(), 2000],
    ['FLAC', flac(), 2000],
    ['MP3', mp3(), 2612],
    ['Ogg', ogg(), 2000],
    ['M4A', m4a(), 2000],
  ])('%s', async (_, bytes, durationMs) => {
    expect(await measured(bytes)).toEqual({ width: null, height: null, frames: null, durationMs });
  });
});

test('a PNG that says 30 000 x 30 000 pixels is measured, not decoded', async () => {
  const large = changed(PNG, 16, 0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30);
  expect(await measured(large)).toMatchObject({ width: 30_000, height: 30_000 });
});

/** A sound of Vorbis at 1 Hz: more milliseconds than a number in JSON may say. */
function endless(): Uint8Array {
  const head = cat('OggS', [0, 2], zeros(8), [7, 0, 0, 0], zeros(8), [1, 30]);
  const first = cat(head, '\x01vorbis', zeros(5), [1, 0, 0, 0], zeros(20));
  return cat(first, 'OggS', [0, 4], zeros(6), [0x10, 0], [7, 0, 0, 0], zeros(40));
}

describe('a header that is broken, cut or empty gives null', () => {
  test.each<[string, FileKind, Uint8Array]>([
    ['nothing', 'jpeg', zeros(0)],
    ['a JPEG that ends before its frame', 'jpeg', JPEG.subarray(0, 100)],
    ['a JPEG of no height', 'jpeg', changed(JPEG, JPEG.indexOf(0xc0) + 4, 0, 0)],
    ['a PNG of no width', 'png', changed(PNG, 16, 0, 0, 0, 0)],
    ['a PNG that ends in its header', 'png', PNG.subarray(0, 20)],
    ['a GIF without an image', 'gif', gif(0)],
    ['a WebP without a picture', 'webp', cat('RIFF', zeros(4), 'WEBP')],
    ['an AVIF without items', 'avif', cat(be32(8), 'meta')],
    ['an MP4 that ends in its header', 'mp4', film('isom', [avcTrack('x')], []).subarray(0, 300)],
    ['a WebM of its head alone', 'webm', webm().subarray(0, 12)],
    ['an Ogg of its first page', 'ogg', ogg().subarray(0, 47)],
    ['an Ogg that says it has 2^52 seconds', 'ogg', endless()],
    ['an MP3 without a table', 'mp3', changed(mp3(), 56, 0, 0, 0, 0)],
    ['a WAV of no rate', 'wav', changed(wav(), 28, 0, 0, 0, 0)],
    ['a FLAC of no samples', 'flac', changed(flac(), 22, 0, 0, 0, 0)],
    ['any other file', 'other', cat('text')],
  ])('%s', async (_, kind, bytes) => {
    expect(await sizeOf(kind, readOf(bytes), bytes.length)).toBeNull();
  });
});

test('a disk that fails is no broken file: its error is passed on', async () => {
  const fails = async (): Promise<never> => {
    throw new Error('EIO');
  };
  await expect(sizeOf('jpeg', fails, 1000)).rejects.toThrow('EIO');
});
