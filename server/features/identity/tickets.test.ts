import { describe, expect, test } from 'vitest';
import { createMemoryBus } from '../../data/bus/memory.ts';
import type { Store } from '../../data/storage/store.ts';
import { deriveKeys } from './secret.ts';
import { Sessions } from './sessions.ts';
import { Tickets } from './tickets.ts';

const DAY_MS = 86_400_000;
const TTL = { accessTtlS: 900, refreshTtlS: 7 * 86_400 };
const ANN = { userId: 1, username: 'ann', sessionId: 1 };
const keys = deriveKeys('a secret', 'an epoch');

/** On a clock that tests set. No ticket is spent. */
function stage(start = 1_800_000_000_000) {
  const clock = { at: start };
  const now = () => clock.at;
  const store = { isTicketSpent: async () => false, spendTicket: async () => true } as unknown as Store;
  const sessions = new Sessions({ store, bus: createMemoryBus(), keys, ...TTL, now });
  return { clock, sessions, tickets: new Tickets({ store, sessions, keys, ttlS: 60, ...TTL, now }) };
}

describe('return tickets', () => {
  test('follow each other until the refresh token of an unused login has expired, and no longer', () => {
    const { clock, tickets } = stage();
    const begun = clock.at;
    let ticket = tickets.issueForUser(ANN).ticket;
    let returns = 0;
    for (; returns < 10_000; returns++) {
      const { admittedAt } = tickets.verify(ticket);
      expect(admittedAt).toBe(begun);
      clock.at += 600_000;
      const next = tickets.issueReturn(ANN, admittedAt);
      if (!next) break;
      expect(clock.at + next.expires_in * 1000).toBeLessThanOrEqual(begun + 7 * DAY_MS - 900_000);
      ticket = next.ticket;
    }
    expect(returns).toBeGreaterThan(990);
    expect(returns).toBeLessThan(1010);
  });

  test('an access token begins the time anew', () => {
    const { clock, tickets } = stage();
    clock.at += 7 * DAY_MS;
    const { admittedAt } = tickets.verify(tickets.issueForUser(ANN).ticket);
    expect(tickets.issueReturn(ANN, admittedAt)).toBeDefined();
  });

  test('expire after 15 minutes, and end with their session', () => {
    const { clock, sessions, tickets } = stage();
    const { ticket = '' } = tickets.issueReturn(ANN, clock.at) ?? {};
    clock.at += 899_000;
    expect(tickets.verify(ticket)).toMatchObject({ ...ANN, roomId: null });
    clock.at += 1000;
    expect(() => tickets.verify(ticket)).toThrow('invalid ws ticket');
    clock.at -= 2000;
    sessions.announceEnd(ANN.sessionId);
    expect(() => tickets.verify(ticket)).toThrow('invalid ws ticket');
  });

  test('are not given where a login may end before them', () => {
    const { clock, sessions } = stage();
    const short = { ttlS: 60, accessTtlS: 900, refreshTtlS: 900, now: () => clock.at };
    const tickets = new Tickets({ store: {} as Store, sessions, keys, ...short });
    expect(tickets.issueReturn(ANN, clock.at)).toBeUndefined();
  });
});

test('setting the clock back does not revive an expired ticket in the process that issued it', async () => {
  const { clock, sessions } = stage();
  const now = () => clock.at;
  const tickets = new Tickets({ store: {} as Store, sessions, keys, ttlS: 1, ...TTL, now });
  const { ticket } = tickets.issueForUser(ANN);
  expect(tickets.verify(ticket).userId).toBe(ANN.userId);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(() => tickets.verify(ticket)).toThrow('invalid ws ticket');
});
