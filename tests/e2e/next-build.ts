/** Another build of the web client, as a later release would be: other files under other names. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { vi } from 'vitest';

const FRONTEND = fileURLToPath(new URL('../../../frontend', import.meta.url));

export class NextBuild {
  /** For `CLIENT_DIR`. */
  readonly dir: string;

  private constructor(dir: string) {
    this.dir = dir;
  }

  /** Builds the client into a folder of its own; its pages say `data-build="<name>"`. */
  static async make(name: string): Promise<NextBuild> {
    const next = new NextBuild(await mkdtemp(join(tmpdir(), 'roomful-build-')));
    // The test runner's own setting would make it a build for development.
    vi.stubEnv('NODE_ENV', 'production');
    await build({
      root: FRONTEND,
      configFile: join(FRONTEND, 'vite.config.ts'),
      logLevel: 'error',
      build: { outDir: next.dir, emptyOutDir: true },
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
    return next;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
  }
}
