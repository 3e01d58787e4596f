/** Imports go down only: among the floors of the server and of the web client, and among the folders of each. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** This file runs as dist/tests/api/floors.test.js. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FLOORS = 'process entrypoints features data platform rules'.split(' ');
const SCREENS = 'shell app pages room parts ui i18n stores'.split(' ');
const FEATURES =
  'administration notifications search push previews messages identity rooms files presence consumers'.split(
    ' ',
  );
/** Tests and what only they use may import what they test with. */
const OF_TESTS = /\.(test|contract)\.tsx?$|\/(contract|testing)\//;
const IMPORT = /(?:from|import) ?\(?'(\.{1,2}\/[^']+)'/g;

/** Each import of a file of this folder by another, as paths below it. */
function imports(folder: string): { from: string; to: string }[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.tsx?$/.test(file) && !OF_TESTS.test(file))
    .flatMap((from) =>
      [...readFileSync(join(ROOT, folder, from), 'utf8').matchAll(IMPORT)].map(([, path = '']) => ({
        from,
        to: normalize(join(dirname(from), path)),
      })),
    )
    .filter(({ to }) => !to.startsWith('..'));
}

/** The first `depth` folders of a file's path; empty for a file that lies less deep. */
function folderOf(file: string, depth: number): string {
  const names = dirname(file).split('/');
  return names.length < depth || names[0] === '.' ? '' : names.slice(0, depth).join('/');
}

/**
 * Folders that import each other in a circle, and those that lead into one: what is left when folders that import no
 * other one are taken away, again and again.
 */
function circle(arrows: readonly (readonly [from: string, to: string])[]): string[] {
  let left = arrows.filter(([from, to]) => from !== to && from !== '' && to !== '');
  for (;;) {
    const importers = new Set(left.map(([from]) => from));
    const next = left.filter(([, to]) => importers.has(to));
    if (next.length === left.length) return [...importers].sort();
    left = next;
  }
}

it('a circle is found, and folders that lead into it or follow on it are no way out', () => {
  expect(
    circle([
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
    ]),
  ).toEqual([]);
  expect(
    circle([
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'b'],
      ['c', 'd'],
    ]),
  ).toEqual(['a', 'b', 'c']);
});

describe.each([
  ['server', FLOORS],
  ['frontend/src', SCREENS],
])('imports of %s', (folder, floors) => {
  const all = imports(folder);

  it('go from a floor to itself and to those below', () => {
    expect(all.length).toBeGreaterThan(500);
    const upward = all.filter(({ from, to }) => {
      const [above, below] = [floors.indexOf(folderOf(from, 1)), floors.indexOf(folderOf(to, 1))];
      return above !== -1 && below < above;
    });
    expect(upward).toEqual([]);
  });

  it('make no circle among the folders of a floor', () => {
    const within = all.filter(({ from, to }) => folderOf(from, 1) === folderOf(to, 1));
    expect(circle(within.map(({ from, to }) => [folderOf(from, 2), folderOf(to, 2)]))).toEqual([]);
  });
});

const REALTIME = 'server/entrypoints/realtime';

it.each(['client', 'protocol', REALTIME, `${REALTIME}/line`])(
  'the folders of %s make no circle',
  (folder) => {
    const arrows = imports(folder).map(({ from, to }) => [folderOf(from, 1), folderOf(to, 1)] as const);
    expect(circle(arrows)).toEqual([]);
  },
);

/** An import that is planted, and whether the linter must refuse it. */
interface Planted {
  file: string;
  imported: string;
  isRefused: boolean;
}

/** Each neighbours' import, up and down, between folders that stand below `where`. */
const planted = (where: string, names: readonly string[], depth: string): Planted[] =>
  names.slice(1).flatMap((lower, index) => {
    const upper = names[index] ?? '';
    return [
      { file: `${where}/${lower}/a/up.ts`, imported: `${depth}${upper}/b/c.ts`, isRefused: true },
      { file: `${where}/${upper}/a/down.ts`, imported: `${depth}${lower}/b/c.ts`, isRefused: false },
    ];
  });

it('the linter refuses an import from the floor above, and from a feature before, and allows the others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'roomful-floors-'));
  try {
    copyFileSync(join(ROOT, 'biome.json'), join(folder, 'biome.json'));
    const all = [
      ...planted('server', FLOORS, '../../'),
      ...planted('server/features', FEATURES, '../../'),
      ...planted('frontend/src', SCREENS, '../../'),
    ];
    for (const { file, imported } of all) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `import { x } from '${imported}';\n\nexport const y = x;\n`);
    }
    const options = ['--vcs-enabled=false', '--only=style/noRestrictedImports', '--reporter=github'];
    const biome = join(ROOT, 'node_modules/.bin/biome');
    const run = spawnSync(biome, ['lint', ...options, '.'], { cwd: folder, encoding: 'utf8' });
    const refused = all.filter(({ file }) => run.stdout.includes(`/${file},`));
    expect(refused).toEqual(all.filter(({ isRefused }) => isRefused));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
