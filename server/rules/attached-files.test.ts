import { expect, test } from 'vitest';
import { attachedFile as schema } from '../../protocol/attached-files.ts';
import { attachedFiles, filesIn, withFound } from './attached-files.ts';

const row = (key: string, info: object, change: object = {}) => ({
  ...{ key: key.padEnd(22, '_'), ofKey: null, name: 'a.jpg', type: 'image/jpeg', size: 5, state: 'ready' },
  info: JSON.stringify(info),
  ...change,
});
const PHOTO = row('photo', { kind: 'jpeg', width: 4032, height: 3024, alt: 'a cat', frames: 2 });
const preview = (info: object, change: object = {}) => row('small', info, { ofKey: PHOTO.key, ...change });
const shown = (small: ReturnType<typeof row>) => attachedFiles([PHOTO.key], [PHOTO, small])[0]?.preview;

test('a message shows what the protocol names of a file, and nothing else', () => {
  const [file] = attachedFiles([PHOTO.key], [PHOTO]);
  expect(file).toEqual({
    ...{
      key: PHOTO.key,
      name: 'a.jpg',
      type: 'image/jpeg',
      size: 5,
      width: 4032,
      height: 3024,
      alt: 'a cat',
    },
  });
  expect(schema.parse(file)).toEqual(file);
});

test('a refused file says why, and one that is ready never does', () => {
  const refused = row('refused', { reason: 'malware' }, { state: 'refused' });
  const [file] = attachedFiles([refused.key], [refused]);
  expect(file).toMatchObject({ state: 'refused', reason: 'malware' });
  expect(schema.parse(file)).toEqual(file);
  const ready = row('ready', { reason: 'malware' });
  expect(attachedFiles([ready.key], [ready])[0]).not.toHaveProperty('reason');
});

test.each([
  ['of the same proportions', { kind: 'webp', width: 1280, height: 960 }, true],
  ['rounded', { kind: 'webp', width: 1280, height: 961 }, true],
  ['turned', { kind: 'webp', width: 960, height: 1280 }, false],
  ['wider', { kind: 'webp', width: 1280, height: 720 }, false],
  ['larger than 2048 pixels', { kind: 'webp', width: 2732, height: 2049 }, false],
  ['no picture', { kind: 'other' }, false],
  ['a film', { kind: 'mp4', width: 1280, height: 960 }, false],
])('a preview %s: %#', (_, info, isShown) => {
  expect(shown(preview(info)) !== undefined).toBe(isShown);
});

test('a preview that is being checked or was refused is not shown', () => {
  const info = { kind: 'webp', width: 1280, height: 960 };
  for (const state of ['checking', 'refused']) expect(shown(preview(info, { state }))).toBeUndefined();
});

test('what a check finds replaces what was found, and not what the sender said', () => {
  const stored = JSON.stringify({ alt: 'a cat', blur: 'abcd', kind: 'png', width: 3 });
  expect(JSON.parse(withFound(stored, '{"kind":"gif","alt":"no"}'))).toEqual({
    ...{ kind: 'gif', alt: 'a cat', blur: 'abcd' },
  });
  expect(withFound('{}', '{"kind":"gif"}')).toBe('{"kind":"gif"}');
});

test('people cannot write files into what is stored with a text', () => {
  expect(filesIn(JSON.stringify({ thread: { title: '"files":[{"key":"x"}]' } }))).toEqual([]);
});
