/** Runs the operations of the store: posts and changes of rooms in lanes, everything else on connections of its own. */
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
import { codeOf, DatabaseFailure, DISK_FULL, NOT_PERMITTED, retryably, unavailable } from './failures.ts';
import { renameInstallation } from './installation.ts';
import type { Keeper } from './keeper.ts';
import { KnownDatabase } from './known-database.ts';
import { Pool } from './pool.ts';
import type { Primaries } from './primaries.ts';
import { type OwnProcess, Processes } from './processes.ts';
import type { Receipts } from './receipts.ts';
import { currentEpoch } from './timeline.ts';
import { read, runSteps, write } from './transactions.ts';

/** How often the hosts, and the settings of the primary, are looked at. */
const LOOK_MS = 5000;
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

export interface BackendParts {
  primaries: Primaries;
  receipts: Receipts;
  keeper: Keeper;
  epoch: string;
  /** The server process that this is, for the others. */
  server?: OwnProcess | undefined;
  /** This process must end. */
  onFatal(error: Error): void;
}

export class Backend {
  readonly #parts: BackendParts;
  readonly #database: KnownDatabase;
  /** The connections of the lanes' writers, in the order of their receipts. */
  readonly #connections: (Connection | undefined)[];
  readonly #commands: Pool;
  readonly #readers: Pool;
  readonly #lanes: RoomLanes<NewMessage, AppendOutcome>;
  /** A write was refused for want of space, and no check has found any since. */
  #isFull = false;
  readonly #looking: NodeJS.Timeout;
  readonly #processes: Processes | undefined;
  #isClosing = false;

  constructor(parts: BackendParts) {
    this.#parts = parts;
    this.#database = new KnownDatabase(parts);
    this.#connections = parts.receipts.writers.map(() => undefined);
    const open = () => this.#database.connect();
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
    const { server, receipts, keeper } = parts;
    this.#processes =
      server && new Processes(server, receipts.processId, { commands: this.#commands, keeper });
    void this.#processes?.compare().catch(() => undefined);
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
    if (name === 'heads') this.#database.mustHave((result as Heads).epoch);
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
    const database = this.#database;
    if (await database.wasFailedOver()) return;
    onBegin();
    await retryably(this.#commands.use((connection) => database.renewEpoch(connection)));
    database.endAsLost();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#looking);
    this.#processes?.stop();
    await this.#lanes.idle();
    await this.#processes?.forget().catch(() => undefined);
    await Promise.all([this.#commands.end(), this.#readers.end()]);
    await Promise.all(this.#connections.map((connection) => connection?.close()));
    await this.#parts.keeper.end();
  }

  /** Finds a primary that was promoted elsewhere, and notes whether commits wait for a standby by now. */
  async #look(): Promise<void> {
    await this.#parts.primaries.look();
    this.#database.mustHave(await this.#command(currentEpoch));
    await this.#processes?.compare();
  }

  /** Refuses commands before the pool is empty: without its standby, each commit holds its connection. */
  async #command<T>(body: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#parts.keeper.waitingCommits >= MAX_WAITING_COMMITS) throw unavailable();
    return await this.#commands.use(body);
  }

  async #append(index: number, n: number, messages: readonly NewMessage[]): Promise<AppendOutcome[]> {
    const { receipts } = this.#parts;
    const database = this.#database;
    const connection = await this.#connectionOf(index);
    try {
      return await append(connection, { writer: receipts.writers[index] ?? '', n, messages });
    } catch (error) {
      this.#noteFailure(error);
      const code = codeOf(error);
      if (code === NO_RECEIPT && receipts.mayBeDeleted) database.end('this process stood still for a day');
      if (code !== NO_RECEIPT && code !== OLD_RECEIPT) throw error;
      if (await database.wasFailedOver()) throw new DatabaseFailure('a failover has begun', 'unknown');
      await database.renewEpoch(connection);
      return database.endAsLost();
    }
  }

  async #connectionOf(index: number): Promise<Connection> {
    const open = this.#connections[index];
    if (open?.isLost === false) return open;
    const connection = await this.#database.connect();
    this.#connections[index] = connection;
    return connection;
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
