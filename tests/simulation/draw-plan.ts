/** Draws the plan of a seed. */
import { type Random, seededRandom } from '../support/random.ts';
import { courseOf } from './courses.ts';
import { makeCluster } from './draw-cluster.ts';
import { encounters } from './encounters.ts';
import type { Act, Action, PagePlan, Plan, RoomPlan, Weather } from './plan.ts';
import { rights } from './rights.ts';

/** Chosen so that no kept seed draws a course. */
const COURSES = 0xcab82;
/** Chosen so that no seed that was kept before there were encounters draws any. */
const ENCOUNTERS = 0x5319;

const RIGHTS = 0x71647;
const CLUSTERS = 0xc1a5;
/** Every third seed has a plan with one process on SQLite. */
const ALONE_EVERY = 3;

/** Which of its plans a seed stands for: with one process on SQLite, or with several on one database. */
export function isAloneIn(seed: number): boolean {
  return seed % ALONE_EVERY === 0;
}

/** The plan of a seed. */
export function planOf(seed: number, isAlone = isAloneIn(seed)): Plan {
  const random = seededRandom(seed ^ 0x5eed);
  const { integer } = random;
  const isCrowded = random.next() < 0.02;
  const isFlooded = random.next() < 0.04;
  const users = isCrowded ? 24 : integer(2, 4);
  const rooms = Array.from(
    { length: pick(random, [1, 2, 2, 3, 6]) },
    (_, index): RoomPlan => ({
      messages: pick(random, [0, 0, 3, 48, 120]),
      // The v1 page enters the first one.
      isPrivate: index > 0 && random.next() < 0.4,
    }),
  );
  const pages = Array.from({ length: isCrowded ? 24 : integer(2, 4) }, (_, page) =>
    pageOf(random, { page, users, rooms, isCrowded }),
  );
  for (const page of pages) if (page.tabOf !== null) page.user = pages[page.tabOf]?.user ?? page.user;
  const lastsMs = integer(3000, 20_000);
  // Courses have draws of their own, so that the plans without one stay what they were when a seed was kept.
  const other = seededRandom(seed ^ COURSES);
  const course = courseOf(other);
  // Most courses come to nothing among other troubles.
  const isCalm = course !== null && other.next() < 0.75;
  const actions = isCalm
    ? []
    : [
        ...sayings(random, pages, lastsMs),
        ...troubles(random, pages, lastsMs),
        ...memberships(random, { pages, rooms: rooms.length, lastsMs }),
      ];
  if (isFlooded && !isCalm) actions.push(...flood(random, lastsMs));
  const plan: Plan = {
    ...{ seed, cluster: null, users, rooms, pages, lastsMs, hasOldPage: random.next() < 0.3 },
    messageLimit: pick(random, [
      { perSecond: 50, burst: 300 },
      { perSecond: 50, burst: 300 },
      { perSecond: 3, burst: 4 },
    ]),
    weather: weatherOf(random, isCalm),
    actions,
    checksPresence: random.next() < 0.25,
    pageLimit: pick(random, [50, 50, 5]),
  };
  if (course !== null) {
    actions.push(...course(other, plan));
    plan.lastsMs = Math.max(lastsMs, ...actions.map(({ atMs }) => atMs + 1));
  }
  actions.push(...encounters(seededRandom(seed ^ ENCOUNTERS), plan));
  actions.push(...rights(seededRandom(seed ^ RIGHTS), plan));
  if (!isAlone) makeCluster(seededRandom(seed ^ CLUSTERS), plan);
  plan.actions.sort((a, b) => a.atMs - b.atMs);
  return plan;
}

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random.integer(0, choices.length - 1)] as T;
}

function pageOf(
  random: Random,
  of: { page: number; users: number; rooms: RoomPlan[]; isCrowded: boolean },
): PagePlan {
  const rooms = of.rooms.map((_, index) => index).filter((index) => index === 0 || random.next() < 0.5);
  const tabOf = of.page > 0 && random.next() < 0.15 ? 0 : null;
  const user = of.isCrowded ? of.page : random.integer(0, of.users - 1);
  return { user, rooms, tabOf, keep: pick(random, [1000, 1000, 20]) };
}

function weatherOf(random: Random, isCalm: boolean): Weather {
  const isBad = random.next() < 0.5 && !isCalm;
  const some = (most: number) => (isBad && random.next() < 0.5 ? random.next() * most : 0);
  return {
    requestLoss: some(0.3),
    answerLoss: some(0.3),
    duplicates: some(0.2),
    crashAfterCommit: random.next() < 0.3 && !isCalm ? random.next() * 0.1 : 0,
    latency: pick(random, [
      { minMs: 0, maxMs: 2 },
      { minMs: 1, maxMs: 40 },
      { minMs: 0, maxMs: 400 },
    ]),
    storage: pick(random, [
      { minMs: 0, maxMs: 1 },
      { minMs: 0.5, maxMs: 15 },
      { minMs: 1, maxMs: 300 },
    ]),
    kernelBytes: pick(random, [65_536, 65_536, 500]),
    bus: random.next() < 0.3 ? { maxMs: random.next() * 50, loss: some(0.3), duplicates: some(0.3) } : null,
    refusals: some(0.8),
  };
}

function sayings(random: Random, pages: readonly PagePlan[], lastsMs: number): Action[] {
  return Array.from({ length: random.integer(4, 18) }, () => {
    const page = random.integer(0, pages.length - 1);
    const texts = random.next() < 0.2 ? random.integer(2, 20) : 1;
    const room = pick(random, pages[page]?.rooms ?? [0]);
    return { kind: 'say' as const, page, room, texts, length: 0, atMs: random.integer(0, lastsMs) };
  });
}

/** Changes of members and of read marks, and the rooms in sight. Half of the plans have none of these. */
function memberships(
  random: Random,
  of: { pages: readonly PagePlan[]; rooms: number; lastsMs: number },
): Action[] {
  const count = random.next() < 0.5 ? 0 : random.integer(1, 12);
  return Array.from({ length: count }, () => {
    const page = random.integer(0, of.pages.length - 1);
    const room = random.integer(0, of.rooms - 1);
    const act = pick<Act>(random, [
      ...(['read', 'read', 'unread', 'join', 'quit', 'remove', 'remove', 'add', 'add'] as const).map(
        (kind) => ({
          ...{ kind, page, room },
        }),
      ),
      { kind: 'here', page, room: random.next() < 0.3 ? null : room },
      { kind: 'topic', room },
      { kind: 'revise', room, nth: random.next() },
      { kind: 'revise', room, nth: random.next() },
    ]);
    return { ...act, atMs: random.integer(0, of.lastsMs) };
  });
}

/** One page sends more than all buffers hold, and keeps typing, while another page does not read. */
function flood(random: Random, lastsMs: number): Action[] {
  const atMs = random.integer(0, lastsMs);
  const page = 0;
  const room = 0;
  const away = pick(random, [{ kind: 'stall' as const }, { kind: 'offline' as const }]);
  return [
    { kind: 'say', page, room, texts: random.integer(30, 100), length: 3000, atMs },
    { ...away, page: 1, forMs: random.integer(100, 14_000), atMs },
    { kind: 'type', page, room, atMs: atMs + 500 },
    { kind: 'type', page, room, atMs: atMs + 1700 },
  ];
}

function troubles(random: Random, pages: readonly PagePlan[], lastsMs: number): Action[] {
  return Array.from({ length: random.integer(0, 8) }, () => {
    const page = random.integer(0, pages.length - 1);
    return { ...trouble(random, page, pages[page]?.rooms ?? [0]), atMs: random.integer(0, lastsMs) };
  });
}

function trouble(random: Random, page: number, rooms: readonly number[]): Act {
  const room = pick(random, rooms);
  /** When a side notices: mostly soon, sometimes late, sometimes never. */
  const notice = () => pick(random, [0, 5, random.integer(0, 300), random.integer(0, 8000), null]);
  const downMs = random.integer(20, 4000);
  return pick<() => Act>(random, [
    () => ({ kind: 'crash', downMs, isSilent: random.next() < 0.2 }),
    () => ({ kind: 'crash', downMs, isSilent: false }),
    () => ({ kind: 'restart', downMs }),
    () => ({ kind: 'cut', page, serverMs: notice(), pageMs: notice() }),
    () => ({ kind: 'cut', page, serverMs: notice(), pageMs: notice() }),
    () => ({ kind: 'cut', page, serverMs: notice(), pageMs: 0 }),
    () => ({ kind: 'stall', page, forMs: random.integer(10, 15_000) }),
    () => ({ kind: 'offline', page, forMs: random.integer(10, 10_000) }),
    () => ({ kind: 'reload', page, serverMs: notice() }),
    () => ({ kind: 'full', forMs: random.integer(10, 5000) }),
    () => ({ kind: 'pause', forMs: random.integer(5, 8000) }),
    () => ({ kind: 'jump', byMs: random.integer(-3_600_000, 3_600_000) }),
    () => ({ kind: 'back up' }),
    () => ({ kind: 'restore', downMs }),
    () => ({ kind: 'say over v1' }),
    () => ({ kind: 'wake', page }),
    () => ({ kind: 'leave', page, room }),
    () => ({ kind: 'enter', page, room }),
    () => ({ kind: 'older', page, room }),
    () => ({ kind: 'type', page, room }),
  ])();
}
