/** Messages with files: both protocols, the list of rooms, notifications, and what is refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filePath } from '../../protocol/file-names.ts';
import { JPEG } from '../../protocol/media/testing/samples.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { checkedUpload, newUpload, patchUpload } from '../support/uploads.ts';
import { createRoom, type Login, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

const BYTES = new TextEncoder().encode('an attached file');

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

const newRoom = async () => (await createRoom(server, ann)).id;

/** A complete upload of Ann's; returns its key. */
async function upload(roomId: number, name: string, bytes: Uint8Array = BYTES): Promise<string> {
  const key = await newUpload(server, ann, roomId, { size: bytes.length, name });
  expect((await patchUpload(server, ann, key, 0, bytes)).status).toBe(204);
  return key;
}

async function uploads(roomId: number, names: readonly string[]): Promise<string[]> {
  const keys: string[] = [];
  for (const name of names) keys.push(await upload(roomId, name));
  for (const key of keys) await checkedUpload(server, ann, key);
  return keys;
}

describe('{type:"message", files}', () => {
  test('reaches every line with its files, and is in the history with them', async () => {
    const roomId = await newRoom();
    const [sender, witness] = [
      await RoomLine.enter(server, ann, roomId),
      await RoomLine.enter(server, bo, roomId),
    ];
    const keys = await uploads(roomId, ['a.txt', 'b c.txt']);
    sender.send({ type: 'message', room_id: roomId, content: '', cid: 'c', files: keys });
    const heard = await witness.waitFor('message');
    expect(heard).toMatchObject({
      content: '',
      files: [
        { key: keys[0], name: 'a.txt', size: BYTES.length },
        { key: keys[1], name: 'b c.txt', size: BYTES.length },
      ],
    });
    expect(heard.files?.every(({ state }) => state === undefined)).toBe(true);
    expect(await readHistory(server, bo, roomId)).toEqual([heard]);
    await Promise.all([sender.close(), witness.close()]);
  });

  test('a file that is still checked changes its message once the check has ended', async () => {
    const roomId = await newRoom();
    const sender = await RoomLine.enter(server, ann, roomId);
    const files = [await upload(roomId, 'photo', JPEG)];
    sender.send({ type: 'message', room_id: roomId, content: 'look', cid: 'c', files });
    const isReady = ({ files: [file] = [] }: { files?: { state?: string }[] }) => file?.state === undefined;
    const message = await sender.waitFor('message', isReady as never);
    expect(message.files).toMatchObject([{ key: files[0], type: 'image/jpeg' }]);
    expect(message.files?.[0]?.width).toBeGreaterThan(0);
    expect(message).not.toHaveProperty('revision');
    await sender.close();
  });

  test('a repeat of its cid gets the same ack, and nothing is stored twice', async () => {
    const roomId = await newRoom();
    const sender = await RoomLine.enter(server, ann, roomId);
    const frame = {
      type: 'message',
      room_id: roomId,
      content: '',
      cid: 'c',
      files: await uploads(roomId, ['a']),
    } as const;
    sender.send(frame);
    sender.send(frame);
    await sender.waitForCount('ack', 2);
    const [first, second] = sender.of('ack');
    expect(second).toEqual({ ...first, duplicate: true });
    expect(await readHistory(server, ann, roomId)).toHaveLength(1);
    await sender.close();
  });

  test('invalid_files: those of somebody else, of another room, unfinished, or sent', async () => {
    const [roomId, elsewhere] = [await newRoom(), await newRoom()];
    const [sender, other] = [
      await RoomLine.enter(server, ann, roomId),
      await RoomLine.enter(server, bo, roomId),
    ];
    const [mine = '', sent = ''] = await uploads(roomId, ['a', 'b']);
    const [foreign = ''] = await uploads(elsewhere, ['c']);
    const unfinished = await newUpload(server, ann, roomId, { size: 5 });
    await sender.settle();
    sender.send({ type: 'message', room_id: roomId, content: '', cid: 'sent', files: [sent] });
    await sender.waitFor('ack');
    for (const [line, key] of [
      ...[foreign, unfinished, sent, 'A'.repeat(22)].map((bad) => [sender, bad] as const),
      [other, mine] as const,
    ]) {
      line.send({ type: 'message', room_id: roomId, content: 'x', cid: key, files: [key] });
      const error = await line.waitFor('error', ({ cid }) => cid === key);
      expect(error).toMatchObject({ code: 'invalid_files', content: 'invalid files', retryable: false });
    }
    expect(await readHistory(server, ann, roomId)).toHaveLength(1);
    await Promise.all([sender.close(), other.close()]);
  });

  test.each([
    ['no cid', { content: 'x', files: ['A'.repeat(22)] }, 'invalid_frame'],
    ['no files', { content: 'x', cid: 'c', files: [] }, 'invalid_frame'],
    [
      '11 files',
      { content: 'x', cid: 'c', files: Array.from({ length: 11 }, (_, at) => `${at}`.padStart(22, 'A')) },
      'invalid_frame',
    ],
    ['one file twice', { content: 'x', cid: 'c', files: ['A'.repeat(22), 'A'.repeat(22)] }, 'invalid_frame'],
    ['no key', { content: 'x', cid: 'c', files: ['../../etc/passwd'] }, 'invalid_frame'],
    ['an empty text and no files', { content: '', cid: 'c' }, 'invalid_content'],
    ['nothing but white space', { content: ' ', cid: 'c', files: ['A'.repeat(22)] }, 'invalid_content'],
  ])('%s: refused', async (_, fields, code) => {
    const roomId = await newRoom();
    const sender = await RoomLine.enter(server, ann, roomId);
    sender.sendRaw(JSON.stringify({ type: 'message', room_id: roomId, ...fields }));
    expect(await sender.waitFor('error')).toMatchObject({ code });
    await sender.close();
  });
});

test('chatroom.v1: each file is a line with its path, and a message without files is as ever', async () => {
  const roomId = await newRoom();
  const [base, sender] = [
    await ChatClient.enter(server, bo, roomId),
    await RoomLine.enter(server, ann, roomId),
  ];
  const [one = '', two = '', three = ''] = await uploads(roomId, ['a b.txt', 'ü/?#.txt', 'c']);
  sender.send({ type: 'message', room_id: roomId, content: 'two files', cid: '1', files: [one, two] });
  sender.send({ type: 'message', room_id: roomId, content: '', cid: '2', files: [three] });
  sender.send({ type: 'message', room_id: roomId, content: 'none', cid: '3' });
  const heard = await base.waitForCount('message', 3);
  const [first, ...rest] = base.of('message');
  expect(heard).toBeDefined();
  expect(first).toEqual({
    ...{ type: 'message', id: first?.id, room_id: roomId, user_id: ann.userId, username: ann.username },
    content: `two files\n/files/${one}/a%20b.txt\n${filePath(two, '?#.txt')}`,
    ...{ created_at: first?.created_at, seq: 1 },
  });
  expect(rest.map(({ content }) => content)).toEqual([`/files/${three}/c`, 'none']);
  await Promise.all([base.close(), sender.close()]);
});

test('the list of rooms counts the files of the latest text, also in a head; deleted ones count no more', async () => {
  const roomId = await newRoom();
  await send(server, `/api/v1/rooms/${roomId}/members/me`, { method: 'PUT', token: bo.accessToken });
  const [watcher, sender] = [await LineClient.start(server, bo), await RoomLine.enter(server, ann, roomId)];
  // Heads come sooner while a room is in sight.
  await watcher.look(await newRoom());
  const files = await uploads(roomId, ['a', 'b']);
  sender.send({ type: 'message', room_id: roomId, content: '', cid: 'c', files });
  const { id } = await sender.waitFor('ack');
  const head = await watcher.waitFor('head', ({ room_id, last }) => room_id === roomId && last?.files === 2);
  expect(head.last).toMatchObject({ excerpt: '', files: 2 });
  const fresh = await LineClient.start(server, bo);
  expect(fresh.rooms.find(({ room }) => room.id === roomId)?.last).toEqual(head.last);
  await send(server, `/api/v1/rooms/${roomId}/messages/${id}`, { method: 'DELETE', token: ann.accessToken });
  const gone = await watcher.waitFor('head', ({ room_id, gone }) => room_id === roomId && gone !== undefined);
  expect(gone.last).toMatchObject({ excerpt: '' });
  expect(gone.last).not.toHaveProperty('files');
  await Promise.all([watcher.close(), sender.close(), fresh.close()]);
});

test('a notification of a message with nothing but files has their names', async () => {
  const roomId = await newRoom();
  const [sender, reader] = [
    await RoomLine.enter(server, ann, roomId),
    await RoomLine.enter(server, bo, roomId),
  ];
  reader.say('hello', 'first');
  const { id } = await reader.waitFor('ack');
  const files = await uploads(roomId, ['plan.pdf', 'b.txt']);
  sender.send({ type: 'message', room_id: roomId, content: '', cid: 'c', reply_to: id, files });
  const notice = await reader.waitFor('notify');
  expect(notice).toMatchObject({ reason: 'reply', body: '📎 plan.pdf, b.txt' });
  await Promise.all([sender.close(), reader.close()]);
});
