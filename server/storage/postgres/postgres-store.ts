/** The store on PostgreSQL: posts and changes of rooms in lanes, everything else on connections of its own. */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../../protocol/errors.ts';
import { READ_NAMES, READS, type SqlReads, type SqlWrites, WRITE_NAMES, WRITES } from '../queries/queries.ts';
import { sql } from '../queries/sql.ts';
import type { Steps } from '../queries/steps.ts';
import { RoomLanes } from '../room-lanes.ts';
import type { Promised } from '../store/operation.ts';
import type { AppendOutcome, NewMessage, Reads, Store, Writes } from '../store.ts';
import { WrongDatabaseError } from '../unusable-database.ts';
import { type DatabaseAddress, describeAddress } from './address.ts';
import { append } from './append-call.ts';
import { Connection } from './connection.ts';
import { codeOf, DatabaseFailure } from './failures.ts';
import { Keeper } from './keeper.ts';
import { LOCKS, type Locks, room, roomOfInvite } from './locks.ts';
import { migrate, refuseUnsafe } from './migrate.ts';
import { Pool } from './pool.ts';
import { currentEpoch } from './timeline.ts';
import { read, runSteps, write } from './transactions.ts';

const WRITERS = 4;
const COMMANDS = 4;
const READERS = 8;
const PURGE_ROWS = 250;
/** Receipts of processes that have not written for a day are deleted. */
const DAY_MS = 86_400_000;

/** Reads of one statement, which is a snapshot by itself. */
const SINGLE: ReadonlySet<keyof SqlReads> = new Set([
  ...(['findUser', 'sessionsRevokedSince', 'isTicketSpent', 'findRoom', 'profiles', 'ownProfile'] as const),
  ...(['blockedBy', 'liveSessions', 'hasAdmin', 'shareRoom', 'liveInvites', 'heads'] as const),
]);

/** Of append_v1: the receipt of the last batch is not there. */
const LOST_RECEIPTS: ReadonlySet<string> = new Set(['RF001', 'RF002']);

/** A writer of the lanes: its receipt in the database, and its connection. */
interface Writer {
  id: string;
  connection: Connection | undefined;
}

export interface PostgresStoreOptions {
  address: DatabaseAddress;
  /** Another process has the database now: this one must end. */
  onFatal(error: Error): void;
}

/** Opens the database, makes its tables if there are none. Rejects with a sentence if it cannot be used. */
export async function openPostgresStore({
  address,
  onFatal,
}: PostgresStoreOptions): Promise<{ store: Store; epoch: string }> {
  await refuseUnsafeAt(address);
  const keeper = await Keeper.start({ open: () => Connection.open(address), onFatal });
  try {
    const { epoch, writers } = await prepare(address);
    const backend = new Backend({ address, writers, keeper, epoch, onFatal });
    return { store: createStore(backend), epoch };
  } catch (error) {
    await keeper.end();
    throw error;
  }
}

async function refuseUnsafeAt(address: DatabaseAddress): Promise<void> {
  const connection = await Connection.open(address).catch((error: Error) => {
    throw new WrongDatabaseError(
      `The database at ${describeAddress(address)} cannot be used: ${error.message}. Check DATABASE_URL.`,
    );
  });
  try {
    await refuseUnsafe(connection, address);
  } finally {
    await connection.close();
  }
}

async function prepare(address: DatabaseAddress): Promise<{ epoch: string; writers: Writer[] }> {
  const connection = await Connection.open(address);
  try {
    await migrate(connection);
    const epoch = await write(connection, [], () => currentEpoch(Date.now()));
    await connection.query(sql`DELETE FROM writers WHERE touched_at < ${Date.now() - DAY_MS}`, 4000);
    const writers: Writer[] = [];
    for (let count = 0; count < WRITERS; count++) {
      const id = randomUUID();
      await connection.query(sql`INSERT INTO writers (id, touched_at) VALUES (${id}, ${Date.now()})`, 4000);
      writers.push({ id, connection: undefined });
    }
    return { epoch, writers };
  } finally {
    await connection.close();
  }
}

interface BackendParts extends PostgresStoreOptions {
  writers: readonly Writer[];
  keeper: Keeper;
  epoch: string;
}

class Backend {
  readonly #address: DatabaseAddress;
  readonly #writers: readonly Writer[];
  readonly #commands: Pool;
  readonly #readers: Pool;
  readonly #lanes: RoomLanes<NewMessage, AppendOutcome>;
  readonly #keeper: Keeper;
  readonly #epoch: string;
  readonly #onFatal: (error: Error) => void;
  #isClosing = false;

  constructor({ address, writers, keeper, epoch, onFatal }: BackendParts) {
    this.#address = address;
    this.#keeper = keeper;
    this.#writers = writers;
    this.#epoch = epoch;
    this.#onFatal = onFatal;
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
      writers.length,
    );
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
    const { roomId, first = [] } = (LOCKS[name] as (args: unknown) => Locks)(args);
    const inRoom = name === 'acceptInvite' ? await this.#roomOfInvite(args as { codeHash: string }) : roomId;
    return await retryably(
      inRoom === undefined
        ? this.#commands.use((connection) => write(connection, first, steps))
        : this.#lanes.run(inRoom, async (writer) =>
            write(await this.#connectionOf(writer), [room(inRoom), ...first], steps),
          ),
    );
  }

  async read<Name extends keyof SqlReads>(name: Name, args: Parameters<SqlReads[Name]>[0]): Promise<unknown> {
    const steps = () => (READS[name] as (args: unknown) => Steps<unknown>)(args);
    const run = SINGLE.has(name) ? runSteps : read;
    return await retryably(this.#readers.use((connection) => run(connection, steps())));
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#lanes.idle();
    await Promise.all([this.#commands.end(), this.#readers.end()]);
    await Promise.all(this.#writers.map(({ connection }) => connection?.close()));
    await this.#keeper.end();
  }

  async #append(writer: number, n: number, messages: readonly NewMessage[]): Promise<AppendOutcome[]> {
    const connection = await this.#connectionOf(writer);
    try {
      return await append(connection, { writer: this.#writers[writer]?.id ?? '', n, messages });
    } catch (error) {
      if (LOST_RECEIPTS.has(codeOf(error) ?? '')) this.#end('the database has lost what it had acknowledged');
      throw error;
    }
  }

  async #connectionOf(index: number): Promise<Connection> {
    const writer = this.#writers[index];
    if (!writer) throw new Error(`no writer ${index}`);
    if (writer.connection === undefined || writer.connection.isLost)
      writer.connection = await this.#connect();
    return writer.connection;
  }

  /** To the database whose commits we know of. */
  async #connect(): Promise<Connection> {
    const connection = await Connection.open(this.#address);
    const epoch = await write(connection, [], () => currentEpoch(Date.now()));
    if (epoch === this.#epoch) return connection;
    connection.destroy();
    return this.#end('the database was failed over and may have lost messages: clients must read it anew');
  }

  /** The process ends, and its successor begins with what is there. */
  #end(why: string): never {
    const error = new Error(why);
    this.#onFatal(error);
    throw error;
  }

  async #roomOfInvite({ codeHash }: { codeHash: string }): Promise<number | undefined> {
    const [invite] = await retryably(
      this.#readers.use((connection) => connection.query<{ roomId: number }>(roomOfInvite(codeHash), 4000)),
    );
    return invite?.roomId;
  }
}

function createStore(backend: Backend): Store {
  let closed: Promise<void> | undefined;
  const methods = [
    ...WRITE_NAMES.map((name) => [
      name,
      (args: never) => (name === 'append' ? backend.append(args) : backend.write(name, args)),
    ]),
    ...READ_NAMES.map((name) => [name, (args: never) => backend.read(name, args)]),
  ];
  const operations: Promised<Writes> & Promised<Reads> = Object.fromEntries(methods);
  return {
    ...operations,
    async purge({ now }) {
      while (await backend.write('purgeSome', { now, limit: PURGE_ROWS }));
    },
    async check() {
      await backend.write('touch', Date.now());
    },
    close() {
      closed ??= backend.close();
      return closed;
    },
  };
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
