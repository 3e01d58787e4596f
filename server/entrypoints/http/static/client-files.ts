/** The index of the web client's files, made once at the start, so that no request ever names a path to open. */
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../../../platform/config.ts';

export const ENTRY_PAGE = 'index.html';
const COMPRESSED = ['.br', '.gz'];
/** This file runs as dist/server/entrypoints/http/static/client-files.js. */
const PACKAGE_DIR = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..', '..');

export interface ClientFile {
  /** Below the folder, with `/` between its parts. */
  path: string;
  /** True when a compressed copy stands beside it, so that the response depends on Accept-Encoding. */
  compressed: boolean;
}

export interface ClientFiles {
  /** The real path of the folder. */
  dir: string;
  byPathname: ReadonlyMap<string, ClientFile>;
}

/**
 * The folder of the built web client, or null: `frontend/dist`, else `web`, first in the working directory, then in the
 * package. A folder counts when it holds an entry page. An explicit folder (CLIENT_DIR) that holds none is an error.
 */
export function findClientDir(explicit?: string): string | null {
  const holdsClient = (dir: string) => existsSync(join(dir, ENTRY_PAGE));
  if (explicit !== undefined) {
    if (holdsClient(explicit)) return resolve(explicit);
    throw new ConfigError(
      `CLIENT_DIR must name a folder that holds ${ENTRY_PAGE}; ${JSON.stringify(explicit)} does not.`,
    );
  }
  const bases = [process.cwd(), PACKAGE_DIR];
  const candidates = bases.flatMap((base) => [join(base, 'frontend', 'dist'), join(base, 'web')]);
  return candidates.find(holdsClient) ?? null;
}

/** Everything below `dir` that may be served: regular files, without dotfiles and links that lead out of the folder. */
export function indexClientFiles(dir: string): ClientFiles {
  const root = realpathSync(dir);
  const served = new Set<string>();
  const refused = new Set<string>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    const list = isServable(root, path) ? served : refused;
    list.add(relative(root, path).split(sep).join('/'));
  }
  const byPathname = new Map<string, ClientFile>();
  for (const path of served) {
    const copies = COMPRESSED.map((ending) => path + ending);
    // A compressed copy is sent in place of its original. If the copy may not be served, neither may the original.
    if (isCopy(path, served) || copies.some((copy) => refused.has(copy))) continue;
    byPathname.set(`/${path}`, { path, compressed: copies.some((copy) => served.has(copy)) });
  }
  return { dir: root, byPathname };
}

function isServable(root: string, path: string): boolean {
  let target: string;
  try {
    target = realpathSync(path);
  } catch {
    return false; // A link to nowhere.
  }
  const inside = [relative(root, path), relative(root, target)];
  const hidden = inside.some((name) => name.split(sep).some((part) => part.startsWith('.')));
  return !hidden && target.startsWith(root + sep) && statSync(target).isFile();
}

function isCopy(path: string, served: ReadonlySet<string>): boolean {
  return COMPRESSED.some((ending) => path.endsWith(ending) && served.has(path.slice(0, -ending.length)));
}
