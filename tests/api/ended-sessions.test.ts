/** Requests that began before their session ended, and whose body comes after. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PNG } from '../../protocol/media/testing/samples.ts';
import { historyResponse } from '../../protocol/rest/messages.ts';
import { sessionsResponse, usersResponse } from '../../protocol/rest/people.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { expectReply } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { newUpload } from '../support/uploads.ts';
import { createRoom, type Login, logIn, signUp, uniqueName } from '../support/users.ts';

let server: ServerProcess;
let admin: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  admin = await signUp(server);
  expect((await runCommand(server, ['admin', 'grant', admin.username])).code).toBe(0);
});
afterAll(async () => await server?.dispose());

/** Sends all but the body. Resolves when the server has begun with the request; the result sends the body. */
async function begin(
  login: Login,
  method: string,
  path: string,
  json: object | Uint8Array,
  headers: Record<string, string> = {},
) {
  const body = json instanceof Uint8Array ? json : JSON.stringify(json);
  const request = httpRequest({
    ...{ host: '127.0.0.1', port: server.port, agent: false, method, path: `/api/v1${path}` },
    headers: {
      authorization: `Bearer ${login.accessToken}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
      ...headers,
    },
  });
  const response = once(request, 'response');
  request.flushHeaders();
  await once(request, 'continue');
  return async () => {
    request.end(body);
    const [reply] = await response;
    return { status: reply.statusCode, body: await text(reply) };
  };
}

const REFUSED = { status: 401, body: '{"error":"invalid token"}' };

describe('a request whose session ends before its body has come', () => {
  /** What ends the session of `login`; `own` is another session of the same person. */
  const ENDS: [string, (login: Login, own: Login) => Promise<unknown>][] = [
    [
      'the person ends it',
      async (_, own) => {
        const list = await send(server, '/api/v1/me/sessions', { token: own.accessToken });
        const other = expectReply(list, 200, sessionsResponse).sessions.find(({ current }) => !current);
        await send(server, `/api/v1/me/sessions/${other?.id}`, { method: 'DELETE', token: own.accessToken });
      },
    ],
    [
      'an admin suspends the person',
      async ({ userId }) =>
        await send(server, `/api/v1/admin/users/${userId}`, {
          ...{ method: 'PATCH', json: { suspended: true }, token: admin.accessToken },
        }),
    ],
    [
      'an admin removes the account',
      async ({ userId }) =>
        await send(server, `/api/v1/admin/users/${userId}?texts=keep`, {
          ...{ method: 'DELETE', token: admin.accessToken },
        }),
    ],
  ];

  test.each(ENDS)('is refused with 401, whatever it asks for, and changes nothing: %s', async (_, end) => {
    const own = await signUp(server);
    const thief = await logIn(server, own.username, own.password);
    const { id } = await createRoom(server, own);
    const name = uniqueName('room');
    const finishes = await Promise.all([
      begin(thief, 'PATCH', '/me', { display_name: 'thief' }),
      begin(thief, 'POST', '/rooms', { name }),
      begin(thief, 'PATCH', `/rooms/${id}`, { topic: 'stolen' }),
      begin(thief, 'PUT', '/me/notifications', { badge: false }),
      begin(thief, 'POST', '/ws/tickets', { scope: 'user' }),
      begin(thief, 'POST', `/rooms/${id}/invites`, {}),
      begin(thief, 'PUT', `/rooms/${id}/members/${admin.userId}`, {}),
    ]);
    await end(thief, own);
    for (const finish of finishes) expect(await finish()).toEqual(REFUSED);
    const people = await send(server, `/api/v1/users?ids=${own.userId}`, { token: admin.accessToken });
    for (const user of expectReply(people, 200, usersResponse).users)
      expect(user.display_name).not.toBe('thief');
    // The name is still free.
    expect((await createRoom(server, admin, name)).name).toBe(name);
  });

  test.each(ENDS)('the same where the body is a file: %s', async (_, end) => {
    const own = await signUp(server);
    const thief = await logIn(server, own.username, own.password);
    const { id } = await createRoom(server, own);
    const upload = await newUpload(server, thief, id, { size: PNG.length });
    const emoji = `stolen-${own.userId}`;
    const chunk = {
      ...{ 'tus-resumable': '1.0.0', 'upload-offset': '0' },
      'content-type': 'application/offset+octet-stream',
    };
    const finishes = await Promise.all([
      begin(thief, 'POST', `/rooms/${id}/files?name=a.png&content=stolen`, PNG),
      begin(thief, 'PUT', '/me/avatar', PNG),
      begin(thief, 'PUT', `/emoji/${emoji}`, PNG),
      begin(thief, 'PATCH', `/uploads/${upload}`, PNG, chunk),
    ]);
    await eventually('all that wait for their bytes', async () => {
      const { text: metrics } = await send(server, '/metrics');
      return metrics.includes(`roomful_uploads_open ${finishes.length}\n`) || undefined;
    });
    await end(thief, own);
    for (const finish of finishes) expect(await finish()).toEqual(REFUSED);
    const read = (path: string) => send(server, `/api/v1${path}`, { token: admin.accessToken });
    const { messages } = expectReply(await read(`/rooms/${id}/messages`), 200, historyResponse);
    expect(messages.filter(({ type }) => type === 'message')).toEqual([]);
    expect((await read('/emoji')).text).not.toContain(emoji);
    expect((await read(`/users?ids=${own.userId}`)).text).not.toContain('avatar');
  });
});
