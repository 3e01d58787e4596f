/** The Dockerfile and the compose file, as far as they can be tested without a container engine. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** This file runs as dist/tests/deploy/container.test.js. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Stage {
  name: string;
  base: string;
  lines: string[];
}

/** The Dockerfile's stages, without comments, each instruction on one line. */
function stages(): Stage[] {
  const found: Stage[] = [];
  const text = read('Dockerfile').replace(/^#.*\n/gm, '');
  for (const line of text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean)) {
    const [, base, name = 'last'] = /^FROM (\S+)(?: AS (\S+))?$/.exec(line) ?? [];
    if (base !== undefined) found.push({ name, base, lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  return found;
}

const last = () => stages().at(-1)?.lines ?? [];
const compose = () => read('deploy/compose/docker-compose.yml');

test('every stage has the newest Node that package.json supports', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  const newest = /(\d+)\.\d+\.\d+$/.exec(engines.node)?.[1];
  expect(stages().map(({ base }) => base)).toEqual(
    Array.from({ length: 3 }, () => `node:${newest}-bookworm-slim`),
  );
});

test('what it copies from this folder is there, and .dockerignore lets it in', () => {
  const copied = stages().flatMap(({ lines }) =>
    lines
      .filter((line) => /^COPY (?!--from)/.test(line))
      .flatMap((line) => line.split(' ').slice(1, -1))
      .filter((path) => path !== '.'),
  );
  expect(copied).toContain('package-lock.json');
  const ignored = read('.dockerignore').trim().split('\n');
  for (const path of copied) {
    expect({ path, exists: existsSync(join(ROOT, path)) }).toEqual({ path, exists: true });
    expect(ignored).not.toContain(path);
  }
});

test('the image has the programs of backups of PostgreSQL, as old as the server of the compose file at most', () => {
  expect(last().join('\n')).toMatch(/apt-get install .*postgresql-client/);
  // Bookworm has those of 15.
  expect(stages().at(-1)?.base).toContain('bookworm');
  for (const [, major] of compose().matchAll(/image: postgres:(\d+)/g))
    expect(Number(major)).toBeLessThanOrEqual(15);
});

test('the image has what the build makes and the server needs, and is started by the same file as everywhere', () => {
  const built = last().flatMap((line) => /^COPY --from=build \/roomful\/(\S+)/.exec(line)?.[1] ?? []);
  expect(built).toEqual(
    expect.arrayContaining(['package.json', 'bin', 'dist/build-info.json', 'frontend/dist']),
  );
  expect(built).toEqual(expect.arrayContaining(['dist/protocol', 'dist/server']));
  // What the tests run is what `npm run build` makes.
  for (const path of ['dist/protocol', 'dist/server']) expect(existsSync(join(ROOT, path)), path).toBe(true);
  const [, main = ''] = /^ENTRYPOINT \["node", "(\S+)"/m.exec(last().join('\n')) ?? [];
  expect(existsSync(join(ROOT, main)), main).toBe(true);
});

test('development dependencies and a compiler are not in the image', () => {
  const packages = stages().find(({ name }) => name === 'packages');
  expect(packages?.lines).toContain('RUN npm ci --ignore-scripts --omit=dev');
  expect(last()).toContain('COPY --from=packages /roomful/node_modules node_modules');
  const installs = last().filter((line) => /apt-get|npm/.test(line));
  expect(installs.map((line) => line.replace(/^.* --no-install-recommends (.*?) && .*$/, '$1'))).toEqual([
    'postgresql-client',
  ]);
});

test('it runs as a user without rights, keeps its data in a volume, and reports its health', () => {
  const user = last().indexOf('USER node');
  expect(user).toBeGreaterThan(0);
  expect(
    last()
      .slice(user)
      .filter((line) => /^(RUN|COPY|ADD|USER root)/.test(line)),
  ).toEqual([]);
  expect(last()).toContain('VOLUME /data');
  expect(last()).toContain('ENV NODE_ENV=production DATA_DIR=/data');
  expect(last().filter((line) => line.startsWith('HEALTHCHECK'))).toHaveLength(1);
});

test('no secret is built into the image', () => {
  const lines = stages().flatMap((stage) => stage.lines);
  expect(lines.filter((line) => /^(ENV|ARG).*(SECRET|PASSWORD|TOKEN)/.test(line))).toEqual([]);
});

test('the files that the compose file mounts are there, and its images have a version', () => {
  const mounted = [...compose().matchAll(/(\.\/[\w.-]+):\//g)].map(([, path = '']) => path);
  expect(mounted.length).toBeGreaterThan(2);
  for (const path of mounted) expect(existsSync(join(ROOT, 'deploy/compose', path)), path).toBe(true);
  const images = [...compose().matchAll(/image: (\S+)/g)].flatMap(([, image = '']) => image);
  expect(images.filter((image) => image !== 'roomful' && !/:\d/.test(image))).toEqual([]);
});

test('every setting of Roomful in the compose file is one that Roomful has', () => {
  const [, settings = ''] = /^ {2}environment:\n((?: {4}.*\n)+)/m.exec(compose()) ?? [];
  const names = [...settings.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name = '']) => name);
  expect(names).toContain('JWT_SECRET');
  const known = [...read('.env.example').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
});

test('secrets of the compose file come from the environment, and nothing starts without them', () => {
  for (const name of ['JWT_SECRET', 'POSTGRES_PASSWORD']) expect(compose()).toContain(`\${${name}:?`);
  expect(compose()).not.toMatch(/(PASSWORD|SECRET): [^$\s]/);
});
