/** S49: nothing uploaded runs in a browser. What a file is taken for decides how it is served. */
import vm from 'node:vm';
import { describe, expect, test } from 'vitest';
import { latin1, readOf } from '../../protocol/media/bytes.ts';
import { KINDS, kindOf } from '../../protocol/media/kinds.ts';
import { sizeOf } from '../../protocol/media/sizes.ts';
import { stripped } from '../../protocol/media/testing/in-memory.ts';
import { polyglots } from '../support/polyglots.ts';

const FILES = polyglots('globalThis.ran=1');
/** Of these, all that is not needed is removed before anybody gets them. */
const STRIPPED = ['jpeg', 'png', 'webp', 'mp4', 'avif'];

test('there are 60, each of its own', () => {
  expect(new Set(FILES.map(({ name }) => name)).size).toBe(60);
});

describe('a file that is two things is taken for the picture or the sound, and never for what runs', () => {
  test.each(FILES)('$name', async ({ bytes, kind }) => {
    expect(latin1(bytes, 0, bytes.length)).toContain('globalThis.ran=1');
    expect(await kindOf(readOf(bytes), bytes.length)).toBe(kind);
    expect(KINDS[kind].type).toMatch(
      kind === 'other' ? /^application\/octet-stream$/ : /^(image|audio|video)\//,
    );
    if (kind !== 'other') expect(await sizeOf(kind, readOf(bytes), bytes.length)).not.toBeNull();
    if (!STRIPPED.includes(kind)) return;
    const clean = await stripped(kind, bytes);
    expect(latin1(clean ?? new Uint8Array(), 0, clean?.length ?? 0)).not.toContain('globalThis.ran');
  });
});

describe('those that are a script are one: it would run', () => {
  test.each(FILES.filter(({ name }) => name.endsWith('and script')))('$name', ({ bytes }) => {
    const text = latin1(bytes, 0, bytes.length);
    const context = vm.createContext({});
    vm.runInContext(text, context);
    expect(context.ran).toBe(1);
  });
});
