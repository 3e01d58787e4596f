/**
 * The index on PostgreSQL: one GIN, in which each token begins with the volume that its message is in. GIN reads every
 * hit of a query before the first one is returned, so the bound on a volume bounds the time.
 * Source: https://www.postgresql.org/docs/current/gin.html
 */
import { setImmediate as otherWork } from 'node:timers/promises';
import type { AnyOf, Stems } from '../../../../protocol/search/tokens.ts';
import type { Backend } from '../../storage/postgres/backend.ts';
import { INDEXER, moveCursor } from '../../storage/queries/consumers.ts';
import { sql } from '../../storage/queries/sql.ts';
import { all, first, run } from '../../storage/queries/steps.ts';
import type { BehindRow, CursorMove, MessagePlace, Store } from '../../storage/store.ts';
import { allTokens } from '../marks.ts';
import { rarest, withoutShort } from '../narrow.ts';
import {
  type BuildState,
  beforeAll,
  type Entry,
  type Proposal,
  type Proposed,
  type RoomEntry,
  type SearchIndex,
} from '../search-index.ts';
import {
  type Ends,
  emptyAll,
  isHeldBy,
  isOpen,
  prefixOf,
  put,
  RECENT,
  type Recent,
  type Rows,
  recent,
  roomCondition,
  SAMPLE_MIN,
  type StateRow,
  select,
  selectAll,
  selectState,
  stateOf,
  VOLUME_BITS,
  volumeOf,
  volumesWithin,
} from './statements.ts';

const FORGET_MAX = 500;
/** Of a condition that fewer messages have than this share, all can be read. */
const RARE = 0.02;
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
    const rows = await this.#rowsOf(entries.map((entry) => ({ roomId: move.roomId, ...entry })));
    const { steps, words } = this.#options;
    return await steps.run(function* () {
      if (!(yield* isOpen(words)) || !(yield* moveCursor(INDEXER, move))) return false;
      yield* put(rows);
      return true;
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

  async propose({ conditions, roomIds, order, beyondId, limit, withinMs }: Proposal): Promise<Proposed> {
    const messages: MessagePlace[] = [];
    const ends = roomIds.length === 0 ? undefined : await this.#ends();
    if (!ends) return { messages, nextBeyondId: null };
    const { steps } = this.#options;
    const isNewest = order === 'newest';
    const until = performance.now() + withinMs;
    const choice = new Choice([
      ...roomCondition(roomIds, conditions.length === 0),
      ...withoutShort(conditions),
    ]);
    for (const volume of volumesWithin(ends, order, beyondId)) {
      const start = volume * 2 ** VOLUME_BITS;
      const end = start + 2 ** VOLUME_BITS;
      const from = isNewest ? start : Math.max(start, beyondId + 1);
      const to = isNewest ? Math.min(end, beyondId) : end;
      if (performance.now() >= until) return { messages, nextBeyondId: isNewest ? to : from - 1 };
      const part = { conditions: choice.all, roomIds, volume, from, to, order };
      const { last, ...seen } = await steps.look(() => recent({ ...part, limit: limit - messages.length }));
      choice.add(seen);
      messages.push(...seen.messages);
      const isFull = () => messages.length === limit;
      if (last !== undefined && !isFull() && seen.seen === RECENT) {
        const rest = {
          ...part,
          ...(isNewest ? { to: last } : { from: last + 1 }),
          limit: limit - messages.length,
        };
        messages.push(
          ...(await steps.look(() =>
            all<MessagePlace>(choice.all.length === 0 ? selectAll(rest) : select(rest, choice.asked())),
          )),
        );
      }
      if (isFull()) return { messages, nextBeyondId: messages.at(-1)?.messageId ?? start };
    }
    return { messages, nextBeyondId: null };
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

  #ends(): Promise<Ends | undefined> {
    return this.#options.steps.look(function* () {
      const ends = yield* first<{ first: number | null; last: number | null }>(
        sql`SELECT min(message_id) AS first, max(message_id) AS last FROM search_texts`,
      );
      if (ends === undefined || ends.first === null || ends.last === null) return undefined;
      return { first: ends.first, last: ends.last };
    });
  }

  /** `put` as one statement. */
  async #rowsOf(entries: readonly RoomEntry[]): Promise<Rows> {
    const stems = await this.#options.stems();
    const written: { id: number; room: number; tokens: string[] }[] = [];
    let until = performance.now() + SLICE_MS;
    for (const { roomId, messageId, indexed } of entries) {
      if (indexed === null) continue;
      if (performance.now() > until) {
        await otherWork();
        until = performance.now() + SLICE_MS;
      }
      const prefix = prefixOf(volumeOf(messageId));
      const tokens = allTokens(roomId, indexed, stems).map((token) => prefix + token);
      written.push({ id: messageId, room: roomId, tokens });
    }
    const gone = entries.filter(({ indexed }) => indexed === null).map(({ messageId }) => messageId);
    return { written: JSON.stringify(written), gone };
  }
}

/** Which conditions the index is asked for: those that were the rarest among the messages that were seen. */
class Choice {
  readonly all: readonly AnyOf[];
  readonly #counts: number[];
  #seen = 0;

  constructor(all: readonly AnyOf[]) {
    this.all = all;
    this.#counts = all.map(() => 0);
  }

  add({ seen, counts }: Pick<Recent, 'seen' | 'counts'>): void {
    this.#seen += seen;
    for (const [place, count] of counts.entries()) this.#counts[place] = (this.#counts[place] ?? 0) + count;
  }

  /** Common ones are left out where a rare one is there: each hit is read, and all of them are looked for in it. */
  asked(): AnyOf[] {
    const countOf = (anyOf: AnyOf) => this.#counts[this.all.indexOf(anyOf)] ?? 0;
    const few = rarest(this.all, countOf);
    const least = Math.min(...few.map(countOf));
    if (this.#seen < SAMPLE_MIN || least > this.#seen * RARE) return few;
    return few.filter((anyOf) => countOf(anyOf) <= this.#seen * RARE);
  }
}
