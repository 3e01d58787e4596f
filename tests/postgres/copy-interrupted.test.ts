/** A copy whose databases fail in the middle, and which is run again. */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockDataDir } from '../../server/data/storage/sqlite/lock.ts';
import { SmallDisk, whyNoSmallDisk } from '../faults/storage-small-disk.ts';
import { eventually } from '../support/eventually.ts';
import { PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { asPostgres } from '../support/postgres-binaries.ts';
import { Copying } from './copying.ts';
import { FILLED_ROWS } from './filled-source.ts';

const noSmallDisk = await whyNoSmallDisk();
if (noSmallDisk !== undefined) console.info(`skipped: ${noSmallDisk}`);

let postgres: PostgresServer;
let copying: Copying;

describe.skipIf(whyNoPostgres() !== undefined)(
  'a copy that is interrupted goes on when it is run again',
  () => {
    beforeAll(async () => {
      postgres = await PostgresServer.startOwn();
    });
    afterAll(async () => await postgres?.[Symbol.asyncDispose]());
    beforeEach(async () => {
      copying = await Copying.prepare(postgres);
    });
    afterEach(async () => await copying.dispose());

    /** The tables without rows, as a copy leaves them that was killed early. */
    async function begin(): Promise<void> {
      await copying.copy();
      await copying.reopen();
      await copying.run('TRUNCATE messages');
    }

    it('PostgreSQL dies while a chunk is stored', async () => {
      await begin();
      await copying.run(`
      CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(3600); RETURN NEW; END $$;
      CREATE TRIGGER hang BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION hang()`);
      const copied = expect(copying.copy()).rejects.toThrow(
        /^PostgreSQL at .* was lost: .*\. When it is back, run the same command again: the copy goes on where/,
      );
      await eventually('a chunk is being stored', async () => {
        const hanging = await copying.run("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
        return hanging.length > 0 ? true : undefined;
      });
      await postgres.kill();
      await copied;
      await postgres.restart();
      expect(await copying.opensSource()).toBe(true);
      await copying.expectUnfinished();
      await copying.run('DROP TRIGGER hang ON messages');
      expect(await copying.copy()).toMatchObject({ rows: FILLED_ROWS });
    }, 60_000);

    it('PostgreSQL is lost while the copy waits for the end of the server: the server runs on', async () => {
      const lock = lockDataDir(copying.dataDir);
      const copied = expect(copying.copy()).rejects.toThrow(/^PostgreSQL at .* was lost: /);
      await copying.waits();
      await copying.run(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      await copied;
      lock.close();
      expect(await copying.copy()).toMatchObject({ rows: FILLED_ROWS });
    });

    describe.skipIf(noSmallDisk !== undefined)('after a full disk', () => {
      let disk: SmallDisk;
      beforeEach(async () => {
        disk = await SmallDisk.mount(64);
      });
      afterEach(async () => await disk.unmount());

      it('of PostgreSQL', async () => {
        await begin();
        const folder = join(disk.path, 'tables');
        await mkdir(folder);
        asPostgres(folder);
        execFileSync('chmod', ['711', disk.path]);
        await copying.run(`CREATE TABLESPACE small LOCATION '${folder}'`);
        await copying.run('ALTER TABLE messages SET TABLESPACE small');
        await disk.fill(0);
        await expect(copying.copy()).rejects.toThrow(
          /^The disk of PostgreSQL at .* is full\. Free some space, and run the same command again/,
        );
        expect(await copying.opensSource()).toBe(true);
        await copying.expectUnfinished();
        await disk.free();
        expect(await copying.copy()).toMatchObject({ rows: FILLED_ROWS });
        await copying.run('ALTER TABLE messages SET TABLESPACE pg_default');
        await copying.run('DROP TABLESPACE small');
      });

      it('of the data folder', async () => {
        const folder = join(disk.path, 'data');
        await cp(copying.dataDir, folder, { recursive: true });
        await disk.fill(0);
        await expect(copying.copy(copying.url, folder)).rejects.toThrow(
          /^The disk of the data folder .* is full\. Free some space/,
        );
        await disk.free();
        expect(await copying.copy(copying.url, folder)).toMatchObject({ rows: FILLED_ROWS });
        await rm(folder, { recursive: true });
      });
    });
  },
);
