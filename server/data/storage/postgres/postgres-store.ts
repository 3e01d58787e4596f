/** The store on PostgreSQL. */
import { DatabaseClock, type Now } from '../../../platform/clock.ts';
import { type DatabaseAddress, describeAddress } from '../../../platform/database-address.ts';
import type { PostgresFigures } from '../../../platform/metrics/figures.ts';
import { AwayError, WrongDatabaseError } from '../../../platform/unusable-database.ts';
import { PURGES, READ_NAMES, WRITE_NAMES } from '../queries/queries.ts';
import type { Promised } from '../store/operation.ts';
import type { Reads, Store, Writes } from '../store.ts';
import { Backend } from './backend.ts';
import { DatabaseFailure, isPermanent } from './failures.ts';
import { installationOf } from './installation.ts';
import { Keeper } from './keeper.ts';
import { migrate, refuseUnsafe } from './migrate.ts';
import { Primaries, type SeveralPrimaries } from './primaries.ts';
import type { LiveProcess, ProcessName } from './processes.ts';
import { Receipts } from './receipts.ts';
import { SeenTimelines } from './seen-timelines.ts';
import { currentEpoch } from './timeline.ts';
import { refuseUnfinishedCopy } from './unfinished-copy.ts';

const WRITERS = 4;
const PURGE_ROWS = 250;

export interface PostgresStoreOptions {
  address: DatabaseAddress;
  /** Where to remember the timelines of the database, over restarts. */
  dataDir?: string;
  /** Is called after each look at the hosts of the address; undefined: no primary is left over. */
  onPrimaries?(several: SeveralPrimaries | undefined): void;
  /** The data folder cannot remember them. */
  onForgetful?(error: unknown): void;
  /** Whether other processes use the database, too: each must open it so, and hear the others through Redis. */
  isShared: boolean;
  /** The server process that this is, and what to call every 5 s with all that are alive. Not for commands. */
  server?: { name: ProcessName; onProcesses(all: readonly LiveProcess[]): void };
  /** How long to wait for a process that is just ending; by default until the server must have noticed. */
  takeWithinMs?: number;
  /** The database has another epoch, or another process has it: this process must end. */
  onFatal(error: Error): void;
}

export interface PostgresOpening {
  store: Store;
  epoch: string;
  /** Names this database for all its processes. A copy takes another name when it meets its original. */
  installation: string;
  /** Names this run of this process in the database. */
  processId: string;
  /** The database's time. */
  now: Now;
  /**
   * To call when the database is behind what it has acknowledged, such as a head below a message that was delivered:
   * begins a new epoch, and calls `onFatal`; `onBegin` before. Does nothing when a failover explains it. Rejects when
   * the database is away.
   */
  renewEpoch(onBegin?: () => void): Promise<void>;
  /** What the connections do at this moment. */
  figures(): PostgresFigures;
  /** When the latest backup by `roomful backup` was made; undefined: there was none. */
  lastBackup(): Promise<string | undefined>;
  /** Those of these processes that write to this database, or did until they left. Rejects when it is away. */
  writersAmong: Backend['writersAmong'];
  /** For what is no operation of the store: one transaction, and one statement that reads. */
  steps: Pick<Backend, 'run' | 'look'>;
  /** Touches the row of this process; resolves with the time that it has then, for `writersAmong` of the others. */
  touch: Backend['touch'];
  /** Gives the database another name, because a process of its original has this one; resolves with it. */
  rename(installation: string): Promise<string>;
  /** Notes the marker of the Redis that this process uses; resolves with those that processes have noted lately. */
  noteRedis(marker: string): Promise<string[]>;
}

/**
 * Opens the database, makes its tables if there are none. Rejects with a sentence if it cannot be used, an AwayError if
 * that may pass.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresOpening> {
  const { address, dataDir, isShared, server, takeWithinMs, onFatal, onPrimaries, onForgetful } = options;
  const seen = new SeenTimelines(dataDir, onForgetful);
  const primaries = new Primaries({ address, seen, ...(onPrimaries && { onLook: onPrimaries }) });
  let keeper: Keeper | undefined;
  try {
    await refuseUnsafeAt(primaries, address);
    const clock = new DatabaseClock();
    keeper = await Keeper.start({
      isShared,
      takeWithinMs,
      onFatal,
      open: () => primaries.open(),
      onTime: (reading) => clock.correct(reading),
    });
    const { epoch, installation, receipts } = await prepare(primaries);
    const backend = new Backend({
      primaries,
      receipts,
      keeper,
      epoch,
      onFatal,
      server: server && { ...server, clockOffsetMs: () => clock.now() - Date.now() },
    });
    return {
      store: createStore(backend),
      epoch,
      installation,
      now: clock.now,
      renewEpoch: (onBegin = () => undefined) => backend.renewEpoch(onBegin),
      processId: receipts.processId,
      writersAmong: (processIds, leftAt) => backend.writersAmong(processIds, leftAt),
      touch: () => backend.touch(),
      rename: (from) => backend.rename(from),
      steps: backend,
      figures: () => backend.figures,
      lastBackup: () => backend.lastBackup(),
      noteRedis: (marker) => backend.noteRedis(marker),
    };
  } catch (error) {
    await keeper?.end();
    if (!(error instanceof DatabaseFailure)) throw error;
    const sentence = `The database at ${describeAddress(address)} cannot be used: ${error.message}. Check DATABASE_URL.`;
    throw isPermanent(error) ? new WrongDatabaseError(sentence) : new AwayError(sentence);
  }
}

async function refuseUnsafeAt(primaries: Primaries, address: DatabaseAddress): Promise<void> {
  const connection = await primaries.open();
  try {
    await refuseUnsafe(connection, address);
  } finally {
    await connection.close();
  }
}

async function prepare(primaries: Primaries) {
  const connection = await primaries.open();
  try {
    await migrate(connection);
    await refuseUnfinishedCopy(connection);
    const epoch = await currentEpoch(connection);
    const installation = await installationOf(connection);
    return { epoch, installation, receipts: await Receipts.create(connection, WRITERS) };
  } finally {
    await connection.close();
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
      await backend.keepReceipts();
      for (const name of PURGES) while (await backend.write(name, { now, limit: PURGE_ROWS }));
    },
    async check() {
      await backend.check();
    },
    close() {
      closed ??= backend.close();
      return closed;
    },
  };
}
