import { expect, test } from 'vitest';
import { AppError } from '../../../protocol/errors.ts';
import { Passwords } from './passwords.ts';

const ADDRESS = '192.0.2.1';

const outcomeOf = (hashing: Promise<string>) =>
  hashing.then(
    () => 'hashed',
    (error) => (error instanceof AppError ? error.code : error),
  );

test('a hash that has waited too long is refused, and the next one is done', async () => {
  let now = 0;
  const passwords = new Passwords(1, () => now);
  const first = outcomeOf(passwords.hash('the first password', ADDRESS));
  const late = outcomeOf(passwords.hash('the second password', ADDRESS));
  now = 10_001;
  const next = outcomeOf(passwords.hash('the third password', ADDRESS));
  expect(await Promise.all([first, late, next])).toEqual(['hashed', 'service_unavailable', 'hashed']);
  expect(await outcomeOf(passwords.hash('one later', ADDRESS))).toBe('hashed');
});

test('beyond 256 waiting, a login is refused at once', async () => {
  let now = 0;
  const passwords = new Passwords(1, () => now);
  const all = Array.from({ length: 258 }, (_, index) =>
    passwords.verify(undefined, `password ${index}`, ADDRESS),
  );
  await expect(all.at(-1)).rejects.toMatchObject({ code: 'service_unavailable' });
  now = 10_001;
  const [first, ...waiting] = await Promise.allSettled(all);
  expect(first).toEqual({ status: 'fulfilled', value: false });
  expect(new Set(waiting.map(({ status }) => status))).toEqual(new Set(['rejected']));
});
