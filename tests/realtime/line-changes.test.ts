/** Messages that are edited, deleted and reacted to over a line: the same as by requests, with the same refusals. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageSchema } from '../../protocol/events.ts';
import type { ClientFrameV2, ServerFrameV2 } from '../../protocol/frames/v2.ts';
import type { Room } from '../../protocol/rooms.ts';
import { inDatabaseOf } from '../support/database.ts';
import { expectReply } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp, uniqueName } from '../support/users.ts';

const FOX = '🦊';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

type Change = ClientFrameV2 & { type: 'edit' | 'delete' | 'react' };
type Answer = ServerFrameV2 & { type: 'changed' | 'error' };

/** A room with this text by ann, and a line of each that has it open. */
async function furnished(content = 'one') {
  const roomId = (await createRoom(server, ann)).id;
  const [line, other] = [await LineClient.start(server, ann), await LineClient.start(server, bo)];
  await line.enter(roomId);
  await other.enter(roomId);
  const { id } = await line.post(roomId, content);
  await other.waitFor('message');
  return { roomId, id, line, other, of: (ref: string) => ({ room_id: roomId, id, ref }) };
}

/** Sends a change, and waits for its response. */
async function ask(line: LineClient, change: Change): Promise<Answer> {
  const from = line.mark();
  line.send(change);
  const isIt = (frame: { ref?: string | undefined }) => frame.ref === change.ref;
  return await line.until(
    'a response',
    () => line.of('changed', from).find(isIt) ?? line.of('error', from).find(isIt),
  );
}

async function textOf(roomId: number, id: number): Promise<string> {
  const reply = await send(server, `/api/v1/rooms/${roomId}/messages/${id}`, { token: ann.accessToken });
  return expectReply(reply, 200, messageSchema).content;
}

const refusedWith = (code: string, content: string, ref: string, roomId: number) => ({
  ...{ type: 'error', room_id: roomId, code, content, ref },
  retryable: false,
});

test('a change is seen by everybody in the room, and its response repeats the ref', async () => {
  const { id, line, other, of } = await furnished();
  const edited = await ask(line, { ...of('e'), type: 'edit', content: 'first', base_revision: 0 });
  expect(edited).toEqual({ type: 'changed', ...of('e'), changed_seq: 2 });
  expect(await ask(other, { ...of('r'), type: 'react', emoji: FOX, on: true })).toMatchObject({
    changed_seq: 3,
  });
  expect(await ask(other, { ...of('r'), type: 'react', emoji: FOX, on: false })).toMatchObject({
    changed_seq: 4,
  });
  expect(await ask(line, { ...of('d'), type: 'delete' })).toMatchObject({ changed_seq: 5 });
  for (const each of [line, other]) {
    await each.waitFor('message', ({ deleted_at }) => deleted_at !== undefined);
    const changes = each.frames.filter(
      (frame) => (frame.type === 'message' || frame.type === 'reaction') && 'changed_seq' in frame,
    );
    expect(changes).toMatchObject([
      { type: 'message', id, changed_seq: 2, content: 'first', revision: 1 },
      { type: 'reaction', id, changed_seq: 3, emoji: FOX, user_id: bo.userId, on: true, count: 1 },
      { type: 'reaction', id, changed_seq: 4, emoji: FOX, user_id: bo.userId, on: false, count: 0 },
      { type: 'message', id, changed_seq: 5, content: '', deleted_by: ann.userId },
    ]);
  }
  expect(other.of('changed').map(({ ref }) => ref)).toEqual(['r', 'r']);
  await Promise.all([line.close(), other.close()]);
});

test('a change that is repeated on a later line has a response, and no event', async () => {
  const { roomId, line, other, of } = await furnished();
  const changes: Change[] = [
    { ...of('e'), type: 'edit', content: 'first', base_revision: 0 },
    { ...of('r'), type: 'react', emoji: FOX, on: true },
    { ...of('d'), type: 'delete' },
  ];
  for (const change of changes) {
    const answer = await ask(line, change);
    const again = await LineClient.start(server, ann);
    expect(await ask(again, change)).toEqual(answer);
    await again.close();
    await other.settle();
    expect(other.events(roomId).length + other.of('reaction').length).toBe(changes.indexOf(change) + 2);
  }
  await Promise.all([line.close(), other.close()]);
});

test('a room need not be open', async () => {
  const { line, other, of } = await furnished();
  const again = await LineClient.start(server, ann);
  expect(await ask(again, { ...of('e'), type: 'edit', content: 'first', base_revision: 0 })).toMatchObject({
    type: 'changed',
  });
  await other.waitFor('message', ({ content }) => content === 'first');
  await Promise.all([line.close(), other.close(), again.close()]);
});

describe('what is refused has the words of the request', () => {
  test('an edit of another revision: nothing is lost', async () => {
    const { roomId, id, line, other, of } = await furnished();
    await ask(line, { ...of('a'), type: 'edit', content: 'mine', base_revision: 0 });
    const answer = await ask(line, { ...of('b'), type: 'edit', content: 'other', base_revision: 0 });
    expect(answer).toEqual(refusedWith('message_changed', 'message changed', 'b', roomId));
    expect(await textOf(roomId, id)).toBe('mine');
    await Promise.all([line.close(), other.close()]);
  });

  test('an edit or a deletion of a text by somebody else', async () => {
    const { roomId, id, line, other, of } = await furnished();
    const changes: Change[] = [
      { ...of('e'), type: 'edit', content: 'theirs', base_revision: 0 },
      { ...of('d'), type: 'delete' },
    ];
    for (const change of changes)
      expect(await ask(other, change)).toEqual(refusedWith('not_allowed', 'not allowed', change.ref, roomId));
    expect(await textOf(roomId, id)).toBe('one');
    await Promise.all([line.close(), other.close()]);
  });

  test('a message that is not there, and one of another room', async () => {
    const { roomId, id, line, other } = await furnished();
    const elsewhere = (await createRoom(server, ann)).id;
    for (const [room, message] of [
      [roomId, 999_999_999],
      [elsewhere, id],
    ] as const) {
      const of = { room_id: room, id: message, ref: 'd' };
      expect(await ask(line, { ...of, type: 'delete' })).toEqual(
        refusedWith('message_not_found', 'message not found', 'd', room),
      );
    }
    await Promise.all([line.close(), other.close()]);
  });

  test('a private room that the user has left, as one that is not there', async () => {
    const { id: roomId } = await createRoom(server, ann, uniqueName('room'), 'private');
    const path = `/api/v1/rooms/${roomId}/members`;
    await send(server, `${path}/${bo.userId}`, { method: 'PUT', token: ann.accessToken, json: {} });
    const line = await LineClient.start(server, bo);
    const { id } = await line.post(roomId, 'one');
    const of = { room_id: roomId, id, ref: 'r' };
    const change: Change = { ...of, type: 'react', emoji: FOX, on: true };
    expect(await ask(line, change)).toMatchObject({ type: 'changed' });
    await send(server, `${path}/me`, { method: 'DELETE', token: bo.accessToken });
    expect(await ask(line, change)).toEqual(refusedWith('room_not_found', 'room not found', 'r', roomId));
    expect(await ask(line, { ...change, room_id: 999_999_999 })).toEqual(
      refusedWith('room_not_found', 'room not found', 'r', 999_999_999),
    );
    await line.close();
  });

  test('a silenced author may delete, and may not edit or react', async () => {
    const { roomId, line, other, of } = await furnished();
    await send(server, `/api/v1/rooms/${roomId}/members/me`, { method: 'PUT', token: bo.accessToken });
    const { id } = await other.post(roomId, 'by bo');
    const update = 'UPDATE members SET silenced_until = ? WHERE room_id = ? AND user_id = ?';
    await inDatabaseOf(server, update, Date.now() + 3_600_000, roomId, bo.userId);
    const mine = { ...of('c'), id };
    const refused = refusedWith('not_allowed', 'not allowed', 'c', roomId);
    expect(await ask(other, { ...mine, type: 'edit', content: 'first', base_revision: 0 })).toEqual(refused);
    expect(await ask(other, { ...mine, type: 'react', emoji: FOX, on: true })).toEqual(refused);
    expect(await ask(other, { ...mine, type: 'delete' })).toMatchObject({ type: 'changed' });
    await Promise.all([line.close(), other.close()]);
  });

  test('in a direct conversation with somebody who has blocked the author', async () => {
    const json = { user_ids: [bo.userId] };
    const dm = await send(server, '/api/v1/dms', { method: 'POST', token: ann.accessToken, json });
    const roomId = (dm.json as Room).id;
    const line = await LineClient.start(server, ann);
    const { id } = await line.post(roomId, 'one');
    const block = (method: string) =>
      send(server, `/api/v1/me/blocks/${ann.userId}`, { method, token: bo.accessToken });
    await block('PUT');
    const of = { room_id: roomId, id, ref: 'c' };
    const refused = refusedWith('not_delivered', 'not delivered', 'c', roomId);
    expect(await ask(line, { ...of, type: 'edit', content: 'first', base_revision: 0 })).toEqual(refused);
    expect(await ask(line, { ...of, type: 'react', emoji: FOX, on: true })).toEqual(refused);
    await block('DELETE');
    await line.close();
  });
});

describe('a frame that is no change', () => {
  test('is refused, with the ref and the room where it has them', async () => {
    const { roomId, id, line, other } = await furnished();
    const whole = { room_id: roomId, id, ref: 'x' };
    const bad: [object, string][] = [
      [{ ...whole, type: 'edit', content: 'a' }, 'invalid_frame'],
      [{ ...whole, type: 'edit', content: 'a', base_revision: -1 }, 'invalid_frame'],
      [{ ...whole, type: 'edit', content: '\u2060', base_revision: 0 }, 'invalid_content'],
      [{ ...whole, type: 'edit', content: ' ', base_revision: 0 }, 'invalid_content'],
      [{ ...whole, type: 'edit', content: 'a'.repeat(4001), base_revision: 0 }, 'invalid_content'],
      [{ ...whole, type: 'delete', id: '1' }, 'invalid_frame'],
      [{ ...whole, type: 'react', emoji: 'a', on: true }, 'invalid_frame'],
      [{ ...whole, type: 'react', emoji: '#', on: true }, 'invalid_frame'],
      [{ ...whole, type: 'react', emoji: FOX }, 'invalid_frame'],
    ];
    for (const [frame, code] of bad) {
      const from = line.mark();
      line.sendRaw(JSON.stringify(frame));
      expect(await line.waitFor('error', () => true, from)).toMatchObject({
        code,
        ref: 'x',
        room_id: roomId,
      });
    }
    for (const ref of [undefined, '', 'r'.repeat(65), 7]) {
      const from = line.mark();
      line.sendRaw(JSON.stringify({ ...whole, ref, type: 'delete' }));
      const error = await line.waitFor('error', () => true, from);
      expect(error).toMatchObject({ code: 'invalid_frame', room_id: roomId });
      expect(error).not.toHaveProperty('ref');
    }
    expect(await textOf(roomId, id)).toBe('one');
    await Promise.all([line.close(), other.close()]);
  });
});

describe('many at once', () => {
  test('cost from the one budget of changes of the user: 40 pass, and the others are refused', async () => {
    const { line, other, of } = await furnished();
    const cy = await signUp(server);
    const own = await LineClient.start(server, cy);
    for (let at = 0; at < 60; at++) own.send({ ...of(`${at}`), type: 'react', emoji: FOX, on: at % 2 === 0 });
    await own.until(
      'all responses',
      () => own.of('changed').length + own.of('error').length >= 60 || undefined,
    );
    expect(own.of('changed').length).toBeGreaterThanOrEqual(40);
    expect(own.of('error').length).toBeGreaterThan(0);
    for (const error of own.of('error'))
      expect(error).toMatchObject({
        code: 'too_many_requests',
        content: 'too many requests',
        retryable: true,
      });
    const refs = own.frames.flatMap((frame) =>
      frame.type === 'changed' || frame.type === 'error' ? [frame.ref] : [],
    );
    expect(new Set(refs).size).toBe(60);
    const { room_id, id } = of('');
    const path = `/api/v1/rooms/${room_id}/messages/${id}/reactions/${encodeURIComponent(FOX)}`;
    const put = () => send(server, path, { method: 'PUT', token: cy.accessToken });
    const requests = await Promise.all(Array.from({ length: 30 }, put));
    expect(requests.map(({ status }) => status)).toContain(429);
    await Promise.all([line.close(), other.close(), own.close()]);
  });

  test('without a limit, one line has 100 on the way', async () => {
    await using free = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
    const dan = await signUp(free);
    const line = await LineClient.start(free, dan);
    const roomId = (await createRoom(free, dan)).id;
    const { id } = await line.post(roomId, 'one');
    // In one piece, so that the server reads them at once.
    line.sendTogether(
      Array.from({ length: 150 }, (_, at) => ({
        ...{ type: 'react' as const, room_id: roomId, id },
        ...{ ref: `${at}`, emoji: FOX, on: at % 2 === 0 },
      })),
    );
    await line.until(
      'all responses',
      () => line.of('changed').length + line.of('error').length >= 150 || undefined,
    );
    const refused = line.of('error').filter(({ code }) => code === 'too_fast');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(50);
    await line.close();
  });
});
