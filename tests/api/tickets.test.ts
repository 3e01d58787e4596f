import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ticketResponse } from '../../protocol/rest/accounts.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { post } from '../support/http.ts';
import { decodeClaims } from '../support/jwt.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';

let server: ServerProcess;
let ann: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  ann = await signUp(server);
});
afterAll(async () => await server?.dispose());

const issue = (body: unknown) => post(server, '/api/v1/ws/tickets', body, { token: ann.accessToken });

describe('POST /api/v1/ws/tickets: 200 {ticket, expires_in: 60}', () => {
  test('a JWT-like string that lives 60 seconds; token replies are never stored', async () => {
    const room = await createRoom(server, ann);
    const reply = await issue({ room_id: room.id });
    const { ticket, expires_in } = expectReply(reply, 200, ticketResponse);
    expect(expires_in).toBe(60);
    // It travels as a subprotocol, so it must be a token of RFC 9110.
    expect(ticket).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    const claims = decodeClaims(ticket);
    expect(Number(claims.exp) - Number(claims.iat)).toBe(60);
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  test('every ticket is different', async () => {
    const room = await createRoom(server, ann);
    const tickets = await Promise.all(Array.from({ length: 10 }, () => issue({ room_id: room.id })));
    expect(new Set(tickets.map((reply) => expectReply(reply, 200, ticketResponse).ticket)).size).toBe(10);
  });
});

describe('refusals', () => {
  test.each([...[undefined, null, '1', '', 0, -1, 1.5, 1e300, true, [1], {}, Number.MAX_SAFE_INTEGER + 1]])(
    '400 invalid payload: room_id %j',
    async (roomId) => {
      expectRefusal(await issue({ room_id: roomId }), 400, 'invalid payload');
    },
  );

  test.each([999_999, Number.MAX_SAFE_INTEGER])('404 room not found: %d', async (roomId) => {
    expectRefusal(await issue({ room_id: roomId }), 404, 'room not found');
  });

  test('401', async () => {
    expectRefusal(await post(server, '/api/v1/ws/tickets', { room_id: 1 }), 401, 'missing bearer token');
    const reply = await post(server, '/api/v1/ws/tickets', { room_id: 1 }, { token: 'nonsense' });
    expectRefusal(reply, 401, 'invalid token');
  });
});
