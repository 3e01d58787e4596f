import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FRAME_NAMES, type FrameName } from './access-frames.ts';
import { CELLS, type Cell, DM_PEOPLE, KINDS, type Kind, PEOPLE } from './access-matrix.ts';
import { AccessWorld, type Place } from './access-world.ts';

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.make();
}, 60_000);
afterAll(async () => await world?.server.dispose());

/** The words of a refusal, which are the same for every room. */
const WORDS: Partial<Record<string, string>> = {
  403: 'not allowed',
  404: 'room not found',
  409: 'name another owner first',
};

/** They may be done again in the same room. Each new room makes the lists of these people longer. */
const REPEATABLE = new Set([
  ...['see', 'history', 'history with notices', 'members', 'read a message', 'read its earlier texts'],
  ...['read its reactions', 'list what is pinned', 'save', 'unsave'],
  ...['react', 'take a reaction back', 'pin', 'unpin'],
  ...['list the threads', 'read a thread', 'follow a thread', 'unfollow a thread', 'mark a thread read'],
  'resolve a thread',
  ...[
    'lift a mute',
    'lift a ban',
    'see who is muted',
    'report a text',
    'list the files',
    'open a file',
    'read the reports',
    'read the audit log',
  ],
]);

/** Of requests that name no room. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  'accept an invitation': 'invite not found',
  'open a file': 'file not found',
};

/** Rooms that nothing has happened to: a request that was refused leaves the room for the next one. */
const unused = new Map<Kind, Place>();

async function placeOf(kind: Kind): Promise<Place> {
  const place = unused.get(kind) ?? (await world.place(kind));
  unused.set(kind, place);
  return place;
}

async function check({ request, person, kind, expected }: Cell): Promise<void> {
  const place = await placeOf(kind);
  if (request === 'find it among all rooms') {
    expect(await world.isAmongAll(person, place)).toBe(expected === 'yes');
  } else if (request === 'find it among own rooms') {
    expect(await world.isAmongOwn(person, place)).toBe(expected === 'yes');
  } else if (isFrame(request)) {
    const { cell, words } = await world.frame(request, person, place);
    if (leavesTraces(request) && cell === '200') unused.delete(kind);
    expect(cell).toBe(expected);
    expect(words).toBe(WORDS[expected]);
  } else {
    const reply = await world.requests[request]?.(person, place);
    if (reply === undefined || (reply.status < 300 && !REPEATABLE.has(request))) unused.delete(kind);
    expect(reply?.status).toBe(Number(expected));
    const words = OTHER_WORDS[request] ?? WORDS[expected];
    if (Number(expected) >= 400) expect(reply?.json).toEqual({ error: words });
  }
}

function isFrame(request: string): request is FrameName {
  return FRAME_NAMES.some((name) => name === request);
}

function leavesTraces(request: string): boolean {
  return request.startsWith('post on ') || request === 'delete a text on a line';
}

// The kinds at once, as most of the time is waiting. Within a kind, a request may leave the room for the next one.
describe.concurrent.each(KINDS)('a room that is %s', (kind) => {
  const requests = [...new Set(CELLS.filter((cell) => cell.kind === kind).map(({ request }) => request))];

  it.sequential('has a cell for each request and each person', () => {
    expect(requests.sort()).toEqual(
      [
        ...Object.keys(world.requests).filter((name) => kind !== 'dm' || name !== 'accept an invitation'),
        ...FRAME_NAMES,
        'find it among all rooms',
        'find it among own rooms',
      ].sort(),
    );
    const people = kind === 'dm' ? DM_PEOPLE : PEOPLE;
    expect(CELLS.filter((cell) => cell.kind === kind)).toHaveLength(requests.length * people.length);
  });

  it.sequential.each(requests)('%s', { timeout: 60_000 }, async (request) => {
    const cells = CELLS.filter((one) => one.kind === kind && one.request === request);
    const checkCell = (cell: Cell) =>
      check(cell).catch((error: Error) => {
        throw new Error(`${cell.person}: ${error.message}`, { cause: error });
      });
    // These leave the room as it is, and a mark takes two seconds.
    if (isFrame(request) && !leavesTraces(request)) {
      await placeOf(kind);
      await Promise.all(cells.map(checkCell));
    } else for (const cell of cells) await checkCell(cell);
  });
});

describe.each(['private', 'archived private', 'dm'] as const)('frames about a room that is %s', (kind) => {
  it.each(['stranger', 'guest', 'admin'] as const)(
    'tell a %s what they tell about no room at all',
    async (person) => {
      const { id } = await placeOf(kind);
      const responses = await world.responsesAbout(person, id);
      expect(responses).toEqual(await world.responsesAbout(person, 999_999_999));
      expect(responses.filter((frame) => frame.includes('room not found'))).toHaveLength(5);
    },
  );
});
