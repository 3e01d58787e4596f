/** Uploads: what is refused, and what becomes of names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploadedFile } from '../../protocol/rest/files.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { connectRaw } from '../support/raw-requests.ts';
import { ServerProcess } from '../support/server-process.ts';
import { beginUpload, newUpload, offsetOf } from '../support/uploads.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';

const MIB = 1024 * 1024;

let server: ServerProcess;
let ann: Login;
let roomId: number;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { FILES_PER_USER_MIB: '150' } });
  ann = await signUp(server);
  roomId = (await createRoom(server, ann)).id;
});
afterAll(async () => await server?.dispose());

/** Somebody new, whose limits nobody else uses. */
const newPerson = () => signUp(server);

const begin = (size: number | string, fields: Record<string, string> = {}, login = ann) =>
  beginUpload(server, login, size, { room_id: String(roomId), ...fields });

describe('a name', () => {
  it.each([
    ['a'.repeat(255), 'a'.repeat(255)],
    [`${'a'.repeat(300)}.pdf`, `${'a'.repeat(251)}.pdf`],
    ['../../etc/passwd', 'passwd'],
    ['a\0b.txt', 'ab.txt'],
    ['photo_\u202Egpj.exe', 'photo_gpj.exe'],
    ['🦊 fox.png', '🦊 fox.png'],
    ['no extension', 'no extension'],
    ['', 'file'],
  ])('%j is stored as %j', async (given, stored) => {
    const login = await newPerson();
    const { name } = expectReply(await begin(1, { name: given }, login), 201, uploadedFile);
    expect(name).toBe(stored);
  });

  it('may be given as other clients do: filename and filetype', async () => {
    const login = await newPerson();
    const fields = { filename: 'plan.pdf', filetype: 'application/pdf', relativePath: 'null' };
    expect(expectReply(await begin(1, fields, login), 201, uploadedFile)).toMatchObject({
      ...{ name: 'plan.pdf', type: 'application/pdf' },
    });
  });
});

describe('what is no upload', () => {
  it.each(['', '-1', '1.5', '1e3', '0x10', ' 7 7', 'ten', '99999999999999999999'])(
    'a length of %j is 400',
    async (length) => expectRefusal(await begin(length), 400, 'invalid payload'),
  );

  it.each([
    ['no room', {}],
    ['a room that is none', { room_id: 'kitchen' }],
    ['an unknown purpose', { room_id: '1', purpose: 'avatar' }],
    ['a preview of nothing', { room_id: '1', purpose: 'preview' }],
    ['a message that is a preview', { room_id: '1', of: 'A'.repeat(22) }],
    ['an alt of 501 characters', { room_id: '1', alt: 'a'.repeat(501) }],
  ])('%s is 400', async (_, fields) =>
    expectRefusal(
      await beginUpload(server, ann, 1, fields as Record<string, string>),
      400,
      'invalid payload',
    ),
  );

  it.each(['room_id !!!', 'room_id MQ== name', 'room_id MQ==,room_id MQ==', 'room_id /w=='])(
    'metadata of %j is 400',
    async (metadata) => {
      const headers = { 'tus-resumable': '1.0.0', 'upload-length': '1', 'upload-metadata': metadata };
      const options = { method: 'POST', token: ann.accessToken, headers };
      const { status } = await send(server, '/api/v1/uploads', options);
      // What is a name without a value is one of its own.
      expect(metadata === 'room_id MQ== name' ? [400, 404] : [400]).toContain(status);
    },
  );

  it('another version of tus, or none, is 412 and says which there is', async () => {
    const key = await newUpload(server, ann, roomId, { size: 1 });
    for (const version of [undefined, '0.2.2', '2.0.0']) {
      const headers = {
        ...(version !== undefined && { 'tus-resumable': version }),
        ...{ 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      };
      const options = { method: 'PATCH', token: ann.accessToken, headers, body: 'x' };
      const reply = await send(server, `/api/v1/uploads/${key}`, options);
      expectRefusal(reply, 412, 'unsupported version of tus');
      expect(reply.headers['tus-version']).toBe('1.0.0');
    }
  });

  it('a chunk of another type is 415', async () => {
    const key = await newUpload(server, ann, roomId, { size: 1 });
    const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/json' };
    const options = { method: 'PATCH', token: ann.accessToken, headers, body: '{}' };
    expectRefusal(await send(server, `/api/v1/uploads/${key}`, options), 415, 'unsupported media type');
  });

  it('a length that begins with zeros is a length', async () => {
    const login = await newPerson();
    const file = { method: 'POST', token: login.accessToken, headers: { 'content-length': '0007' } };
    const reply = await send(server, `/api/v1/rooms/${roomId}/files?name=a.txt`, {
      ...file,
      body: '7 bytes',
    });
    expect(expectReply(reply, 201, uploadedFile)).toMatchObject({ size: 7, offset: 7 });
  });
});

describe('limits', () => {
  it('a file of 100 MiB may be begun, one of a byte more is 413', async () => {
    const login = await newPerson();
    expectRefusal(await begin(100 * MIB + 1, {}, login), 413, 'payload too large');
    expect((await begin(100 * MIB, {}, login)).status).toBe(201);
  });

  it('beyond what one person may have it is 409; what was deleted counts no more', async () => {
    const login = await newPerson();
    const { key } = expectReply(await begin(100 * MIB, {}, login), 201, uploadedFile);
    expectRefusal(await begin(51 * MIB, {}, login), 409, 'limit reached');
    expect((await begin(50 * MIB, {}, login)).status).toBe(201);
    await send(server, `/api/v1/uploads/${key}`, { method: 'DELETE', token: login.accessToken });
    await eventually('space again', async () =>
      (await begin(51 * MIB, {}, login)).status === 201 ? true : undefined,
    );
  });

  it('of 50 uploads that one person begins at once 4 are begun', async () => {
    const login = await newPerson();
    const replies = await Promise.all(Array.from({ length: 50 }, () => begin(1, {}, login)));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(4).fill(201), ...Array(46).fill(409)]);
  });

  it('the small picture of a file has 512 KiB at most, and its file is one of the same person', async () => {
    const login = await newPerson();
    const of = await newUpload(server, login, roomId, { size: 1 });
    const preview = { purpose: 'preview', of };
    expectRefusal(await begin(512 * 1024 + 1, preview, login), 413, 'payload too large');
    expectRefusal(await begin(100, preview), 404, 'file not found');
    expect(expectReply(await begin(100, preview, login), 201, uploadedFile).purpose).toBe('preview');
  });

  it('whoever may not post there may not upload there', async () => {
    const { id } = await createRoom(server, ann, undefined, 'private');
    const bo = await newPerson();
    expectRefusal(await beginUpload(server, bo, 1, { room_id: String(id) }), 404, 'room not found');
    expectRefusal(await beginUpload(server, bo, 1, { room_id: '999999' }), 404, 'room not found');
  });
});

it('with FILE_MAX_MIB=0 nobody uploads anything: neither a byte nor an empty file, in neither way', async () => {
  const closed = await ServerProcess.start({ env: { FILE_MAX_MIB: '0' } });
  try {
    const login = await signUp(closed);
    const room = await createRoom(closed, login);
    for (const size of [1, 0])
      expectRefusal(await beginUpload(closed, login, size, { room_id: String(room.id) }), 403, 'not allowed');
    const path = `/api/v1/rooms/${room.id}/files?name=a.txt`;
    expectRefusal(
      await send(closed, path, { method: 'POST', token: login.accessToken, body: 'a' }),
      403,
      'not allowed',
    );
  } finally {
    await closed.dispose();
  }
});

it('a body in chunks of one byte ends its connection, and what it has brought up to there is kept', async () => {
  const login = await newPerson();
  const room = await createRoom(server, login);
  const key = await newUpload(server, login, room.id, { size: MIB });
  const socket = await connectRaw(server);
  const closed = new Promise<void>((resolve) => socket.on('error', () => {}).on('close', () => resolve()));
  socket.write(
    [
      `PATCH /api/v1/uploads/${key} HTTP/1.1`,
      ...['Host: localhost', `Authorization: Bearer ${login.accessToken}`, 'Tus-Resumable: 1.0.0'],
      ...['Upload-Offset: 0', 'Content-Type: application/offset+octet-stream', 'Transfer-Encoding: chunked'],
      '\r\n',
    ].join('\r\n'),
  );
  socket.write('1\r\nx\r\n'.repeat(MIB / 2));
  socket.resume();
  await closed;
  expect(await offsetOf(server, login, key)).toBeLessThan(MIB / 2);
});
