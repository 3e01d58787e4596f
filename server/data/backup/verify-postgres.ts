/** The same checks on PostgreSQL, in one snapshot. */
import type { DatabaseAddress } from '../../platform/database-address.ts';
import { openPrimary } from '../storage/postgres/primaries.ts';
import { sql } from '../storage/queries/sql.ts';
import { type Report, verify } from './verify.ts';

/** A check of a large table takes a while. */
const DEADLINE_MS = 3_600_000;

export async function verifyPostgres(
  address: DatabaseAddress,
  onRule?: (done: number, all: number) => void,
): Promise<Report> {
  const connection = await openPrimary(address);
  try {
    await connection.query(sql`SELECT set_config('statement_timeout', '0', false)`, DEADLINE_MS);
    await connection.query(sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`, DEADLINE_MS);
    return await verify(
      (text) => connection.query<Record<string, unknown>>({ texts: [text], values: [] }, DEADLINE_MS),
      'postgres',
      onRule,
    );
  } finally {
    await connection.close();
  }
}
