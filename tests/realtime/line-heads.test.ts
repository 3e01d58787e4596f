import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

/** A room of ann's, a line of hers that shows another room, and bo, who talks. */
async function briefRoom() {
  const [roomId, shownId] = [(await createRoom(server, ann)).id, (await createRoom(server, ann)).id];
  const [line, talk] = [await LineClient.start(server, ann), await LineClient.start(server, bo)];
  await line.look(shownId);
  return { roomId, shownId, line, talk };
}

describe('head: what came after a number in a room that is not open', () => {
  test('its number, its count, its latest text as plain text, and the texts with their authors', async () => {
    const { roomId, line, talk } = await briefRoom();
    await talk.post(roomId, 'one');
    await talk.post(roomId, '**two** `three`');
    const heads = await line.until('all heads', () => {
      const found = line.of('head');
      return found.at(-1)?.seq === 2 ? found : undefined;
    });
    expect(heads[0]).toMatchObject({ room_id: roomId, from: 0 });
    expect(heads.flatMap(({ texts }) => texts)).toEqual([
      [1, bo.userId],
      [2, bo.userId],
    ]);
    const last = heads.at(-1);
    expect(last).toMatchObject({ seq: 2, number: 2 });
    expect(last?.last).toMatchObject({ seq: 2, user_id: bo.userId, excerpt: 'two three' });
    expect(line.of('message')).toEqual([]);
    await Promise.all([line.close(), talk.close()]);
  });

  test('heads follow on from each other', async () => {
    const { roomId, line, talk } = await briefRoom();
    for (let index = 1; index <= 8; index++) {
      await talk.post(roomId, `message ${index}`);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    const heads = await line.until('all heads', () => {
      const found = line.of('head');
      return found.at(-1)?.seq === 8 ? found : undefined;
    });
    expect(heads.length).toBeGreaterThan(1);
    for (const [index, { from }] of heads.entries()) expect(from).toBe(heads[index - 1]?.seq ?? 0);
    const texts = heads.flatMap((head) => head.texts?.map(([seq]) => seq));
    expect(texts).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    await Promise.all([line.close(), talk.close()]);
  });

  test('beyond 20 texts the list is absent, and the response to unread has the count', async () => {
    const { roomId, line, talk } = await briefRoom();
    for (let index = 1; index <= 50; index++) {
      talk.send({ type: 'message', room_id: roomId, content: `message ${index}`, cid: `c-${index}` });
    }
    const isLong = (head: { seq: number; from: number }) => head.seq - head.from > 20;
    const head = await line.waitFor('head', isLong);
    expect(head.texts).toBeUndefined();
    await talk.waitFor('ack', ({ cid }) => cid === 'c-50');
    const from = line.mark();
    line.send({ type: 'unread', room_ids: [roomId] });
    const { rooms, complete } = await line.waitFor('rooms', () => true, from);
    expect(rooms).toHaveLength(1);
    expect(rooms[0]).toMatchObject({ seq: 50, unread: 50 });
    expect(complete).toBe(false);
    await Promise.all([line.close(), talk.close()]);
  });

  test('an open room has none; after its close it has them again', async () => {
    const { roomId, line, talk } = await briefRoom();
    await line.enter(roomId);
    await talk.post(roomId, 'full');
    await line.waitFor('message');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(line.of('head').filter(({ seq }) => seq > 0 && line.of('message').length === 0)).toEqual([]);
    const before = line.of('head').length;
    line.send({ type: 'close', room_id: roomId });
    await line.settle();
    await talk.post(roomId, 'brief');
    const heads = await line.waitForCount('head', before + 1);
    expect(heads.at(-1)).toMatchObject({ room_id: roomId, seq: 2, texts: [[2, bo.userId]] });
    await Promise.all([line.close(), talk.close()]);
  });

  test('a line that hides and shows a room many times a second gets what was withheld once a second', async () => {
    const { roomId, shownId, line, talk } = await briefRoom();
    line.send({ type: 'here', room_id: null });
    await line.settle();
    await talk.post(roomId, 'withheld');
    const [from, startedAt] = [line.mark(), performance.now()];
    for (let count = 0; count < 50; count++) {
      line.send({ type: 'here', room_id: shownId });
      line.send({ type: 'here', room_id: null });
    }
    line.send({ type: 'here', room_id: shownId });
    await line.waitFor('head', ({ room_id, seq }) => room_id === roomId && seq === 1, from);
    await line.settle();
    const heads = line.of('head', from).filter(({ room_id }) => room_id === roomId);
    const seconds = (performance.now() - startedAt) / 1000;
    // One at once, one for each second, and at most one with the tick of hidden lines for each 15.
    expect(heads.length).toBeLessThanOrEqual(3 + 2 * seconds);
    await Promise.all([line.close(), talk.close()]);
  });

  test('a line that shows no room gets its heads when it shows one', async () => {
    const { roomId, shownId, line, talk } = await briefRoom();
    line.send({ type: 'here', room_id: null });
    await line.settle();
    await talk.post(roomId, 'one');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const from = line.mark();
    line.send({ type: 'here', room_id: shownId });
    expect(await line.waitFor('head', ({ seq }) => seq === 1, 0)).toMatchObject({ room_id: roomId, from: 0 });
    expect(line.mark()).toBeGreaterThanOrEqual(from);
    await Promise.all([line.close(), talk.close()]);
  });

  test('of rooms that the user is no member of there is none', async () => {
    const { line, talk } = await briefRoom();
    const stranger = await signUp(server);
    const hidden = (await createRoom(server, stranger)).id;
    const other = await LineClient.start(server, stranger);
    await other.post(hidden, 'not for ann');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(line.of('head').filter(({ room_id }) => room_id === hidden)).toEqual([]);
    await Promise.all([line.close(), talk.close(), other.close()]);
  });
});
