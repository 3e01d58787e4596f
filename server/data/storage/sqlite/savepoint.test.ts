import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openForReading } from './database.ts';
import { openSqliteStore } from './sqlite-store.ts';

it('a command that throws halfway leaves nothing of itself, and the rest of its batch is stored', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomful-savepoint-'));
  const onFatal = (error: Error): void => {
    throw error;
  };
  const { store } = await openSqliteStore({ dataDir, onFatal });
  const looks = { looks: ['ann'], isDisguised: false };
  const created = await store.createUser({ username: 'ann', key: 'ann', ...looks, passwordHash: '', now: 0 });
  const userId = created.outcome === 'created' ? created.user.id : 0;
  const logIn = (refreshHash: string) =>
    store.createSession({ userId, passwordHash: '', userAgent: '', refreshHash, expiresAt: 1, now: 0 });

  // The session's row is written first; only then its token is found to be there already.
  const outcomes = await Promise.allSettled([logIn('one'), logIn('one'), logIn('two')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const reader = openForReading(join(dataDir, 'roomful.db'));
  expect(reader.prepare('SELECT count(*) AS count FROM sessions').get()).toMatchObject({ count: 2 });
  reader.close();
  await store.close();
  await rm(dataDir, { recursive: true });
});
