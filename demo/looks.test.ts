import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { PICTURE_MAX, PICTURE_SIDE_MAX } from '../protocol/limits.ts';
import { isEmojiName } from '../protocol/names.ts';
import { drawIcon, EMOJI, portraits } from './looks.ts';
import { ME, people } from './people.ts';
import { DIRECT, LINES } from './script.ts';
import { DEMO_SIZE } from './world.ts';

test('about ten people have a picture, among them the reader and all who write to her; the rest have none', () => {
  const names = [...portraits().keys()];
  expect(names.length).toBeGreaterThanOrEqual(10);
  expect(people(DEMO_SIZE.people)).toEqual(expect.arrayContaining(names));
  expect(names).toEqual(expect.arrayContaining([ME, ...DIRECT.flatMap((direct) => direct.people)]));
  expect(names.length).toBeLessThan(DEMO_SIZE.people / 2);
});

test('each picture is a PNG that the server takes, another one than the others, and the same each time', () => {
  const draws = [...portraits().values(), drawIcon, ...EMOJI.values()];
  const drawn = draws.map((draw) => draw());
  for (const [at, bytes] of drawn.entries()) {
    expect(bytes.length).toBeLessThan(PICTURE_MAX);
    expect(bytes.readUInt32BE(16)).toBeLessThanOrEqual(PICTURE_SIDE_MAX);
    expect(draws[at]?.().equals(bytes)).toBe(true);
  }
  expect(new Set(drawn.map((bytes) => bytes.toString('base64'))).size).toBe(drawn.length);
});

test('an emoji can be seen through at its corners, so that it stands on every ground', () => {
  for (const draw of EMOJI.values()) {
    const bytes = draw();
    const side = bytes.readUInt32BE(16);
    const data = bytes.subarray(bytes.indexOf('IDAT') + 4);
    const rows = inflateSync(data.subarray(0, bytes.readUInt32BE(bytes.indexOf('IDAT') - 4)));
    expect(rows.length).toBe(side * (1 + 4 * side));
    expect(rows[4]).toBe(0);
  }
});

test('the emoji that the script has are those of the server', () => {
  const used = LINES.flatMap(({ text, reactions = {} }) => [
    ...Object.keys(reactions).filter((emoji) => emoji.startsWith(':')),
    ...(text.match(/:[a-z]+-[a-z]+:/g) ?? []),
  ]);
  expect(used.length).toBeGreaterThan(3);
  for (const emoji of used) expect([...EMOJI.keys()]).toContain(emoji.slice(1, -1));
  for (const name of EMOJI.keys()) expect(isEmojiName(name)).toBe(true);
  for (const { reactions = {} } of LINES)
    for (const [emoji, who] of Object.entries(reactions))
      if (emoji.startsWith(':')) expect([...portraits().keys()]).toEqual(expect.arrayContaining([...who]));
});
