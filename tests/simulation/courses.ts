/**
 * Courses of events that some faults need, and that independent draws hardly ever bring together: somebody is removed
 * while others talk, old texts change while a page of them is on its way, and the only text that a page has missed changes
 * again before it is back.
 */
import type { Random } from '../support/random.ts';
import type { Action, PagePlan, RoomPlan, Weather } from './plan.ts';

export interface Stage {
  pages: readonly PagePlan[];
  rooms: RoomPlan[];
  weather: Weather;
  pageLimit: number;
  lastsMs: number;
}

type Course = (random: Random, stage: Stage) => Action[];

/** Half of the plans have one of them, which may change what it needs of the plan. */
export function courseOf(random: Random): Course | null {
  const drawn = random.integer(0, 5);
  return [removal, paging, unheard][drawn] ?? null;
}

/** A disk on which reads and commits overlap, so that one is under way while another ends. */
const SLOW = { minMs: 1, maxMs: 300 };
/** Messages of a page of history, so that there are many. */
const SHORT_PAGE = 5;
/** After the last trouble, a server that was down is up again within this time, mostly. */
const CALM_MS = 4000;
/** Pages are back within this time after a short restart, mostly. */
const BACK_MS = 6000;
/** What is sent is stored in the outbox within this time. */
const OUTBOX_MS = 8;

/** The owner of all rooms is the first user, and cannot be removed. */
function removal(random: Random, { pages, weather, lastsMs }: Stage): Action[] {
  const pairs = pages.flatMap(({ user, rooms }, page) =>
    rooms.flatMap((room) =>
      pages.flatMap((other, talker) =>
        user !== 0 && other.user !== user && other.rooms.includes(room) ? [{ page, room, talker }] : [],
      ),
    ),
  );
  const pair = pairs[random.integer(0, pairs.length - 1)];
  if (pair === undefined) return [];
  const { page, room, talker } = pair;
  const atMs = random.integer(1000, lastsMs + CALM_MS);
  weather.storage = SLOW;
  // What is said passes the outbox and the network; the removal, the disk.
  const earlyMs = OUTBOX_MS + weather.latency.maxMs;
  const withinMs = earlyMs + 2 * weather.storage.maxMs;
  const says = Array.from({ length: 8 }, () => ({
    ...{ kind: 'say' as const, page: talker, room, texts: random.integer(1, 3), length: 0 },
    atMs: Math.max(0, atMs - earlyMs + random.next() * withinMs),
  }));
  return [
    // In a public room they may not be a member yet.
    { kind: 'add', page, room, atMs: Math.max(0, atMs - random.integer(200, 1000)) },
    { kind: 'remove', page, room, atMs },
    ...says,
    ...(random.next() < 0.5 ? [{ kind: 'add' as const, page, room, atMs: atMs + 1000 }] : []),
  ];
}

/** A page reads older messages, page by page, while those of the next pages change. */
function paging(random: Random, stage: Stage): Action[] {
  const { pages, rooms, weather, lastsMs } = stage;
  const page = random.integer(0, pages.length - 1);
  const { rooms: entered = [] } = pages[page] ?? {};
  const room = entered[random.integer(0, entered.length - 1)] ?? 0;
  const plan = rooms[room];
  if (plan === undefined) return [];
  plan.messages = 120;
  stage.pageLimit = SHORT_PAGE;
  weather.storage = SLOW;
  weather.latency = { minMs: 0, maxMs: 2 };
  const atMs = random.integer(2500, lastsMs + CALM_MS);
  return Array.from({ length: 10 }, (_, round) => {
    const beginsAt = atMs + round * 2 * SLOW.maxMs;
    const below = plan.messages - (round + 1) * SHORT_PAGE;
    const revisions = Array.from({ length: 8 }, () => ({
      ...{ kind: 'revise' as const, room },
      nth: random.integer(below - SHORT_PAGE, below - 1) / plan.messages,
      atMs: beginsAt + random.next() * SLOW.maxMs,
    }));
    return [{ kind: 'older' as const, page, room, atMs: beginsAt }, ...revisions];
  }).flat();
}

/**
 * A text changes twice while pages are there, and the bus loses the first change: the second supersedes it. Then the same
 * while a page is away, and the bus loses the second change: it is beyond what is delivered.
 */
function unheard(random: Random, { pages, rooms, weather, lastsMs }: Stage): Action[] {
  // Every page is in the first room.
  const room = 0;
  const plan = rooms[room];
  if (plan === undefined) return [];
  plan.messages = Math.max(plan.messages, 3);
  weather.bus ??= { maxMs: 5, loss: 0, duplicates: 0 };
  const page = random.integer(0, pages.length - 1);
  const revise = { kind: 'revise' as const, room, nth: random.next(), way: 'edit' as const };
  const atMs = lastsMs + CALM_MS;
  const savedMs = 2 * weather.storage.maxMs + 10;
  const restartAt = atMs + savedMs;
  const againAt = restartAt + BACK_MS;
  return [
    { ...revise, isUnheard: true, atMs: atMs - 2 * savedMs },
    { ...revise, atMs: atMs - savedMs },
    { kind: 'offline', page, forMs: againAt + savedMs - atMs, atMs },
    { ...revise, atMs: atMs + 1 },
    // So that what the page has missed is in no memory.
    { kind: 'crash', downMs: 20, isSilent: false, atMs: restartAt },
    { ...revise, isUnheard: true, atMs: againAt },
  ];
}
