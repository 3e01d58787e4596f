/**
 * `:has()` in the style sheets of the web client. A browser judges it again for each ancestor of what is added or
 * removed, and a timeline changes hundreds of times a second: a wrong one makes all its messages be styled anew.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** This file runs as dist/tests/api/style-has.test.js. */
const SOURCES = fileURLToPath(new URL('../../../frontend/src', import.meta.url));

/** The selectors of a style sheet that have `:has()`. */
function selectorsOf(css: string): string[] {
  return [...css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/[^{};]*:has\([^{};]*(?=\{)/g)]
    .flatMap(([rule]) => rule.split(/,(?![^(]*\))/))
    .map((selector) => selector.trim())
    .filter((selector) => selector.includes(':has('));
}

const found = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.css'))
  .flatMap((path) =>
    selectorsOf(readFileSync(join(SOURCES, path), 'utf8')).map((selector) => ({ path, selector })),
  );

it('selectors with :has() are found', () => {
  const css = '@media (x) { /* a:has(b) */ .a:has(> .b, .c) > .d, .e { f: g } } .h { i: j }';
  expect(selectorsOf(css)).toEqual(['.a:has(> .b, .c) > .d']);
  expect(found.length).toBeGreaterThan(10);
});

it('is never judged for the whole page, nor for every message', () => {
  expect(
    found.filter(({ selector }) =>
      /(^|\s)(:root|html|body|main|section|ol|ul|div)[^\s]*:has\(/.test(selector),
    ),
  ).toEqual([]);
});

it('what it changes is named: otherwise everything in it is styled anew', () => {
  expect(
    found.filter(({ selector }) => /:has\(.*[>\s~+]\s*(:|\*)[^\s]*$/.test(withoutArguments(selector))),
  ).toEqual([]);
});

/** Without what stands in the parentheses of `:has()`. */
function withoutArguments(selector: string): string {
  return selector.replaceAll(/:has\((?:[^()]|\([^()]*\))*\)/g, ':has()');
}
