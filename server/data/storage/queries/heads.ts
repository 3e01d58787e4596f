/** The heads of many logs in one statement: each process asks for them every second or two. */
import type { HeadReads } from '../store.ts';
import { list, type Sql, sql } from './sql.ts';
import { type AsSteps, all } from './steps.ts';

/** `kind` of a row. */
const EPOCH = 0;
const ROOM = 1;
const USER = 2;

interface HeadRow {
  kind: number;
  id: number;
  seq: number;
  epoch: string | null;
}

export const headReads: AsSteps<HeadReads> = {
  *heads({ roomIds, userIds }) {
    const rows = yield* all<HeadRow>(sql`
      SELECT 0 AS kind, 0 AS id, 0 AS seq, value AS epoch FROM meta WHERE key = 'epoch'
      ${part(sql`SELECT 1, id, seq, NULL FROM rooms WHERE id IN`, roomIds)}
      ${part(sql`SELECT 2, user_id, seq, NULL FROM user_logs WHERE user_id IN`, userIds)}`);
    return {
      epoch: rows.find(({ kind }) => kind === EPOCH)?.epoch ?? '',
      rooms: rows.filter(({ kind }) => kind === ROOM).map(({ id, seq }) => ({ roomId: id, seq })),
      users: rows.filter(({ kind }) => kind === USER).map(({ id, seq }) => ({ userId: id, seq })),
    };
  },
};

function part(select: Sql, ids: readonly number[]): Sql {
  return ids.length === 0 ? sql`` : sql`UNION ALL ${select} (${list(ids)})`;
}
