import { expect, test } from 'vitest';
import { SmallDisk, whyNoSmallDisk } from '../faults/storage-small-disk.ts';
import { eventually } from '../support/eventually.ts';
import { post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { connectRaw } from '../support/raw-requests.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { upgrade } from '../support/upgrade.ts';
import { newUpload } from '../support/uploads.ts';
import { createRoom, issueTicket, issueUserTicket, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

const LEFT_OUT = 'refusals were not logged: there are too many';

test('a warning of Node in the main thread is a line of the log, not text between its lines', async () => {
  const warn = "setTimeout(() => process.emitWarning('too many of them', 'OddWarning'))";
  const whenHeard = `process.on('newListener', (name) => name === 'warning' && ${warn})`;
  const code = `import { isMainThread } from 'node:worker_threads'; if (isMainThread) ${whenHeard}`;
  await using server = await ServerProcess.start({ execArgv: ['--import', `data:text/javascript,${code}`] });
  await eventually('the warning', async () => server.stderr.includes('too many of them') || undefined);
  await server.stop();
  expect(server.logs).toContainEqual(
    expect.objectContaining({ level: 40, err: expect.objectContaining({ name: 'OddWarning' }) }),
  );
});

test('at debug every socket that opens or closes is logged: user, code and, of v1, room, without the ticket', async () => {
  await using server = await ServerProcess.start({ env: { LOG_LEVEL: 'debug' } });
  const ann = await signUp(server);
  const roomId = (await createRoom(server, ann)).id;
  const tickets = [await issueTicket(server, ann, roomId), await issueUserTicket(server, ann)] as const;
  const base = await ChatClient.open(server, roomId, tickets[0]);
  await base.close();
  const client = await LineClient.openWith(server, tickets[1]);
  await server.stop();
  expect((await client.closed).code).toBe(4000);
  const told = server.logs.filter(({ msg }) => /^socket (opened|closed)$/.test(String(msg)));
  const who = { level: 20, userId: ann.userId };
  expect(told).toMatchObject([
    { ...who, roomId, version: 1, msg: 'socket opened' },
    { ...who, roomId, version: 1, msg: 'socket closed', code: 1000 },
    { ...who, version: 2, msg: 'socket opened' },
    { ...who, version: 2, msg: 'socket closed', code: 4000 },
  ]);
  for (const ticket of tickets) expect(server.stderr).not.toContain(ticket);
});

test('at debug a request line has the address, the user and an id of the request', async () => {
  await using server = await ServerProcess.start({ env: { LOG_LEVEL: 'debug' } });
  const ann = await signUp(server);
  await createRoom(server, ann);
  await send(server, '/api/v1/nowhere/9?x=1');
  await server.stop();
  const requests = server.logs.filter(
    ({ msg, route }) => msg === 'request' && route !== '/api/v1/auth/login',
  );
  expect(requests).toMatchObject([
    { method: 'POST', route: '/api/v1/auth/register', status: 201, address: '127.0.0.1' },
    { method: 'POST', route: '/api/v1/rooms', status: 201, address: '127.0.0.1', userId: ann.userId },
    { method: 'GET', status: 404, address: '127.0.0.1' },
  ]);
  expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(3);
});

test('an upgrade that is refused is logged, with the address and the reason', async () => {
  await using server = await ServerProcess.start({ env: { LOG_LEVEL: 'info' } });
  expect((await upgrade(server, '/ws?ticket=no-such-ticket')).status).toBe(401);
  await server.stop();
  const told = server.logs.filter(({ msg }) => msg === 'upgrade refused');
  expect(told).toMatchObject([{ level: 30, address: '127.0.0.1', refusal: 'invalid_ws_ticket' }]);
  expect(server.stderr).not.toContain('no-such-ticket');
});

test('a refused request has a line with its id, address, user, route and reason, and nothing that is secret', async () => {
  await using server = await ServerProcess.start({ env: { LOG_LEVEL: 'info' } });
  const ann = await signUp(server);
  const login = (username: string) =>
    post(server, '/api/v1/auth/login', { username, password: 'not the password' });
  const replies = [await login(ann.username), await login('nobody-has-this-name')];
  replies.push(await send(server, '/api/v1/me/rooms?x=1', { token: 'no.such.token' }));
  // A wrong id is refused, too, but says nothing about who is kept out.
  await send(server, '/api/v1/rooms/99', { token: ann.accessToken });
  await server.stop();
  const told = server.logs.filter(({ msg }) => msg === 'request refused');
  const line = { level: 30, address: '127.0.0.1', status: 401 };
  expect(told).toMatchObject([
    { ...line, route: '/api/v1/auth/login', refusal: 'invalid_credentials', userId: ann.userId },
    { ...line, route: '/api/v1/auth/login', refusal: 'invalid_credentials' },
    { ...line, route: '/api/v1/me/rooms', refusal: 'invalid_token' },
  ]);
  expect(told[1]).not.toHaveProperty('userId');
  expect(told.map(({ requestId }) => requestId)).toEqual(
    replies.map(({ headers }) => headers['x-request-id']),
  );
  expect(new Set(told.map(({ requestId }) => requestId)).size).toBe(3);
  for (const secret of ['nobody-has-this-name', 'not the password', 'no.such.token'])
    expect(server.stderr).not.toContain(secret);
});

test('a flood of refusals has a bounded number of lines, and the number of those left out', async () => {
  await using server = await ServerProcess.start({ env: { LOG_LEVEL: 'info' } });
  const ann = await signUp(server);
  const asks = Array.from({ length: 500 }, () => send(server, '/api/v1/me'));
  expect(new Set((await Promise.all(asks)).map(({ status }) => status))).toEqual(new Set([401]));
  // Another reason has lines of its own: a flood does not hide who guesses passwords.
  await post(server, '/api/v1/auth/login', { username: ann.username, password: 'not the password' });
  await server.stop();
  const refused = server.logs.filter(({ msg }) => msg === 'request refused');
  expect(refused.at(-1)).toMatchObject({ refusal: 'invalid_credentials', userId: ann.userId });
  const lines = refused.length;
  expect(lines).toBeGreaterThanOrEqual(20);
  expect(lines).toBeLessThan(100);
  expect(server.logs).toContainEqual(expect.objectContaining({ msg: LEFT_OUT, count: 1 }));
});

test('a connection that is ended for tiny pieces of a body has one line; a flood of them has a bounded number', async () => {
  await using server = await ServerProcess.start({ env: { LOG_LEVEL: 'info' } });
  const ann = await signUp(server);
  const key = await newUpload(server, ann, (await createRoom(server, ann)).id, { size: 1024 * 1024 });
  const bring = async (request: string, pieces: number) => {
    const head = [request, `Host: ${server.host}`, `Authorization: Bearer ${ann.accessToken}`];
    const socket = (await connectRaw(server)).resume();
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.write([...head, 'Transfer-Encoding: chunked', '\r\n'].join('\r\n') + '1\r\nx\r\n'.repeat(pieces));
    await closed;
  };
  const tus = ['Tus-Resumable: 1.0.0', 'Upload-Offset: 0', 'Content-Type: application/offset+octet-stream'];
  await bring('POST /api/v1/rooms HTTP/1.1', 4096);
  await bring([`PATCH /api/v1/uploads/${key} HTTP/1.1`, ...tus].join('\r\n'), 256 * 1024);
  for (let round = 0; round < 10; round++)
    await Promise.all(Array.from({ length: 20 }, () => bring('POST /api/v1/auth/login HTTP/1.1', 2048)));
  await server.stop();
  const told = server.logs.filter(({ msg }) => msg === 'connection ended: a body came in tiny pieces');
  const line = { level: 30, address: '127.0.0.1', userId: ann.userId, refusal: 'bad_request' };
  const [first, second, third, ...flood] = told;
  expect([first, second]).toMatchObject([
    { ...line, method: 'POST', route: '/api/v1/rooms', requestId: expect.any(String) },
    { ...line, method: 'PATCH', route: '/api/v1/uploads/:key', requestId: expect.any(String) },
  ]);
  expect(third).toMatchObject({ address: '127.0.0.1', route: '/api/v1/auth/login', refusal: 'bad_request' });
  expect(flood.length).toBeLessThan(100);
  expect(server.logs).toContainEqual(expect.objectContaining({ msg: LEFT_OUT }));
});

const whyNot = await whyNoSmallDisk();
if (whyNot !== undefined) console.info(`skipped: refused messages in the log: ${whyNot}`);

test.skipIf((whyNot ?? whyNotEmbedded()) !== undefined)(
  'messages that a full disk refuses are logged: the first at once, the rest as a number a minute',
  async () => {
    const disk = await SmallDisk.mount(8);
    try {
      await using server = await ServerProcess.start({ dataDir: disk.path });
      const ann = await signUp(server);
      const client = await RoomLine.enter(server, ann, (await createRoom(server, ann)).id);
      await disk.fill(0);
      for (let count = 0; count < 20; count++) client.say('x'.repeat(3000));
      await client.waitForCount('error', 2);
      const told = await server.logged(({ msg }) => String(msg).startsWith('messages refused'));
      expect(told).toMatchObject([{ level: 50, count: 1 }]);
      expect(String(told[0]?.err)).toContain('full');
      await disk.free();
    } finally {
      await disk.unmount();
    }
  },
);
