/** A source with rows in every table, an empty database to copy it to, and looks at both. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type CopyResult, copyToPostgres } from '../../server/data/storage/copy/copy.ts';
import { openPostgresStore } from '../../server/data/storage/postgres/postgres-store.ts';
import { openSqliteStore } from '../../server/data/storage/sqlite/sqlite-store.ts';
import { eventually } from '../support/eventually.ts';
import type { PostgresServer } from '../support/postgres.ts';
import { addressOf } from '../support/postgres.ts';
import { fillEveryTable, withSource } from './filled-source.ts';

const WAITS_WITHIN_MS = 60_000;

export class Copying {
  readonly #postgres: PostgresServer;
  readonly dataDir: string;
  readonly url: string;
  /** What the operator has read. */
  readonly said: string[] = [];

  private constructor(postgres: PostgresServer, dataDir: string, url: string) {
    this.#postgres = postgres;
    this.dataDir = dataDir;
    this.url = url;
  }

  static async prepare(postgres: PostgresServer): Promise<Copying> {
    const dataDir = await mkdtemp(join(tmpdir(), 'roomful-copy-'));
    withSource(dataDir, fillEveryTable);
    return new Copying(postgres, dataDir, await postgres.createDatabase());
  }

  async copy(to = this.url, from = this.dataDir): Promise<CopyResult> {
    return await copyToPostgres({
      dataDir: from,
      address: addressOf(to),
      say: (sentence) => this.said.push(sentence),
    });
  }

  /** Until `count` copies wait for the end of the server. */
  async waits(count = 1): Promise<void> {
    const asked = () => this.said.filter((sentence) => sentence.includes('Now stop the server')).length;
    await eventually('the copy waits', () => (asked() >= count ? true : undefined), WAITS_WITHIN_MS);
  }

  /** Both as they were before the last step of a copy. */
  async reopen(): Promise<void> {
    const epoch = this.epoch();
    this.changeSource("DELETE FROM meta WHERE key = 'moved_to'");
    await this.run(`INSERT INTO meta VALUES ('copying', '${epoch}')`);
  }

  changeSource(text: string): void {
    withSource(this.dataDir, (sqlite) => sqlite.exec(text));
  }

  epoch(): string {
    return withSource(
      this.dataDir,
      (sqlite) =>
        sqlite.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'epoch'").get()?.value ??
        '',
    );
  }

  /** Runs statements in the target. */
  async run(text: string): Promise<unknown[]> {
    return await this.#postgres.run(text, this.url);
  }

  /** Whether a server would start on the source. */
  async opensSource(): Promise<boolean> {
    try {
      const { store } = await openSqliteStore({ dataDir: this.dataDir, onFatal });
      await store.close();
      return true;
    } catch {
      return false;
    }
  }

  /** No server starts on the target. */
  async expectUnfinished(): Promise<void> {
    await expect(
      openPostgresStore({ address: addressOf(this.url), isShared: false, onFatal }),
    ).rejects.toMatchObject({
      name: 'WrongDatabaseError',
      message: expect.stringMatching(
        /^The copy into this database is not complete\. Run the same `roomful copy`/,
      ),
    });
  }

  async dispose(): Promise<void> {
    await rm(this.dataDir, { recursive: true });
  }
}

export function onFatal(error: Error): never {
  throw error;
}
