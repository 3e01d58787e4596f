import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeDurable, openForWriting } from '../sqlite/database.ts';
import type { Sqlite } from '../sqlite/driver/driver.ts';
import { migrate } from '../sqlite/migrate.ts';
import { textOf } from '../sqlite/statement-text.ts';
import { dmWrites } from './dms.ts';
import type { Steps } from './steps.ts';
import { userWrites } from './users.ts';

const { createUser, createSession, exchangeRefreshToken, revokeSession } = userWrites;

/**
 * Runs commands statement by statement, in turn, as two connections may under PostgreSQL's READ COMMITTED: each
 * statement sees what the statements before it have written, whichever command they belong to.
 */
function interleave<T>(sqlite: Sqlite, commands: Steps<T>[]): T[] {
  const results = new Map<Steps<T>, T>();
  const rows = new Map<Steps<T>, unknown[]>();
  while (results.size < commands.length) {
    for (const command of commands.filter((one) => !results.has(one))) {
      const step = command.next(rows.get(command) ?? []);
      if (step.done) results.set(command, step.value);
      else {
        const text = textOf(step.value);
        rows.set(command, sqlite.prepare(text).all(...step.value.values));
      }
    }
  }
  return commands.map((command) => results.get(command) as T);
}

async function withDatabase(test: (sqlite: Sqlite) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'roomful-interleaved-'));
  const sqlite = openForWriting(join(folder, 'roomful.db'));
  makeDurable(sqlite);
  migrate(sqlite);
  test(sqlite);
  sqlite.close();
  await rm(folder, { recursive: true });
}

function logIn(sqlite: Sqlite): void {
  const looks = { looks: ['ann'], isDisguised: false };
  interleave(sqlite, [createUser({ username: 'ann', key: 'ann', ...looks, passwordHash: '', now: 0 })]);
  const times = { expiresAt: 1000, now: 0 };
  const session = { userId: 1, passwordHash: '', userAgent: '', refreshHash: 'token', ...times };
  interleave(sqlite, [createSession(session)]);
}

const exchange = (successorHash: string) =>
  exchangeRefreshToken({ hash: 'token', successorHash, successorExpiresAt: 2000, retryKey: null, now: 1 });

it('of two exchanges of one token whose statements run in turn, one wins', () =>
  withDatabase((sqlite) => {
    logIn(sqlite);
    const outcomes = interleave(sqlite, [exchange('a'), exchange('b')]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['exchanged', 'invalid']);
  }));

it('of two sign-outs with one token whose statements run in turn, one revokes the session', () =>
  withDatabase((sqlite) => {
    logIn(sqlite);
    const signOut = () => revokeSession({ refreshHash: 'token', now: 1 });
    expect(interleave(sqlite, [signOut(), signOut()])).toEqual([{ sessionId: 1 }, undefined]);
  }));

it('of two who open one direct conversation and whose statements run in turn, one makes it', () =>
  withDatabase((sqlite) => {
    for (const name of ['ann', 'bo']) {
      const looks = { looks: [name], isDisguised: false };
      interleave(sqlite, [createUser({ username: name, key: name, ...looks, passwordHash: '', now: 0 })]);
    }
    const open = (makerId: number) => dmWrites.createDm({ makerId, userIds: [1, 2], now: 0, maxPerDay: 0 });
    const outcomes = interleave(sqlite, [open(1), open(2)]);
    expect(outcomes).toMatchObject([
      { outcome: 'created', room: { id: 1 } },
      { outcome: 'found', room: { id: 1 } },
    ]);
    expect(sqlite.prepare('SELECT count(*) AS members FROM members').get()).toMatchObject({ members: 2 });
  }));
