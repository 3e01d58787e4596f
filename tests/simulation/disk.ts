/**
 * What a database holds: the store's own commands and reads, on SQLite in memory. A call is something that has
 * happened, or not. The store in `memory-store.ts` says when; what is here when the process dies is what the next
 * process finds.
 */
import { READS } from '../../server/data/storage/queries/queries.ts';
import type { Steps } from '../../server/data/storage/queries/steps.ts';
import { type BatchResults, CommandRunner } from '../../server/data/storage/sqlite/command-runner.ts';
import { StepRunner } from '../../server/data/storage/sqlite/database.ts';
import type { Sqlite } from '../../server/data/storage/sqlite/driver/driver.ts';
import { openDatabase } from '../../server/data/storage/sqlite/driver/open.ts';
import { updateSchema } from '../../server/data/storage/sqlite/migrate.ts';
import { Savepoint } from '../../server/data/storage/sqlite/savepoint.ts';
import type { WriteCommand } from '../../server/data/storage/sqlite/worker-messages.ts';
import type { ArgsOf, ResultOf } from '../../server/data/storage/store/operation.ts';
import type {
  AppendOutcome,
  CreateDmOutcome,
  Heads,
  NewDm,
  Reads,
  Writes,
} from '../../server/data/storage/store.ts';
import { isRevision, revisedBy } from './revising.ts';
import { RoomLog } from './room-log.ts';

/** Ends a savepoint that is to leave nothing. */
const UNDO = new Error('undo');

/** An empty database, and what was prepared for it. All that is done is one transaction, whose end empties it again. */
class Engine {
  static readonly #idle: Engine[] = [];
  readonly #sqlite: Sqlite;
  readonly #savepoint: Savepoint;
  readonly steps: StepRunner;
  readonly #commands: CommandRunner;

  private constructor() {
    this.#sqlite = openDatabase(':memory:', { timeoutMs: 0 });
    this.#sqlite.exec('PRAGMA foreign_keys = ON');
    updateSchema(this.#sqlite);
    this.steps = new StepRunner(this.#sqlite);
    this.#savepoint = new Savepoint(this.#sqlite);
    this.#commands = new CommandRunner(this.#sqlite, () => this.#savepoint.undo());
    this.#sqlite.exec('BEGIN');
  }

  /** Making one takes longer than most simulations use it. */
  static take(): Engine {
    return Engine.#idle.pop() ?? new Engine();
  }

  commit(batch: readonly WriteCommand[]): BatchResults {
    return this.#savepoint.around(() => this.#commands.run(batch));
  }

  /** What the batch would return now. Changes nothing. */
  foresee(batch: readonly WriteCommand[]): BatchResults {
    let foreseen: BatchResults | undefined;
    try {
      this.#savepoint.around(() => {
        foreseen = this.#commands.run(batch);
        throw UNDO;
      });
    } catch (error) {
      if (error !== UNDO || foreseen === undefined) throw error;
    }
    return foreseen as BatchResults;
  }

  release(): void {
    this.#sqlite.exec('ROLLBACK; BEGIN');
    Engine.#idle.push(this);
  }
}

/** A direct conversation. */
export interface DirectConversation {
  readonly people: readonly number[];
  /** The users who asked for it. While it is empty, the others do not see it. */
  readonly askedBy: Set<number>;
}

export class Disk {
  /** The name of its life: another one when a backup was restored. */
  readonly epoch: string;
  /** Every batch that was committed, so that a copy costs nothing until it is used. */
  readonly #journal: (readonly WriteCommand[])[];
  #engine: Engine | undefined;
  readonly #logs = new Map<number, RoomLog>();
  readonly #dms = new Map<number, DirectConversation>();
  /** By room and user, since the last commit. */
  readonly #members = new Map<string, { readonly readSeq: number } | null>();

  constructor(epoch = 'first life', journal: readonly (readonly WriteCommand[])[] = []) {
    this.epoch = epoch;
    this.#journal = [...journal];
  }

  /** Commits a batch, all of it in one transaction. */
  commit(batch: readonly WriteCommand[]): BatchResults {
    const done = this.#run(this.#open(), batch);
    this.#journal.push(structuredClone(batch));
    return done;
  }

  /** The outcomes of these texts, if they were committed now. */
  foresee(batch: readonly WriteCommand[]): AppendOutcome[] {
    return this.#open().foresee(batch).results as AppendOutcome[];
  }

  /** Runs one command. Throws when it fails. */
  write<Name extends keyof Writes>(name: Name, args: ArgsOf<Writes[Name]>): ResultOf<Writes[Name]> {
    // The name and its arguments belong together; TypeScript cannot follow the pairing.
    const { results, failures } = this.commit([{ name, args } as WriteCommand]);
    if (failures[0]) throw new Error(failures[0].error);
    return results[0] as ResultOf<Writes[Name]>;
  }

  read<Name extends keyof Reads>(name: Name, args: ArgsOf<Reads[Name]>): ResultOf<Reads[Name]> {
    const steps = READS[name] as (args: unknown) => Steps<ResultOf<Reads[Name]>>;
    const result = this.#open().steps.run(steps(args));
    // The database in memory is shared by many disks, so it keeps no epoch.
    return name === 'heads' ? ({ ...(result as Heads), epoch: this.epoch } as typeof result) : result;
  }

  /** The user's membership of a room as it is now; null: none that shows on the user's list. */
  member(roomId: number, userId: number): { readonly readSeq: number } | null {
    const key = `${roomId} ${userId}`;
    const known = this.#members.get(key);
    if (known !== undefined) return known;
    const member = this.read('standing', { roomId, userId })?.member;
    const shown = member && member.leftAt === null && !member.hidden ? member : null;
    this.#members.set(key, shown);
    return shown;
  }

  /** The log of a room. */
  log(roomId: number): RoomLog {
    let log = this.#logs.get(roomId);
    if (!log) {
      log = new RoomLog((seq) => this.read('messagesAfter', { roomId, seq, limit: 1_000_000 }));
      this.#logs.set(roomId, log);
    }
    return log;
  }

  /** The direct conversations, by room id. */
  get dms(): ReadonlyMap<number, DirectConversation> {
    this.#open();
    return this.#dms;
  }

  /** Runs steps that only read. */
  run<T>(steps: Steps<T>): T {
    return this.#open().steps.run(steps);
  }

  /** The number of batches that were committed. */
  get commits(): number {
    return this.#journal.length;
  }

  /** A copy of the whole disk as it is now, or as it was after the first `commits` commits. */
  copy(epoch = this.epoch, commits = this.#journal.length): Disk {
    return new Disk(epoch, this.#journal.slice(0, commits));
  }

  /** Gives the database back. What it held can still be read, from the journal. */
  close(): void {
    this.#engine?.release();
    this.#engine = undefined;
  }

  #open(): Engine {
    if (this.#engine) return this.#engine;
    const engine = Engine.take();
    this.#engine = engine;
    for (const batch of this.#journal) this.#run(engine, batch);
    return engine;
  }

  #run(engine: Engine, batch: readonly WriteCommand[]): BatchResults {
    // What a revision is about to replace cannot be read afterwards.
    for (const { name, args } of batch)
      if (isRevision(name)) this.log((args as { roomId: number }).roomId).look();
    const done = engine.commit(batch);
    for (const log of this.#logs.values()) log.isStale = true;
    this.#members.clear();
    for (const [index, { name, args }] of batch.entries()) {
      if (name === 'createDm') this.#noteDm(args, done.results[index] as CreateDmOutcome);
      const row = isRevision(name) ? revisedBy(done.results[index]) : undefined;
      // A later command of the batch may have changed it again, so that it cannot be read any more.
      if (row) this.log(row.roomId).wasOnce(row);
    }
    return done;
  }
  #noteDm({ makerId, userIds }: NewDm, made: CreateDmOutcome | undefined): void {
    if (made?.outcome !== 'created' && made?.outcome !== 'found') return;
    const known = this.#dms.get(made.room.id) ?? { people: userIds, askedBy: new Set() };
    known.askedBy.add(makerId);
    this.#dms.set(made.room.id, known);
  }
}
