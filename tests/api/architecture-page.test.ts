import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** This file runs as dist/tests/api/architecture-page.test.js. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Folders whose own folders the page lists. */
const OPENED = [
  ...['.', 'protocol', 'client', 'server'],
  ...['process', 'entrypoints', 'features', 'data', 'platform', 'rules'].map((floor) => `server/${floor}`),
  ...['server/entrypoints/realtime', 'server/entrypoints/realtime/line', 'server/data/storage'],
];

/** The paths of the tree on the page: two spaces of indentation for each level, the name, its description. */
function documentedPaths(): string[] {
  const page = readFileSync(join(ROOT, 'docs', 'ARCHITECTURE.md'), 'utf8');
  const tree = page.split('```\n')[1] ?? '';
  const parents: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', name = ''] = /^((?: {2}){0,4})([\w./-]+) /.exec(line) ?? [];
    if (name === '') return [];
    parents.splice(indent.length / 2, parents.length, name.replace(/\/$/, ''));
    return [parents.join('/')];
  });
}

/** The folders of the repository, without what a build makes. */
function folders(parent: string): string[] {
  return readdirSync(join(ROOT, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(parent, name));
}

/** Those that have a file in git. A copy without git has none to compare. */
function withoutIgnored(paths: readonly string[]): string[] {
  try {
    const list = execFileSync('git', ['ls-files', '--', ...paths], { cwd: ROOT, encoding: 'utf8' });
    return paths.filter((path) => list.split('\n').some((file) => file.startsWith(`${path}/`)));
  } catch {
    return [];
  }
}

it('every path of the tree in docs/ARCHITECTURE.md exists', () => {
  const paths = documentedPaths();
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it('the tree in docs/ARCHITECTURE.md has every folder of the repository, of the server and of the SDK', () => {
  const paths = documentedPaths();
  const missing = withoutIgnored(OPENED.flatMap(folders)).filter((path) => !paths.includes(path));
  expect(missing).toEqual([]);
});
