/** Writes everything that is to be kept into a folder, as of one moment, while the server runs. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readBuildInfo } from '../../platform/build-info.ts';
import { syncFile, syncFolder } from '../../platform/durable.ts';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';
import { FILES, MANIFEST } from '../backup/manifest.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Row } from '../storage/copy/source.ts';
import { SCHEMA_VERSION } from '../storage/migrations/migrations.ts';
import { writeBytes } from './bytes.ts';
import { type ExportTable, exportTables, fileOf, roomTables, Sum } from './format.ts';
import { type ExportedBytes, FORMAT, type Manifest, ROOM_FORMAT, type RoomManifest } from './manifest.ts';
import { readPeople, withNames } from './room-export.ts';
import { openSnapshot, type Place, pagesOf, type Snapshot } from './snapshot.ts';

const ROOM_NAMES = { name: 'rooms', key: ['id'], columns: ['id', 'name'] };

export interface ExportOptions {
  config: Place;
  /** The folder of the export; nothing may be there. */
  to: string;
  withPasswords: boolean;
  /** The folder of uploaded files; undefined: their bytes are left out. */
  filesDir: string | undefined;
  /** What has the files that are in S3. */
  bucket?: Blobs | undefined;
  /** Chooses one room of these; throws when it is not there. Absent: the whole service. */
  room?: (rooms: readonly NamedRoom[]) => NamedRoom;
  onProgress(step: string, done: number, all: number): void;
}

interface NamedRoom {
  id: number;
  name: string;
}

/** Throws `UnusableDatabaseError` with a sentence; what was begun is gone then. */
export async function exportAll({
  config,
  to,
  withPasswords,
  filesDir,
  bucket,
  room,
  onProgress,
}: ExportOptions): Promise<Manifest | RoomManifest> {
  const folder = resolve(to);
  if (existsSync(folder))
    throw new UnusableDatabaseError(`${folder} is there already. Name a folder that is not.`);
  const madeAt = new Date().toISOString();
  const snapshot = await openSnapshot(config);
  const partial = `${folder}.partial`;
  try {
    const roomId = room?.(await roomsOf(snapshot)).id;
    // What an export left that was killed.
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
    mkdirSync(partial, { mode: 0o700 });
    const made = { made_at: madeAt, version: readBuildInfo().version, schema: SCHEMA_VERSION };
    const shown: Shown = withPasswords ? (_, row) => row : withoutPasswords;
    const options = { partial, shown, onProgress };
    const bytesOf = async (tables: readonly ExportTable[]): Promise<ExportedBytes | null> => {
      const table = tables.find(({ name }) => name === FILES);
      if (filesDir === undefined || !table) return null;
      const onFile = (done: number, all: number) => onProgress('copying files', done, all);
      return await writeBytes(snapshot, table, { from: filesDir, bucket, to: partial, onProgress: onFile });
    };
    const manifest: Manifest | RoomManifest =
      roomId === undefined
        ? {
            format: FORMAT,
            ...made,
            epoch: snapshot.epoch,
            has_passwords: withPasswords,
            settings: { registration: snapshot.registration, name: snapshot.name, icon: snapshot.icon },
            last_ids: snapshot.lastIds,
            files: await writeTables(snapshot, exportTables(), options),
            bytes: await bytesOf(exportTables()),
          }
        : {
            format: ROOM_FORMAT,
            ...made,
            room_id: roomId,
            files: await writeRoom(snapshot, roomId, options),
            bytes: await bytesOf(roomTables(roomId)),
          };
    writeFileSync(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    syncFile(join(partial, MANIFEST));
    syncFolder(partial);
    renameSync(partial, folder);
    syncFolder(dirname(folder));
    return manifest;
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw explain(error);
  } finally {
    await snapshot.close();
  }
}

async function writeTables(
  snapshot: Snapshot,
  tables: readonly ExportTable[],
  { partial, shown, onProgress }: Pick<ExportOptions, 'onProgress'> & { partial: string; shown: Shown },
): Promise<Manifest['files']> {
  let all = 0;
  for (const table of tables) all += await snapshot.count(table);
  const files: Manifest['files'] = {};
  let done = 0;
  for (const table of tables) {
    const file = join(partial, fileOf(table.name));
    const sum = new Sum();
    const opened = openSync(file, 'wx', 0o600);
    try {
      for await (const { text, rows } of textsOf(snapshot, table, shown)) {
        for (let at = 0; at < text.length; ) at += writeSync(opened, text, at);
        sum.add(text, rows);
        done += rows;
        onProgress('exporting', done, all);
      }
    } finally {
      closeSync(opened);
    }
    syncFile(file);
    files[fileOf(table.name)] = sum.end();
  }
  return files;
}

async function writeRoom(
  snapshot: Snapshot,
  roomId: number,
  options: Pick<ExportOptions, 'onProgress'> & { partial: string },
): Promise<Manifest['files']> {
  const { named, removed } = await readPeople(snapshot, roomId);
  const shown: Shown = (table, row) => (table === 'messages' ? withNames(row, removed) : row);
  return await writeTables(snapshot, roomTables(roomId, named), { ...options, shown });
}

async function roomsOf(snapshot: Snapshot): Promise<NamedRoom[]> {
  const rooms: NamedRoom[] = [];
  for await (const page of pagesOf(snapshot, ROOM_NAMES))
    rooms.push(...page.map(({ id, name }) => ({ id: Number(id), name: String(name) })));
  return rooms;
}

/** The row as it is exported. */
type Shown = (table: string, row: Row) => Row;

const withoutPasswords: Shown = (table, row) => (table === 'users' ? { ...row, password_hash: null } : row);

async function* textsOf(snapshot: Snapshot, table: ExportTable, shown: Shown) {
  for await (const rows of pagesOf(snapshot, table)) {
    const lines = rows.map((row) => {
      const line = shown(table.name, row);
      return `${JSON.stringify(Object.fromEntries(table.columns.map((column) => [column, line[column]])))}\n`;
    });
    yield { text: Buffer.from(lines.join('')), rows: rows.length };
  }
}

function explain(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  if (!['ENOSPC', 'EACCES', 'EROFS', 'EPERM', 'EDQUOT', 'EIO'].includes(String(error.code))) return error;
  return new UnusableDatabaseError(`The export cannot be written: ${error.message}.`);
}
