import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** This file runs as dist/tests/api/doc-paths.test.js. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md']
  .concat(readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`))
  .concat(readdirSync(join(ROOT, 'docs/decisions')).map((name) => `docs/decisions/${name}`))
  .filter((page) => page.endsWith('.md'));
/** In backticks, from a top-level folder to a source file. */
const SOURCE =
  /`((?:protocol|client|frontend|server|demo|scripts|bench|tests)\/[\w./-]+\.(?:ts|tsx|mjs|json))`/g;

test('every source file that a page names exists', () => {
  const named = PAGES.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(SOURCE)].map(([, path = '']) => ({ page, path })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
});
