/** Another build of the web client, as a later release would be: other files under other names. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { vi } from 'vitest';

const FRONTEND = fileURLToPath(new URL('../../../frontend', import.meta.url));

/** By name. A build takes half a minute, so each is made once for a test file, and its tests get copies. */
const originals = new Map<string, Promise<string>>();

export class NextBuild {
  /** For `CLIENT_DIR`. */
  readonly dir: string;

  private constructor(dir: string) {
    this.dir = dir;
  }

  /** The client in a folder of its own; its pages say `data-build="<name>"`. */
  static async make(name: string): Promise<NextBuild> {
    const original = originals.get(name) ?? buildClient(name);
    originals.set(name, original);
    const next = new NextBuild(await newFolder());
    await cp(await original, next.dir, { recursive: true });
    return next;
  }

  /** Call it when no test of the file needs a build any more. */
  static async deleteOriginals(): Promise<void> {
    for (const original of originals.values()) await rm(await original, { recursive: true, force: true });
    originals.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
  }
}

async function buildClient(name: string): Promise<string> {
  const dir = await newFolder();
  // The test runner's own setting would make it a build for development.
  vi.stubEnv('NODE_ENV', 'production');
  await build({
    root: FRONTEND,
    configFile: join(FRONTEND, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: dir, emptyOutDir: true },
    plugins: [
      {
        name: 'mark',
        transform: (code, id) =>
          id.endsWith('/src/main.tsx')
            ? `${code}\ndocument.documentElement.dataset.build = ${JSON.stringify(name)};`
            : undefined,
      },
    ],
  }).finally(() => vi.unstubAllEnvs());
  return dir;
}

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'roomful-build-'));
}
