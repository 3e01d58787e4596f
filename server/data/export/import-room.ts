/**
 * Adds an exported room to the database of a stopped server, as a new room. All of it is one transaction: what is
 * refused or killed has changed nothing. The room, its messages and the accounts that are made get ids of this server.
 */
import type { z } from 'zod';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';
import type { Row } from '../storage/copy/source.ts';
import { countFiles } from '../storage/queries/files.ts';
import { sql } from '../storage/queries/sql.ts';
import { first, type Steps } from '../storage/queries/steps.ts';
import { fileOf, NEWER_FILES, roomTables } from './format.ts';
import { checkFiles, readRows } from './lines.ts';
import { isOfRoom, type RoomManifest, readManifest } from './manifest.ts';
import { type RoomDatabase, withDatabase } from './room-database.ts';
import { type CheckFile, RoomFiles } from './room-files.ts';
import { beginRoom, endRoom, Members } from './room-members.ts';
import { Messages } from './room-messages.ts';
import { People } from './room-people.ts';
import {
  fileRow,
  memberRow,
  messageRow,
  type RoomRow,
  reactionRow,
  revisionRow,
  roomRow,
  userRow,
} from './room-rows.ts';
import type { Place } from './snapshot.ts';
import { Wrong } from './wrong.ts';

export interface RoomImportOptions {
  config: Place;
  /** The folder of the export. */
  from: string;
  /** Where the bytes of files go, and what looks at them there. */
  filesDir: string;
  checkFile: CheckFile;
  /** Instead of the room's own name. */
  name: string | undefined;
  /** A person of this server who becomes an owner. */
  owner: string | undefined;
  /** Does all of it, and undoes it at the end. */
  isDryRun: boolean;
  onProgress(step: string, done: number, all: number): void;
}

export interface ImportedRoom {
  manifest: RoomManifest;
  room: { id: number; name: string };
  /** Usernames: of people whom the server knows, and of those for whom an account was made. */
  matched: readonly string[];
  made: readonly string[];
}

/** Throws `UnusableDatabaseError` with a sentence, and has changed nothing then. */
export async function importRoom(options: RoomImportOptions): Promise<ImportedRoom> {
  const { config, from, isDryRun, onProgress } = options;
  const manifest = readManifest(from);
  if (!isOfRoom(manifest)) throw new UnusableDatabaseError('This is not the export of one room.');
  const tables = roomTables(manifest.room_id);
  const onFile = (done: number, all: number) => onProgress('checking the files', done, all);
  await checkFiles(from, manifest, tables, onFile, NEWER_FILES);
  const undo: (() => Promise<void>)[] = [];
  try {
    const imported = await withDatabase(config, { isKept: !isDryRun }, async (database) => {
      const work = new RoomImport(options, manifest, database);
      undo.push(() => work.takeBackFiles());
      return await work.run();
    });
    if (!isDryRun) undo.pop();
    return imported;
  } finally {
    for (const act of undo) await act();
  }
}

class RoomImport {
  readonly #options: RoomImportOptions;
  readonly #manifest: RoomManifest;
  readonly #tables: ReturnType<typeof roomTables>;
  readonly #database: RoomDatabase;
  readonly #people = new People();
  readonly #files: RoomFiles;
  readonly #now = Date.now();
  #done = 0;

  constructor(options: RoomImportOptions, manifest: RoomManifest, database: RoomDatabase) {
    this.#options = options;
    this.#manifest = manifest;
    this.#tables = roomTables(manifest.room_id);
    this.#database = database;
    const { from, filesDir, checkFile: check } = options;
    const isTaken = (key: string) => database.run(isKeyTaken(key));
    this.#files = new RoomFiles({ from, bytes: manifest.bytes, filesDir, check, isTaken });
  }

  /** The bytes of files that are of no use, as the import changes nothing. */
  async takeBackFiles(): Promise<void> {
    await this.#files.undo();
  }

  async run(): Promise<ImportedRoom> {
    const { name, owner } = this.#options;
    const database = this.#database;
    const people = this.#people;
    await this.#each('users', userRow, (row) => database.run(people.place(row, this.#now)));
    const row = await this.#roomRow();
    const of = { row, name, ownerId: 0, now: this.#now };
    const room = await at('rooms', 1, async () => {
      of.ownerId = people.idOf('owner_id', row.owner_id);
      return await database.run(beginRoom(of));
    });
    const members = new Members({ room: row, roomId: room.id, person: person(people) });
    await this.#each('members', memberRow, (member) => database.run(members.add(member)));
    const files = this.#files;
    await this.#each('files', fileRow, (file, line) => files.add(file, line));
    const parts = { room: row, roomId: room.id, person: person(people), files };
    const firstId = await database.reserveMessages(this.#rows('messages'));
    const messages = new Messages({ ...parts, firstId });
    await this.#put('messages', messageRow, (message, line) => messages.message(message, line));
    await this.#put('message_revisions', revisionRow, (revision) => messages.revision(revision));
    await this.#put('reactions', reactionRow, (reaction) => messages.reaction(reaction));
    for (const { line, problem } of messages.problems())
      throw wrongAt(line === undefined ? 'rooms' : 'messages', line ?? 1, problem);
    await this.#storeFiles(room.id, messages);
    await at('rooms', 1, async () => await database.run(members.end(owner, this.#now)));
    const { made_at: madeAt } = this.#manifest;
    await database.run(endRoom({ roomId: room.id, seq: row.seq, madeAt, now: this.#now }));
    const { matched, made } = people;
    return { manifest: this.#manifest, room, matched, made };
  }

  async #storeFiles(roomId: number, messages: Messages): Promise<void> {
    const rows = [
      ...this.#files.rows({
        roomId,
        user: (id) => this.#people.idOf('owner_id', id),
        message: (row) => messages.messageOf(row),
        wrong: (line, problem) => wrongAt('files', line, problem),
      }),
    ];
    const [first] = rows;
    if (!first) return;
    this.#files.sync();
    const table = { name: 'files', columns: Object.keys(first) };
    await this.#database.put(table, rows, { file: fileOf('files'), line: 1 });
    for (const { owner_id: ownerId, size } of rows)
      await this.#database.run(countFiles(Number(ownerId), { files: 1, bytes: Number(size) }));
  }

  async #roomRow(): Promise<RoomRow> {
    const rows: RoomRow[] = [];
    await this.#each('rooms', roomRow, (row) => void rows.push(row));
    const [row, ...others] = rows;
    if (row && others.length === 0 && row.id === this.#manifest.room_id) return row;
    throw new UnusableDatabaseError('rooms.jsonl does not have the one room that manifest.json names.');
  }

  #rows(table: string): number {
    return this.#manifest.files[fileOf(table)]?.rows ?? 0;
  }

  /** Calls `take` with each line of a file. What is wrong gets the name of the file and the number of the line. */
  async #each<Schema extends z.ZodType>(
    table: string,
    schema: Schema,
    take: (row: z.infer<Schema>, line: number) => unknown,
  ): Promise<void> {
    if (this.#manifest.files[fileOf(table)] === undefined) return;
    for await (const { rows, line } of this.#chunks(table))
      for (const [index, row] of rows.entries())
        await at(table, line + index, async () => await take(parse(schema, row), line + index));
  }

  /** Stores each line of a file as `change` gives it. */
  async #put<Schema extends z.ZodType>(
    table: string,
    schema: Schema,
    change: (row: z.infer<Schema>, line: number) => Row,
  ): Promise<void> {
    const { columns } = this.#table(table);
    for await (const { rows, line } of this.#chunks(table)) {
      const changed = rows.map((row, index) => {
        try {
          return change(parse(schema, row), line + index);
        } catch (error) {
          throw explain(error, table, line + index);
        }
      });
      await this.#database.put({ name: table, columns }, changed, { file: fileOf(table), line });
    }
  }

  #table(name: string) {
    const table = this.#tables.find((one) => one.name === name);
    if (!table) throw new Error(`an export of a room has no table ${name}`);
    return table;
  }

  async *#chunks(table: string) {
    const all = Object.values(this.#manifest.files).reduce((sum, { rows }) => sum + rows, 0);
    for await (const chunk of readRows(this.#options.from, this.#table(table), this.#manifest)) {
      yield chunk;
      this.#done += chunk.rows.length;
      this.#options.onProgress('importing', this.#done, all);
    }
  }
}

function* isKeyTaken(key: string): Steps<boolean> {
  return (yield* first(sql`SELECT id FROM files WHERE key = ${key}`)) !== undefined;
}

function person(people: People): (field: string, id: number) => number {
  return (field, id) => people.idOf(field, id);
}

function parse<Schema extends z.ZodType>(schema: Schema, row: Row): z.infer<Schema> {
  const { data, error } = schema.safeParse(row);
  if (!error) return data;
  const [issue] = error.issues;
  throw new Wrong(`"${issue?.path.join('.')}" is not allowed: ${issue?.message}`);
}

async function at<T>(table: string, line: number, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw explain(error, table, line);
  }
}

function explain(error: unknown, table: string, line: number): unknown {
  return error instanceof Wrong ? wrongAt(table, line, error.message) : error;
}

function wrongAt(table: string, line: number, problem: string): UnusableDatabaseError {
  return new UnusableDatabaseError(`${fileOf(table)}, line ${line}: ${problem}.`);
}
