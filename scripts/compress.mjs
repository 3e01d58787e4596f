/** Writes the .br and .gz copies of client files at build time, so that the server never compresses a request. */
import { readdirSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXT = new Set([
  '.css',
  '.html',
  '.js',
  '.json',
  '.map',
  '.mjs',
  '.svg',
  '.txt',
  '.webmanifest',
  '.xml',
]);
/** Below this size compression saves nothing: the response fits one packet either way. */
const MIN_BYTES = 1024;

const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

async function compressFile(path) {
  if (!TEXT.has(extname(path)) || (await stat(path)).size < MIN_BYTES) return;
  const content = await readFile(path);
  const small = await Promise.all([
    brotli(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    gz(content, { level: 9 }),
  ]);
  for (const [i, ending] of ['.br', '.gz'].entries()) {
    if (small[i].length < content.length) await writeFile(path + ending, small[i]);
  }
}

/** Writes a compressed copy beside every text file under `folder`. */
export async function compressFolder(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await compressFile(join(entry.parentPath, entry.name));
  }
}
