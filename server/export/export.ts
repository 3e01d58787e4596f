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
import { syncFile, syncFolder } from '../backup/durable.ts';
import { MANIFEST } from '../backup/manifest.ts';
import { readBuildInfo } from '../build-info.ts';
import { SCHEMA_VERSION } from '../storage/migrations/migrations.ts';
import { UnusableDatabaseError } from '../storage/unusable-database.ts';
import { type ExportTable, exportTables, fileOf, roomTables, Sum } from './format.ts';
import { FORMAT, type Manifest, ROOM_FORMAT, type RoomManifest } from './manifest.ts';
import { peopleIn } from './room-ids.ts';
import { openSnapshot, type Place, type Snapshot, type Value } from './snapshot.ts';

const PAGE = 2000;
const ROOM_NAMES = { name: 'rooms', key: ['id'], columns: ['id', 'name'] };

export interface ExportOptions {
  config: Place;
  /** The folder of the export; nothing may be there. */
  to: string;
  withPasswords: boolean;
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
    const options = { partial, withPasswords, onProgress };
    const manifest: Manifest | RoomManifest =
      roomId === undefined
        ? {
            ...{ format: FORMAT, ...made, epoch: snapshot.epoch, has_passwords: withPasswords },
            ...{ settings: { registration: snapshot.registration }, last_ids: snapshot.lastIds },
            files: await writeTables(snapshot, exportTables(), options),
          }
        : {
            ...{ format: ROOM_FORMAT, ...made, room_id: roomId },
            files: await writeTables(snapshot, roomTables(roomId, await namedIn(snapshot, roomId)), options),
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
  { partial, withPasswords, onProgress }: Omit<ExportOptions, 'config' | 'to'> & { partial: string },
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
      for await (const { text, rows } of pages(snapshot, table, withPasswords)) {
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

async function roomsOf(snapshot: Snapshot): Promise<NamedRoom[]> {
  const rooms: NamedRoom[] = [];
  for (;;) {
    const after = rooms.at(-1);
    const page = await snapshot.page(ROOM_NAMES, after && [after.id], PAGE);
    if (page.length === 0) return rooms;
    rooms.push(...page.map(({ id, name }) => ({ id: Number(id), name: String(name) })));
  }
}

/** The people whom the room's texts and notices name in JSON. */
async function namedIn(snapshot: Snapshot, roomId: number): Promise<number[]> {
  const where = `room_id = ${roomId} AND extra IS NOT NULL`;
  const table = { name: 'messages', key: ['id'], columns: ['id', 'kind', 'extra'], where };
  const people = new Set<number>();
  let after: Value[] | undefined;
  for (;;) {
    const rows = await snapshot.page(table, after, PAGE);
    const last = rows.at(-1);
    if (last === undefined) return [...people];
    for (const { kind, extra } of rows)
      for (const id of peopleIn(Number(kind), String(extra))) people.add(id);
    after = [last.id ?? null];
  }
}

async function* pages(snapshot: Snapshot, table: ExportTable, withPasswords: boolean) {
  let after: Value[] | undefined;
  for (;;) {
    const rows = await snapshot.page(table, after, PAGE);
    const last = rows.at(-1);
    if (last === undefined) return;
    const lines = rows.map((row) => {
      const line = Object.fromEntries(
        table.columns.map((column) => [
          column,
          !withPasswords && table.name === 'users' && column === 'password_hash' ? null : row[column],
        ]),
      );
      return `${JSON.stringify(line)}\n`;
    });
    yield { text: Buffer.from(lines.join('')), rows: rows.length };
    after = table.key.map((column) => last[column] ?? null);
  }
}

function explain(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  if (!['ENOSPC', 'EACCES', 'EROFS', 'EPERM', 'EDQUOT', 'EIO'].includes(String(error.code))) return error;
  return new UnusableDatabaseError(`The export cannot be written: ${error.message}.`);
}
