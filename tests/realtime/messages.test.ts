import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '../../protocol/events.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

const G_CLEF = '\u{1D11E}';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

const open: ChatClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

async function enter(login: Login, roomId: number): Promise<ChatClient> {
  const client = await ChatClient.enter(server, login, roomId);
  open.push(client);
  return client;
}

/** A fresh room with Ann and Bo in it. */
async function roomOfTwo() {
  const room = await createRoom(server, ann);
  const annSocket = await enter(ann, room.id);
  const boSocket = await enter(bo, room.id);
  await annSocket.waitFor('join', (join) => join.user_id === bo.userId);
  return { room, annSocket, boSocket };
}

describe('{type:"message", content}: a message to everyone in the room, the sender included', () => {
  test('with id, room, author, time and seq, and the same in the history', async () => {
    const { room, annSocket, boSocket } = await roomOfTwo();
    annSocket.say('hello');
    const heard = await boSocket.waitFor('message');
    expect(heard).toEqual({
      type: 'message',
      id: heard.id,
      room_id: room.id,
      user_id: ann.userId,
      username: ann.username,
      content: 'hello',
      created_at: heard.created_at,
      seq: 1,
    });
    expect(heard.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await annSocket.waitFor('message')).toEqual(heard);
    expect(await readHistory(server, ann, room.id)).toEqual([heard]);
  });

  test('no socket outside the room gets it', async () => {
    const { annSocket, boSocket } = await roomOfTwo();
    const elsewhere = await enter(bo, (await createRoom(server, bo)).id);
    annSocket.say('for this room');
    await boSocket.waitFor('message');
    elsewhere.say('for that room');
    await elsewhere.waitFor('message');
    expect(elsewhere.of('message').map((message) => message.content)).toEqual(['for that room']);
    expect(boSocket.of('message').map((message) => message.content)).toEqual(['for this room']);
  });

  test.each([
    ['white space around', '  \n hello\t '],
    ['markup', '<script>alert("x")</script> & &amp; <b>b</b>'],
    ['one character', 'x'],
    ['4000 astral characters', G_CLEF.repeat(4000)],
    ['decomposed letters', 'e\u0301 \u00e9'],
    ['control and bidi characters', '\u0001\u001b[31m \u202e \u200b \ufeff'],
    ['line separators', 'a\u2028b\u2029c\r\nd'],
    ['JSON in a string', '{"type":"join"}'],
    ['SQL', "'); DROP TABLE messages; --"],
    ['emoji of many code points', '\u{1F469}\u200d\u{1F469}\u200d\u{1F467} \u2764\ufe0f'],
  ])('content is stored and returned exactly as sent: %s', async (_, content) => {
    const { room, annSocket, boSocket } = await roomOfTwo();
    annSocket.say(content);
    expect((await boSocket.waitFor('message')).content).toBe(content);
    expect((await readHistory(server, bo, room.id)).map((message) => message.content)).toEqual([content]);
  });

  test('4000 characters, each escaped by a careless JSON encoder, fit into a frame', async () => {
    const { annSocket, boSocket } = await roomOfTwo();
    const escaped = '\\ud834\\udd1e'.repeat(4000);
    annSocket.sendRaw(`{"type":"message","content":"${escaped}"}`);
    expect((await boSocket.waitFor('message')).content).toBe(G_CLEF.repeat(4000));
  });

  test('an author\u2019s messages keep their order; live order, seq order and history order are one', async () => {
    const { room, annSocket, boSocket } = await roomOfTwo();
    const watcher = await enter(await signUp(server), room.id);
    for (let number = 0; number < 100; number++) {
      annSocket.say(`ann ${number}`);
      boSocket.say(`bo ${number}`);
    }
    const heard = await Promise.all(
      [annSocket, boSocket, watcher].map((client) => client.waitForCount('message', 200)),
    );
    const history = await readHistory(server, ann, room.id);
    for (const messages of heard) expect(messages).toEqual(history);
    expect(history.map((message) => message.seq)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
    const by = (login: Login) =>
      history
        .filter((message: Message) => message.user_id === login.userId)
        .map((message) => message.content);
    expect(by(ann)).toEqual(Array.from({ length: 100 }, (_, number) => `ann ${number}`));
    expect(by(bo)).toEqual(Array.from({ length: 100 }, (_, number) => `bo ${number}`));
  });

  test('a socket that enters gets what comes after; the rest is in the history', async () => {
    const { room, annSocket } = await roomOfTwo();
    annSocket.say('before');
    await annSocket.waitFor('message');
    const late = await enter(await signUp(server), room.id);
    annSocket.say('after');
    await late.waitFor('message', (message) => message.content === 'after');
    expect(late.of('message').map((message) => message.content)).toEqual(['after']);
  });

  test('forged user_id, room_id, username, id, seq: the server\u2019s own values win', async () => {
    const { room, annSocket, boSocket } = await roomOfTwo();
    const forged = {
      ...{ type: 'message', content: 'mine', id: 1, seq: 99, user_id: bo.userId, username: bo.username },
      ...{ room_id: room.id + 1, created_at: '1970-01-01T00:00:00.000Z', cid: 'a', online: 5 },
    };
    annSocket.sendRaw(JSON.stringify(forged));
    const heard = await boSocket.waitFor('message');
    expect(heard).toMatchObject({ user_id: ann.userId, username: ann.username, room_id: room.id, seq: 1 });
    expect(heard.created_at > '2020').toBe(true);
    expect(Object.keys(heard).sort()).toEqual(
      ['content', 'created_at', 'id', 'room_id', 'seq', 'type', 'user_id', 'username'].sort(),
    );
  });
});

describe('{type:"ping"}: {type:"pong"}', () => {
  test('one for each, to the sender only', async () => {
    const { annSocket, boSocket } = await roomOfTwo();
    for (let count = 0; count < 5; count++) annSocket.send({ type: 'ping' });
    const pongs = await annSocket.waitForCount('pong', 5);
    expect(pongs).toEqual(Array.from({ length: 5 }, () => ({ type: 'pong' })));
    await boSocket.settle();
    expect(boSocket.of('pong')).toHaveLength(1);
  });
});

describe('{type:"error", content}: the frame was refused, nothing was stored, the socket stays open', () => {
  test.each([
    ['not JSON', 'hello'],
    ['an empty frame', ''],
    ['half of it', '{"type":"message","content":"x'],
    ['null', 'null'],
    ['an array', '[{"type":"message","content":"x"}]'],
    ['a string', '"message"'],
    ['a number', '1'],
    ['no type', '{"content":"x"}'],
    ['an unknown type', '{"type":"shout","content":"x"}'],
    [
      'a type that only the server sends',
      '{"type":"join","room_id":1,"user_id":1,"username":"x","online":1}',
    ],
    ['a type of another case', '{"type":"Message","content":"x"}'],
    ['a type that is no string', '{"type":{"message":1},"content":"x"}'],
    ['a type from a prototype', '{"type":"__proto__"}'],
    ['another one', '{"type":"constructor"}'],
    ['no content', '{"type":"message"}'],
    ['empty content', '{"type":"message","content":""}'],
    ['white space alone', '{"type":"message","content":" \\n\\t\\u3000"}'],
    ['4001 characters', JSON.stringify({ type: 'message', content: 'a'.repeat(4001) })],
    ['4001 astral characters', JSON.stringify({ type: 'message', content: G_CLEF.repeat(4001) })],
    ['a NUL', '{"type":"message","content":"a\\u0000b"}'],
    ['a lone surrogate', '{"type":"message","content":"a\\ud800b"}'],
    ['content that is no string', '{"type":"message","content":{"toString":"x"}}'],
    ['content that is an array', '{"type":"message","content":["x"]}'],
    ['typing without a state', '{"type":"typing"}'],
    ['typing with a state that is none', '{"type":"typing","is_typing":"yes"}'],
    ['deep nesting', `{"type":"message","content":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ])('%s', async (_, frame) => {
    const { room, annSocket, boSocket } = await roomOfTwo();
    annSocket.sendRaw(frame);
    const error = await annSocket.waitFor('error');
    expect(error.content.length).toBeGreaterThan(0);
    annSocket.say('still here');
    await boSocket.waitFor('message');
    expect(annSocket.of('error')).toHaveLength(1);
    expect(boSocket.of('error')).toHaveLength(0);
    expect((await readHistory(server, ann, room.id)).map((message) => message.content)).toEqual([
      'still here',
    ]);
  });

  test('unknown fields are ignored', async () => {
    const { annSocket } = await roomOfTwo();
    annSocket.sendRaw('{"type":"message","content":"x","__proto__":{"a":1},"constructor":1,"more":[1]}');
    expect((await annSocket.waitFor('message')).content).toBe('x');
  });
});
