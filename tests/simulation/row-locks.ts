/**
 * The locks of a database: a row is held by one transaction at a time, and the others wait in line, each for a limited
 * time. See `server/data/storage/queries/traits.ts` for the order in which transactions take them.
 */
import type { Sql } from '../../server/data/storage/queries/sql.ts';
import { type Locks, WRITE_TRAITS } from '../../server/data/storage/queries/traits.ts';
import type { WriteCommand } from '../../server/data/storage/sqlite/worker-messages.ts';
import type { Owner, World } from './world.ts';

/** As `lock_timeout` in `server/data/storage/postgres/connection.ts`. */
const LOCK_TIMEOUT_MS = 2000;
/** As `statement_timeout` there. */
const STATEMENT_TIMEOUT_MS = 4000;

type Release = () => void;

export class RowLocks {
  readonly #world: World;
  readonly #owner: Owner;
  /** By row: its holder, and then those who wait for it. */
  readonly #lines = new Map<string, { grant: () => void }[]>();

  constructor(world: World, owner: Owner) {
    this.#world = world;
    this.#owner = owner;
  }

  /** Takes these rows one after the other. Resolves with null, and holds none of them, when that takes too long. */
  async take(rows: readonly string[]): Promise<Release | null> {
    const until = this.#world.elapsedMs + STATEMENT_TIMEOUT_MS;
    const held: string[] = [];
    const release = () => {
      for (const row of held.splice(0)) this.#pass(row);
    };
    for (const row of rows) {
      const isTaken = await this.#takeOne(row, until);
      if (!isTaken) {
        release();
        return null;
      }
      held.push(row);
    }
    return release;
  }

  #takeOne(row: string, until: number): Promise<boolean> {
    const line = this.#lines.get(row) ?? [];
    this.#lines.set(row, line);
    return new Promise((resolve) => {
      const isFree = line.length === 0;
      const waiter = { grant: () => resolve(true) };
      line.push(waiter);
      if (isFree) return resolve(true);
      const giveUpAt = Math.min(until, this.#world.elapsedMs + LOCK_TIMEOUT_MS);
      const timeout = this.#world.scheduleAt(this.#owner, `lock timeout: ${row}`, giveUpAt, () => {
        line.splice(line.indexOf(waiter), 1);
        resolve(false);
      });
      waiter.grant = () => {
        timeout.isCancelled = true;
        resolve(true);
      };
    });
  }

  /** The holder of the row gives it to the next in line. */
  #pass(row: string): void {
    const line = this.#lines.get(row);
    line?.shift();
    if (line?.length === 0) this.#lines.delete(row);
    line?.[0]?.grant();
  }
}

export function roomRow(roomId: number): string {
  return `rooms ${roomId}`;
}

/** The rows that a command locks before its first statement, in order. */
export function rowsOf(
  { name, args }: Exclude<WriteCommand, { name: 'append' }>,
  roomId: number | undefined,
): string[] {
  // A revision of the simulation is no command of the product, and locks its room alone.
  const traits = WRITE_TRAITS[name] as { locks(args: unknown): Locks } | undefined;
  const first = traits?.locks(args).first ?? [];
  return [...(roomId === undefined ? [] : [roomRow(roomId)]), ...first.flatMap(rowsOfStatement)];
}

function rowsOfStatement({ texts, values }: Sql): string[] {
  const text = texts.join('?');
  if (text.includes('pg_advisory_xact_lock')) return [`advisory ${values[0]}`];
  const [, table] = /FROM (\w+) WHERE/.exec(text) ?? [];
  const ids = [...new Set(values.map(Number))].sort((one, other) => one - other);
  return ids.map((id) => `${table} ${id}`);
}
