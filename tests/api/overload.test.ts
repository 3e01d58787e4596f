import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type HttpReply, post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { upgrade } from '../support/upgrade.ts';
import { createRoom, issueUserTicket, type Login, signUp } from '../support/users.ts';

/** The server blocks its event loop for 200 ms in each turn, from one SIGUSR2 to the next. */
const BLOCKER = `data:text/javascript,${encodeURIComponent(`
  let isBlocking = false;
  function block() {
    const end = Date.now() + 200;
    while (Date.now() < end);
    if (isBlocking) setImmediate(block);
  }
  process.on('SIGUSR2', () => {
    isBlocking = !isBlocking;
    if (isBlocking) block();
  });
`)}`;

let server: ServerProcess;
let ann: Login;
let ben: Login;
let roomId: number;
let annsLine: LineClient;
let bensLine: LineClient;
let ticket: string;

beforeAll(async () => {
  server = await ServerProcess.start({
    execArgv: ['--import', BLOCKER],
    env: { OVERLOAD_DELAY_MS: '60' },
  });
  ann = await signUp(server);
  ben = await signUp(server);
  roomId = (await createRoom(server, ann)).id;
  [annsLine, bensLine] = [await LineClient.start(server, ann), await LineClient.start(server, ben)];
  await annsLine.look(roomId);
  await bensLine.look(roomId);
  ticket = await issueUserTicket(server, ann);
});

afterAll(async () => await server.dispose());

function expectRefused({ status, json, headers }: Pick<HttpReply, 'status' | 'json' | 'headers'>): void {
  expect({ status, json }).toEqual({ status: 503, json: { error: 'service unavailable' } });
  const retryAfter = Number(headers['retry-after']);
  expect(retryAfter).toBeGreaterThanOrEqual(2);
  expect(retryAfter).toBeLessThanOrEqual(6);
}

test('while the event loop is late, new sockets and writes get 503 with Retry-After, and reading and open sockets go on', async () => {
  process.kill(server.pid, 'SIGUSR2');
  const overloaded = ({ msg }: Record<string, unknown>) => String(msg).startsWith('overloaded');
  expect(await server.logged(overloaded)).toMatchObject([{ level: 40, delayMarkMs: 60 }]);

  const token = ann.accessToken;
  const room = `/api/v1/rooms/${roomId}`;
  const refused = await Promise.all([
    post(server, '/api/v1/ws/tickets', {}, { token }),
    post(server, '/api/v1/auth/login', { username: 'ann', password: 'a password' }),
    send(server, room, { method: 'PATCH', json: { topic: 'no' }, token }),
    send(server, `${room}/members/me`, { method: 'PUT', token }),
    send(server, `${room}/members/me`, { method: 'DELETE', token }),
    upgrade(server, '/ws', { protocols: ['chatroom.v2', `ticket.${ticket}`] }),
  ]);
  for (const reply of refused) expectRefused(reply);

  const served = await Promise.all([
    ...['/health', '/healthz', '/ready', '/version'].map((path) => send(server, path)),
    ...['/api/v1/me/rooms', `${room}/messages`].map((path) => send(server, path, { token })),
    post(server, '/api/v1/auth/refresh', { refresh_token: ben.refreshToken }),
  ]);
  expect(served.map(({ status }) => status)).toEqual(served.map(() => 200));
  expect((await post(server, '/api/v1/nowhere', {})).status).toBe(404);

  // Open sockets go on, with what they write.
  annsLine.send({ type: 'message', room_id: roomId, content: 'meanwhile', cid: 'c1' });
  await annsLine.waitFor('ack', ({ cid }) => cid === 'c1');
  annsLine.send({ type: 'typing', room_id: roomId, is_typing: true });
  await bensLine.waitFor('typing');

  const lines = await server.logged(({ refusal }) => refusal === 'service_unavailable', 6);
  const said = lines.map(({ msg, status }) => [msg, status].join(' ').trim()).sort();
  expect(said).toEqual([...Array(5).fill('request refused 503'), 'upgrade refused']);
});

test('when the event loop is on time again, everything is accepted, and no ticket and no message was lost', async () => {
  process.kill(server.pid, 'SIGUSR2');
  await server.logged(({ msg }) => String(msg).startsWith('no longer overloaded'));
  const line = await eventually('a socket with the ticket that was refused', async () =>
    LineClient.openWith(server, ticket).catch(() => undefined),
  );
  await line.close();
  annsLine.send({ type: 'message', room_id: roomId, content: 'now', cid: 'c2' });
  await annsLine.waitFor('ack', ({ cid }) => cid === 'c2');
  const { json } = await send(server, `/api/v1/rooms/${roomId}/messages`, { token: ann.accessToken });
  expect((json as { messages: { content: string }[] }).messages.at(-1)?.content).toBe('now');
  await Promise.all([annsLine.close(), bensLine.close()]);
});
