import { expect, test } from 'vitest';
import { AppError } from '../../protocol/errors.ts';
import { Passwords } from './passwords.ts';

const outcomeOf = (hashing: Promise<string>) =>
  hashing.then(
    () => 'hashed',
    (error) => (error instanceof AppError ? error.code : error),
  );

test('who has waited longer than a connection may stand still is refused, and who comes after is served', async () => {
  let now = 0;
  const passwords = new Passwords(1, () => now);
  const first = outcomeOf(passwords.hash('the first password'));
  const late = outcomeOf(passwords.hash('the second password'));
  now = 10_001;
  const next = outcomeOf(passwords.hash('the third password'));
  expect(await Promise.all([first, late, next])).toEqual(['hashed', 'service_unavailable', 'hashed']);
  expect(await outcomeOf(passwords.hash('one later'))).toBe('hashed');
});

test('beyond 256 waiting, a login is refused at once', async () => {
  let now = 0;
  const passwords = new Passwords(1, () => now);
  const all = Array.from({ length: 258 }, (_, index) => passwords.verify(undefined, `password ${index}`));
  await expect(all.at(-1)).rejects.toMatchObject({ code: 'service_unavailable' });
  // The others have waited enough for this test.
  now = 10_001;
  const [first, ...waiting] = await Promise.allSettled(all);
  expect(first).toEqual({ status: 'fulfilled', value: false });
  expect(new Set(waiting.map(({ status }) => status))).toEqual(new Set(['rejected']));
});
