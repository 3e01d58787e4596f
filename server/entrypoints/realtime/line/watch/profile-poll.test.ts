import { expect, it } from 'vitest';
import type { Profile } from '../../../../../protocol/people.ts';
import { ProfilePoll } from './profile-poll.ts';

const USERS = 1000;

it('compares everybody within half a minute, and nobody much more often', async () => {
  const reads = new Map<number, number>();
  const changed: number[] = [];
  const profiles = async (ids: readonly number[]) => {
    for (const id of ids) reads.set(id, (reads.get(id) ?? 0) + 1);
    return ids.map((id) => ({ id, version: id % 10 === 0 ? 2 : 1 }) as Profile);
  };
  const poll = new ProfilePoll({ profiles }, (userId) => changed.push(userId));
  for (let id = 1; id <= USERS; id++) poll.found(id, 1);
  for (let tick = 0; tick < 31; tick++) await poll.tick();
  expect(reads.size).toBe(USERS);
  expect(Math.max(...reads.values())).toBeLessThanOrEqual(2);
  expect(new Set(changed).size).toBe(USERS / 10);
});

it('a user whom nobody watches any more is not read', async () => {
  const poll = new ProfilePoll(
    { profiles: async (ids) => (ids.length > 0 ? Promise.reject(new Error('read')) : []) },
    () => expect.unreachable(),
  );
  poll.found(1, 1);
  poll.forget(1);
  // A profile that was being read meanwhile does not bring them back.
  poll.sent(1, 2);
  for (let tick = 0; tick < 31; tick++) await poll.tick();
});
