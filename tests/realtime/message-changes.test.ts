/** What happens on lines when a message is edited, deleted, pinned, or reacted to. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Message, messageSchema } from '../../protocol/events.ts';
import { expectReply } from '../support/expect-reply.ts';
import { type HttpReply, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

const FOX = encodeURIComponent('🦊');

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

/** A room with these texts by ann, who has it open. */
async function furnished(contents: readonly string[]) {
  const roomId = (await createRoom(server, ann)).id;
  // A public room has no notice of a join.
  await send(server, `/api/v1/rooms/${roomId}/members/me`, { method: 'PUT', token: bo.accessToken });
  const line = await RoomLine.enter(server, ann, roomId);
  const ids: number[] = [];
  for (const content of contents) ids.push((await line.post(content)).id);
  const change = (who: Login, method: string, messageId: number | undefined, end = '', json?: object) =>
    send(server, `/api/v1/rooms/${roomId}/messages/${messageId}${end}`, {
      ...{ method, token: who.accessToken },
      ...(json && { json }),
    });
  const edit = (id: number | undefined, content: string, base_revision = 0) =>
    change(ann, 'PUT', id, '', { content, base_revision });
  return { roomId, line, ids, change, edit };
}

function done(reply: HttpReply): void {
  expect([reply.status, reply.text]).toEqual([204, '']);
}

describe('everybody in the room sees a change as soon as it is stored', () => {
  test('an edit, a pin and a deletion as the present state, a reaction as itself; chatroom.v1 sees none', async () => {
    const { roomId, line, ids, change, edit } = await furnished(['one', 'two']);
    const base = await ChatClient.enter(server, bo, roomId);
    const edited = expectReply(await edit(ids[0], 'first'), 200, messageSchema);
    expect(edited).toMatchObject({ content: 'first', revision: 1, seq: 1, changed_seq: 3 });
    done(await change(bo, 'PUT', ids[0], `/reactions/${FOX}`));
    done(await change(ann, 'PUT', ids[0], '/pin'));
    done(await change(ann, 'DELETE', ids[1]));
    const last = await line.waitFor('message', ({ deleted_at }) => deleted_at !== undefined);
    const changes = line.frames.filter((frame) => 'changed_seq' in frame);
    expect(changes).toEqual([
      edited,
      {
        ...{ type: 'reaction', room_id: roomId, id: ids[0], changed_seq: 4 },
        ...{ emoji: '🦊', user_id: bo.userId, on: true, count: 1 },
      },
      expect.objectContaining({
        ...{ id: ids[0], changed_seq: 5, pinned_at: expect.any(String) },
        reactions: [{ emoji: '🦊', count: 1, user_ids: [bo.userId] }],
      }),
      expect.objectContaining({ id: ids[1], changed_seq: 6, content: '', deleted_by: ann.userId }),
    ]);
    expect(last).not.toHaveProperty('revision');
    line.say('three', 'c');
    await base.waitFor('message', ({ content }) => content === 'three');
    expect(base.of('message').map(({ content }) => content)).toEqual(['three']);
    await Promise.all([line.close(), base.close()]);
  });

  test('what is there already takes no number and no frame', async () => {
    const { line, ids, change, edit } = await furnished(['one']);
    expect((await edit(ids[0], 'one')).status).toBe(200);
    done(await change(ann, 'DELETE', ids[0], `/reactions/${FOX}`));
    done(await change(ann, 'DELETE', ids[0], '/pin'));
    done(await change(ann, 'DELETE', ids[0]));
    done(await change(ann, 'DELETE', ids[0]));
    await line.post('two');
    const numbers = line.events.map(({ seq, changed_seq }) => changed_seq ?? seq);
    expect(numbers).toEqual([1, 2, 3]);
    await line.close();
  });

  test('one emoji is one reaction however it was written, to add it and to take it back', async () => {
    const { line, ids, change } = await furnished(['one']);
    const [bare, heart] = ['\u2764', '\u2764\uFE0F'];
    done(await change(ann, 'PUT', ids[0], `/reactions/${encodeURIComponent(bare)}`));
    done(await change(bo, 'PUT', ids[0], `/reactions/${encodeURIComponent(heart)}`));
    done(await change(bo, 'DELETE', ids[0], `/reactions/${encodeURIComponent(bare)}`));
    await line.post('two');
    const frames = line.frames.filter((frame) => frame.type === 'reaction');
    expect(frames).toMatchObject([
      { emoji: heart, user_id: ann.userId, on: true, count: 1 },
      { emoji: heart, user_id: bo.userId, on: true, count: 2 },
      { emoji: heart, user_id: bo.userId, on: false, count: 1 },
    ]);
    await line.close();
  });

  test('one letter of a flag, a flag of no region and a skin tone alone are no reactions', async () => {
    const { line, ids, change } = await furnished(['one']);
    for (const emoji of ['\u{1F1E6}', '\u{1F1FD}\u{1F1FD}', '\u{1F3FD}']) {
      expect((await change(ann, 'PUT', ids[0], `/reactions/${encodeURIComponent(emoji)}`)).status).toBe(400);
    }
    await line.close();
  });

  test('an edit of another revision is refused with 409, and the text is as it was', async () => {
    const { ids, change, edit, line } = await furnished(['one']);
    expect((await edit(ids[0], 'mine')).status).toBe(200);
    const refused = await edit(ids[0], 'other');
    expect([refused.status, refused.json]).toEqual([409, { error: 'message changed' }]);
    expect((await change(bo, 'GET', ids[0])).json).toMatchObject({ content: 'mine', revision: 1 });
    const earlier = await change(bo, 'GET', ids[0], '/revisions');
    expect(earlier.json).toEqual({
      revisions: [{ revision: 0, content: 'one', edited_at: expect.any(String) }],
      has_more: false,
    });
    await line.close();
  });
});

describe('a client that resumes', () => {
  test('has what a fresh one loads, byte for byte, wherever it left off', async () => {
    const { roomId, line, ids, change, edit } = await furnished(['one', 'two', 'three', 'four']);
    const { epoch } = line.hello;
    await edit(ids[0], 'first');
    await change(bo, 'PUT', ids[1], `/reactions/${FOX}`);
    await change(ann, 'DELETE', ids[2]);
    await edit(ids[0], 'first again', 1);
    await change(bo, 'PUT', ids[0], '/pin');
    await change(ann, 'PUT', ids[3], `/reactions/${FOX}`);
    await change(ann, 'DELETE', ids[3], `/reactions/${FOX}`);
    const fresh = await readHistory(server, bo, roomId);
    for (let since = 0; since <= 11; since++) {
      const late = await RoomLine.enter(server, bo, roomId, { cursor: { since, epoch } });
      const states = late.of('batch').flatMap(({ events }) => events);
      const places = states.map(({ seq, changed_seq }) => changed_seq ?? seq);
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
      for (const state of states) expect(fresh).toContainEqual(state);
      const missed = fresh.filter(({ seq, changed_seq }: Message) => (changed_seq ?? seq) > since);
      expect(states).toHaveLength(missed.length);
      await late.close();
    }
    await line.close();
  });

  test('gets no text that was deleted, also when it has the place from before', async () => {
    const { roomId, line, ids, change } = await furnished(['secret', 'other']);
    const { epoch } = line.hello;
    done(await change(ann, 'DELETE', ids[0]));
    const late = await RoomLine.enter(server, bo, roomId, { cursor: { since: 0, epoch } });
    expect(JSON.stringify(late.frames)).not.toContain('secret');
    expect(JSON.stringify(await readHistory(server, bo, roomId))).not.toContain('secret');
    await Promise.all([line.close(), late.close()]);
  });
});

test('a room that is not open: the latest text as it is now, and what is gone', async () => {
  const { roomId, line, ids, change, edit } = await furnished(['one', 'two']);
  const brief = await LineClient.start(server, bo);
  // A client that shows no room gets what happens elsewhere less often.
  await brief.look((await createRoom(server, bo)).id);
  await edit(ids[1], 'second');
  const head = await brief.waitFor('head', ({ seq }) => seq >= 3);
  expect(head.last).toMatchObject({ seq: 2, excerpt: 'second' });
  done(await change(ann, 'DELETE', ids[1]));
  const after = await brief.waitFor('head', ({ seq }) => seq >= 4);
  expect(after).toMatchObject({ room_id: roomId, gone: [[2, ann.userId]], last: { seq: 2, excerpt: '' } });
  await Promise.all([line.close(), brief.close()]);
});

test('changes of messages: 40 at once and 10 a second for each user', async () => {
  const limited = await ServerProcess.start();
  const user = await signUp(limited);
  const room = await createRoom(limited, user);
  const line = await RoomLine.enter(limited, user, room.id);
  const { id } = await line.post('text');
  const path = `/api/v1/rooms/${room.id}/messages/${id}/pin`;
  const replies = await Promise.all(
    Array.from({ length: 80 }, () => send(limited, path, { method: 'PUT', token: user.accessToken })),
  );
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.headers['retry-after']).toBeDefined();
  await line.close();
  await limited.dispose();
});
