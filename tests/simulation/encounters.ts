/**
 * People who write to each other directly, and who accept invitations. Many of them are not announced: only the next
 * change in the user's own log makes up for that.
 */
import type { Random } from '../support/random.ts';
import type { Act, Action, PagePlan, RoomPlan, Weather } from './plan.ts';

interface Stage {
  users: number;
  pages: readonly PagePlan[];
  rooms: readonly RoomPlan[];
  weather: Weather;
  lastsMs: number;
}

/** A third of the plans has some; a half of these loses announcements. */
export function encounters(random: Random, { users, pages, rooms, weather, lastsMs }: Stage): Action[] {
  if (random.next() >= 1 / 3) return [];
  if (random.next() < 0.5) {
    weather.bus ??= { maxMs: random.next() * 50, loss: 0, duplicates: 0 };
    weather.bus.userLogLoss = random.next() * 0.7;
  }
  for (const room of rooms) if (random.next() < 0.5) room.inviteUses = 1;
  const act = (): Act => {
    const page = random.integer(0, pages.length - 1);
    const drawn = random.next();
    if (drawn < 0.4) {
      const self = pages[page]?.user ?? 0;
      const others = Array.from({ length: random.integer(1, 2) }, () => random.integer(0, users - 2));
      // Some of these conversations are with one person, the others with two.
      return { kind: 'write', page, users: others.map((other) => (other < self ? other : other + 1)) };
    }
    if (drawn < 0.65) return { kind: 'respond', page };
    if (drawn < 0.75) return { kind: 'pry', page };
    return { kind: 'accept', page, room: random.integer(0, rooms.length - 1) };
  };
  const acts = Array.from({ length: random.integer(2, 8) }, () => ({
    ...act(),
    atMs: random.integer(0, lastsMs),
  }));
  return [...acts, ...visits(random, { pages, rooms, lastsMs })];
}

/** Users who are not in a private room accept its invitation, leave, and try to come back with it. */
function visits(
  random: Random,
  { pages, rooms, lastsMs }: Pick<Stage, 'pages' | 'rooms' | 'lastsMs'>,
): Action[] {
  const ofRoom = (room: number) =>
    new Set(pages.filter((page) => page.rooms.includes(room)).map(({ user }) => user));
  return rooms.flatMap(({ isPrivate, inviteUses }, room) => {
    if (!isPrivate || inviteUses === undefined) return [];
    const page = pages.findIndex(({ user }) => user !== 0 && !ofRoom(room).has(user));
    if (page < 0) return [];
    const kinds = ['accept', 'quit', 'accept'] as const;
    const times = kinds.map(() => random.integer(0, lastsMs)).sort((one, other) => one - other);
    return kinds.map((kind, index) => ({ kind, page, room, atMs: times[index] ?? 0 }));
  });
}
