/** The files of messages by requests: posting in one request, describing, deleting, and the list of a room. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageSchema } from '../../protocol/events.ts';
import { JPEG } from '../../protocol/media/testing/samples.ts';
import { roomFilesResponse, uploadedFile } from '../../protocol/rest/files.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { sendFiles } from '../support/sent-files.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, readHistory, signUp } from '../support/users.ts';

const TEXT = new TextEncoder().encode('a text');

let server: ServerProcess;
let ann: Login;
let bo: Login;
let roomId: number;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

const ask = (login: Login, method: string, path: string, options: object = {}) =>
  send(server, `/api/v1/rooms/${roomId}${path}`, { method, token: login.accessToken, ...options });

describe('POST /rooms/:id/files?content=', () => {
  it('uploads and posts: the answer has the message, and the message the file and the text', async () => {
    roomId = (await createRoom(server, ann)).id;
    const options = { body: TEXT, headers: { 'content-type': 'text/plain' } };
    const reply = await ask(ann, 'POST', '/files?name=a.txt&alt=words&content=look%20%40here', options);
    const { key, message, expires_at } = expectReply(reply, 201, uploadedFile);
    expect(expires_at).toBeNull();
    const [posted] = await readHistory(server, bo, roomId);
    expect(posted).toMatchObject({
      ...{
        id: message?.id,
        seq: message?.seq,
        user_id: ann.userId,
        content: 'look @here',
        mention_room: 'here',
      },
      files: [{ key, name: 'a.txt', alt: 'words', size: TEXT.length }],
    });
  });

  it('an empty content is a message with nothing but the file; without one, nothing is posted', async () => {
    roomId = (await createRoom(server, ann)).id;
    const { key } = expectReply(await ask(ann, 'POST', '/files?content=', { body: TEXT }), 201, uploadedFile);
    const unsent = expectReply(await ask(ann, 'POST', '/files', { body: TEXT }), 201, uploadedFile);
    expect(unsent).not.toHaveProperty('message');
    const history = await readHistory(server, bo, roomId);
    expect(history.map(({ content, files }) => [content, files?.[0]?.key])).toEqual([['', key]]);
  });

  it('a text that may not be posted, or by whom, leaves no file behind', async () => {
    roomId = (await createRoom(server, ann)).id;
    expectRefusal(await ask(ann, 'POST', '/files?content=%20', { body: TEXT }), 400, 'invalid payload');
    await ask(ann, 'PUT', `/mutes/${bo.userId}`);
    expectRefusal(await ask(bo, 'POST', '/files?content=x', { body: TEXT }), 403, 'not allowed');
    expect(await readHistory(server, bo, roomId)).toEqual([]);
  });
});

describe('a file of a message', () => {
  it('gets another alt, by its author alone, and the message comes anew', async () => {
    roomId = (await createRoom(server, ann)).id;
    const [file] = await sendFiles(server, ann, roomId, [{ name: 'a', bytes: TEXT }]);
    const path = `/messages/${file?.messageId}/files/${file?.key}`;
    const reply = await ask(ann, 'PUT', path, { json: { alt: '  a plan ' } });
    expect(expectReply(reply, 200, messageSchema).files).toMatchObject([{ alt: 'a plan' }]);
    expect((await readHistory(server, bo, roomId))[0]?.files).toMatchObject([{ alt: 'a plan' }]);
    expectRefusal(await ask(bo, 'PUT', path, { json: { alt: 'x' } }), 403, 'not allowed');
    expectRefusal(await ask(ann, 'PUT', path, { json: { alt: 'x'.repeat(501) } }), 400, 'invalid payload');
  });

  it('is deleted by its author or a moderator; the last one takes a message without a text with it', async () => {
    roomId = (await createRoom(server, bo)).id;
    const files = await sendFiles(server, ann, roomId, [
      { name: 'a', bytes: TEXT },
      { name: 'b', bytes: TEXT },
    ]);
    const [one, two] = files.map(({ messageId, key }) => `/messages/${messageId}/files/${key}`);
    expect((await ask(ann, 'DELETE', one ?? '')).status).toBe(204);
    expect((await readHistory(server, bo, roomId))[0]?.files).toMatchObject([{ name: 'b' }]);
    expectRefusal(await ask(ann, 'DELETE', one ?? ''), 404, 'file not found');
    expect((await ask(bo, 'DELETE', two ?? '')).status).toBe(204);
    expect((await readHistory(server, bo, roomId))[0]).toMatchObject({ content: '', deleted_by: bo.userId });
  });

  it('a report of its message keeps its name and its hash, also when it is gone', async () => {
    roomId = (await createRoom(server, ann)).id;
    const [file] = await sendFiles(server, bo, roomId, [{ name: 'a.txt', bytes: TEXT }], 'buy');
    await ask(ann, 'POST', `/messages/${file?.messageId}/reports`, { json: { reason: 'spam' } });
    await ask(bo, 'DELETE', `/messages/${file?.messageId}`);
    const { json } = await ask(ann, 'GET', '/reports');
    const [{ excerpt }] = (json as { reports: [{ excerpt: string }] }).reports;
    expect(excerpt).toMatch(/^buy\n📎 a\.txt [0-9a-f]{64}$/);
  });
});

describe('GET /rooms/:id/files', () => {
  it('has the files of messages, the latest first, by kind, in pages of 100', async () => {
    roomId = (await createRoom(server, ann)).id;
    await sendFiles(server, ann, roomId, [
      { name: 'photo', bytes: JPEG },
      { name: 'a.txt', bytes: TEXT },
      { name: 'disguised', bytes: TEXT, type: 'image/png' },
    ]);
    const list = async (query = '') => {
      const page = expectReply(await ask(bo, 'GET', `/files${query}`), 200, roomFilesResponse);
      return { names: page.files.map(({ name }) => name), page };
    };
    expect((await list()).names).toEqual(['disguised', 'a.txt', 'photo']);
    const pictures = await list('?kind=picture');
    expect(pictures.names).toEqual(['photo']);
    expect(pictures.page.files[0]).toMatchObject({ user_id: ann.userId, type: 'image/jpeg' });
    expect((await list('?kind=other')).names).toEqual(['disguised', 'a.txt']);
    const [first] = (await list()).page.files;
    expect((await list(`?before_id=${first?.id}`)).names).toEqual(['a.txt', 'photo']);
    expect((await list()).page.next_before_id).toBeNull();
    expectRefusal(await ask(bo, 'GET', '/files?kind=x'), 400, 'invalid payload');
    expectRefusal(await ask(bo, 'GET', '/files?before_id=x'), 400, 'invalid before_id');
  });
});
