/** The description of a backup: `manifest.json` in its folder. */
import { createHash } from 'node:crypto';
import { accessSync, constants, createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

export const DATABASE = 'roomful.db';
/** The file of a backup of PostgreSQL. */
export const DUMP = 'roomful.dump';
export const SECRET = 'jwt-secret';
export const MANIFEST = 'manifest.json';
/** The bytes of files, as in FILES_DIR, and the list of their hashes. */
export const FILES = 'files';
export const FILE_HASHES = 'files.sha256';

/** The schema that has had files since. */
export const FILES_SCHEMA = 13;

export const fileKey = z.string().regex(/^[A-Za-z0-9_-]{22}$/);

const filesManifest = z.object({
  count: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** How many are hard links, and take no space of their own. */
  linked: z.int().nonnegative(),
  /** The hash of the list of hashes; empty: there were no files, and there is no list. */
  sha256: z.string(),
  /** Keys of files that had not been checked: they are checked after a restore. */
  checking: z.array(fileKey),
  /** Keys of files that were deleted while the backup was made: it has their rows, and not their bytes. */
  deleted: z.array(fileKey),
});

export type FilesManifest = z.infer<typeof filesManifest>;

const manifestSchema = z.object({
  format: z.literal('roomful backup 1'),
  /** When the copy began, RFC 3339: everything that was acknowledged before is in it. */
  made_at: z.string(),
  version: z.string(),
  schema: z.int().positive(),
  epoch: z.string(),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  /** The hash of the secret; absent: the backup has none, or an earlier version made it. */
  secret_sha256: z.string().optional(),
  counts: z.record(z.string(), z.int()),
  /** How many rules the database broke when it was copied; absent: none. */
  findings: z.int().optional(),
  /** The bytes of files; absent: it was made without, or by an earlier version. */
  files: filesManifest.optional(),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** The same of PostgreSQL, whose secret is in the settings. */
const postgresManifestSchema = manifestSchema
  .omit({ secret_sha256: true })
  .extend({ format: z.literal('roomful postgres backup 1') });

export type PostgresManifest = z.infer<typeof postgresManifestSchema>;

/** Undefined: the folder holds no manifest of the embedded database that this version understands. */
export function readManifest(folder: string): Manifest | undefined {
  return read(folder, manifestSchema);
}

/** Undefined: the folder holds no manifest of PostgreSQL that this version understands. */
export function readPostgresManifest(folder: string): PostgresManifest | undefined {
  return read(folder, postgresManifestSchema);
}

/** What a backup of either kind has of files; undefined: nothing. */
export function readFilesManifest(folder: string): FilesManifest | undefined {
  return (readManifest(folder) ?? readPostgresManifest(folder))?.files;
}

/**
 * What must change in the rows of files once a backup is restored: their uploads have ended, or their bytes are gone. With
 * the files of the backup, they are in FILES_DIR, wherever they were before.
 */
export function endFiles({ files }: Pick<Manifest, 'files'>): string {
  const deleted = files?.deleted.map((key) => `'${key}'`) ?? [];
  const ended = `UPDATE files SET state = 'deleted' WHERE state = 'uploading' OR key IN (${["''", ...deleted].join(', ')});`;
  return files ? `${ended} UPDATE files SET place = 'disk' WHERE place <> 'disk';` : ended;
}

/** Throws the error of the operating system when there is a manifest that this user may not read. */
export function refuseUnreadable(folder: string): void {
  try {
    accessSync(join(folder, MANIFEST), constants.R_OK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') throw error;
  }
}

function read<Schema extends z.ZodType>(folder: string, schema: Schema): z.infer<Schema> | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')));
  } catch {
    return undefined;
  }
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}
