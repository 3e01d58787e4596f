/** What changes a user's rights decides about all that the user has open, on every process. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inboxResponse } from '../../protocol/rest/notifications.ts';
import { createdInvite } from '../../protocol/rest/rooms.ts';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { inDatabaseOf } from '../support/database.ts';
import { send, type Target } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import {
  addMember,
  createRoom,
  findRoom,
  issueTicket,
  issueUserTicket,
  type Login,
  signUp,
  uniqueName,
} from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { ROWS, type Row } from './access-changes.ts';

/** Where people act, and where the user has everything open. */
interface World {
  near: Target;
  far: Target;
  makeAdmin(userId: number): Promise<unknown>;
  stop(): Promise<void>;
}

const env = { MESSAGES_PER_SECOND: '0' };

async function alone(): Promise<World> {
  const server = await ServerProcess.start({ env });
  return {
    near: server,
    far: server,
    makeAdmin: (userId) => inDatabaseOf(server, "UPDATE users SET role = 'admin' WHERE id = ?", userId),
    stop: () => server.dispose(),
  };
}

async function several(): Promise<World> {
  const cluster = await Cluster.start({ processes: 2, env });
  return {
    near: cluster.process(0),
    far: cluster.process(1),
    makeAdmin: (userId) => cluster.sql(`UPDATE users SET role = 'admin' WHERE id = ${userId}`),
    stop: () => cluster[Symbol.asyncDispose](),
  };
}

const WORLDS = [
  ['one process', alone, undefined],
  ['two processes', several, whyNoCluster()],
] as const;

describe.each(WORLDS)('what is open is judged again at each change of rights: on %s', (_, start, whyNot) => {
  let world: World;
  let admin: Login;
  let ann: Login;
  beforeAll(async () => {
    if (whyNot !== undefined) return;
    world = await start();
    [admin, ann] = await Promise.all([signUp(world.near), signUp(world.near)]);
    await world.makeAdmin(admin.userId);
    // The first room of a server is one that everybody joins.
    const first = await createRoom(world.near, admin);
    await act(admin, 'PATCH', `/rooms/${first.id}`, { is_default: false });
  }, 240_000);
  afterAll(async () => await world?.stop());

  async function act(login: Login, method: string, path: string, json?: object): Promise<void> {
    const options = { method, token: login.accessToken, ...(json && { json }) };
    const { status, text } = await send(world.near, `/api/v1${path}`, options);
    expect(status, `${method} ${path}: ${text}`).toBeLessThan(300);
  }

  /** `bo` is the user. */
  const CHANGES: Readonly<Record<string, (roomId: number, bo: Login, owner: Login) => Promise<void>>> = {
    'is made a guest': (_, { userId }) => act(admin, 'PATCH', `/admin/users/${userId}`, { role: 'guest' }),
    'is made a member': (_, { userId }) => act(admin, 'PATCH', `/admin/users/${userId}`, { role: 'member' }),
    leaves: (roomId, bo) => act(bo, 'DELETE', `/rooms/${roomId}/members/me`),
    'is removed': (roomId, { userId }, owner) => act(owner, 'DELETE', `/rooms/${roomId}/members/${userId}`),
    'is banned': (roomId, { userId }, owner) => act(owner, 'PUT', `/rooms/${roomId}/bans/${userId}`, {}),
    'is muted': (roomId, { userId }, owner) => act(owner, 'PUT', `/rooms/${roomId}/mutes/${userId}`, {}),
    'room is made private': (roomId, _, owner) =>
      act(owner, 'PATCH', `/rooms/${roomId}`, { kind: 'private' }),
    'room is deleted': (roomId, _, owner) => act(owner, 'DELETE', `/rooms/${roomId}`),
    'room is archived': (roomId, _, owner) => act(owner, 'PATCH', `/rooms/${roomId}`, { archived: true }),
    'is suspended': (_, { userId }) => act(admin, 'PATCH', `/admin/users/${userId}`, { suspended: true }),
    'account is removed': (_, { userId }) => act(admin, 'DELETE', `/admin/users/${userId}?texts=keep`),
  };

  async function setStatus(login: Login, text: string): Promise<void> {
    await act(login, 'PATCH', '/me', { status: { text } });
  }

  const heardStatus = (line: LineClient, text: string) =>
    line.of('user').some(({ user }) => user.status?.text === text);

  // The rows share nothing, and each waits for most of its time.
  test.skipIf(whyNot !== undefined).for(ROWS.map((row) => [nameOf(row), row] as const))(
    '%s',
    { concurrent: true },
    async ([, { room: kind, user, change, fates }], { expect }) => {
      const { near, far } = world;
      const [owner, bo, eve] = await Promise.all([signUp(near), signUp(near), signUp(near)]);
      const { id: roomId } = await createRoom(near, owner, uniqueName('room'), kind);
      if (user === 'guest') await act(admin, 'PATCH', `/admin/users/${bo.userId}`, { role: 'guest' });
      if (user !== 'stranger') await addMember(near, owner, roomId, bo.userId);
      const talk = await LineClient.start(near, owner);
      await talk.look(roomId);
      await talk.post(roomId, `before @${bo.username}`);
      const inbox = async () => {
        const reply = await send(far, '/api/v1/me/inbox', { token: bo.accessToken });
        if (reply.status === 401) return 'ended';
        const { entries } = inboxResponse.parse(reply.json);
        const isThere = entries.some(
          ({ message, reason }) => message.room_id === roomId && reason === 'mention',
        );
        return isThere ? 'open' : 'closed';
      };
      await expect.poll(inbox, { timeout: 20_000 }).toBe('open');
      const v1 = await ChatClient.enter(far, bo, roomId);
      const line = await LineClient.start(far, bo);
      line.send({ type: 'watch', users: { [owner.userId]: 0, [eve.userId]: 0 } });
      await line.waitFor('people');
      await line.look(roomId);
      const idle = await LineClient.start(far, bo);
      const ticket = await issueTicket(far, bo, roomId);
      const marks = [line.mark(), idle.mark()] as const;

      await CHANGES[change]?.(roomId, bo, owner);

      const isOpen = (name: 'v1 seat' | 'v2 seat') => ['open', 'mute', 'unseen'].includes(fates[name]);
      const isIt = (frame: { room_id?: number | undefined }) => frame.room_id === roomId;
      // Between processes the change takes a moment. Within one nothing comes after it, however soon it is said.
      const waitForEnd = async () => {
        const { code } = isOpen('v1 seat') ? { code: undefined } : await v1.closed;
        if (fates['v1 seat'] === 'closed') expect(code).toBe(4204);
        // On another process the end of the membership may come before the end of the session.
        if (fates['v1 seat'] === 'ended') expect(near === far ? [4101] : [4101, 4204]).toContain(code);
        if (fates['v2 seat'] === 'ended') expect((await line.closed).code).toBe(4101);
        if (fates['v2 seat'] === 'closed') await line.waitFor('gone', isIt, marks[0]);
        if (fates.head === 'ended') expect((await idle.closed).code).toBe(4101);
        if (fates.head === 'closed') await idle.waitFor('gone', isIt, marks[1]);
      };
      if (near !== far) await waitForEnd();
      const after = `after @${bo.username}`;
      const mayPost = change !== 'room is deleted' && change !== 'room is archived';
      if (mayPost) await talk.post(roomId, after);
      await waitForEnd();
      const [ownStatus, eveStatus] = [uniqueName('ann'), uniqueName('eve')];
      await setStatus(eve, eveStatus);
      await setStatus(owner, ownStatus);

      if (isOpen('v1 seat') && mayPost) await v1.waitFor('message', ({ content }) => content === after);
      if (isOpen('v2 seat') && mayPost) await line.waitFor('message', ({ content }) => content === after);
      if (fates.head === 'open')
        await idle.waitFor(
          'head',
          (head) => isIt(head) && (!mayPost || head.last?.excerpt === after),
          marks[1],
        );
      for (const [name, text] of [
        ['owner', ownStatus],
        ['others', eveStatus],
      ] as const)
        if (fates[name] === 'open')
          await expect.poll(() => heardStatus(line, text), { timeout: 20_000 }).toBe(true);
      if (fates['v2 seat'] === 'mute' || fates['v2 seat'] === 'unseen') {
        v1.send({ type: 'typing', is_typing: true });
        line.send({ type: 'typing', room_id: roomId, is_typing: true });
        await Promise.all([v1.settle(), line.settle()]);
      }
      // What must not come had time to come: changes of profiles and heads are sent each second.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      if (!isOpen('v1 seat')) expect(v1.of('message').map(({ content }) => content)).not.toContain(after);
      if (!isOpen('v2 seat')) expect(JSON.stringify(line.frames.slice(marks[0]))).not.toContain(after);
      if (fates.head !== 'open') expect(JSON.stringify(idle.frames.slice(marks[1]))).not.toContain(after);
      expect(heardStatus(line, ownStatus)).toBe(fates.owner === 'open');
      expect(heardStatus(line, eveStatus)).toBe(fates.others === 'open');
      const typists = talk.of('typing').map(({ user_id }) => user_id);
      expect(typists).not.toContain(bo.userId);
      // Where a room is made private, a process among several closes it for its members, too, who may come back.
      if (mayPost && change !== 'room is made private') {
        const isShown =
          fates['v1 seat'] === 'open' || fates['v1 seat'] === 'mute' || fates['v2 seat'] === 'open';
        const shown = isShown ? 2 : 1;
        await expect
          .poll(async () => (await findRoom(near, owner, roomId))?.online, { timeout: 10_000 })
          .toBe(shown);
      }
      expect(await inbox()).toBe(fates.inbox);
      const upgrade = ChatClient.open(far, roomId, ticket);
      if (fates.ticket === 'open') await (await upgrade).close();
      else await expect(upgrade).rejects.toThrow(fates.ticket === 'ended' ? '401' : '404');
      await Promise.all([talk, v1, line, idle].map((socket) => socket.close()));
    },
  );

  test.skipIf(whyNot !== undefined)('a private room comes back with a restoration', async () => {
    const { near, far } = world;
    const [{ id: roomId }, bo] = [
      await createRoom(near, ann, uniqueName('room'), 'private'),
      await signUp(near),
    ];
    await addMember(near, ann, roomId, bo.userId);
    const line = await LineClient.start(far, bo);
    await line.look(roomId);
    await act(ann, 'DELETE', `/rooms/${roomId}`);
    await line.waitFor('gone', ({ room_id }) => room_id === roomId);
    const ticket = await issueUserTicket(far, bo);
    const gone = line.mark();
    await act(admin, 'POST', `/admin/rooms/${roomId}/restore`, {});
    await line.waitFor('room', ({ room }) => room.id === roomId, gone);
    await line.look(roomId);
    const talk = await LineClient.start(near, ann);
    await talk.post(roomId, 'back');
    await line.waitFor('message', ({ content }) => content === 'back', gone);
    const late = await LineClient.openWith(far, ticket);
    late.send({ type: 'start' });
    await late.waitFor('rooms');
    expect(late.knowsRoom(roomId)).toBe(true);
    await Promise.all([line, talk, late].map((socket) => socket.close()));
  });

  test.skipIf(whyNot !== undefined)(
    'a private room opens with an accepted invitation, and not before',
    async () => {
      const { near, far } = world;
      const [{ id: roomId }, bo] = [
        await createRoom(near, ann, uniqueName('room'), 'private'),
        await signUp(near),
      ];
      const line = await LineClient.start(far, bo);
      line.send({ type: 'open', room_id: roomId });
      await line.waitFor('error', ({ code }) => code === 'room_not_found');
      const options = { method: 'POST', token: ann.accessToken, json: {} };
      const { json } = await send(near, `/api/v1/rooms/${roomId}/invites`, options);
      await act(bo, 'POST', `/invites/${createdInvite.parse(json).code}/accept`);
      await line.waitFor('room', ({ room }) => room.id === roomId);
      await line.look(roomId);
      const talk = await LineClient.start(near, ann);
      await talk.post(roomId, 'welcome');
      await line.waitFor('message', ({ content }) => content === 'welcome');
      await Promise.all([line, talk].map((socket) => socket.close()));
    },
  );

  test.skipIf(whyNot !== undefined)(
    'a guest loses a person who leaves the last room that they share',
    async () => {
      const { near, far } = world;
      const { id: roomId } = await createRoom(near, ann, uniqueName('room'), 'private');
      const [bo, cy] = await Promise.all([signUp(near), signUp(near)]);
      await act(admin, 'PATCH', `/admin/users/${bo.userId}`, { role: 'guest' });
      for (const { userId } of [bo, cy]) await addMember(near, ann, roomId, userId);
      const line = await LineClient.start(far, bo);
      line.send({ type: 'watch', users: { [ann.userId]: 0, [cy.userId]: 0 } });
      await line.waitFor('people');
      const [before, after, ofAnn] = ['before', 'after', 'ann'].map(uniqueName) as [string, string, string];
      await setStatus(cy, before);
      await expect.poll(() => heardStatus(line, before), { timeout: 20_000 }).toBe(true);
      await act(cy, 'DELETE', `/rooms/${roomId}/members/me`);
      await setStatus(cy, after);
      await setStatus(ann, ofAnn);
      await expect.poll(() => heardStatus(line, ofAnn), { timeout: 20_000 }).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(heardStatus(line, after)).toBe(false);
      await line.close();
    },
  );
});

function nameOf({ room, user, change }: Row): string {
  return `a ${user} of a ${room} room: ${change}`;
}
