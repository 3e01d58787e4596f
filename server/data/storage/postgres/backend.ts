/** Runs the operations of the store: posts and changes of rooms in lanes, everything else on connections of its own. */
import { AppError } from '../../../../protocol/errors.ts';
import { within } from '../../../platform/deadline.ts';
import type { PostgresFigures } from '../../../platform/metrics/figures.ts';
import { SELECT_BACKUP_TIME } from '../queries/backup-time.ts';
import { READS, type SqlReads, type SqlWrites, WRITES } from '../queries/queries.ts';
import { READ_TRAITS } from '../queries/read-traits.ts';
import { sql } from '../queries/sql.ts';
import { run, type Steps } from '../queries/steps.ts';
import { type Locks, room, roomOfInvite, WRITE_TRAITS } from '../queries/traits.ts';
import { RoomLanes } from '../room-lanes.ts';
import type { AppendOutcome, Heads, NewMessage } from '../store.ts';
import { append } from './append-call.ts';
import type { Connection } from './connection.ts';
import { codeOf, DatabaseFailure, DISK_FULL, NOT_PERMITTED } from './failures.ts';
import { renameInstallation } from './installation.ts';
import type { Keeper } from './keeper.ts';
import { Pool } from './pool.ts';
import type { Primaries } from './primaries.ts';
import {
  forgetProcess,
  type LiveProcess,
  liveProcesses,
  noteProcess,
  type ProcessName,
} from './processes.ts';
import type { Receipts } from './receipts.ts';
import { currentEpoch, renewEpoch } from './timeline.ts';
import { read, runSteps, write } from './transactions.ts';

/** How often the hosts, and the settings of the primary, are looked at. */
const LOOK_MS = 5000;
/** A process that ends waits this long to take back what it said of itself. */
const FORGET_MS = 1000;
const COMMANDS = 4;
const READERS = 8;
/** Beyond this number of commits that wait for a standby, no further command begins. */
const MAX_WAITING_COMMITS = 12;

/** What append_v1 raises when the receipt of the last batch is missing or older. */
const NO_RECEIPT = 'RF001';
const OLD_RECEIPT = 'RF002';

/** Takes 1 MiB of the disk for a moment. */
const TAKE_SPACE = sql`
  CREATE TEMPORARY TABLE roomful_space ON COMMIT DROP AS
  SELECT repeat('x', 1000) AS content FROM generate_series(1, 1024)`;

const LOST = 'the database has lost what it had acknowledged: clients must read it anew';
const OTHER_EPOCH = 'the database was failed over and may have lost messages: clients must read it anew';

export interface BackendParts {
  primaries: Primaries;
  receipts: Receipts;
  keeper: Keeper;
  epoch: string;
  /** The server process that this is, for the others. */
  server?:
    | { name: ProcessName; clockOffsetMs(): number; onProcesses(all: readonly LiveProcess[]): void }
    | undefined;
  /** This process must end. */
  onFatal(error: Error): void;
}

export class Backend {
  readonly #parts: BackendParts;
  /** The connections of the lanes' writers, in the order of their receipts. */
  readonly #connections: (Connection | undefined)[];
  readonly #commands: Pool;
  readonly #readers: Pool;
  readonly #lanes: RoomLanes<NewMessage, AppendOutcome>;
  /** A write was refused for want of space, and no check has found any since. */
  #isFull = false;
  readonly #looking: NodeJS.Timeout;
  /** The others see this process in the database. */
  #isNoted = false;
  #isClosing = false;

  constructor(parts: BackendParts) {
    this.#parts = parts;
    this.#connections = parts.receipts.writers.map(() => undefined);
    const open = () => this.#connect();
    this.#commands = new Pool(open, COMMANDS);
    this.#readers = new Pool(open, READERS);
    this.#lanes = new RoomLanes(
      {
        call: async (writer, n, messages) => await this.#append(writer, n, messages),
        fateOf: (error) => (error instanceof DatabaseFailure ? error.fate : 'unknown'),
        weigh: ({ content }) => content.length,
        keyOf: ({ roomId, userId, cid }) => (cid === null ? null : `${roomId} ${userId} ${cid}`),
        isRepeatable: ({ cid }) => cid !== null,
      },
      this.#connections.length,
    );
    this.#looking = setInterval(() => void this.#look().catch(() => undefined), LOOK_MS).unref();
    void this.#compareProcesses().catch(() => undefined);
  }

  /** What the connections do at this moment. */
  get figures(): PostgresFigures {
    const open = this.#connections.filter((connection) => connection?.isLost === false).length;
    return {
      pools: {
        writers: { ...this.#lanes.load, open },
        commands: this.#commands.load,
        readers: this.#readers.load,
      },
      commitsWaiting: this.#parts.keeper.waitingCommits,
    };
  }

  append(message: NewMessage): Promise<AppendOutcome> {
    if (this.#isClosing) return Promise.reject(unavailable());
    return this.#lanes.submit(message.roomId, message);
  }

  async write<Name extends keyof SqlWrites>(
    name: Name,
    args: Parameters<SqlWrites[Name]>[0],
  ): Promise<unknown> {
    if (this.#isClosing) throw unavailable();
    // The union of name and args is one of the pairs of WRITES; TypeScript cannot follow the pairing.
    const steps = () => (WRITES[name] as (args: unknown) => Steps<unknown>)(args);
    const { roomId, first = [] } = (WRITE_TRAITS[name].locks as (args: unknown) => Locks)(args);
    const inRoom = name === 'acceptInvite' ? await this.#roomOfInvite(args as { codeHash: string }) : roomId;
    const result =
      inRoom === undefined
        ? this.#command((connection) => write(connection, first, steps))
        : this.#lanes.run(inRoom, async (writer) =>
            write(await this.#connectionOf(writer), [room(inRoom), ...first], steps),
          );
    result.catch((error) => this.#noteFailure(error));
    return await retryably(result);
  }

  async read<Name extends keyof SqlReads>(name: Name, args: Parameters<SqlReads[Name]>[0]): Promise<unknown> {
    const steps = () => (READS[name] as (args: unknown) => Steps<unknown>)(args);
    const run = READ_TRAITS[name].isOneStatement ? runSteps : read;
    const result = await retryably(this.#readers.use((connection) => run(connection, steps())));
    if (name === 'heads' && (result as Heads).epoch !== this.#parts.epoch) this.#end(OTHER_EPOCH);
    return result;
  }

  /** Runs steps that are no operation of the store, as one transaction. */
  async run<T>(steps: () => Steps<T>): Promise<T> {
    if (this.#isClosing) throw unavailable();
    return await retryably(this.#command((connection) => write(connection, [], steps)));
  }

  /** Runs one statement that reads. */
  async look<T>(steps: () => Steps<T>): Promise<T> {
    return await retryably(this.#readers.use((connection) => runSteps(connection, steps())));
  }

  /** Rejects when the database takes no writes. */
  async check(): Promise<void> {
    await this.touch();
    // On a full disk a row can still be changed within its page.
    if (this.#isFull) await retryably(this.#findSpace());
  }

  async #findSpace(): Promise<void> {
    try {
      await this.#command((connection) => write(connection, [], () => run(TAKE_SPACE)));
    } catch (error) {
      // A user who may make no temporary tables: the next write will show it.
      if (codeOf(error) !== NOT_PERMITTED) throw error;
    }
    this.#isFull = false;
  }

  /** When the latest backup by `roomful backup` was made; undefined: there was none. */
  async lastBackup(): Promise<string | undefined> {
    const [row] = await retryably(
      this.#readers.use((connection) => connection.query<{ value: string }>(SELECT_BACKUP_TIME, 4000)),
    );
    return row?.value;
  }

  /** Notes the Redis that this process uses; resolves with those that processes have noted lately. */
  async noteRedis(marker: string): Promise<string[]> {
    const { receipts } = this.#parts;
    return await retryably(
      this.#commands.use((connection) => write(connection, [], () => receipts.noteRedis(marker))),
    );
  }

  /** Those of these processes that write to this database, or did until they left at these times. */
  async writersAmong(processIds: readonly string[], leftAt?: ReadonlyMap<string, number>): Promise<string[]> {
    const steps = this.#parts.receipts.writersAmong(processIds, leftAt);
    return await this.#readers.use((connection) => runSteps(connection, steps));
  }

  /** Touches this process's row; resolves with the time that it has then. */
  async touch(): Promise<number | undefined> {
    const { receipts } = this.#parts;
    return await retryably(this.#command((connection) => write(connection, [], () => receipts.touch())));
  }

  /** Gives the database another name than the one it was copied with; resolves with it. */
  async rename(installation: string): Promise<string> {
    return await this.#commands.use((connection) => renameInstallation(connection, installation));
  }

  /** Keeps this process's receipts for another day. */
  async keepReceipts(): Promise<void> {
    const { receipts } = this.#parts;
    await retryably(this.#commands.use((connection) => write(connection, [], () => receipts.keep())));
  }

  /**
   * Begins a new epoch, and calls `onFatal`, unless the loss was read from a primary that a failover has left behind.
   * `onBegin` is called before.
   */
  async renewEpoch(onBegin: () => void): Promise<void> {
    if (await this.#wasFailedOver()) return;
    onBegin();
    await retryably(this.#commands.use((connection) => renewEpoch(connection, this.#parts.epoch)));
    this.#end(LOST);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#looking);
    await this.#lanes.idle();
    if (this.#isNoted) await this.#forgetProcess().catch(() => undefined);
    await Promise.all([this.#commands.end(), this.#readers.end()]);
    await Promise.all(this.#connections.map((connection) => connection?.close()));
    await this.#parts.keeper.end();
  }

  /** Finds a primary that was promoted elsewhere, and notes whether commits wait for a standby by now. */
  async #look(): Promise<void> {
    await this.#parts.primaries.look();
    const epoch = await this.#command(currentEpoch);
    if (epoch !== this.#parts.epoch) this.#end(OTHER_EPOCH);
    await this.#compareProcesses();
  }

  /** Notes what this process is, and reads what the others are. */
  async #compareProcesses(): Promise<void> {
    const { server, receipts, keeper } = this.#parts;
    if (!server || this.#isClosing || keeper.waitingCommits > 0) return;
    const processes = await this.#command(async (connection) => {
      const { timeline } = connection.primary;
      const clockOffsetMs = Math.round(server.clockOffsetMs());
      const note = { ...server.name, id: receipts.processId, timeline, clockOffsetMs };
      await write(connection, [], () => noteProcess(note));
      return await runSteps(connection, liveProcesses());
    });
    this.#isNoted = true;
    if (!this.#isClosing) server.onProcesses(processes);
  }

  async #forgetProcess(): Promise<void> {
    const { processId } = this.#parts.receipts;
    const forgotten = this.#commands.use((connection) =>
      write(connection, [], () => forgetProcess(processId)),
    );
    await within(FORGET_MS, forgotten, 'the database is slow');
  }

  /** Whether a higher timeline is found now, so that what was read before may be of the old primary. */
  async #wasFailedOver(): Promise<boolean> {
    const { primaries } = this.#parts;
    const before = primaries.failovers;
    await retryably(primaries.look());
    return primaries.failovers !== before;
  }

  /** Refuses commands before the pool is empty: without its standby, each commit holds its connection. */
  async #command<T>(body: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#parts.keeper.waitingCommits >= MAX_WAITING_COMMITS) throw unavailable();
    return await this.#commands.use(body);
  }

  async #append(index: number, n: number, messages: readonly NewMessage[]): Promise<AppendOutcome[]> {
    const { receipts, epoch } = this.#parts;
    const connection = await this.#connectionOf(index);
    try {
      return await append(connection, { writer: receipts.writers[index] ?? '', n, messages });
    } catch (error) {
      this.#noteFailure(error);
      const code = codeOf(error);
      if (code === NO_RECEIPT && receipts.mayBeDeleted) this.#end('this process stood still for a day');
      if (code !== NO_RECEIPT && code !== OLD_RECEIPT) throw error;
      if (await this.#wasFailedOver()) throw new DatabaseFailure('a failover has begun', 'unknown');
      await renewEpoch(connection, epoch);
      return this.#end(LOST);
    }
  }

  async #connectionOf(index: number): Promise<Connection> {
    const open = this.#connections[index];
    if (open?.isLost === false) return open;
    const connection = await this.#connect();
    this.#connections[index] = connection;
    return connection;
  }

  /** To the database whose commits we know of. */
  async #connect(): Promise<Connection> {
    const connection = await this.#parts.primaries.open();
    try {
      if ((await currentEpoch(connection)) === this.#parts.epoch) return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
    connection.destroy();
    return this.#end(OTHER_EPOCH);
  }

  /** The process ends, and its successor begins with what is there. */
  #end(why: string): never {
    const error = new Error(why);
    this.#parts.onFatal(error);
    throw error;
  }

  #noteFailure(error: unknown): void {
    if (codeOf(error) === DISK_FULL) this.#isFull = true;
  }

  async #roomOfInvite({ codeHash }: { codeHash: string }): Promise<number | undefined> {
    const [invite] = await retryably(
      this.#readers.use((connection) => connection.query<{ roomId: number }>(roomOfInvite(codeHash), 4000)),
    );
    return invite?.roomId;
  }
}

/** Rejects with `service_unavailable` in place of a failure of the database. */
async function retryably<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof DatabaseFailure) throw unavailable(error);
    throw error;
  }
}

function unavailable(cause?: unknown): AppError {
  return new AppError('service_unavailable', { cause, retryAfterMs: 1000 });
}
