import { expect, test } from 'vitest';
import { UPLOAD_TTL_S } from '../../../protocol/limits.ts';
import { waitsSince } from './janitor.ts';

const DAY = UPLOAD_TTL_S * 1000;

test('a file waits for its check since its last byte, also for a process that has just started', () => {
  expect(waitsSince({ expiresAt: DAY + 1000 }, 40_000)).toBe(1000);
});

test('it waits since it was seen where its message has it, or where the clock of another process is ahead', () => {
  expect(waitsSince({ expiresAt: null }, 40_000)).toBe(40_000);
  expect(waitsSince({ expiresAt: DAY + 50_000 }, 40_000)).toBe(40_000);
});
