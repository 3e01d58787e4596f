/**
 * The bytes of files in a backup: `files/` has them in the form of FILES_DIR, and `files.sha256` their hashes, as
 * `sha256sum -c` reads them. They are taken after the database, so that each file of the database is there; what was
 * deleted in between is listed.
 */
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { syncFile } from '../../../platform/durable.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import {
  FILE_HASHES,
  FILES,
  type FilesManifest,
  sha256Of as hashOfFile,
  readFilesManifest,
} from '../manifest.ts';
import type { Finding, Query } from '../verify.ts';
import { FileFolder, type Taken } from './folder.ts';
import { bucketOf, COMPLETE, countFiles, type FileEntry, filesWith, pagesOfFiles } from './rows.ts';

const EXAMPLES = 5;

export interface FilesToCopy {
  /** FILES_DIR. */
  from: string;
  /** What has the files that are in S3. */
  bucket?: Blobs | undefined;
  /** The folder of the backup. */
  to: string;
  /** An earlier backup, whose files are linked where those of now are in S3, or FILES_DIR is on another disk. */
  earlier: string | undefined;
  /** The database of the backup. */
  query: Query;
  /** The database as it is now. */
  now: Query;
  onProgress(done: number, all: number): void;
}

export interface CopiedFiles {
  manifest: FilesManifest;
  findings: Finding[];
}

/** Of a server without files, whose backup has neither the folder nor the list. */
const NOTHING: CopiedFiles = {
  manifest: { count: 0, bytes: 0, linked: 0, sha256: '', checking: [], deleted: [] },
  findings: [],
};

/** Whether files of one can be hard links in the other, which takes no space. */
export function areOnOneDisk(filesDir: string, folder: string): boolean {
  const { dev } = statSync(filesDir, { throwIfNoEntry: false }) ?? {};
  return dev === undefined || dev === statSync(folder).dev;
}

export async function copyFiles(options: FilesToCopy): Promise<CopiedFiles> {
  const copying = new Copying(options);
  return await copying.run();
}

class Copying {
  readonly #options: FilesToCopy;
  readonly #target: FileFolder;
  readonly #sources: readonly [FileFolder, ...FileFolder[]];
  /** Of the earlier backup: keys whose bytes have been replaced since. */
  readonly #changed: ReadonlySet<string>;
  readonly #gone: string[] = [];
  readonly #checking: string[] = [];
  readonly #wrong: { key: string; size: number; found: number }[] = [];
  #files = 0;
  #bytes = 0;
  #linked = 0;

  constructor(options: FilesToCopy) {
    this.#options = options;
    const { from, to, earlier } = options;
    this.#target = new FileFolder(join(to, FILES));
    const before = earlier === undefined ? undefined : readFilesManifest(earlier);
    this.#changed = new Set(before?.checking);
    this.#sources = [
      new FileFolder(from),
      ...(earlier !== undefined && before ? [new FileFolder(join(earlier, FILES))] : []),
    ];
  }

  async run(): Promise<CopiedFiles> {
    const { query, to, onProgress } = this.#options;
    const { files: all } = await countFiles(query);
    if (all === 0) return NOTHING;
    const hashes = join(to, FILE_HASHES);
    const list = openSync(hashes, 'wx', 0o600);
    try {
      for await (const page of pagesOfFiles(query)) {
        const lines: string[] = [];
        for (const file of page) if (COMPLETE.has(file.state)) lines.push(...(await this.#take(file)));
        writeSync(list, lines.join(''));
        onProgress(this.#files, all);
      }
    } finally {
      closeSync(list);
    }
    if (this.#files > 0) this.#target.syncFolders();
    syncFile(hashes);
    const deleted = await this.#deletedMeanwhile();
    const missing = this.#gone.filter((key) => !deleted.includes(key));
    return {
      manifest: {
        ...{ count: this.#files, bytes: this.#bytes, linked: this.#linked },
        ...{ sha256: await hashOfFile(hashes), checking: this.#checking, deleted },
      },
      findings: findingsOf(missing, this.#wrong),
    };
  }

  /** Its line in the list of hashes, once it is there. */
  async #take(file: FileEntry): Promise<string[]> {
    const { key, state, size, sha256 } = file;
    const isChecked = state === 'ready';
    const how = await (file.place === 's3' ? this.#bring(file) : this.#takeFromFolder(file));
    const found = how === 'gone' ? undefined : await this.#target.sizeOf(key);
    if (found === undefined) {
      this.#gone.push(key);
      return [];
    }
    this.#files++;
    this.#bytes += found;
    if (how === 'linked') this.#linked++;
    if (isChecked && found !== size) this.#wrong.push({ key, size, found });
    if (!isChecked) this.#checking.push(key);
    const hash = isChecked && sha256 !== null ? sha256 : await this.#target.sha256Of(key);
    return [`${hash}  ${key.slice(0, 2)}/${key.slice(2, 4)}/${key}\n`];
  }

  async #takeFromFolder({ key, state }: FileEntry): Promise<Taken> {
    const [own] = this.#sources;
    return await this.#target.take(key, state === 'ready' && !this.#changed.has(key) ? this.#sources : [own]);
  }

  /** What an earlier backup has is not read from S3 again: a file that was checked never changes. */
  async #bring({ key, state, size }: FileEntry): Promise<Taken> {
    const [, earlier] = this.#sources;
    if (state === 'ready' && !this.#changed.has(key) && (await earlier?.sizeOf(key)) === size && earlier)
      return await this.#target.take(key, [earlier]);
    const bucket = bucketOf(this.#options.bucket);
    const found = await bucket.size(key);
    if (found === undefined) return 'gone';
    await this.#target.receive(key, await bucket.read(key, { from: 0, to: found }));
    return 'copied';
  }

  /** Of those that were not there: those that the database does not have any more. */
  async #deletedMeanwhile(): Promise<string[]> {
    const rows = await filesWith(this.#options.now, this.#gone);
    return this.#gone.filter((key) => !COMPLETE.has(rows.get(key)?.state ?? 'deleted'));
  }
}

function findingsOf(missing: string[], wrong: { key: string; size: number; found: number }[]): Finding[] {
  const findings: Finding[] = [];
  if (missing.length > 0)
    findings.push({
      rule: 'each file has its bytes',
      count: missing.length,
      examples: missing.slice(0, EXAMPLES).map((key) => ({ key })),
    });
  if (wrong.length > 0)
    findings.push({
      rule: 'each file has as many bytes as its row says',
      count: wrong.length,
      examples: wrong.slice(0, EXAMPLES).map((one) => ({ ...one })),
    });
  return findings;
}
