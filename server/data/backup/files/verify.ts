/** Compares the folder of files with the database, also their hashes, while the server runs or is stopped. */
import { createHash } from 'node:crypto';
import type { Blobs } from '../../blobs/blobs.ts';
import { createDiskBlobs } from '../../blobs/disk.ts';
import type { Finding, Query } from '../verify.ts';
import { codeOf, FileFolder } from './folder.ts';
import { bucketOf, COMPLETE, countFiles, type FileEntry, filesWith, pagesOfFiles } from './rows.ts';

/** Bytes without a row that are younger may be of an upload that has just begun or ended; the server deletes older ones. */
const STRAY_MS = 48 * 3_600_000;
const AT_ONCE = 500;
const EXAMPLES = 5;

const RULES = {
  missing: 'each file has its bytes',
  size: 'each file has as many bytes as its row says',
  hash: 'each file has the bytes that were checked',
  stray: 'no bytes older than two days are of no file',
} as const;

type Rule = keyof typeof RULES;

/** `bucket`: what has the files that are in S3. */
export async function verifyFiles(
  { folder, bucket }: { folder: string; bucket?: Blobs | undefined },
  query: Query,
  onProgress: (done: number, all: number) => void,
): Promise<Finding[]> {
  const found = new Map<Rule, Finding>();
  const note = (rule: Rule, example: Record<string, unknown>) => {
    const finding = found.get(rule) ?? { rule: RULES[rule], count: 0, examples: [] };
    finding.count++;
    if (finding.examples.length < EXAMPLES) finding.examples.push(example);
    found.set(rule, finding);
  };
  const files = new FileFolder(folder);
  const { files: all } = await countFiles(query);
  let done = 0;
  for await (const page of pagesOfFiles(query)) {
    const suspects: { rule: Rule; file: FileEntry; found: unknown }[] = [];
    for (const file of page) {
      const wrong = await whatIsWrong(file.place === 's3' ? bytesIn(bucketOf(bucket)) : files, file);
      if (wrong) suspects.push({ ...wrong, file });
      if (COMPLETE.has(file.state) && ++done % 20 === 0) onProgress(done, all);
    }
    // A server that runs has gone on meanwhile.
    const now = await filesWith(
      query,
      suspects.map(({ file }) => file.key),
    );
    for (const { rule, file, found: seen } of suspects) {
      const { state, received } = now.get(file.key) ?? {};
      if (state === file.state && received === file.received)
        note(rule, { key: file.key, state, size: file.size, found: seen });
    }
  }
  for (const blobs of [createDiskBlobs(folder), ...(bucket ? [bucket] : [])])
    await findStrays(blobs, query, (key) => note('stray', { key }));
  return [...found.values()];
}

async function whatIsWrong(
  files: Pick<FileFolder, 'sizeOf' | 'sha256Of'>,
  { key, state, size, received, sha256 }: FileEntry,
): Promise<{ rule: Rule; found: unknown } | undefined> {
  const needed = COMPLETE.has(state) ? size : state === 'uploading' ? received : 0;
  const isBegun = COMPLETE.has(state) || needed > 0;
  if (!isBegun) return undefined;
  const found = await files.sizeOf(key);
  if (found === undefined) return { rule: 'missing', found: null };
  // A check may be about to replace it, and an upload may have more than its row says yet.
  if (state === 'ready' ? found !== size : state === 'uploading' && found < needed)
    return { rule: 'size', found };
  if (state !== 'ready' || sha256 === null) return undefined;
  const hash = await files.sha256Of(key).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (hash === undefined) return { rule: 'missing', found: null };
  return hash === sha256 ? undefined : { rule: 'hash', found: hash };
}

async function findStrays(blobs: Blobs, query: Query, note: (key: string) => void): Promise<void> {
  let keys: string[] = [];
  const look = async () => {
    const known = await filesWith(query, keys);
    for (const key of keys) if (!known.has(key)) note(key);
    keys = [];
  };
  for await (const { key, changedAt } of blobs.list()) {
    if (changedAt > Date.now() - STRAY_MS) continue;
    keys.push(key);
    if (keys.length === AT_ONCE) await look();
  }
  await look();
}

function bytesIn(bucket: Blobs): Pick<FileFolder, 'sizeOf' | 'sha256Of'> {
  return {
    sizeOf: (key) => bucket.size(key),
    async sha256Of(key) {
      const hash = createHash('sha256');
      const to = (await bucket.size(key)) ?? 0;
      for await (const chunk of await bucket.read(key, { from: 0, to })) hash.update(chunk);
      return hash.digest('hex');
    },
  };
}
