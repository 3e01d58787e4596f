import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyToPostgres } from '../../server/data/storage/copy/copy.ts';
import { openPostgresStore } from '../../server/data/storage/postgres/postgres-store.ts';
import { openSqliteStore } from '../../server/data/storage/sqlite/sqlite-store.ts';
import { addressOf, PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { runSeed, seededRandom } from '../support/random.ts';
import { onFatal } from './copying.ts';
import { playHistory } from './random-history.ts';
import { readEverything, writeOn } from './read-everything.ts';

const STEPS = 500;
/**
 * Consumers and browsers make their rows, and the first admin ends the setup link. copy.test.ts compares these tables.
 */
const MAY_FIND_NOTHING = new Set([
  ...['notice', 'waitingNotices', 'pushSubscriptions', 'setupNonce'],
  // Its message may be deleted.
  'servedFile',
]);

describe.skipIf(whyNoPostgres() !== undefined)('a copy of a random history', () => {
  const seed = runSeed();
  it(`returns the same for every read, and goes on with the same numbers (seed ${seed})`, async () => {
    await using postgres = await PostgresServer.start();
    const random = seededRandom(seed);
    const folder = await mkdtemp(join(tmpdir(), 'roomful-copy-reads-'));
    const [dataDir, twinDir] = [join(folder, 'data'), join(folder, 'twin')];
    const source = await openSqliteStore({ dataDir, onFatal });
    const world = await playHistory(source.store, random, STEPS);
    await source.store.saveRoster({ savedAt: 1, roster: [{ roomId: 1, userId: 1, username: 'name 1' }] });
    await source.store.close();
    await cp(dataDir, twinDir, { recursive: true });

    const address = addressOf(await postgres.createDatabase());
    await copyToPostgres({ dataDir, address, say: () => undefined });
    const twin = await openSqliteStore({ dataDir: twinDir, onFatal });
    const copied = await openPostgresStore({ address, isShared: false, onFatal });
    expect(copied.epoch).toBe(twin.epoch);
    const expected = await readEverything(twin.store, world);
    expect(await readEverything(copied.store, world)).toEqual(expected);
    expect(await writeOn(copied.store, world)).toEqual(await writeOn(twin.store, world));
    for (const [name, results] of Object.entries(expected))
      if (!MAY_FIND_NOTHING.has(name))
        expect(results.filter(isSomething).length, `${name} found nothing`).toBeGreaterThan(0);
    await twin.store.close();
    await copied.store.close();
    await rm(folder, { recursive: true });
  });
});

function isSomething(result: unknown): boolean {
  return result !== undefined && result !== false && !(Array.isArray(result) && result.length === 0);
}
