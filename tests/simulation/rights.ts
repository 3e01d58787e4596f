/**
 * Changes of what people may do on the server: a member is made a guest, and maybe a member again, while others talk. The
 * account of somebody without a page is removed while their writes are on the way.
 */
import type { Random } from '../support/random.ts';
import type { Action, Plan } from './plan.ts';

/** What is on its way at a removal was sent within this time before it. */
const ON_ITS_WAY_MS = 300;
/** Others talk for this long after a change of the role. */
const TALK_MS = 3000;

/** A quarter of the plans has some. */
export function rights(random: Random, plan: Plan): Action[] {
  if (random.next() >= 1 / 4) return [];
  const actions = [...roles(random, plan)];
  if (random.next() < 0.5) actions.push(...removal(random, plan));
  return actions;
}

/** The first user owns all rooms. A v1 page that cannot come in has no presence. */
function roles(random: Random, { pages, lastsMs, hasOldPage, checksPresence }: Plan): Action[] {
  const [first] = pages;
  const mustStay = (user: number) => user === 0 || (hasOldPage && checksPresence && user === first?.user);
  const page = random.integer(0, pages.length - 1);
  const { user = 0, rooms = [] } = pages[page] ?? {};
  if (mustStay(user)) return [];
  const atMs = random.integer(1000, lastsMs);
  const talkers = [...pages.keys()].filter((other) => pages[other]?.user !== user);
  const says = talkers.flatMap((talker) =>
    rooms
      .filter((room) => pages[talker]?.rooms.includes(room))
      .map((room) => ({
        ...{ kind: 'say' as const, page: talker, room, texts: random.integer(1, 3), length: 0 },
        atMs: atMs + random.integer(0, TALK_MS),
      })),
  );
  const back = {
    kind: 'role' as const,
    page,
    role: 'member' as const,
    atMs: atMs + random.integer(0, 2 * TALK_MS),
  };
  return [{ kind: 'role', page, role: 'guest', atMs }, ...says, ...(random.next() < 0.5 ? [back] : [])];
}

function removal(random: Random, plan: Plan): Action[] {
  plan.hasLeaver = true;
  const atMs = random.integer(1000, plan.lastsMs);
  const writes = Array.from({ length: 8 }, () => ({
    ...{ kind: 'leaver writes' as const, room: random.integer(0, plan.rooms.length - 1) },
    way: (['join', 'join', 'status', 'notes'] as const)[random.integer(0, 3)] ?? 'join',
    atMs: atMs + random.integer(-ON_ITS_WAY_MS, ON_ITS_WAY_MS / 2),
  }));
  return [...writes, { kind: 'remove leaver', atMs }];
}
