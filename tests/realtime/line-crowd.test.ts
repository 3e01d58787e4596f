import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../protocol/events.ts';
import type { ServerFrameV2 } from '../../protocol/frames/v2.ts';
import { eventually } from '../support/eventually.ts';
import { seededRandom } from '../support/random.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, findRoom, issueTicket, type Login, signUp, signUpCrowd } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

/** Up to this many users each change is a frame of its own. */
const SMALL = 20;

let server: ServerProcess;
let watcher: Login;
let crowd: Login[];
beforeAll(async () => {
  server = await ServerProcess.start();
  watcher = await signUp(server);
  crowd = await signUpCrowd(server, 205);
}, 120_000);
afterAll(async () => await server?.dispose());

const newRoom = async () => (await createRoom(server, watcher)).id;
const person = ({ userId, username }: Login): Person => ({ user_id: userId, username });
const enterAll = (logins: Login[], roomId: number) =>
  Promise.all(logins.map((login) => RoomLine.enter(server, login, roomId)));
const leaveAll = (sockets: { close(): Promise<unknown> }[]) =>
  Promise.all(sockets.map((socket) => socket.close()));

async function countIs(roomId: number, online: number): Promise<void> {
  await eventually(`${online} online`, async () =>
    (await findRoom(server, watcher, roomId))?.online === online ? true : undefined,
  );
}

/** The watcher enters a large room; resolves when the others have received its join. */
async function enterWithANotice(roomId: number, others: RoomLine[]): Promise<RoomLine> {
  const witness = await RoomLine.enter(server, watcher, roomId);
  const isTold = ({ joined }: { joined: Person[] }) =>
    joined.some(({ user_id }) => user_id === watcher.userId);
  await others[0]?.waitFor('presence', isTold);
  return witness;
}

/** Changes, without the frames that have the whole state. */
const changesOf = (line: RoomLine, from = 0) =>
  line.of('presence', from).filter(({ users }) => users === undefined);

/** The users in the room, according to these frames. */
function rosterOf(frames: readonly ServerFrameV2[]): Set<number> {
  const roster = new Set<number>();
  for (const frame of frames) {
    if (frame.type !== 'presence') continue;
    if (frame.users) roster.clear();
    for (const { user_id } of frame.users ?? []) roster.add(user_id);
    for (const { user_id } of frame.joined) roster.add(user_id);
    for (const { user_id } of frame.left) roster.delete(user_id);
  }
  return roster;
}

describe('in a room of up to 20 users each change is sent at once', () => {
  test('a line does not get its own coming; the others get it, with the count after it', async () => {
    const roomId = await newRoom();
    const first = await RoomLine.enter(server, watcher, roomId);
    const [ann] = crowd.slice(0, 1) as [Login];
    const second = await RoomLine.enter(server, ann, roomId);
    const came = { type: 'presence', room_id: roomId, online: 2, joined: [person(ann)], left: [] };
    expect(await first.waitFor('presence', ({ joined }) => joined.length > 0)).toEqual(came);
    // A further socket of a user who is online changes nothing for the others.
    const third = await RoomLine.enter(server, ann, roomId);
    await second.close();
    await third.close();
    const went = { ...came, online: 1, joined: [], left: [person(ann)] };
    await first.waitFor('presence', ({ left }) => left.length > 0);
    expect(changesOf(first)).toEqual([came, went]);
    for (const socket of [second, third]) expect(changesOf(socket)).toEqual([]);
    await first.close();
  });

  test('up to and including the twentieth user', async () => {
    const roomId = await newRoom();
    const witness = await RoomLine.enter(server, watcher, roomId);
    const sockets = await enterAll(crowd.slice(0, SMALL - 1), roomId);
    await witness.waitFor('presence', ({ online }) => online === SMALL);
    const counts = Array.from({ length: SMALL - 1 }, (_, index) => index + 2);
    expect(changesOf(witness).map(({ online }) => online)).toEqual(counts);
    const mark = witness.mark();
    await leaveAll(sockets);
    await witness.waitFor('presence', ({ online }) => online === 1, mark);
    expect(changesOf(witness, mark).map(({ online }) => online)).toEqual(counts.map((_, i) => 19 - i));
    for (const { joined, left } of changesOf(witness)) expect(joined.length + left.length).toBe(1);
    await witness.close();
  });
});

describe('above 20 users, every change within 250 ms goes into one presence frame', () => {
  test('over a line joined and left, each once, with the count; over v1 single joins and leaves', async () => {
    const roomId = await newRoom();
    const regulars = await enterAll(crowd.slice(0, SMALL), roomId);
    await countIs(roomId, SMALL);
    const witness = await enterWithANotice(roomId, regulars);
    const base = await ChatClient.enter(server, watcher, roomId);
    const comers = crowd.slice(SMALL, SMALL + 30);
    const sockets = await enterAll(comers, roomId);
    const all = SMALL + 1 + comers.length;
    await witness.waitFor('presence', (presence) => presence.online === all);
    const joined = witness.of('presence').flatMap((presence) => presence.joined);
    expect(joined.map(({ user_id }) => user_id).sort()).toEqual(comers.map(({ userId }) => userId).sort());
    expect(witness.of('presence').length).toBeLessThan(comers.length);
    // A line does not get its own coming, and learns who came together with it.
    for (const [index, socket] of sockets.entries()) {
      const isOwn = ({ user_id }: Person) => user_id === comers[index]?.userId;
      await eventually('the right roster', () => (rosterOf(socket.frames).size === all ? true : undefined));
      expect(
        socket
          .of('presence')
          .flatMap((presence) => presence.joined)
          .filter(isOwn),
      ).toEqual([]);
    }

    const mark = witness.mark();
    await leaveAll(sockets);
    await witness.waitFor('presence', (presence) => presence.online === SMALL + 1, mark);
    const left = witness.of('presence', mark).flatMap((presence) => presence.left);
    expect(left).toHaveLength(comers.length);
    expect(new Set(left.map(({ user_id }) => user_id))).toEqual(new Set(comers.map(({ userId }) => userId)));

    const joins = (await base.waitForCount('join', comers.length + 1)).slice(1);
    expect(joins.map((join) => join.online)).toEqual(comers.map((_, index) => SMALL + 2 + index));
    const leaves = await base.waitForCount('leave', comers.length);
    expect(leaves.map((leave) => leave.online)).toEqual(comers.map((_, index) => all - 1 - index));
    await leaveAll([...regulars, witness, base]);
  });

  test('a join and a leave within one window cancel out', async () => {
    const roomId = await newRoom();
    const regulars = await enterAll(crowd.slice(0, SMALL), roomId);
    await countIs(roomId, SMALL);
    const witness = await enterWithANotice(roomId, regulars);
    const visitor = crowd[SMALL] as Login;
    for (let round = 0; round < 10; round++) await (await RoomLine.enter(server, visitor, roomId)).drop();
    await countIs(roomId, SMALL + 1);
    const last = crowd[SMALL + 1] as Login;
    const fence = await RoomLine.enter(server, last, roomId);
    await witness.waitFor('presence', ({ joined }) => joined.some(({ user_id }) => user_id === last.userId));
    const told = (who: Person[]) => who.filter(({ user_id }) => user_id === visitor.userId).length;
    const joined = witness.of('presence').reduce((sum, presence) => sum + told(presence.joined), 0);
    const left = witness.of('presence').reduce((sum, presence) => sum + told(presence.left), 0);
    expect(joined).toBe(left);
    // Ten visits take longer than a window, but far from ten windows.
    expect(joined).toBeLessThan(10);
    await leaveAll([...regulars, witness, fence]);
  });

  test('a v1 socket that enters gets its own join, even if the user left a moment ago', async () => {
    const roomId = await newRoom();
    const regulars = await enterAll(crowd.slice(0, SMALL + 2), roomId);
    await countIs(roomId, SMALL + 2);
    const base = await ChatClient.enter(server, watcher, roomId);
    const ticket = await issueTicket(server, watcher, roomId);
    await base.close();
    const again = await ChatClient.open(server, roomId, ticket);
    await again.waitFor('join', (join) => join.user_id === watcher.userId);
    await leaveAll([...regulars, again]);
  });

  test('the window is flushed before the room changes over', async () => {
    const roomId = await newRoom();
    const witness = await RoomLine.enter(server, watcher, roomId);
    const sockets = await enterAll(crowd.slice(0, SMALL + 3), roomId);
    await witness.waitFor('presence', (presence) => presence.online === SMALL + 4);
    const mark = witness.mark();
    for (const [index, socket] of sockets.slice(0, 5).entries()) {
      await socket.close();
      await countIs(roomId, SMALL + 3 - index);
    }
    await witness.waitFor('presence', ({ online }) => online === SMALL - 1, mark);
    const gone = changesOf(witness, mark).flatMap(({ left }) => left.map(({ user_id }) => user_id));
    expect(gone).toEqual(crowd.slice(0, 5).map(({ userId }) => userId));
    await leaveAll([...sockets.slice(5), witness]);
  });

  test('presence lists 200 of the users who are there, and counts all of them', async () => {
    const roomId = await newRoom();
    const sockets = await enterAll(crowd, roomId);
    await countIs(roomId, crowd.length);
    const witness = await RoomLine.enter(server, watcher, roomId);
    const { people: users } = witness;
    expect(witness.of('presence')[0]?.online).toBe(crowd.length + 1);
    expect(users).toHaveLength(200);
    expect(new Set(users.map(({ user_id }) => user_id)).size).toBe(200);
    await leaveAll([...sockets, witness]);
  });
});

test('a storm around the limit of 20: every watcher, whenever it came, knows who is there', async () => {
  const random = seededRandom(20);
  const roomId = await newRoom();
  const base = await ChatClient.enter(server, watcher, roomId);
  const first = await RoomLine.enter(server, watcher, roomId);
  const inside = new Map<Login, RoomLine>();
  const watchers: RoomLine[] = [first];
  for (let step = 0; step < 150; step++) {
    const login = crowd[random.integer(0, 34)] as Login;
    const socket = inside.get(login);
    if (socket) {
      inside.delete(login);
      await (random.next() < 0.5 ? socket.close() : socket.drop());
    } else {
      inside.set(login, await RoomLine.enter(server, login, roomId));
    }
    if (step % 30 === 15) watchers.push(await RoomLine.enter(server, watcher, roomId));
  }
  const present = new Set([watcher, ...inside.keys()].map(({ userId }) => userId));
  await countIs(roomId, present.size);
  for (const client of watchers) {
    await eventually('the right roster', () => {
      const roster = rosterOf(client.frames);
      return roster.size === present.size && [...present].every((id) => roster.has(id)) ? true : undefined;
    });
  }
  await base.settle();
  const news = [...base.of('join'), ...base.of('leave')];
  expect(Math.min(...news.map((frame) => frame.online))).toBeGreaterThanOrEqual(1);
  await leaveAll([base, ...watchers, ...inside.values()]);
});
