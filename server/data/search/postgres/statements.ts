/** The statements of the index on PostgreSQL. */
import type { SearchOrder } from '../../../../protocol/rest/search.ts';
import type { AnyOf, Condition } from '../../../../protocol/search/tokens.ts';
import { INDEXER } from '../../storage/queries/consumers.ts';
import { type Sql, sql } from '../../storage/queries/sql.ts';
import { first, run, type Steps } from '../../storage/queries/steps.ts';
import { marks } from '../marks.ts';
import type { BuildState } from '../search-index.ts';

/** Message ids of a volume, as a power of two. */
export const VOLUME_BITS = 16;
/** More rooms than these are not asked for in the index. */
const ROOMS_ASKED_MAX = 16;

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

export function select({ conditions, roomIds, volume, from, to, order, limit }: Select): Sql {
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

export function volumeOf(messageId: number): number {
  return Math.floor(messageId / 2 ** VOLUME_BITS);
}

export function prefixOf(volume: number): string {
  return `${volume.toString(36)}.`;
}

/** The text form of an array. */
function arrayOf(ids: readonly number[]): string {
  return `{${ids.join()}}`;
}
