/** A copy of the built server with planted bugs, to show that a test catches them. */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The folders of `dist/` that the server needs. */
const COMPILED = ['server', 'protocol'];

export interface Patch {
  /** In `dist/`, e.g. `server/features/messages/post.js`. */
  file: string;
  /** Must occur in the file exactly once. */
  find: string;
  replace: string;
}

export class PatchedServer {
  /** The entry, for `ServerProcess`. */
  readonly main: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.main = join(folder, 'dist', 'server', 'main.js');
  }

  static async make(patches: readonly Patch[]): Promise<PatchedServer> {
    const folder = await mkdtemp(join(tmpdir(), 'roomful-patched-'));
    await mkdir(join(folder, 'dist'));
    for (const name of COMPILED)
      await cp(join(ROOT, 'dist', name), join(folder, 'dist', name), { recursive: true });
    await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const patch of patches) await apply(join(folder, 'dist'), patch);
    return new PatchedServer(folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}

async function apply(dist: string, { file, find, replace }: Patch): Promise<void> {
  const path = join(dist, file);
  const source = await readFile(path, 'utf8');
  const times = source.split(find).length - 1;
  if (times !== 1) throw new Error(`${file} has ${times} times: ${find}`);
  await writeFile(
    path,
    source.replace(find, () => replace),
  );
}
