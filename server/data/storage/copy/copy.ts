/**
 * Copies everything from SQLite to PostgreSQL, with the same ids, numbers and epoch, so that no client notices. It may
 * be killed at any moment, and goes on where it stopped.
 *
 * 1. While the server runs, its messages are copied, and again those that have come since.
 * 2. Once it is stopped, the folder is locked, and the rest is copied: the last messages, and the small tables whole.
 * 3. The two databases are compared. Then the source is marked as moved, and after it the target is opened to servers:
 *    at no moment can a server start on both.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseAddress, describeAddress } from '../../../platform/database-address.ts';
import { UnusableDatabaseError } from '../../../platform/unusable-database.ts';
import type { Sqlite } from '../sqlite/driver/driver.ts';
import { type Cursors, copyMessages } from './messages.ts';
import { Progress } from './progress.ts';
import { copySmallTables } from './small-tables.ts';
import { Source } from './source.ts';
import { MESSAGES, planTables, type TableWithColumns } from './tables.ts';
import { Target } from './target.ts';
import { findDifference } from './verify.ts';

/** Between two looks for the end of the server. */
const PAUSE_MS = 1000;

export interface CopyOptions {
  dataDir: string;
  address: DatabaseAddress;
  /** Progress and instructions for the operator, a sentence or two. */
  say(sentence: string): void;
}

/** Undefined: an earlier run had finished the copy. Times are in milliseconds. */
export type CopyResult = { rows: number; standstillMs: number; comparisonMs: number } | undefined;

/** Rejects with UnusableDatabaseError, whose message is a sentence for the operator. */
export async function copyToPostgres({ dataDir, address, say }: CopyOptions): Promise<CopyResult> {
  const source = Source.open(dataDir);
  try {
    const target = await Target.open(address);
    try {
      if ((await target.begin(source)) === 'complete') return undefined;
      return await new Copy({ source, target, dataDir, address, say }).run();
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }
}

interface CopyParts extends CopyOptions {
  source: Source;
  target: Target;
}

class Copy {
  readonly #parts: CopyParts;
  #cursors: Cursors = new Map();

  constructor(parts: CopyParts) {
    this.#parts = parts;
  }

  async run(): Promise<CopyResult> {
    const { source, target } = this.#parts;
    const tables = planTables(source.catalog(), await target.catalog());
    this.#cursors = await target.cursors(source.heads().map(({ id }) => id));
    await this.#copyMessages(source, tables, 'Copying the messages');
    await target.analyze(tables);
    const lock = await this.#lock(tables);
    try {
      return await this.#finish(tables);
    } finally {
      lock.close();
    }
  }

  /** Waits until the server is stopped, and copies what it stores meanwhile. */
  async #lock(tables: readonly TableWithColumns[]): Promise<Sqlite> {
    const { source, target, dataDir, say } = this.#parts;
    for (let tries = 0; ; tries++) {
      const lock = source.lock();
      if (lock) return lock;
      if (tries === 0)
        say(
          `All messages so far are copied. Now stop the server on ${dataDir}, and do not start it again: the copy ` +
            'then goes on by itself.',
        );
      await sleep(PAUSE_MS);
      await target.check();
      await this.#copyMessages(source, tables, 'Copying the messages that came since');
    }
  }

  /** With the folder locked. */
  async #finish(tables: readonly TableWithColumns[]): Promise<CopyResult> {
    const { target, dataDir, address, say } = this.#parts;
    const startedAt = performance.now();
    // Opened anew: while the copy waited, the file may have been replaced.
    const source = Source.open(dataDir);
    try {
      if (source.epoch !== this.#parts.source.epoch)
        throw new UnusableDatabaseError(
          `The database in ${dataDir} was replaced during the copy. Copy it into another, empty database.`,
        );
      target.refuseMoved(source);
      say('The server is stopped: the data folder is locked now. Copying the rest.');
      await this.#copyMessages(source, tables, 'Copying the last messages');
      await copySmallTables({ source, target }, tables);
      const comparedFrom = performance.now();
      const rows = await this.#compare(source, tables);
      const comparisonMs = performance.now() - comparedFrom;
      source.markMoved(describeAddress(address));
      await target.finish();
      return { rows, comparisonMs, standstillMs: performance.now() - startedAt };
    } finally {
      source.close();
    }
  }

  async #copyMessages(source: Source, tables: readonly TableWithColumns[], what: string): Promise<void> {
    const { target, say } = this.#parts;
    const table = tables.find(({ name }) => name === MESSAGES.name);
    if (!table) throw new Error('no messages');
    const changes = source.heads().reduce((sum, { id, seq }) => sum + seq - (this.#cursors.get(id) ?? 0), 0);
    const progress = new Progress(what, changes, say);
    await copyMessages({ source, target, table }, this.#cursors, (count) => progress.add(count));
  }

  /** The number of rows. Throws a sentence when something differs. */
  async #compare(source: Source, tables: readonly TableWithColumns[]): Promise<number> {
    const { target, say, dataDir } = this.#parts;
    const messages = source.heads().reduce((sum, { seq }) => sum + seq, 0);
    const progress = new Progress('Comparing', messages, say);
    let rows = 0;
    const difference = await findDifference({ source, target }, tables, (count) => {
      rows += count;
      progress.add(count);
    });
    if (difference === undefined) return rows;
    throw new UnusableDatabaseError(
      `The copy is not the same: ${difference}. The data in ${dataDir} was not changed: the server may start on it ` +
        'again. Copy it into another, empty database.',
    );
  }
}
