/**
 * The index on PostgreSQL: one GIN, in which each token begins with the volume that its message is in. GIN reads every
 * hit of a query before the first one is returned, so the bound on a volume bounds the time.
 * Source: https://www.postgresql.org/docs/current/gin.html
 */
import { setImmediate as otherWork } from 'node:timers/promises';
import type { SearchOrder } from '../../../protocol/rest/search.ts';
import type { AnyOf, Condition, Stems } from '../../../protocol/search/tokens.ts';
import type { Backend } from '../storage/postgres/backend.ts';
import { INDEXER, moveCursor } from '../storage/queries/consumers.ts';
import { type Sql, sql } from '../storage/queries/sql.ts';
import { all, first, run, type Steps } from '../storage/queries/steps.ts';
import type { BehindRow, CursorMove, MessagePlace, Store } from '../storage/store.ts';
import { allTokens, marks } from './marks.ts';
import {
  type BuildState,
  beforeAll,
  type Entry,
  type Proposal,
  type Proposed,
  type RoomEntry,
  type SearchIndex,
} from './search-index.ts';

/** Message ids of a volume, as a power of two. */
const VOLUME_BITS = 16;
/** More rooms than these are not asked for in the index. */
const ROOMS_ASKED_MAX = 16;
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
    const isNewest = order === 'newest';
    const until = performance.now() + withinMs;
    for (const volume of volumesWithin(ends, order, beyondId)) {
      const start = volume * 2 ** VOLUME_BITS;
      const end = start + 2 ** VOLUME_BITS;
      const from = isNewest ? start : Math.max(start, beyondId + 1);
      const to = isNewest ? Math.min(end, beyondId) : end;
      if (performance.now() >= until) return { messages, nextBeyondId: isNewest ? to : from - 1 };
      const found = await this.#options.steps.look(() =>
        all<MessagePlace>(
          select({ conditions, roomIds, volume, from, to, order, limit: limit - messages.length }),
        ),
      );
      messages.push(...found);
      if (messages.length === limit) return { messages, nextBeyondId: messages.at(-1)?.messageId ?? start };
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
      conditions: [[{ token: marks.room(roomId) }]],
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

interface StateRow {
  words: string;
  fromId: number | null;
  since: number | null;
}

interface Rows {
  /** JSON. */
  written: string;
  gone: readonly number[];
}

function selectState(): Sql {
  return sql`SELECT words, from_id AS "fromId", since FROM search_state`;
}

function stateOf(row: StateRow | undefined): BuildState | null {
  return row === undefined || row.fromId === null ? null : { fromId: row.fromId, since: row.since };
}

/** Whether the index is of these words, until the end of the transaction. */
function* isOpen(words: string): Steps<boolean> {
  return (yield* first(sql`SELECT 1 FROM search_state WHERE words = ${words} FOR KEY SHARE`)) !== undefined;
}

/**
 * Whether the holder has the lease, until the end of the transaction. The build needs it: it has read texts, and another
 * process may have written later ones since. What the consumer writes depends on its cursor.
 */
function* isHeldBy(holder: string): Steps<boolean> {
  const lease = sql`SELECT 1 FROM follower_leases WHERE name = ${INDEXER} AND holder = ${holder} FOR SHARE`;
  return (yield* first(lease)) !== undefined;
}

/** The consumer finds the state gone and begins anew. First the state: writers hold it. */
function* emptyAll(): Steps<void> {
  yield* run(sql`DELETE FROM search_state`);
  yield* run(sql`TRUNCATE search_texts`);
  yield* run(sql`DELETE FROM followers WHERE name = ${INDEXER}`);
}

function* put({ written, gone }: Rows): Steps<void> {
  if (written !== '[]')
    yield* run(sql`
      INSERT INTO search_texts (message_id, room_id, tokens)
      SELECT (entry->>'id')::bigint, (entry->>'room')::bigint,
        array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text(entry->'tokens')))
      FROM jsonb_array_elements(${written}::jsonb) AS entry
      ON CONFLICT (message_id) DO UPDATE SET tokens = excluded.tokens
      WHERE search_texts.tokens IS DISTINCT FROM excluded.tokens`);
  if (gone.length > 0)
    yield* run(sql`DELETE FROM search_texts WHERE message_id = ANY(${arrayOf(gone)}::bigint[])`);
}

interface Ends {
  first: number;
  last: number;
}

/** The volumes that have messages which come after this one, in the order. */
function* volumesWithin({ first, last }: Ends, order: SearchOrder, beyondId: number): Generator<number> {
  if (order === 'newest')
    for (let volume = volumeOf(Math.min(last, beyondId - 1)); volume >= volumeOf(first); volume--)
      yield volume;
  else
    for (let volume = volumeOf(Math.max(first, beyondId + 1)); volume <= volumeOf(last); volume++)
      yield volume;
}

interface Select {
  conditions: readonly AnyOf[];
  roomIds: readonly number[];
  volume: number;
  /** The end is not included. */
  from: number;
  to: number;
  order: SearchOrder;
  limit: number;
}

function select({ conditions, roomIds, volume, from, to, order, limit }: Select): Sql {
  const rooms = arrayOf(roomIds);
  const direction = order === 'newest' ? sql`DESC` : sql`ASC`;
  if (conditions.length === 0)
    return sql`
      SELECT message_id AS "messageId", room_id AS "roomId" FROM search_texts
      WHERE message_id >= ${from} AND message_id < ${to} AND room_id = ANY(${rooms}::bigint[])
      ORDER BY message_id ${direction} LIMIT ${limit}`;
  const [room, ...others] = roomIds.length > ROOMS_ASKED_MAX ? [] : roomIds;
  const inRooms: AnyOf[] =
    room === undefined
      ? []
      : [[{ token: marks.room(room) }, ...others.map((id) => ({ token: marks.room(id) }))]];
  const query = queryOf([...inRooms, ...conditions], prefixOf(volume));
  return sql`
    WITH hits AS MATERIALIZED (
      SELECT message_id, room_id FROM search_texts WHERE tokens @@ ${query}::tsquery)
    SELECT message_id AS "messageId", room_id AS "roomId" FROM hits
    WHERE message_id >= ${from} AND message_id < ${to} AND room_id = ANY(${rooms}::bigint[])
    ORDER BY message_id ${direction} LIMIT ${limit}`;
}

/** The text form of a tsquery. Every token is quoted, so none is taken for an operator. */
function queryOf(conditions: readonly AnyOf[], prefix: string): string {
  return conditions
    .map((anyOf) => `(${anyOf.map((condition) => quoted(condition, prefix)).join(' | ')})`)
    .join(' & ');
}

function quoted(condition: Condition, prefix: string): string {
  const text = prefix + ('token' in condition ? condition.token : condition.prefix);
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'${'token' in condition ? '' : ':*'}`;
}

function volumeOf(messageId: number): number {
  return Math.floor(messageId / 2 ** VOLUME_BITS);
}

function prefixOf(volume: number): string {
  return `${volume.toString(36)}.`;
}

/** The text form of an array. */
function arrayOf(ids: readonly number[]): string {
  return `{${ids.join()}}`;
}
