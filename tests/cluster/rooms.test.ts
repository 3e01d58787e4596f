/** Rooms and memberships over several processes: heads of rooms that are not open, and who is in them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createdInvite } from '../../protocol/rest/rooms.ts';
import { roomSchema } from '../../protocol/rooms.ts';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { expectReply } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { addMember, createRoom, type Login, removeMember, signUp, uniqueName } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

describe.skipIf(whyNoCluster() !== undefined)('rooms on two processes', () => {
  let cluster: Cluster;
  let ann: Login;
  let bo: Login;

  beforeAll(async () => {
    cluster = await Cluster.start({ processes: 2 });
    [ann, bo] = await Promise.all([signUp(cluster.process(0)), signUp(cluster.process(1))]);
  });
  afterAll(async () => await cluster?.[Symbol.asyncDispose]());

  const near = () => cluster.process(0);
  const far = () => cluster.process(1);

  /** A room of ann's with bo in it, her line on the near process, and his on the far one. */
  async function shared(kind: 'public' | 'private' = 'private') {
    const { id: roomId } = await createRoom(near(), ann, uniqueName('room'), kind);
    await addMember(near(), ann, roomId, bo.userId);
    const [annLine, boLine] = [await LineClient.start(near(), ann), await LineClient.start(far(), bo)];
    return { roomId, annLine, boLine };
  }

  /** What a line has received of this room, by type. */
  const typesOf = (line: LineClient, roomId: number) =>
    line.frames.filter((frame) => 'room_id' in frame && frame.room_id === roomId).map(({ type }) => type);

  test('a message shows its head where the room is on a list and not open', async () => {
    const { roomId, annLine, boLine } = await shared();
    const { id: shownId } = await createRoom(far(), bo);
    await boLine.look(shownId);
    const from = boLine.mark();
    const { seq } = await annLine.post(roomId, 'hello');
    const head = await boLine.waitFor('head', (frame) => frame.room_id === roomId && frame.seq === seq, from);
    expect(head.texts).toEqual([[seq, ann.userId]]);
    expect(head.last).toMatchObject({ excerpt: 'hello', user_id: ann.userId });
    await Promise.all([annLine.close(), boLine.close()]);
  });

  test('a member who is added, and removed while the room is not open, gets both', async () => {
    const { id: roomId } = await createRoom(near(), ann, uniqueName('room'), 'private');
    const boLine = await LineClient.start(far(), bo);
    await addMember(near(), ann, roomId, bo.userId);
    await boLine.waitFor('room', ({ room }) => room.id === roomId);
    await removeMember(near(), ann, roomId, bo.userId);
    const gone = await boLine.waitFor('gone', (frame) => frame.room_id === roomId);
    expect(gone.reason).toBe('removed');
    await boLine.close();
  });

  test('a member who is removed while the room is open gets the notice, then gone, and nothing after it', async () => {
    const { roomId, annLine, boLine } = await shared();
    await boLine.enter(roomId);
    for (let at = 0; at < 20; at++) {
      annLine.send({ type: 'message', room_id: roomId, content: `before ${at}`, cid: `before ${at}` });
    }
    await removeMember(near(), ann, roomId, bo.userId);
    for (let at = 0; at < 20; at++) await annLine.post(roomId, `after ${at}`);
    await boLine.waitFor('gone', (frame) => frame.room_id === roomId);
    await boLine.settle();
    expect(typesOf(boLine, roomId).at(-1)).toBe('gone');
    const last = boLine.events(roomId).at(-1);
    expect(last?.notice).toMatchObject({ kind: 'removed', member: { user_id: bo.userId } });
    expect(boLine.events(roomId).some(({ content }) => content.startsWith('after'))).toBe(false);
    await Promise.all([annLine.close(), boLine.close()]);
  });

  test('a direct conversation appears with its first message', async () => {
    const [annLine, boLine] = [await LineClient.start(near(), ann), await LineClient.start(far(), bo)];
    const reply = await post(near(), '/api/v1/dms', { user_ids: [bo.userId] }, { token: ann.accessToken });
    const { id: roomId } = expectReply(reply, reply.status, roomSchema);
    await annLine.post(roomId, 'psst');
    const { last } = await boLine.waitFor('room', ({ room }) => room.id === roomId);
    expect(last).toMatchObject({ excerpt: 'psst' });
    await annLine.post(roomId, 'psst again');
    const head = await boLine.waitFor('head', (frame) => frame.last?.excerpt === 'psst again');
    expect(head.room_id).toBe(roomId);
    await Promise.all([annLine.close(), boLine.close()]);
  });

  test('an invitation of one process is accepted on another', async () => {
    const { id: roomId } = await createRoom(near(), ann, uniqueName('room'), 'private');
    const annLine = await LineClient.start(near(), ann);
    await annLine.enter(roomId);
    const made = await post(near(), `/api/v1/rooms/${roomId}/invites`, {}, { token: ann.accessToken });
    const { code } = expectReply(made, 201, createdInvite);
    const cy = await signUp(far());
    const line = await LineClient.start(near(), cy);
    await post(far(), `/api/v1/invites/${code}/accept`, {}, { token: cy.accessToken });
    await line.waitFor('room', ({ room }) => room.id === roomId);
    const notice = await annLine.waitFor('message', (frame) => frame.notice?.kind === 'joined');
    expect(notice.room_id).toBe(roomId);
    await Promise.all([annLine.close(), line.close()]);
  });

  test('a room that is made private loses its strangers everywhere, and members come back', async () => {
    // A user who signs up joins the public rooms that are there.
    const cy = await signUp(far());
    const { roomId, annLine, boLine } = await shared('public');
    const stranger = await LineClient.start(far(), cy);
    const legacy = await ChatClient.enter(far(), cy, roomId);
    await Promise.all([stranger.enter(roomId), boLine.enter(roomId)]);
    const from = boLine.mark();
    const path = `/api/v1/rooms/${roomId}`;
    const changed = await send(near(), path, {
      method: 'PATCH',
      json: { kind: 'private' },
      token: ann.accessToken,
    });
    expect(changed.status).toBe(200);
    expect((await legacy.closed).code).toBe(4204);
    await stranger.waitFor('gone', (frame) => frame.room_id === roomId);
    await boLine.waitFor('room', ({ room }) => room.id === roomId, from);
    await boLine.enter(roomId);
    await annLine.post(roomId, 'among us');
    await boLine.waitFor('message', ({ content }) => content === 'among us');
    expect(stranger.events(roomId).some(({ content }) => content === 'among us')).toBe(false);
    await Promise.all([annLine.close(), boLine.close(), stranger.close()]);
  });

  test('a read mark of one device moves the other', async () => {
    const { roomId, annLine, boLine } = await shared();
    const { seq } = await annLine.post(roomId, 'read me');
    const other = await LineClient.start(near(), bo);
    boLine.send({ type: 'read', room_id: roomId, seq, known: 0 });
    const me = await other.waitFor('me', (frame) => frame.room_id === roomId && frame.me.read_seq === seq);
    expect(me.room_id).toBe(roomId);
    await Promise.all([annLine.close(), boLine.close(), other.close()]);
  });
});
