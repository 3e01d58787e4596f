/** Builds the service worker after the client: it must know every file of the build, and its hash. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { build, type Plugin } from 'vite';

const WORKER = join(import.meta.dirname, 'worker.ts');
/** All code of the worker. */
const PARTS = [WORKER, join(import.meta.dirname, 'notifications.ts')];
const WORKER_PATH = '/sw.js';
/**
 * No page asks for these: the operating system fetches the icons, when the client is installed. The manifest has the
 * name of the server, so no hash is known of it here.
 */
const NOT_KEPT = /^\/(icons\/|licences\/|sw\.js$|manifest\.webmanifest(\.|$))/;

export function serviceWorker(): Plugin {
  let outDir = '';
  return {
    name: 'roomful-service-worker',
    apply: 'build',
    configResolved: (config) => {
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle: async () => {
      const files = listFiles(outDir);
      // The worker's own code is part of the build: a newer worker must not write into the cache of the one in use.
      const whole = [JSON.stringify(files), ...PARTS.map((file) => readFileSync(file, 'utf8'))].join('');
      const version = hash('sha256', whole).toString('hex').slice(0, 16);
      await build({
        configFile: false,
        logLevel: 'warn',
        define: { BUILD: JSON.stringify({ version, files }) },
        build: {
          outDir,
          emptyOutDir: false,
          copyPublicDir: false,
          target: 'baseline-widely-available',
          rolldownOptions: {
            input: WORKER,
            output: { format: 'iife', entryFileNames: WORKER_PATH.slice(1) },
          },
        },
      });
    },
  };
}

/** Everything that a page may ask for, by its path on the server; the entry page is `/`. */
function listFiles(dir: string): { path: string; integrity: string }[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, path: `/${relative(dir, file).split(sep).join('/')}` }))
    .filter(({ path }) => !NOT_KEPT.test(path))
    .map(({ file, path }) => ({
      path: path === '/index.html' ? '/' : path,
      integrity: `sha256-${hash('sha256', readFileSync(file)).toString('base64')}`,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function hash(algorithm: string, content: string | Buffer): Buffer {
  return createHash(algorithm).update(content).digest();
}
