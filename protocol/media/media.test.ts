import { describe, expect, test } from 'vitest';
import { bytesOf, joined, latin1, readOf } from './bytes.ts';
import { orientationOf } from './exif.ts';
import { type FileKind, KINDS, kindOf } from './kinds.ts';
import { sizeOf } from './sizes.ts';
import { stripPlan, strippedBytes, strippedSize } from './strip.ts';
import { jpeg, movie, png, SCAN, webp } from './testing/build.ts';

const MUTANTS = 400;

async function strip(kind: FileKind, file: Uint8Array): Promise<Uint8Array | null> {
  const plan = await stripPlan(kind, readOf(file), file.length);
  if (plan === null) return null;
  const parts: Uint8Array[] = [];
  for await (const part of strippedBytes(plan, readOf(file))) parts.push(part);
  const all = joined(...parts);
  expect(all.length).toBe(strippedSize(plan));
  return all;
}

const text = (bytes: Uint8Array | null): string => latin1(bytes ?? new Uint8Array(), 0, bytes?.length ?? 0);

const FILES: readonly [kind: FileKind, file: Uint8Array, width: number, height: number][] = [
  ['jpeg', jpeg(6), 400, 600],
  ['png', png(6), 200, 300],
  ['webp', webp(6), 64, 32],
  ['mp4', movie('mp42'), 640, 480],
  ['mov', movie('qt  '), 640, 480],
];

describe.each(FILES)('%s', (kind, file, width, height) => {
  test('is known by its bytes, and has the size that browsers show', async () => {
    expect(await kindOf(readOf(file), file.length)).toBe(kind);
    expect(await sizeOf(kind, readOf(file), file.length)).toMatchObject({ width, height });
  });

  test('loses place, device and time, and keeps its pixels and its size', async () => {
    const clean = await strip(kind, file);
    expect(text(file)).toContain('SECRET');
    expect(text(clean)).not.toMatch(/SECRET|52\.5200|\xee\xee|\xdd\xdd/);
    expect(text(clean)).toContain(text(SCAN));
    if (!clean) throw new Error('nothing is left');
    expect(await kindOf(readOf(clean), clean.length)).toBe(kind);
    expect(await sizeOf(kind, readOf(clean), clean.length)).toEqual(
      await sizeOf(kind, readOf(file), file.length),
    );
    // Cleaning what is clean changes nothing.
    expect(text(await strip(kind, clean))).toBe(text(clean));
  });

  test('cut anywhere or with wrong bytes, it neither hangs nor throws', async () => {
    let state = 7;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % below;
    };
    for (let mutant = 0; mutant < MUTANTS; mutant++) {
      const broken = file.slice(0, mutant % 2 === 0 ? random(file.length) : file.length);
      for (let change = 0; change < 4 && broken.length > 0; change++)
        broken[random(broken.length)] = [0, 255, random(256)][random(3)] ?? 0;
      const read = readOf(broken);
      expect(Object.keys(KINDS)).toContain(await kindOf(read, broken.length));
      await sizeOf(kind, read, broken.length);
      await strip(kind, broken);
    }
  });
});

test.each([
  ['jpeg', jpeg],
  ['png', png],
  ['webp', webp],
] as const)('the orientation of a %s stays, and an upright one has no EXIF', async (kind, build) => {
  const turned = await strip(kind, build(6));
  const at = text(turned).indexOf('MM\0*');
  expect(orientationOf((turned ?? new Uint8Array()).subarray(at))).toBe(6);
  expect(text(await strip(kind, build(1)))).not.toContain('MM\0*');
});

test('a film keeps its length, so that nothing in it moves, and says how long it is', async () => {
  const file = movie('mp42');
  const clean = await strip('mp4', file);
  const uuid = text(file).lastIndexOf('uuid') - 4;
  expect(clean?.length).toBe(uuid);
  expect(await sizeOf('mp4', readOf(file), file.length)).toMatchObject({ durationMs: 2500, frames: null });
});

test.each([
  ['a script that begins as a GIF', 'GIF89a/*\0\0\0*/=1;alert(1)'],
  ['a page', '<!doctype html><script>alert(1)</script>'],
  ['a drawing with a script', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ['a PDF', '%PDF-1.7\n'],
  ['an archive', 'PK\x03\x04\0\0\0\0'],
  ['a JPEG of two bytes', '\xff\xd8'],
  ['a PNG without a header', '\x89PNG\r\n\x1a\n<script>'],
  ['nothing', ''],
])('%s is a file that is downloaded', async (_, content) => {
  const bytes = bytesOf(content);
  const kind = await kindOf(readOf(bytes), bytes.length);
  expect(KINDS[kind].inline).toBe(false);
});

test('a PNG that says 30 000 x 30 000 pixels is measured, not decoded', async () => {
  const file = png(1);
  file.set([0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30], 16);
  expect(await sizeOf('png', readOf(file), file.length)).toMatchObject({ width: 30_000, height: 30_000 });
  expect(latin1(file, 12, 4)).toBe('IHDR');
});
