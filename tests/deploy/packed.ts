/** The package that `npm pack` makes, installed into a folder of its own as an operator installs it. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** This file runs as dist/tests/deploy/packed.js. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const run = promisify(execFile);

/** What a checkout has beside the sources, at any depth; and the default data folder, at its top. */
const NOT_SOURCES = new Set(['node_modules', 'dist', '.git', 'reports', 'screenshots', 'coverage', '.env']);
/** The compiled driver for SQLite, where Node has none built in. */
export const DRIVER = join('node_modules', 'better-sqlite3', 'build');

export interface LockedPackage {
  version?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
}

export interface Lock {
  packages: Record<string, LockedPackage>;
}

export interface Packed extends AsyncDisposable {
  /** The paths in the package. */
  readonly files: readonly string[];
  /** Where it is installed. */
  readonly folder: string;
  /** The package within that folder. */
  readonly installed: string;
  /** What npm installed. */
  readonly lock: Lock;
}

/** Packs a copy of the sources, so that neither a build nor a test beside this one is disturbed, and installs it. */
export async function packAndInstall(): Promise<Packed> {
  const home = await mkdtemp(join(tmpdir(), 'roomful-package-'));
  const tarball = await pack(join(home, 'sources'), home);
  const { stdout } = await run('tar', ['--list', '--file', tarball], { maxBuffer: 16 * 1024 * 1024 });
  const folder = join(home, 'installed');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{"name":"here","version":"1.0.0","private":true}');
  await install(folder, tarball);
  return {
    files: stdout.split('\n').flatMap((path) => (path === '' ? [] : path.replace(/^package\//, ''))),
    folder,
    installed: join(folder, 'node_modules', 'roomful'),
    lock: await readLock(join(folder, 'package-lock.json')),
    [Symbol.asyncDispose]: () => rm(home, { recursive: true }),
  };
}

export async function readLock(path: string): Promise<Lock> {
  return JSON.parse(await readFile(path, 'utf8')) as Lock;
}

/** `npm pack`, which builds first; returns the path of the package. */
async function pack(sources: string, into: string): Promise<string> {
  await cp(ROOT, sources, {
    recursive: true,
    filter: (path) => {
      const names = path.slice(ROOT.length).split('/');
      return names[0] !== 'data' && !names.some((name) => NOT_SOURCES.has(name));
    },
  });
  await copyPackages(join(ROOT, 'node_modules'), join(sources, 'node_modules'));
  // The test runner sets NODE_ENV, and the build of the client would follow it.
  const { NODE_ENV: _, ...env } = process.env;
  await run('npm', ['pack', '--pack-destination', into], { cwd: sources, env, maxBuffer: 16 * 1024 * 1024 });
  const name = (await readdir(into)).find((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new Error('npm pack made no package');
  return join(into, name);
}

/** Copies installed packages. npm packs none through a symbolic link, and hard links take no time and no space. */
async function copyPackages(from: string, to: string): Promise<void> {
  await run('cp', ['--archive', '--link', from, to]).catch(async () => {
    // The folder for temporary files is on another disk.
    await rm(to, { recursive: true, force: true });
    await run('cp', ['--archive', from, to]);
  });
}

/**
 * `npm install`, without install scripts: the only one fetches or compiles the driver for SQLite, which takes a minute
 * where it must compile. The driver that this checkout already has is copied. Node 24 needs none.
 */
async function install(folder: string, tarball: string): Promise<void> {
  const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...options, tarball], { cwd: folder });
  if (existsSync(join(ROOT, DRIVER))) await cp(join(ROOT, DRIVER), join(folder, DRIVER), { recursive: true });
}
