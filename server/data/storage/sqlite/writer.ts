/**
 * The writer thread. A batch of commands is one transaction, so that all of them share one fsync (group commit).
 * A known failure rejects the commands. When a commit's fate is unknown, there is no reply at all.
 */
import { existsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { collectStartGarbage } from '../../../platform/heap.ts';
import { WRITE_TRAITS } from '../queries/traits.ts';
import { Checkpointer } from './checkpointer.ts';
import { type BatchResults, CommandRunner } from './command-runner.ts';
import { Compactor } from './compactor.ts';
import { createPrivateFile, databaseFile } from './data-dir.ts';
import { makeDurable, openForWriting } from './database.ts';
import { codeOf, describe, type Sqlite } from './driver/driver.ts';
import { Eraser } from './eraser.ts';
import { FileWatch } from './file-watch.ts';
import { lockDataDir } from './lock.ts';
import { migrate, refuseMoved, refuseNewer } from './migrate.ts';
import { explainOpeningError } from './opening-errors.ts';
import { warnBeforeOpening } from './opening-warnings.ts';
import type { WriteCommand, WriterReply } from './worker-messages.ts';

class Writer {
  readonly #sqlite: Sqlite;
  readonly #files: FileWatch;
  readonly #runner: CommandRunner;
  readonly #reply: (reply: WriterReply) => void;
  readonly #checkpointer: Checkpointer;
  readonly #eraser: Eraser;
  readonly #compactor: Compactor;
  /** A commit's fate is unknown, or the files are gone: no more writes and no more replies until the process ends. */
  #isOver = false;

  constructor(
    { sqlite, file, isAfterCrash }: { sqlite: Sqlite; file: string; isAfterCrash: boolean },
    reply: (reply: WriterReply) => void,
  ) {
    this.#sqlite = sqlite;
    this.#files = new FileWatch([file, `${file}-wal`]);
    this.#runner = new CommandRunner(sqlite);
    const onError = (error: unknown) => this.#endAfterFailedSync(error);
    this.#checkpointer = new Checkpointer(sqlite, {
      onError,
      onWarning: (message) => reply({ kind: 'warning', message }),
    });
    this.#eraser = new Eraser({ sqlite, file, checkpointer: this.#checkpointer }, onError);
    if (isAfterCrash) this.#eraser.afterDeletion();
    this.#compactor = new Compactor(sqlite, {
      onError,
      afterStep: () => this.#checkpointer.afterBatch(),
      onProgress: (message) => reply({ kind: 'progress', message }),
    });
    this.#compactor.afterDeletion();
    this.#reply = reply;
  }

  handle(commands: WriteCommand[]): void {
    if (this.#isOver) return;
    const missing = this.#files.missing();
    const reply: WriterReply =
      missing === undefined ? this.#commit(commands) : { kind: 'gone', message: explainMissing(missing) };
    this.#reply(reply);
    if (reply.kind === 'unknown' || reply.kind === 'gone') this.#isOver = true;
    else {
      this.#checkpointer.afterBatch();
      if (
        reply.kind === 'committed' &&
        commands.some((command, at) => isDeletion(command, reply.results[at]))
      )
        this.#afterDeletion(commands);
    }
  }

  #afterDeletion(commands: readonly WriteCommand[]): void {
    this.#eraser.afterDeletion();
    this.#compactor.afterDeletion(commands.flatMap(prunedBy));
  }

  close(): void {
    this.#checkpointer.stop();
    this.#compactor.stop();
    if (!this.#isOver) this.#eraser.finish();
    this.#sqlite.close();
    this.#eraser.close();
  }

  #commit(commands: WriteCommand[]): WriterReply {
    let batch: BatchResults;
    try {
      this.#sqlite.exec('BEGIN IMMEDIATE');
      batch = this.#runner.run(commands);
    } catch (error) {
      return this.#rollBack(error);
    }
    try {
      this.#sqlite.exec('COMMIT');
    } catch (error) {
      // A full disk fails the write of the log's frames, which is before any fsync: the commit did not happen.
      return codeOf(error) === 'SQLITE_FULL'
        ? this.#rollBack(error)
        : { kind: 'unknown', error: describe(error) };
    }
    return { kind: 'committed', ...batch };
  }

  #rollBack(cause: unknown): WriterReply {
    // After a failed fsync the kernel may have dropped what it could not write: nothing is certain any more.
    if (codeOf(cause).includes('FSYNC')) return { kind: 'unknown', error: describe(cause) };
    try {
      if (this.#sqlite.inTransaction) this.#sqlite.exec('ROLLBACK');
    } catch (error) {
      return { kind: 'unknown', error: `${describe(cause)}; and then the rollback: ${describe(error)}` };
    }
    return { kind: 'rolled_back', code: codeOf(cause), error: describe(cause) };
  }

  #endAfterFailedSync(error: unknown): void {
    if (this.#isOver || !codeOf(error).includes('FSYNC')) return;
    this.#isOver = true;
    this.#reply({ kind: 'unknown', error: describe(error) });
  }
}

function isDeletion({ name }: WriteCommand, result: unknown): boolean {
  return name !== 'append' && (WRITE_TRAITS[name].erases as (result: unknown) => boolean)(result);
}

function prunedBy(command: WriteCommand): readonly number[] {
  return command.name === 'pruneTexts' ? command.args.messageIds : [];
}

function explainMissing(file: string): string {
  return (
    `${file} was deleted, moved or replaced while Roomful was using it, so nothing more can be stored. ` +
    'Put the data folder back, or restore a backup, and start again.'
  );
}

function start(): void {
  const port = parentPort;
  if (!port) throw new Error('writer.ts is a worker');
  const { dataDir } = workerData as { dataDir: string };
  try {
    const warnings = warnBeforeOpening(dataDir);
    const holder = lockDataDir(dataDir);
    const file = databaseFile(dataDir);
    createPrivateFile(file);
    // A process that closes the database leaves no log.
    const isAfterCrash = existsSync(`${file}-wal`);
    const sqlite = openForWriting(file);
    refuseNewer(sqlite);
    refuseMoved(sqlite, file);
    makeDurable(sqlite);
    const { epoch } = migrate(sqlite);
    const writer = new Writer({ sqlite, file, isAfterCrash }, (reply) => port.postMessage(reply));
    port.on('message', (message: WriteCommand[] | 'close') => {
      if (message !== 'close') return writer.handle(message);
      writer.close();
      holder.close();
      port.close();
    });
    port.postMessage({ kind: 'ready', epoch, warnings } satisfies WriterReply);
    void collectStartGarbage();
  } catch (error) {
    port.postMessage({
      kind: 'unusable',
      message: explainOpeningError(error, dataDir),
    } satisfies WriterReply);
  }
}

start();
