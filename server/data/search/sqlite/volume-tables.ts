/**
 * The texts of the index, as what is kept of each (its body): in volumes of `VOLUME_IDS` message ids, each an FTS5 table.
 * FTS5 merges the lists of all words that begin with a prefix before its first hit, so a bound on the texts of a table
 * bounds the time of every query. Prefixes of three and four letters, which most words have, are kept as lists of their
 * own.
 * Source: https://sqlite.org/fts5.html (prefix, detail, columnsize, secure-delete).
 */
import { transaction } from '../../storage/sqlite/database.ts';
import type { Sqlite } from '../../storage/sqlite/driver/driver.ts';
import type { MessagePlace } from '../../storage/store.ts';
import type { Find, Volume } from './propose.ts';

const VOLUME_IDS = 2 ** 18;

export interface Body {
  messageId: number;
  /** What is kept of it. */
  body: string;
}

export class VolumeTables {
  readonly #sqlite: Sqlite;
  /** The numbers of the volumes that exist, the newest first. */
  #numbers: number[];
  /** Of each volume: no text in it has a higher id. What is posted is beyond, so it replaces nothing. */
  readonly #lastIds = new Map<number, number>();

  /** `sqlite` prepares each text once (`remembering`). */
  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
    this.#numbers = this.#read();
  }

  /** The volumes that exist, the newest first. */
  all(): Volume[] {
    return this.#numbers.map((number) => {
      const first = number * VOLUME_IDS;
      return { number, first, last: first + VOLUME_IDS - 1 };
    });
  }

  /** The messages of a volume that match, in an order. */
  find({ number }: Volume, { match, order, beyond, most }: Find): MessagePlace[] {
    const [isBeyond, direction] = order === 'newest' ? ['<', 'DESC'] : ['>', 'ASC'];
    return this.#sqlite
      .prepare<[string, number, number], Found>(
        `SELECT rowid, substr(body, 1, 24) AS start FROM v${number}
        WHERE v${number} MATCH ? AND rowid ${isBeyond} ? ORDER BY rowid ${direction} LIMIT ?`,
      )
      .all(match, beyond, most)
      .map(placeOf);
  }

  /** The id of the text of this place among those that match, from the newest. Undefined: there are not so many. */
  newest({ number }: Volume, match: string, place: number): number | undefined {
    return this.#sqlite
      .prepare<[string, number], { rowid: number }>(
        `SELECT rowid FROM v${number} WHERE v${number} MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?`,
      )
      .get(match, place - 1)?.rowid;
  }

  /** Undefined: nothing is kept of the message. */
  bodyOf(messageId: number): string | undefined {
    const volume = volumeOf(messageId);
    if (messageId > this.#lastIdOf(volume)) return undefined;
    const find = `SELECT body FROM v${volume} WHERE rowid = ?`;
    return this.#sqlite.prepare<[number], Body>(find).get(messageId)?.body;
  }

  /** Within a transaction. None of these messages may have a body. */
  insert(bodies: readonly Body[]): void {
    for (const { messageId, body } of bodies) {
      const volume = volumeOf(messageId);
      if (!this.#numbers.includes(volume)) this.#make(volume);
      this.#lastIds.set(volume, Math.max(messageId, this.#lastIdOf(volume)));
      this.#sqlite.prepare(`INSERT INTO v${volume} (rowid, body) VALUES (?, ?)`).run(messageId, body);
    }
  }

  /** Within a transaction. Each of these messages has a body. */
  delete(messageIds: readonly number[]): void {
    for (const id of messageIds) this.#sqlite.prepare(`DELETE FROM v${volumeOf(id)} WHERE rowid = ?`).run(id);
  }

  /** Takes out all texts, within a transaction. */
  drop(): void {
    for (const number of this.#numbers) this.#sqlite.exec(`DROP TABLE v${number}`);
    this.#numbers = [];
    this.#lastIds.clear();
  }

  /** Runs `body` in one transaction, and knows the volumes as they were before when it fails. */
  transaction(body: () => void): void {
    const before = this.#numbers;
    try {
      transaction(this.#sqlite, body);
    } catch (error) {
      // A volume that was made, or dropped, is not when the rest has failed.
      this.#numbers = before;
      this.#lastIds.clear();
      throw error;
    }
  }

  #lastIdOf(volume: number): number {
    const known = this.#lastIds.get(volume);
    if (known !== undefined) return known;
    if (!this.#numbers.includes(volume)) return -1;
    const find = `SELECT rowid FROM v${volume} ORDER BY rowid DESC LIMIT 1`;
    const lastId = this.#sqlite.prepare<[], { rowid: number }>(find).get()?.rowid ?? -1;
    this.#lastIds.set(volume, lastId);
    return lastId;
  }

  #make(volume: number): void {
    this.#sqlite.exec(`
      CREATE VIRTUAL TABLE v${volume}
        USING fts5(body, tokenize = "ascii tokenchars '_'", prefix = "3 4", detail = none, columnsize = 0);
      INSERT INTO v${volume} (v${volume}, rank) VALUES ('secure-delete', 1)`);
    this.#numbers = [volume, ...this.#numbers].sort((a, b) => b - a);
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

function volumeOf(messageId: number): number {
  return Math.floor(messageId / VOLUME_IDS);
}

interface Found {
  rowid: number;
  /** How the body begins. */
  start: string;
}

/** The first token of a body is the room. */
function placeOf({ rowid, start }: Found): MessagePlace {
  return { messageId: rowid, roomId: Number(start.slice(2).split(' ', 1)[0]) };
}
