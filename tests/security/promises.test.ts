/** docs/SECURITY.md names its tests, and this checks that they are there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** This file runs as dist/tests/security/promises.test.js. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** `S7`, and the tests that show it: a file, and titles that stand in it. */
const promises = read('docs/SECURITY.md')
  .split(/\n(?=\*\*S\d+\.)/)
  .slice(1)
  .map((text) => {
    const [section = ''] = text.split(/\n#/);
    const items = section.split(/\n(?=- )/).slice(1);
    return {
      number: Number(/^\*\*S(\d+)\./.exec(section)?.[1]),
      tests: items.map((item) => ({
        file: /^- `([^`]+)`/.exec(item)?.[1] ?? '',
        titles: [...item.replaceAll(/\s+/g, ' ').matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
      })),
    };
  });

test('each promise has a number of its own, and a test', () => {
  expect(promises.length).toBeGreaterThan(20);
  const numbers = promises.map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.every((number) => number > 0)).toBe(true);
  expect(promises.filter(({ tests }) => tests.length === 0)).toEqual([]);
  expect(promises.flatMap(({ tests }) => tests).filter(({ titles }) => titles.length === 0)).toEqual([]);
});

test('each test that is named is in its file', () => {
  const named = promises.flatMap(({ number, tests }) =>
    tests.flatMap(({ file, titles }) => titles.map((title) => ({ number, file, title }))),
  );
  expect(named.length).toBeGreaterThan(60);
  const missing = named.filter(
    ({ file, title }) => !(existsSync(join(ROOT, file)) && isTitleIn(read(file), title)),
  );
  expect(missing).toEqual([]);
});

/** The title of a test or of a group, not any other text: it begins a call, or a line of its own within one. */
function isTitleIn(source: string, title: string): boolean {
  const quoted = title
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll("'", "\\\\?'")
    .replaceAll('’', '(?:’|\\\\u2019)');
  return new RegExp(`(?:\\(|^\\s*)(['"\`])${quoted}\\1,`, 'm').test(source);
}
