/** What `npm pack` makes: a package that runs anywhere, with the built client inside. */
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { ServerProcess, StartError } from '../support/server-process.ts';
import { createRoom, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { CLIENT_LIBRARIES } from './client-libraries.ts';
import { DRIVER, type Packed, packAndInstall, ROOT, readLock, run } from './packed.ts';

/** Made for one kind of machine, so they are not in the package: npm installs those of the machine. */
const FOR_ONE_MACHINE = ['@node-rs/argon2', 'better-sqlite3'];

/** `import … from 'x'`, `export … from 'x'`, `import 'x'` and `import('x')`, as tsc writes them. */
const IMPORT = /(?:^(?:import|export) (?:[\w*{}\s,$]+ from )?|\bimport\()'([^']+)'/gm;

const [nodeMajor = 0] = process.versions.node.split('.').map(Number);

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  bundleDependencies: string[];
}

interface Component {
  name: string;
  group?: string;
  version: string;
  licenses?: unknown[];
}

let packed: Packed;
let manifest: Manifest;
beforeAll(async () => {
  packed = await packAndInstall();
  manifest = JSON.parse(await readFile(join(packed.installed, 'package.json'), 'utf8')) as Manifest;
}, 900_000);
afterAll(async () => await packed?.[Symbol.asyncDispose]());

const own = () => packed.files.filter((path) => !path.startsWith('node_modules/'));

test('it has the server, the built client, the manual and the files for proxies and systemd', () => {
  expect(packed.files).toEqual(
    expect.arrayContaining([
      ...['bin/roomful.js', 'dist/server/main.js', 'dist/build-info.json', 'frontend/dist/index.html'],
      ...['README.md', 'LICENSE', 'CHANGELOG.md', '.env.example', 'docs/OPERATIONS.md'],
      ...['deploy/roomful.service', 'deploy/nginx.conf.example'],
    ]),
  );
});

test('it has no sources, no tests and no SDK', () => {
  expect(own().filter((path) => /\.tsx?$|\.map$|\.tsbuildinfo$/.test(path))).toEqual([]);
  expect(own().filter((path) => /\btest|contract|^dist\/client|^client|^scripts/.test(path))).toEqual([]);
});

test('it needs no development dependency: each import of its code is a file or a dependency of the package', async () => {
  const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  const imports: string[] = [];
  const missing: string[] = [];
  for (const path of own().filter((path) => /^(dist|bin)\/.*\.js$/.test(path))) {
    const code = await readFile(join(packed.installed, path), 'utf8');
    for (const [, imported = ''] of code.matchAll(IMPORT)) {
      imports.push(imported);
      const name = imported.split('/').slice(0, imported.startsWith('@') ? 2 : 1);
      const isThere = imported.startsWith('.')
        ? existsSync(join(packed.installed, dirname(path), imported))
        : imported.startsWith('node:') || dependencies.includes(name.join('/'));
      if (!isThere) missing.push(`${path}: ${imported}`);
    }
  }
  expect(imports).toEqual(expect.arrayContaining(['fastify', 'zod', './serve.js', '../../run.js']));
  expect(missing).toEqual([]);
});

test('it brings its dependencies along, in the versions that were tested', async () => {
  expect([...manifest.bundleDependencies, ...FOR_ONE_MACHINE].sort()).toEqual(
    Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).sort(),
  );
  const tested = await readLock(join(ROOT, 'package-lock.json'));
  const brought = Object.entries(packed.lock.packages).filter(([path]) =>
    path.startsWith('node_modules/roomful/node_modules/'),
  );
  expect(brought.length).toBeGreaterThan(50);
  for (const [path, { version }] of brought) {
    const origin = tested.packages[path.slice('node_modules/roomful/'.length)];
    expect({ path, version, dev: origin?.dev }).toEqual({ path, version: origin?.version, dev: undefined });
  }
});

test('npm sbom lists every library of an installation, with its version and licence', async () => {
  const { stdout } = await run('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
    cwd: packed.folder,
    maxBuffer: 16 * 1024 * 1024,
  });
  const { components } = JSON.parse(stdout) as { components: Component[] };
  const listed = components.map(
    ({ group, name, version }) => `${group ? `${group}/` : ''}${name} ${version}`,
  );
  const names = Object.entries(packed.lock.packages).flatMap(([path, { version }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    // npm lists none of the parts that are for other machines, as they are not installed.
    return path !== '' && existsSync(join(packed.folder, path)) ? [`${name} ${version}`] : [];
  });
  expect(names).toContain(`zod ${manifest.dependencies.zod}`);
  expect(listed).toEqual(expect.arrayContaining(names));
  expect(components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);
});

test('it has the licence of each library that is in the client', async () => {
  const folder = join(packed.installed, 'frontend', 'dist', 'licences');
  const built = await readFile(join(folder, 'libraries.txt'), 'utf8');
  // The headings that the build writes: `## zustand - 5.1.0 (MIT)`.
  const named = [...built.matchAll(/^## (\S+) - \d\S* \(/gm)].map(([, name = '']) => name);
  expect(named).toContain('react');
  expect(CLIENT_LIBRARIES).toEqual(expect.arrayContaining(named));
  // The build does not see these: a typeface, data, and the code of a worker.
  const others = await readFile(join(folder, 'others.txt'), 'utf8');
  for (const name of CLIENT_LIBRARIES.filter((name) => !named.includes(name)))
    if (name !== '@fontsource-variable/inter') expect(others).toMatch(new RegExp(`^${name} - `, 'm'));
  expect(packed.files).toContain('frontend/dist/licences/inter.txt');
});

test('roomful --version has the version of the package', async () => {
  const { stdout } = await run('npx', ['--no-install', 'roomful', '--version'], { cwd: packed.folder });
  expect(stdout).toBe(`${manifest.version}\n`);
});

test('npm runs its commands in the folder of the package, too', async () => {
  const options = { cwd: packed.installed };
  const { stdout } = await run('npm', ['run', '--silent', 'roomful', '--', '--version'], options);
  expect(stdout).toBe(`${manifest.version}\n`);
  await run('npm', ['run', '--silent', 'prestart'], options);
});

test('roomful start serves the client, accounts and messages', async () => {
  const main = join(packed.installed, 'bin', 'roomful.js');
  await using server = await ServerProcess.start({ main, args: ['start'] });
  const page = await send(server, '/');
  expect(page.status).toBe(200);
  const [, script = ''] = /<script[^>]* src="(\/assets\/[^"]+)"/.exec(page.text) ?? [];
  expect((await send(server, script)).status).toBe(200);
  const ann = await signUp(server);
  const room = await createRoom(server, ann);
  const socket = await ChatClient.enter(server, ann, room.id);
  socket.say('hello');
  await socket.waitForCount('message', 1);
  await socket.close();
  expect(await readHistory(server, ann, room.id)).toMatchObject([{ content: 'hello' }]);
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});

test.skipIf(nodeMajor >= 24)('without a SQLite driver it does not start, and says what to do', async () => {
  await rm(join(packed.folder, DRIVER), { recursive: true });
  const main = join(packed.installed, 'bin', 'roomful.js');
  const refusal = await ServerProcess.start({ main, args: ['start'] }).catch((error: unknown) => error);
  if (!(refusal instanceof StartError)) throw new Error('it started', { cause: refusal });
  expect(refusal.exit).toEqual({ code: 1, signal: null });
  expect(refusal.stderr).toMatch(
    /^Node \S+ has no SQLite driver \(Error: Could not locate the bindings file.*\)\. Use Node 24, .* `npm rebuild better-sqlite3` where Roomful is installed\.\n$/,
  );
});
