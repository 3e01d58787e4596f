import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { Store } from '../store.ts';
import { type ContractPart, DAY, NOW, newUser, SECOND, unique } from './subject.ts';

const EXPIRES_AT = NOW + 7 * DAY;
const INVALID = { outcome: 'invalid' };

/** A session with one live refresh token. */
export async function logIn(store: Store, userId: number, expiresAt = EXPIRES_AT) {
  const refreshHash = unique('token');
  const session = { userId, passwordHash: 'hash', userAgent: '', refreshHash, expiresAt, now: NOW };
  const created = await store.createSession(session);
  assert(created !== undefined);
  return { sessionId: created.sessionId, hash: refreshHash };
}

/** Exchanges `hash` for `successorHash`, `afterMs` after NOW. */
export function exchange(
  store: Store,
  hash: string,
  successorHash: string,
  { afterMs = 0, retryKey = null as string | null, successorExpiresAt = EXPIRES_AT } = {},
) {
  return store.exchangeRefreshToken({
    hash,
    successorHash,
    successorExpiresAt,
    retryKey,
    now: NOW + afterMs,
  });
}

export const describeSessions: ContractPart = (subject) => {
  async function newLogin() {
    const { store } = subject();
    const user = await newUser(store);
    const login = await logIn(store, user.id);
    const owner = { sessionId: login.sessionId, userId: user.id, username: user.username };
    return { store, user, hash: login.hash, exchanged: { outcome: 'exchanged', ...owner }, ...owner };
  }

  describe('changePassword', () => {
    it('ends all sessions of the user but the one that makes the change, and those of nobody else', async () => {
      const { store, user, sessionId, hash } = await newLogin();
      const [second, third, others] = [
        await logIn(store, user.id),
        await logIn(store, user.id),
        await newLogin(),
      ];
      const change = { userId: user.id, from: 'hash', to: 'other', keptId: sessionId, now: NOW };
      const changed = await store.changePassword(change);
      expect(changed?.ended.toSorted()).toEqual([second.sessionId, third.sessionId]);
      expect((await store.liveSessions({ userId: user.id, now: NOW })).map((one) => one.sessionId)).toEqual([
        sessionId,
      ]);
      expect(await exchange(store, second.hash, unique('x'))).toEqual(INVALID);
      expect(await exchange(store, hash, unique('x'))).toMatchObject({ outcome: 'exchanged' });
      expect(await exchange(store, others.hash, unique('x'))).toMatchObject({ outcome: 'exchanged' });
    });

    it('a login with the old password starts no session any more; of two changes at once, one is made', async () => {
      const { store, user, sessionId } = await newLogin();
      const change = { userId: user.id, from: 'hash', keptId: sessionId, now: NOW };
      const changes = await Promise.all(['one', 'two'].map((to) => store.changePassword({ ...change, to })));
      expect(changes.filter((changed) => changed !== undefined)).toHaveLength(1);
      const login = { userId: user.id, passwordHash: 'hash', userAgent: '', expiresAt: EXPIRES_AT, now: NOW };
      expect(await store.createSession({ ...login, refreshHash: unique('token') })).toBeUndefined();
    });
  });

  describe('exchangeRefreshToken: single use', () => {
    it('a live token is exchanged once, and so is its successor', async () => {
      const { store, hash, exchanged } = await newLogin();
      const [second, third] = [unique('second'), unique('third')];
      expect(await exchange(store, hash, second)).toEqual(exchanged);
      expect(await exchange(store, hash, unique('x'))).toEqual(INVALID);
      expect(await exchange(store, second, third)).toEqual(exchanged);
      expect(await exchange(store, second, unique('x'))).toEqual(INVALID);
      await subject().reopen();
      expect(await exchange(subject().store, second, unique('x'))).toEqual(INVALID);
      expect(await exchange(subject().store, third, unique('x'))).toEqual(exchanged);
    });

    it('of 50 racers with one token, one wins, and the session lives', async () => {
      const { store, hash, exchanged } = await newLogin();
      const successors = Array.from({ length: 50 }, () => unique('successor'));
      const outcomes = await Promise.all(successors.map((successor) => exchange(store, hash, successor)));
      const winners = successors.filter((_, index) => outcomes[index]?.outcome === 'exchanged');
      expect(winners).toHaveLength(1);
      expect(outcomes.filter(({ outcome }) => outcome === 'invalid')).toHaveLength(49);
      for (const loser of successors.filter((successor) => !winners.includes(successor)))
        expect(await exchange(store, loser, unique('x'))).toEqual(INVALID);
      expect(await exchange(store, winners[0] ?? '', unique('x'))).toEqual(exchanged);
    });

    it('an unknown token is invalid', async () => {
      const { store, hash } = await newLogin();
      for (const unknown of ['', unique('token'), hash.toUpperCase(), `${hash}%`])
        expect(await exchange(store, unknown, unique('x'))).toEqual(INVALID);
    });

    it('a token lives until its expiry, a successor until its own', async () => {
      const { store, hash, exchanged } = await newLogin();
      const next = unique('next');
      expect(await exchange(store, hash, next, { afterMs: 7 * DAY })).toEqual(INVALID);
      const options = { afterMs: 7 * DAY - 1, successorExpiresAt: EXPIRES_AT + DAY };
      expect(await exchange(store, hash, next, options)).toEqual(exchanged);
      expect(await exchange(store, next, unique('x'), { afterMs: 8 * DAY })).toEqual(INVALID);
      expect(await exchange(store, next, unique('x'), { afterMs: 8 * DAY - 1 })).toEqual(exchanged);
    });
  });

  describe('exchangeRefreshToken: the same exchange repeated with its key', () => {
    const retryKey = 'key';

    it('gets the same successor while that is unused, also at once, also after a restart', async () => {
      const { store, hash, exchanged } = await newLogin();
      const successor = unique('successor');
      const tries = Array.from({ length: 20 }, () => exchange(store, hash, successor, { retryKey }));
      for (const outcome of await Promise.all(tries)) expect(outcome).toEqual(exchanged);
      await subject().reopen();
      for (const afterMs of [31 * SECOND, DAY])
        expect(await exchange(subject().store, hash, successor, { retryKey, afterMs })).toEqual(exchanged);
      expect(await exchange(subject().store, successor, unique('x'))).toEqual(exchanged);
    });

    it('is invalid once the successor was exchanged, and no theft', async () => {
      const { store, hash, exchanged } = await newLogin();
      const [successor, next] = [unique('successor'), unique('next')];
      await exchange(store, hash, successor, { retryKey });
      await exchange(store, successor, next);
      for (const afterMs of [0, 30 * SECOND])
        expect(await exchange(store, hash, successor, { retryKey, afterMs })).toEqual(INVALID);
      expect(await exchange(store, next, unique('x'))).toEqual(exchanged);
    });

    it('with another successor (the secret was changed) it is invalid', async () => {
      const { store, hash } = await newLogin();
      await exchange(store, hash, unique('successor'), { retryKey });
      const other = unique('other');
      expect(await exchange(store, hash, other, { retryKey })).toEqual(INVALID);
      expect(await exchange(store, other, unique('x'))).toEqual(INVALID);
    });
  });

  describe('exchangeRefreshToken: reuse without the key', () => {
    it.each([
      ['none, after none', null, null],
      ['none, after one', 'key', null],
      ['another one', 'key', 'other'],
      ['one, after none', null, 'key'],
    ])('%s: a race within 10 s, theft later', async (_, first, second) => {
      const { store, user, hash, sessionId, exchanged } = await newLogin();
      const elsewhere = await logIn(store, user.id);
      const [successor, next] = [unique('successor'), unique('next')];
      await exchange(store, hash, successor, { retryKey: first });
      for (const afterMs of [0, 10 * SECOND])
        expect(await exchange(store, hash, unique('x'), { retryKey: second, afterMs })).toEqual(INVALID);
      expect(await exchange(store, successor, next)).toEqual(exchanged);

      const late = { retryKey: second, afterMs: 10 * SECOND + 1 };
      expect(await exchange(store, hash, unique('x'), late)).toEqual({ outcome: 'theft', sessionId });
      // The whole session is revoked: nothing of it opens anything, and there is nothing left to steal.
      for (const token of [next, successor, hash])
        expect(await exchange(store, token, unique('x'), late)).toEqual(INVALID);
      expect(await store.sessionsRevokedSince(NOW + late.afterMs)).toContainEqual({ sessionId });
      expect(await exchange(store, elsewhere.hash, unique('x'))).toMatchObject({
        outcome: 'exchanged',
        sessionId: elsewhere.sessionId,
      });
    });

    it('a clock that was set back makes no thief', async () => {
      const { store, hash } = await newLogin();
      await exchange(store, hash, unique('successor'));
      expect(await exchange(store, hash, unique('x'), { afterMs: -DAY })).toEqual(INVALID);
    });

    it('a token that has expired since is invalid, and no theft', async () => {
      const { store, hash, exchanged } = await newLogin();
      const successor = unique('successor');
      await exchange(store, hash, successor, { successorExpiresAt: EXPIRES_AT + DAY });
      expect(await exchange(store, hash, unique('x'), { afterMs: 7 * DAY })).toEqual(INVALID);
      expect(await exchange(store, successor, unique('x'), { afterMs: 7 * DAY })).toEqual(exchanged);
    });
  });

  describe('revokeSession', () => {
    it('ends the session of a live token, once; other sessions live on', async () => {
      const { store, user, hash, sessionId } = await newLogin();
      const elsewhere = await logIn(store, user.id);
      const revoke = () => store.revokeSession({ refreshHash: hash, now: NOW + 5 });
      expect((await Promise.all([revoke(), revoke()])).filter(Boolean)).toEqual([{ sessionId }]);
      expect(await exchange(store, hash, unique('x'))).toEqual(INVALID);
      expect(await exchange(store, elsewhere.hash, unique('x'))).toMatchObject({ outcome: 'exchanged' });
      expect(await store.sessionsRevokedSince(NOW + 5)).toContainEqual({ sessionId });
      expect(await store.sessionsRevokedSince(NOW + 6)).not.toContainEqual({ sessionId });
      expect(await store.sessionsRevokedSince(0)).not.toContainEqual({ sessionId: elsewhere.sessionId });
    });

    it('does nothing for a token that is unknown, expired or exchanged', async () => {
      const { store, hash, exchanged } = await newLogin();
      const successor = unique('successor');
      await exchange(store, hash, successor);
      for (const of of [
        { refreshHash: unique('token'), now: NOW },
        { refreshHash: hash, now: NOW },
        { refreshHash: successor, now: EXPIRES_AT },
      ])
        expect(await store.revokeSession(of)).toBeUndefined();
      expect(await exchange(store, successor, unique('x'))).toEqual(exchanged);
    });

    it('is known after a restart', async () => {
      const { store, hash, sessionId } = await newLogin();
      await store.revokeSession({ refreshHash: hash, now: NOW });
      await subject().reopen();
      expect(await subject().store.sessionsRevokedSince(NOW)).toContainEqual({ sessionId });
      expect(await exchange(subject().store, hash, unique('x'))).toEqual(INVALID);
    });
  });
};
