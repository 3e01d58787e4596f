import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RESTART_GRACE_MS } from '../../../../protocol/limits.ts';
import { Presence } from '../presence.ts';
import { ROSTER_LEASE_MS } from './exchange.ts';
import { OtherRosters } from './other-rosters.ts';
import { FAIR } from './testing/cluster.ts';
import { FaultyExchange } from './testing/faulty-exchange.ts';

const ROOM = 7;
const TICK_MS = 250;
/** Longer than a tick may be late. */
const PAUSE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The rosters as one process has them, and the pauses in which it stands still while time goes on. */
function rosters() {
  const presence = new Presence();
  const exchange = new FaultyExchange(() => 0, FAIR);
  const end = exchange.end('here');
  let pausedMs = 0;
  const now = () => performance.now() + pausedMs;
  const others = new OtherRosters({ process: 'here', presence, exchange: end, now });
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= TICK_MS) {
      others.tick();
      await vi.advanceTimersByTimeAsync(TICK_MS);
    }
  };
  const pause = () => {
    pausedMs += PAUSE_MS;
  };
  const entry = { roomId: ROOM, userId: 1, username: 'ann' };
  others.receive({ process: 'there', n: 3, isLeaving: false, entries: [entry] });
  return { presence, exchange, end, others, pass, pause };
}

it('a pause of this process is not the silence of another one', async () => {
  const { presence, pass, pause } = rosters();
  await pass(ROSTER_LEASE_MS - 2000);
  pause();
  await pass(ROSTER_LEASE_MS - 1000);
  expect(presence.online(ROOM)).toBe(1);
  await pass(3000);
  expect(presence.online(ROOM)).toBe(0);
});

it('a silent process whose roster is still stored is kept', async () => {
  const { presence, exchange, pass } = rosters();
  exchange.keep({ process: 'there', n: 3, isLeaving: false, entries: [] }, 4 * ROSTER_LEASE_MS);
  await pass(3 * ROSTER_LEASE_MS);
  expect(presence.online(ROOM)).toBe(1);
  await pass(2 * ROSTER_LEASE_MS);
  expect(presence.online(ROOM)).toBe(0);
});

it('while the exchange is in doubt, the users of a stopped process are waited for', async () => {
  const { presence, end, others, pass } = rosters();
  others.hear({ type: 'leaving', from: 'there', n: 3 });
  end.isCut = true;
  await pass(2 * RESTART_GRACE_MS);
  expect(presence.online(ROOM)).toBe(1);
  end.isCut = false;
  await pass(RESTART_GRACE_MS);
  expect(presence.online(ROOM)).toBe(0);
});

it('says whether another process has reached the database lately', async () => {
  const { others, pass } = rosters();
  expect(others.someHaveDatabase()).toBe(false);
  others.hear({ type: 'heartbeat', from: 'there', n: 3, hasDatabase: true });
  expect(others.someHaveDatabase()).toBe(true);
  others.hear({ type: 'heartbeat', from: 'there', n: 3, hasDatabase: false });
  expect(others.someHaveDatabase()).toBe(false);
  others.hear({ type: 'heartbeat', from: 'there', n: 3, hasDatabase: true });
  await pass(12_000);
  expect(others.someHaveDatabase()).toBe(false);
});
