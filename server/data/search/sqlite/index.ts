/**
 * The index in a SQLite file of its own, beside the database. It can be built anew at any time: another epoch of the
 * database, another version of the words, or a damaged file make it empty.
 *
 * Texts are in volumes of `VOLUME_IDS` message ids, each an FTS5 table. FTS5 merges the lists of all words that begin
 * with a prefix before its first hit, so a bound on the texts of a table bounds the time of every query.
 * Source: https://sqlite.org/fts5.html (detail, columnsize, secure-delete).
 */
import type { AnyOf, Condition } from '../../../../protocol/search/tokens.ts';
import { transaction } from '../../storage/sqlite/database.ts';
import type { Sqlite } from '../../storage/sqlite/driver/driver.ts';
import type { Entry, Place, Proposal, Proposed } from '../search-index.ts';

/** Message ids of a volume, as a power of two. */
const VOLUME_BITS = 18;
/** Begins the token of a room: no word has a character for private use. */
const ROOM = '\uE000r';
/** More rooms than these are not asked for in the index: a query of as many parts is slower than reading in vain. */
const ROOMS_ASKED_MAX = 400;

export class SqliteIndex {
  readonly #sqlite: Sqlite;
  /** The numbers of the volumes that exist, the newest first. */
  #volumes: number[];

  /** `epoch`: of the database; `version`: of the words. The file is made durable by the caller. */
  constructor(sqlite: Sqlite, { epoch, version }: { epoch: string; version: number }) {
    this.#sqlite = sqlite;
    sqlite.exec(`
      CREATE TABLE IF NOT EXISTS meta (epoch TEXT NOT NULL, version INTEGER NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS places (room_id INTEGER PRIMARY KEY, seq INTEGER NOT NULL) STRICT`);
    const known = sqlite
      .prepare<[], { epoch: string; version: number }>('SELECT epoch, version FROM meta')
      .get();
    this.#volumes = this.#read();
    if (known?.epoch !== epoch || known.version !== version) this.#clear({ epoch, version });
  }

  /** How far the room's log is in the index; 0: not at all. */
  placeOf(roomId: number): number {
    const row = this.#sqlite
      .prepare<[number], { seq: number }>('SELECT seq FROM places WHERE room_id = ?')
      .get(roomId);
    return row?.seq ?? 0;
  }

  /** Writes entries and the place behind them, both or none of them. */
  write({ roomId, seq }: Place, entries: readonly Entry[]): void {
    this.#transaction(() => {
      for (const entry of entries) this.#put(roomId, entry);
      this.#sqlite
        .prepare(
          'INSERT INTO places VALUES (?, ?) ON CONFLICT (room_id) DO UPDATE SET seq = excluded.seq WHERE excluded.seq > seq',
        )
        .run(roomId, seq);
    });
  }

  /** Takes a deleted room's entries out, whose ids the caller knows. */
  forget(roomId: number, messageIds: readonly number[]): void {
    this.#transaction(() => {
      for (const messageId of messageIds) this.#put(roomId, { messageId, tokens: null });
      this.#sqlite.prepare('DELETE FROM places WHERE room_id = ?').run(roomId);
    });
  }

  /** Goes through the volumes from the newest on, until `isOver` says that it takes too long. */
  propose({ conditions, roomIds, beforeId, limit }: Proposal, isOver: () => boolean): Proposed {
    if (roomIds?.length === 0 || conditions.length === 0) return { ids: [], isComplete: true };
    const query = matchOf(conditions, roomIds);
    const ids: number[] = [];
    for (const volume of this.#volumes) {
      if (volume * 2 ** VOLUME_BITS >= beforeId) continue;
      if (isOver()) return { ids, isComplete: false };
      const rows = this.#sqlite
        .prepare<[string, number, number], { rowid: number }>(
          `SELECT rowid FROM v${volume} WHERE v${volume} MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?`,
        )
        .all(query, beforeId, limit - ids.length + 1);
      ids.push(...rows.map(({ rowid }) => rowid));
      if (ids.length > limit) return { ids: ids.slice(0, limit), isComplete: false };
    }
    return { ids, isComplete: true };
  }

  #put(roomId: number, { messageId, tokens }: Entry): void {
    const volume = Math.floor(messageId / 2 ** VOLUME_BITS);
    if (!this.#volumes.includes(volume)) {
      if (tokens === null) return;
      this.#make(volume);
    }
    const before = this.#sqlite
      .prepare<[number], { body: string }>(`SELECT body FROM v${volume} WHERE rowid = ?`)
      .get(messageId)?.body;
    const body = tokens === null ? undefined : [ROOM + roomId, ...[...tokens].sort()].join(' ');
    if (body === before) return;
    if (before !== undefined) this.#sqlite.prepare(`DELETE FROM v${volume} WHERE rowid = ?`).run(messageId);
    if (body !== undefined)
      this.#sqlite.prepare(`INSERT INTO v${volume} (rowid, body) VALUES (?, ?)`).run(messageId, body);
  }

  #make(volume: number): void {
    this.#sqlite.exec(`
      CREATE VIRTUAL TABLE v${volume}
        USING fts5(body, tokenize = "ascii tokenchars '_'", detail = none, columnsize = 0);
      INSERT INTO v${volume} (v${volume}, rank) VALUES ('secure-delete', 1)`);
    this.#volumes = [volume, ...this.#volumes];
  }

  #clear({ epoch, version }: { epoch: string; version: number }): void {
    this.#transaction(() => {
      for (const volume of this.#volumes) this.#sqlite.exec(`DROP TABLE v${volume}`);
      this.#sqlite.exec('DELETE FROM meta; DELETE FROM places');
      this.#sqlite.prepare('INSERT INTO meta VALUES (?, ?)').run(epoch, version);
    });
  }

  #transaction(body: () => void): void {
    try {
      transaction(this.#sqlite, body);
    } finally {
      // A volume that was made is not there when the rest has failed.
      this.#volumes = this.#read();
    }
  }

  /** The volumes that the file has. */
  #read(): number[] {
    return this.#sqlite
      .prepare<[], { name: string }>(
        "SELECT name FROM sqlite_schema WHERE name GLOB 'v[0-9]*' AND sql LIKE 'CREATE VIRTUAL%'",
      )
      .all()
      .map(({ name }) => Number(name.slice(1)))
      .sort((a, b) => b - a);
  }
}

/** The query language of FTS5. Every token is quoted, so none is taken for an operator. */
function matchOf(conditions: readonly AnyOf[], roomIds: readonly number[] | undefined): string {
  const rooms =
    roomIds === undefined || roomIds.length > ROOMS_ASKED_MAX
      ? []
      : [roomIds.map((id) => quoted({ token: ROOM + id })).join(' OR ')];
  return [...rooms, ...conditions.map((anyOf) => anyOf.map(quoted).join(' OR '))]
    .map((part) => `(${part})`)
    .join(' AND ');
}

function quoted(condition: Condition): string {
  const text = 'token' in condition ? condition.token : condition.prefix;
  const star = 'token' in condition ? '' : ' *';
  return `"${text.replaceAll('"', '""')}"${star}`;
}
