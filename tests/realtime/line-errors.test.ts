import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../protocol/errors.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, readHistory, signUp } from '../support/users.ts';

let server: ServerProcess;
let ann: Login;
let roomId: number;
beforeAll(async () => {
  server = await ServerProcess.start();
  ann = await signUp(server);
  roomId = (await createRoom(server, ann)).id;
});
afterAll(async () => await server?.dispose());

/** Without `room_id`, which each test adds. */
const message = (fields: object) => JSON.stringify({ type: 'message', content: 'x', ...fields });
const inRoom = (frame: string) => frame.replace(/}$/, `,"room_id":${roomId}}`);

describe('{type:"error", room_id?, content, code, cid?, retryable, retry_after_ms?}', () => {
  test.each<[string, string, ErrorCode, string | undefined]>([
    ['not JSON', '{"type":"message"', 'invalid_json', undefined],
    ['no object', '["message"]', 'invalid_json', undefined],
    ['an unknown type', '{"type":"shout","cid":"c-1"}', 'unknown_type', 'c-1'],
    ['a type that only the server sends', '{"type":"ack","cid":"c-1"}', 'unknown_type', 'c-1'],
    ['no type', '{"t":1}', 'unknown_type', undefined],
    ['no content', '{"type":"message","cid":"c-1"}', 'invalid_content', 'c-1'],
    [
      'invisible characters alone',
      message({ content: '\u200b\u2800', cid: 'c-1' }),
      'invalid_content',
      'c-1',
    ],
    ['white space alone', message({ content: ' \n', cid: 'c-1' }), 'invalid_content', 'c-1'],
    ['4001 characters', message({ content: 'a'.repeat(4001), cid: 'c-1' }), 'invalid_content', 'c-1'],
    ['a NUL in the content', message({ content: 'a\0', cid: 'c-1' }), 'invalid_content', 'c-1'],
    ['an empty cid', message({ cid: '' }), 'invalid_frame', undefined],
    ['a cid of 65 characters', message({ cid: 'c'.repeat(65) }), 'invalid_frame', undefined],
    ['a cid with a NUL', message({ cid: 'a\0' }), 'invalid_frame', undefined],
    [
      'a cid with a lone surrogate',
      '{"type":"message","content":"x","cid":"\\ud800"}',
      'invalid_frame',
      undefined,
    ],
    ['a cid that is no string', message({ cid: 1 }), 'invalid_frame', undefined],
    ['a cid that is null', message({ cid: null }), 'invalid_frame', undefined],
    ['typing without a state', '{"type":"typing"}', 'invalid_frame', undefined],
    ['a read mark without what is known', '{"type":"read","seq":1}', 'invalid_frame', undefined],
    ['a ping with an object', '{"type":"ping","t":{}}', 'invalid_frame', undefined],
    ['a ping with null', '{"type":"ping","t":null}', 'invalid_frame', undefined],
    ['a ping with 65 characters', `{"type":"ping","t":"${'t'.repeat(65)}"}`, 'invalid_frame', undefined],
  ])('%s', async (_, frame, code, cid) => {
    const client = await RoomLine.enter(server, ann, roomId);
    client.sendRaw(code === 'invalid_json' ? frame : inRoom(frame));
    await client.settle();
    const { message: content, retryable } = ERRORS[code];
    const about = code === 'invalid_json' ? {} : { room_id: roomId };
    expect(client.of('error')).toEqual([
      { type: 'error', ...about, content, code, retryable, ...(cid === undefined ? {} : { cid }) },
    ]);
    expect(client.events).toEqual([]);
    expect(await readHistory(server, ann, roomId)).toEqual([]);
    await client.close();
  });

  test('too fast: the cid, retryable, with the wait, after which the same message is stored', async () => {
    await using limited = await ServerProcess.start({
      env: { MESSAGES_PER_SECOND: '2', MESSAGE_BURST: '3' },
    });
    const bo = await signUp(limited);
    const room = await createRoom(limited, bo);
    const client = await RoomLine.enter(limited, bo, room.id);
    for (let count = 0; count < 5; count++) client.say('x', `c-${count}`);
    const errors = await client.waitForCount('error', 2);
    for (const [index, error] of errors.entries()) {
      const { retry_after_ms, ...rest } = error;
      const cid = `c-${3 + index}`;
      expect(rest).toEqual({
        type: 'error',
        room_id: room.id,
        content: 'too fast, slow down',
        code: 'too_fast',
        cid,
        retryable: true,
      });
      expect(retry_after_ms).toBeGreaterThan(0);
      expect(retry_after_ms).toBeLessThanOrEqual(500);
    }
    await new Promise((resolve) => setTimeout(resolve, errors[0]?.retry_after_ms));
    expect((await client.post('x', 'c-3')).seq).toBe(4);
    await client.close();
  });

  test('pings too fast: no cid, retryable, with the wait', async () => {
    const client = await RoomLine.enter(server, ann, roomId);
    for (let count = 0; count < 70; count++) client.send({ type: 'ping', t: count });
    const error = await client.waitFor('error');
    expect(error).toMatchObject({ code: 'too_fast', retryable: true });
    expect(error.retry_after_ms).toBeGreaterThan(0);
    expect(error).not.toHaveProperty('cid');
    await client.close();
  });
});

describe('a pong repeats the t of its ping', () => {
  test.each([[0], [-1.5], [1_800_000_000_000.25], [''], ['t'.repeat(64)], ['"\\\u2028']])('%j', async (t) => {
    const client = await RoomLine.enter(server, ann, roomId);
    client.send({ type: 'ping', t });
    expect(await client.waitFor('pong')).toEqual({ type: 'pong', t });
    await client.close();
  });

  test('without t there is none, and pongs keep the order of the pings', async () => {
    const client = await RoomLine.enter(server, ann, roomId);
    client.send({ type: 'ping' });
    for (let t = 1; t <= 5; t++) client.send({ type: 'ping', t });
    expect(await client.waitForCount('pong', 6)).toEqual([
      { type: 'pong' },
      ...[1, 2, 3, 4, 5].map((t) => ({ type: 'pong', t })),
    ]);
    await client.close();
  });
});
