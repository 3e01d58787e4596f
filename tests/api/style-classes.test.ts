/** The classes of the style sheets of the web client: each one is used, and each one that is used exists. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** This file runs as dist/tests/api/style-classes.test.js. */
const SOURCES = fileURLToPath(new URL('../../../frontend/src', import.meta.url));
const IMPORT = /import (\w+) from '([^']+\.module\.css)'/g;

/** A component that imports a style sheet, and the name that it has there. */
interface Importer {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
const read = (file: string) => readFileSync(join(SOURCES, file), 'utf8');
const importers = new Map<string, Importer[]>();
for (const file of files.filter((path) => path.endsWith('.tsx'))) {
  const text = read(file);
  for (const [, name = '', path = ''] of text.matchAll(IMPORT)) {
    const sheet = normalize(join(dirname(file), path));
    importers.set(sheet, [...(importers.get(sheet) ?? []), { file, name, text }]);
  }
}

/** The classes in the selectors of a style sheet. */
function classesOf(css: string): Set<string> {
  const selectors = css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^{}]*\}/g, '{}');
  return new Set([...selectors.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name = '']) => name));
}

/** The classes that a component takes from a style sheet. */
function usedBy({ name, text }: Importer): string[] {
  return [...text.matchAll(new RegExp(`(?<![.\\w])${name}\\.(\\w+)`, 'g'))].map(([, used = '']) => used);
}

const sheets = files
  .filter((path) => path.endsWith('.module.css'))
  .map((sheet) => ({ sheet, classes: classesOf(read(sheet)), by: importers.get(sheet) ?? [] }));

it('classes are found in selectors and media queries, and nowhere else', () => {
  const css =
    '/* .a */ .b > .c:not(.d)::before { margin: .5em; content: ".e"; } @media (x) { .f { g: url(h.i); } }';
  expect([...classesOf(css)]).toEqual(['b', 'c', 'd', 'f']);
});

it('every class of a style sheet is used by a component that imports it', () => {
  expect(sheets.length).toBeGreaterThan(50);
  const unused = sheets.flatMap(({ sheet, classes, by }) => {
    const used = new Set(by.flatMap(usedBy));
    return [...classes].filter((name) => !used.has(name)).map((name) => `${sheet}: .${name}`);
  });
  expect(unused).toEqual([]);
});

it('every class that a component uses is in the style sheet that it imports', () => {
  const missing = sheets.flatMap(({ classes, by }) =>
    by.flatMap((importer) =>
      usedBy(importer)
        .filter((name) => !classes.has(name))
        .map((name) => `${importer.file}: ${importer.name}.${name}`),
    ),
  );
  expect(missing).toEqual([]);
});

it('no component hands a style sheet on or picks a class by a computed name: nobody could find what is unused', () => {
  const handedOn = [...importers.values()]
    .flat()
    .filter(({ name, text }) =>
      new RegExp(`(?:=\\{|\\(|\\.\\.\\.)${name}[),}]|(?<![.\\w])${name}\\[`).test(text),
    )
    .map(({ file, name }) => `${file}: ${name}`);
  expect(handedOn).toEqual([]);
});
