/**
 * What each server process says of itself in the database, so that others can compare: every 5 s, in its row of
 * `writers`. One that has ended says nothing more, and one that was killed counts as alive for a moment.
 */
import { within } from '../../../platform/deadline.ts';
import { sql } from '../queries/sql.ts';
import { all, run, type Steps } from '../queries/steps.ts';
import type { Keeper } from './keeper.ts';
import type { Pool } from './pool.ts';
import { runSteps, write } from './transactions.ts';

const ALIVE_MS = 20_000;
/** A process that ends waits this long to take back what it said of itself. */
const FORGET_MS = 1000;
const NOW = sql`(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT`;

/** What does not change while a process runs. */
export interface ProcessName {
  /** For people: its machine and its number. */
  process: string;
  build: string;
  /** Names its secret, and does not give it away (features/identity/secret.ts). */
  secretId: string;
}

export interface LiveProcess extends ProcessName {
  id: string;
  /** The timeline of the primary that the process uses. */
  timeline: number;
  /** How far the database's clock is ahead of its machine's. */
  clockOffsetMs: number;
}

/** The server process that this is, and who is to hear of all that are alive. */
export interface OwnProcess {
  name: ProcessName;
  clockOffsetMs(): number;
  onProcesses(all: readonly LiveProcess[]): void;
}

export class Processes {
  readonly #own: OwnProcess;
  readonly #id: string;
  readonly #commands: Pool;
  readonly #keeper: Keeper;
  /** The others see this process. */
  #isNoted = false;
  #isStopped = false;

  constructor(own: OwnProcess, id: string, { commands, keeper }: { commands: Pool; keeper: Keeper }) {
    this.#own = own;
    this.#id = id;
    this.#commands = commands;
    this.#keeper = keeper;
  }

  /** Notes what this process is, and reads what the others are; not while commits wait for a standby. */
  async compare(): Promise<void> {
    if (this.#isStopped || this.#keeper.waitingCommits > 0) return;
    const own = this.#own;
    const processes = await this.#commands.use(async (connection) => {
      const { timeline } = connection.primary;
      const clockOffsetMs = Math.round(own.clockOffsetMs());
      const note = { ...own.name, id: this.#id, timeline, clockOffsetMs };
      await write(connection, [], () => noteProcess(note));
      return await runSteps(connection, liveProcesses());
    });
    this.#isNoted = true;
    if (!this.#isStopped) own.onProcesses(processes);
  }

  /** Compares nothing more. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Takes back what this process has said of itself. */
  async forget(): Promise<void> {
    if (!this.#isNoted) return;
    const forgotten = this.#commands.use((connection) =>
      write(connection, [], () => forgetProcess(this.#id)),
    );
    await within(FORGET_MS, forgotten, 'the database is slow');
  }
}

/** Steps that write it down. */
function noteProcess(note: LiveProcess): Steps<void> {
  const { id, process, build, secretId, timeline, clockOffsetMs } = note;
  return run(sql`
    UPDATE writers SET process = ${process}, build = ${build}, secret_id = ${secretId}, timeline = ${timeline},
      clock_offset_ms = ${clockOffsetMs}, touched_at = ${NOW} WHERE id = ${id}`);
}

/** Steps that take it back, as the process ends. */
function forgetProcess(id: string): Steps<void> {
  return run(sql`UPDATE writers SET process = NULL WHERE id = ${id}`);
}

/** Steps that return all processes that are alive, by their names. */
export function liveProcesses(): Steps<LiveProcess[]> {
  return all<LiveProcess>(sql`
    SELECT id::text AS id, process, build, secret_id AS "secretId", timeline, clock_offset_ms AS "clockOffsetMs"
    FROM writers WHERE process IS NOT NULL AND touched_at > ${NOW} - ${ALIVE_MS}::bigint ORDER BY process, id`);
}
