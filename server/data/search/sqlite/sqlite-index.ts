/**
 * The index in a SQLite file of its own, beside the database. It can be built anew at any time: another epoch of the
 * database, another version of the words, or a damaged file make it empty. It has the texts, how far the rooms' logs are
 * in it, and how far its build has come.
 */
import type { Stems } from '../../../../protocol/search/tokens.ts';
import { remembering } from '../../storage/sqlite/database.ts';
import type { Sqlite } from '../../storage/sqlite/driver/driver.ts';
import type { CursorMove } from '../../storage/store.ts';
import { allTokens } from '../marks.ts';
import {
  type BuildState,
  beforeAll,
  type Entry,
  type Proposal,
  type Proposed,
  type RoomEntry,
  type RoomWrite,
} from '../search-index.ts';
import { proposeFrom } from './propose.ts';
import { type Body, VolumeTables } from './volume-tables.ts';

/** Entries that are taken out in one transaction. */
const FORGET_MAX = 500;

/** What an index was made of. */
export interface IndexOf {
  /** Of the database. */
  epoch: string;
  /** How words are made of texts. */
  words: string;
}

export class SqliteIndex {
  readonly #sqlite: Sqlite;
  readonly #stems: Stems;
  readonly #tables: VolumeTables;
  #hasErased = false;

  /** The file is made durable by the caller. Of another database, or with other words, it becomes empty. */
  constructor(sqlite: Sqlite, { epoch, words }: IndexOf, stems: Stems) {
    this.#sqlite = remembering(sqlite);
    this.#stems = stems;
    sqlite.exec(`
      CREATE TABLE IF NOT EXISTS meta (
        epoch TEXT NOT NULL, words TEXT NOT NULL, from_id INTEGER, since INTEGER, is_begun INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE TABLE IF NOT EXISTS places (room_id INTEGER PRIMARY KEY, seq INTEGER NOT NULL) STRICT`);
    const known = sqlite.prepare<[], IndexOf>('SELECT epoch, words FROM meta').get();
    this.#tables = new VolumeTables(this.#sqlite);
    if (known?.epoch !== epoch || known.words !== words) this.clear({ epoch, words });
  }

  /** Null: no build has begun. */
  state(): BuildState | null {
    const row = this.#sqlite
      .prepare<[], { fromId: number | null; since: number | null }>(
        'SELECT from_id AS fromId, since FROM meta',
      )
      .get();
    return row === undefined || row.fromId === null ? null : { fromId: row.fromId, since: row.since };
  }

  /** False: no cursors were set. */
  note({ fromId, since }: BuildState): boolean {
    const set = 'UPDATE meta SET from_id = ?, since = ? WHERE is_begun = 1';
    return this.#sqlite.prepare(set).run(fromId, since).changes > 0;
  }

  /** Whether the cursors are there; without them, they are to be set. */
  get isBegun(): boolean {
    return (
      this.#sqlite.prepare<[], { begun: number }>('SELECT is_begun AS begun FROM meta').get()?.begun === 1
    );
  }

  /** Sets the cursors of an empty index. */
  begin(places: readonly { roomId: number; seq: number }[]): void {
    this.#tables.transaction(() => {
      for (const { roomId, seq } of places) this.#move(roomId, seq);
      this.#sqlite.exec('UPDATE meta SET is_begun = 1');
    });
  }

  /** How far the rooms' logs are in the index; a room that is not named is not in it at all. */
  places(roomIds: readonly number[]): { roomId: number; seq: number }[] {
    const find = this.#sqlite.prepare<[number], { seq: number }>('SELECT seq FROM places WHERE room_id = ?');
    return roomIds.flatMap((roomId) => {
      const row = find.get(roomId);
      return row === undefined ? [] : [{ roomId, seq: row.seq }];
    });
  }

  /**
   * Writes entries and moves the cursor, both or none of them; before that, what they replace is taken out. False: the
   * cursor was elsewhere, or no cursors were set.
   */
  write(move: CursorMove, entries: readonly Entry[]): boolean {
    return this.writeAll([{ move, entries }])[0] ?? false;
  }

  /** The same for several rooms in one transaction, without those for which it says false. */
  writeAll(writes: readonly RoomWrite[]): boolean[] {
    if (!this.isBegun) return writes.map(() => false);
    const places = new Map(
      this.places(writes.map(({ move }) => move.roomId)).map(({ roomId, seq }) => [roomId, seq]),
    );
    const written = writes.filter(({ move: { roomId, from, to } }) => {
      if ((places.get(roomId) ?? 0) !== from) return false;
      places.set(roomId, to);
      return true;
    });
    const bodies = this.#takeOut(
      written.flatMap(({ move: { roomId }, entries }) => entries.map((entry) => ({ roomId, ...entry }))),
    );
    this.#tables.transaction(() => {
      this.#tables.insert(bodies);
      for (const { move } of written) this.#move(move.roomId, move.to);
    });
    return writes.map((write) => written.includes(write));
  }

  /** Writes entries alone, of any rooms. False: no cursors were set. */
  add(entries: readonly RoomEntry[]): boolean {
    if (!this.isBegun) return false;
    const bodies = this.#takeOut(entries);
    if (bodies.length > 0) this.#tables.transaction(() => this.#tables.insert(bodies));
    return true;
  }

  /** Rooms that have a cursor, by id. */
  rooms({ after, limit }: { after: number; limit: number }): number[] {
    return this.#sqlite
      .prepare<[number, number], { roomId: number }>(
        'SELECT room_id AS roomId FROM places WHERE room_id > ? ORDER BY room_id LIMIT ?',
      )
      .all(after, limit)
      .map(({ roomId }) => roomId);
  }

  /** Takes out some of the entries of a room, and at last its cursor; true when there may be more. */
  forget(roomId: number): boolean {
    const { messages } = this.propose(
      {
        ...{ conditions: [], roomIds: [roomId], limit: FORGET_MAX },
        ...{ order: 'newest', beyondId: beforeAll('newest') },
      },
      () => false,
    );
    const entries = messages.map(({ messageId }) => ({ roomId, messageId, indexed: null }));
    this.#takeOut(entries);
    if (messages.length < FORGET_MAX)
      this.#sqlite.prepare('DELETE FROM places WHERE room_id = ?').run(roomId);
    return messages.length === FORGET_MAX;
  }

  /** Goes through the volumes in the order of the proposal, until `isOver` says that it takes too long. */
  propose(proposal: Omit<Proposal, 'withinMs'>, isOver: () => boolean): Proposed {
    const tables = this.#tables;
    return proposeFrom(proposal, {
      volumes: tables.all(),
      find: (volume, what) => tables.find(volume, what),
      newest: (volume, match, place) => tables.newest(volume, match, place),
      isOver,
    });
  }

  /** Makes the index empty. */
  clear({ epoch, words }: IndexOf): void {
    this.#tables.transaction(() => {
      this.#tables.drop();
      this.#sqlite.exec('DELETE FROM meta; DELETE FROM places');
      this.#sqlite.prepare('INSERT INTO meta (epoch, words) VALUES (?, ?)').run(epoch, words);
    });
  }

  /** Whether words were taken out since it was last asked. */
  takeErased(): boolean {
    const hasErased = this.#hasErased;
    this.#hasErased = false;
    return hasErased;
  }

  #move(roomId: number, seq: number): void {
    this.#sqlite
      .prepare('INSERT INTO places VALUES (?, ?) ON CONFLICT (room_id) DO UPDATE SET seq = excluded.seq')
      .run(roomId, seq);
  }

  /**
   * Takes out what these entries replace, and returns what is to be written in its place. It is a transaction of its own:
   * where one transaction takes a row out and puts it back, FTS5 (with `secure-delete` and `detail = none`, SQLite 3.53)
   * loses the rows after it for each word that both texts have.
   */
  #takeOut(entries: readonly RoomEntry[]): Body[] {
    const bodies: Body[] = [];
    const gone: number[] = [];
    for (const { roomId, messageId, indexed } of inOrder(entries)) {
      const before = this.#tables.bodyOf(messageId);
      const body = indexed === null ? undefined : allTokens(roomId, indexed, this.#stems).join(' ');
      if (body === before) continue;
      if (before !== undefined) gone.push(messageId);
      if (body !== undefined) bodies.push({ messageId, body });
    }
    if (gone.length > 0) {
      this.#tables.transaction(() => this.#tables.delete(gone));
      this.#hasErased = true;
    }
    return bodies;
  }
}

/** Each step back of the ids makes FTS5 write what it has collected. Of two entries of a message the last one counts. */
function inOrder(entries: readonly RoomEntry[]): RoomEntry[] {
  const last = new Map(entries.map((entry) => [entry.messageId, entry]));
  return [...last.values()].sort((one, other) => one.messageId - other.messageId);
}
