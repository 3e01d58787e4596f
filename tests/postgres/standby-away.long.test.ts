import { expect, test } from 'vitest';
import { openPostgresStore } from '../../server/data/storage/postgres/postgres-store.ts';
import { addressOf } from '../support/postgres.ts';
import { PostgresPair } from './postgres-pair.ts';

const MINUTE_MS = 60_000;

test('a minute of commands without the standby leaves at most 40 connections waiting in PostgreSQL', async () => {
  await using pair = await PostgresPair.start({ isSynchronous: true });
  const address = addressOf(pair.url);
  const { store } = await openPostgresStore({ address, isShared: false, onFatal });
  await pair.standby.kill();
  const end = performance.now() + MINUTE_MS;
  let spent = 0;
  const spend = async () => {
    while (performance.now() < end) {
      const ticket = { jti: `ticket ${spent++}`, expiresAt: Date.now() };
      await store.spendTicket(ticket).catch(() => new Promise((resolve) => setTimeout(resolve, 100)));
    }
  };
  await Promise.all(Array.from({ length: 8 }, spend));
  const waiting = await pair.primary.run("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  console.info(`${spent} commands, ${waiting.length} connections wait`);
  expect(waiting.length).toBeLessThanOrEqual(40);
  await pair.standby.restart();
  const isSpent = () =>
    store.spendTicket({ jti: 'the last one', expiresAt: Date.now() }).catch(() => undefined);
  await expect.poll(isSpent, { timeout: MINUTE_MS }).toBeDefined();
  await store.close();
});

function onFatal(error: Error): never {
  throw error;
}
