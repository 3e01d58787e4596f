/** The same checks on PostgreSQL, in one snapshot. */
import type { DatabaseAddress } from '../../platform/database-address.ts';
import { openPrimary } from '../storage/postgres/primaries.ts';
import { sql } from '../storage/queries/sql.ts';
import { type Query, type Report, verify } from './verify.ts';

/** A check of a large table takes a while. */
const DEADLINE_MS = 3_600_000;

/** Runs checks that need no snapshot, as they look again at what they find. */
export async function withQuery<T>(address: DatabaseAddress, use: (query: Query) => Promise<T>): Promise<T> {
  const connection = await openPrimary(address);
  try {
    await connection.query(sql`SELECT set_config('statement_timeout', '0', false)`, DEADLINE_MS);
    return await use((text) =>
      connection.query<Record<string, unknown>>({ texts: [text], values: [] }, DEADLINE_MS),
    );
  } finally {
    await connection.close();
  }
}

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
