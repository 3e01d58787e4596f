/** The statements of the index on PostgreSQL. */
import type { SearchOrder } from '../../../../protocol/rest/search.ts';
import type { AnyOf, Condition } from '../../../../protocol/search/tokens.ts';
import { INDEXER } from '../../storage/queries/consumers.ts';
import { type Sql, sql } from '../../storage/queries/sql.ts';
import { first, run, type Steps } from '../../storage/queries/steps.ts';
import type { MessagePlace } from '../../storage/store.ts';
import { marks } from '../marks.ts';
import type { BuildState } from '../search-index.ts';

/** Message ids of a volume, as a power of two. */
export const VOLUME_BITS = 18;
/** More rooms than these are not asked for in the index; with no other condition, of each message its room is asked. */
const ROOMS_ASKED = { usual: 16, alone: 400 };
/**
 * Messages of a volume that are looked at one by one: the first ones, before the index is asked, and at once where it
 * would find too many.
 */
export const ONE_BY_ONE = { first: 1000, others: 8000 };

export interface StateRow {
  words: string;
  fromId: number | null;
  since: number | null;
}

export interface Rows {
  /** JSON. */
  written: string;
  gone: readonly number[];
}

export function selectState(): Sql {
  return sql`SELECT words, from_id AS "fromId", since FROM search_state`;
}

export function stateOf(row: StateRow | undefined): BuildState | null {
  return row === undefined || row.fromId === null ? null : { fromId: row.fromId, since: row.since };
}

/** Whether the index is of these words, until the end of the transaction. */
export function* isOpen(words: string): Steps<boolean> {
  return (yield* first(sql`SELECT 1 FROM search_state WHERE words = ${words} FOR KEY SHARE`)) !== undefined;
}

/**
 * Whether the holder has the lease, until the end of the transaction. The build needs it: it has read texts, and another
 * process may have written later ones since. What the consumer writes depends on its cursor.
 */
export function* isHeldBy(holder: string): Steps<boolean> {
  const lease = sql`SELECT 1 FROM follower_leases WHERE name = ${INDEXER} AND holder = ${holder} FOR SHARE`;
  return (yield* first(lease)) !== undefined;
}

/** The consumer finds the state gone and begins anew. First the state: writers hold it. */
export function* emptyAll(): Steps<void> {
  yield* run(sql`DELETE FROM search_state`);
  yield* run(sql`TRUNCATE search_texts`);
  yield* run(sql`DELETE FROM followers WHERE name = ${INDEXER}`);
}

export function* put({ written, gone }: Rows): Steps<void> {
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

export interface Ends {
  first: number;
  last: number;
}

/** The first and the last message of the index; undefined: it is empty. */
export function* selectEnds(): Steps<Ends | undefined> {
  const ends = yield* first<{ first: number | null; last: number | null }>(
    sql`SELECT min(message_id) AS first, max(message_id) AS last FROM search_texts`,
  );
  if (ends === undefined || ends.first === null || ends.last === null) return undefined;
  return { first: ends.first, last: ends.last };
}

/** The volumes that have messages which come after this one, in the order. */
export function* volumesWithin(
  { first, last }: Ends,
  order: SearchOrder,
  beyondId: number,
): Generator<number> {
  if (order === 'newest')
    for (let volume = volumeOf(Math.min(last, beyondId - 1)); volume >= volumeOf(first); volume--)
      yield volume;
  else
    for (let volume = volumeOf(Math.max(first, beyondId + 1)); volume <= volumeOf(last); volume++)
      yield volume;
}

/** A part of a volume, and what is looked for there. */
export interface Part {
  conditions: readonly AnyOf[];
  roomIds: readonly number[];
  volume: number;
  /** The end is not included. */
  from: number;
  to: number;
  order: SearchOrder;
  limit: number;
}

/** What was seen one by one. */
export interface Recent {
  /** Undefined: there are no messages in this part. */
  last: number | undefined;
  seen: number;
  messages: MessagePlace[];
  /** How many of those that were seen have each of the conditions, where that was asked for. */
  counts: number[];
}

/** The first messages of a part, in the order: those that match, and how frequent each condition is among them. */
export function* recent(
  { conditions, roomIds, volume, from, to, order, limit }: Part,
  { most, isCounted }: { most: number; isCounted: boolean },
): Steps<Recent> {
  const prefix = prefixOf(volume);
  const direction = order === 'newest' ? sql`DESC` : sql`ASC`;
  const isMatch =
    conditions.length === 0 ? sql`true` : sql`tokens @@ ${queryOf(conditions, prefix)}::tsquery`;
  const counted = isCounted ? conditions : [];
  const queries = arrayOf(counted.map((anyOf) => quotedItem(queryOf([anyOf], prefix))));
  const row = yield* first<{ last: number | null; seen: number; hits: string; counts: string }>(sql`
    WITH recent AS MATERIALIZED (
      SELECT message_id, room_id, tokens FROM search_texts WHERE message_id >= ${from} AND message_id < ${to}
      ORDER BY message_id ${direction} LIMIT ${most}
    ), hits AS (
      SELECT message_id, room_id FROM recent WHERE room_id = ANY(${arrayOf(roomIds)}::bigint[]) AND ${isMatch}
      ORDER BY message_id ${direction} LIMIT ${limit}
    ), counts AS (
      SELECT place, (SELECT count(*) FROM recent WHERE tokens @@ query) AS found
      FROM unnest(${queries}::tsquery[]) WITH ORDINALITY AS asked (query, place)
    )
    SELECT (SELECT ${order === 'newest' ? sql`min` : sql`max`}(message_id) FROM recent) AS last,
      (SELECT count(*) FROM recent) AS seen,
      (SELECT coalesce(jsonb_agg(jsonb_build_array(message_id, room_id)), '[]')::text FROM hits) AS hits,
      (SELECT coalesce(jsonb_agg(found ORDER BY place), '[]')::text FROM counts) AS counts`);
  const hits: [number, number][] = JSON.parse(row?.hits ?? '[]');
  return {
    last: row?.last ?? undefined,
    seen: row?.seen ?? 0,
    messages: hits.map(([messageId, roomId]) => ({ messageId, roomId })),
    counts: JSON.parse(row?.counts ?? '[]'),
  };
}

/**
 * `asked`: the conditions that the index is asked for, at least one. The others are looked for in what it finds, and so
 * is the part: a volume has tokens of its own.
 */
export function select(
  { conditions, roomIds, volume, from, to, order, limit }: Part,
  asked: readonly AnyOf[],
): Sql {
  const direction = order === 'newest' ? sql`DESC` : sql`ASC`;
  const [few, all] = [queryOf(asked, prefixOf(volume)), queryOf(conditions, prefixOf(volume))];
  return sql`
    WITH hits AS MATERIALIZED (SELECT message_id, room_id, tokens FROM search_texts WHERE tokens @@ ${few}::tsquery)
    SELECT message_id AS "messageId", room_id AS "roomId" FROM hits
    WHERE message_id >= ${from} AND message_id < ${to} AND room_id = ANY(${arrayOf(roomIds)}::bigint[])
      AND tokens @@ ${all}::tsquery
    ORDER BY message_id ${direction} LIMIT ${limit}`;
}

/** With no condition, every message of the rooms. */
export function selectAll({ roomIds, from, to, order, limit }: Part): Sql {
  return sql`
    SELECT message_id AS "messageId", room_id AS "roomId" FROM search_texts
    WHERE message_id >= ${from} AND message_id < ${to} AND room_id = ANY(${arrayOf(roomIds)}::bigint[])
    ORDER BY message_id ${order === 'newest' ? sql`DESC` : sql`ASC`} LIMIT ${limit}`;
}

/** Of few rooms, that a message is in one of them. */
export function roomCondition(roomIds: readonly number[], isAlone: boolean): AnyOf[] {
  const [room, ...others] = roomIds;
  if (room === undefined || roomIds.length > (isAlone ? ROOMS_ASKED.alone : ROOMS_ASKED.usual)) return [];
  return [[{ token: marks.room(room) }, ...others.map((id) => ({ token: marks.room(id) }))]];
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

export function volumeOf(messageId: number): number {
  return Math.floor(messageId / 2 ** VOLUME_BITS);
}

export function prefixOf(volume: number): string {
  return `${volume.toString(36)}.`;
}

/** The text form of an array. */
function arrayOf(items: readonly (number | string)[]): string {
  return `{${items.join()}}`;
}

/** A text as an item of it. */
function quotedItem(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
