/**
 * The index on PostgreSQL: one GIN, in which each token begins with the volume that its message is in. GIN reads every
 * hit of a query before the first one is returned, so the bound on a volume bounds the time.
 * Source: https://www.postgresql.org/docs/current/gin.html
 */
import { setImmediate as otherWork } from 'node:timers/promises';
import type { Stems } from '../../../../protocol/search/tokens.ts';
import type { Backend } from '../../storage/postgres/backend.ts';
import { INDEXER, moveCursor } from '../../storage/queries/consumers.ts';
import { sql } from '../../storage/queries/sql.ts';
import { all, first, run } from '../../storage/queries/steps.ts';
import type { BehindRow, CursorMove, Store } from '../../storage/store.ts';
import { allTokens } from '../marks.ts';
import {
  type BuildState,
  beforeAll,
  type Entry,
  type Proposal,
  type Proposed,
  type RoomEntry,
  type RoomWrite,
  type SearchIndex,
} from '../search-index.ts';
import { learnStems } from '../stems.ts';
import { propose } from './propose.ts';
import {
  emptyAll,
  isHeldBy,
  isOpen,
  prefixOf,
  put,
  type Rows,
  type StateRow,
  selectState,
  stateOf,
  volumeOf,
} from './statements.ts';

const FORGET_MAX = 500;
/** So long the event loop waits for the words of texts. */
const SLICE_MS = 3;

export interface PostgresSearchOptions {
  steps: Pick<Backend, 'run' | 'look'>;
  store: Pick<Store, 'consumerBehind' | 'consumerPlace'>;
  /** How words are made of texts: the version, and the languages of the stems. */
  words: string;
  stems(): Promise<Stems>;
}

export class PostgresSearch implements SearchIndex {
  readonly isShared = true;
  readonly #options: PostgresSearchOptions;
  /** Who is to have the lease when it writes. */
  #holder = '';

  constructor(options: PostgresSearchOptions) {
    this.#options = options;
  }

  open(holder: string): Promise<BuildState | null> {
    this.#holder = holder;
    const { steps, words } = this.#options;
    return steps.run(function* () {
      const known = yield* first<StateRow>(selectState());
      if (known?.words === words) return stateOf(known);
      yield* emptyAll();
      yield* run(sql`
        INSERT INTO followers (name, room_id, seq, changed_seq) SELECT ${INDEXER}, id, seq, seq FROM rooms WHERE true
        ON CONFLICT (name, room_id) DO UPDATE SET seq = excluded.seq, changed_seq = excluded.changed_seq`);
      yield* run(sql`INSERT INTO search_state (id, words) VALUES (1, ${words})`);
      return null;
    });
  }

  state(): Promise<BuildState | null> {
    return this.#options.steps.look(function* () {
      return stateOf(yield* first<StateRow>(selectState()));
    });
  }

  behind(of: { after: number; limit: number }): Promise<{ rooms: BehindRow[]; next: number | null }> {
    return this.#options.store.consumerBehind({ name: INDEXER, ...of });
  }

  place(roomId: number): Promise<BehindRow | undefined> {
    return this.#options.store.consumerPlace({ name: INDEXER, roomId });
  }

  async write(move: CursorMove, entries: readonly Entry[]): Promise<boolean> {
    const [isWritten = false] = await this.writeAll([{ move, entries }]);
    return isWritten;
  }

  async writeAll(writes: readonly RoomWrite[]): Promise<boolean[]> {
    const all: { move: CursorMove; rows: Rows }[] = [];
    for (const { move, entries } of writes) {
      const rows = await this.#rowsOf(entries.map((entry) => ({ roomId: move.roomId, ...entry })));
      all.push({ move, rows });
    }
    const { steps, words } = this.#options;
    return await steps.run(function* () {
      if (!(yield* isOpen(words))) return all.map(() => false);
      const written: boolean[] = [];
      for (const { move, rows } of all) {
        const isHere = yield* moveCursor(INDEXER, move);
        if (isHere) yield* put(rows);
        written.push(isHere);
      }
      return written;
    });
  }

  async add(entries: readonly RoomEntry[]): Promise<boolean> {
    const rows = await this.#rowsOf(entries);
    const { steps, words } = this.#options;
    const holder = this.#holder;
    return await steps.run(function* () {
      if (!(yield* isHeldBy(holder)) || !(yield* isOpen(words))) return false;
      yield* put(rows);
      return true;
    });
  }

  note({ fromId, since }: BuildState): Promise<boolean> {
    const { steps, words } = this.#options;
    const holder = this.#holder;
    return steps.run(function* () {
      if (!(yield* isHeldBy(holder))) return false;
      const noted = yield* first(sql`
        UPDATE search_state SET from_id = ${fromId}, since = ${since} WHERE words = ${words} RETURNING id`);
      return noted !== undefined;
    });
  }

  async awake(): Promise<void> {}

  propose(proposal: Proposal): Promise<Proposed> {
    return propose(this.#options.steps, proposal);
  }

  rooms({ after, limit }: { after: number; limit: number }): Promise<number[]> {
    return this.#options.steps.look(function* () {
      const rows = yield* all<{ roomId: number }>(sql`
        SELECT room_id AS "roomId" FROM followers WHERE name = ${INDEXER} AND room_id > ${after}
        ORDER BY room_id LIMIT ${limit}`);
      return rows.map(({ roomId }) => roomId);
    });
  }

  async forget(roomId: number): Promise<boolean> {
    const { messages } = await this.propose({
      conditions: [],
      roomIds: [roomId],
      ...{ order: 'newest', beyondId: beforeAll('newest') },
      limit: FORGET_MAX,
      withinMs: Number.POSITIVE_INFINITY,
    });
    const gone = messages.map(({ messageId }) => messageId);
    const isLast = messages.length < FORGET_MAX;
    await this.#options.steps.run(function* () {
      yield* put({ written: '[]', gone });
      if (isLast) yield* run(sql`DELETE FROM followers WHERE name = ${INDEXER} AND room_id = ${roomId}`);
    });
    return !isLast;
  }

  bytes(): Promise<number> {
    return this.#options.steps.look(function* () {
      const row = yield* first<{ bytes: number }>(
        sql`SELECT pg_total_relation_size('search_texts') AS bytes`,
      );
      return row?.bytes ?? 0;
    });
  }

  clear(): Promise<void> {
    return this.#options.steps.run(emptyAll);
  }

  async close(): Promise<void> {
    // The connections are those of the store.
  }

  /** `put` as one statement. */
  async #rowsOf(entries: readonly RoomEntry[]): Promise<Rows> {
    const stems = await this.#options.stems();
    const written: { id: number; room: number; tokens: string[] }[] = [];
    let until = performance.now() + SLICE_MS;
    const rest = async () => {
      if (performance.now() <= until) return;
      await otherWork();
      until = performance.now() + SLICE_MS;
    };
    for (const { roomId, messageId, indexed } of entries) {
      if (indexed === null) continue;
      for (const _ of learnStems(indexed.texts, stems)) await rest();
      await rest();
      const prefix = prefixOf(volumeOf(messageId));
      const tokens = allTokens(roomId, indexed, stems).map((token) => prefix + token);
      written.push({ id: messageId, room: roomId, tokens });
    }
    const gone = entries.filter(({ indexed }) => indexed === null).map(({ messageId }) => messageId);
    return { written: JSON.stringify(written), gone };
  }
}
