import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** This file runs as dist/tests/api/doc-paths.test.js. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']
  .concat(readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`))
  .concat(readdirSync(join(ROOT, 'docs/decisions')).map((name) => `docs/decisions/${name}`))
  .filter((page) => page.endsWith('.md'));
/** In backticks, from a top-level folder to a source file. */
const SOURCE =
  /`((?:protocol|client|frontend|server|demo|scripts|bench|tests)\/[\w./-]+\.(?:ts|tsx|mjs|json))`/g;
/** A link to a file of the repository, without the part after `#`. */
const LINK = /\]\(([^)#:]+)(?:#[^)]*)?\)/g;

test('every source file that a page names exists', () => {
  const named = PAGES.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(SOURCE)].map(([, path = '']) => ({ page, path })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('every link of a page to a file of the repository leads to one', () => {
  const links = PAGES.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(LINK)].map(([, path = '']) => ({ page, path })),
  );
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter(({ page, path }) => !existsSync(join(ROOT, dirname(page), path)))).toEqual([]);
});
