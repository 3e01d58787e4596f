/** An outside project that has installed the packed SDK, and nothing else. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const run = promisify(execFile);

export interface Project extends AsyncDisposable {
  readonly folder: string;
  /** The files of the package. */
  readonly files: readonly string[];
  /** The size of the package when it is installed, in bytes. */
  readonly bytes: number;
}

/** Packs the SDK as `npm pack -w roomful-client` does, and installs the tarball without a network. */
export async function installSdk(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'roomful-sdk-'));
  const source = join(folder, 'package');
  await mkdir(source);
  await run(process.execPath, [join(ROOT, 'scripts', 'pack-sdk.mjs'), source]);
  const pack = ['pack', source, '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: folder });
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string; size: number }[] }];
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}');
  const install = ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed.filename)];
  await run('npm', install, { cwd: folder });
  await rm(source, { recursive: true });
  return {
    folder,
    files: packed.files.map(({ path }) => path),
    bytes: packed.files.reduce((sum, { size }) => sum + size, 0),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
