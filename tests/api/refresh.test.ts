import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokensSchema } from '../../protocol/rest/accounts.ts';
import { roomsResponse } from '../../protocol/rest/rooms.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { type HttpReply, post, send } from '../support/http.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { createRoom, issueTicket, logIn, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

const PATH = '/api/v1/auth/refresh';

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
});
afterAll(async () => await server?.dispose());

function refresh(refreshToken: unknown, idempotencyKey?: string): Promise<HttpReply> {
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  return post(server, PATH, { refresh_token: refreshToken }, { headers });
}

const pairOf = (reply: HttpReply) => expectReply(reply, 200, tokensSchema);
const listRooms = (token: string) => send(server, '/api/v1/rooms', { token });

describe('POST /api/v1/auth/refresh: 200 {access_token, refresh_token, expires_in}', () => {
  test('a new pair that works; token replies are never stored', async () => {
    const ann = await signUp(server);
    const reply = await refresh(ann.refreshToken);
    const pair = pairOf(reply);
    expect(pair.expires_in).toBe(900);
    expect(pair.refresh_token).not.toBe(ann.refreshToken);
    expect(pair.access_token).not.toBe(ann.accessToken);
    expect(reply.headers['cache-control']).toBe('no-store');
    expectReply(await listRooms(pair.access_token), 200, roomsResponse);
    pairOf(await refresh(pair.refresh_token));
  });

  test('a token is exchanged once; using it again is 401', async () => {
    const ann = await signUp(server);
    const pair = pairOf(await refresh(ann.refreshToken));
    expectRefusal(await refresh(ann.refreshToken), 401, 'invalid refresh token');
    // Two tabs may do this within seconds, so it does not reveal theft.
    pairOf(await refresh(pair.refresh_token));
  });

  test.each(['nonsense', 'a'.repeat(43), 'a'.repeat(4000), "' OR 1=1 --"])(
    'unknown: %j is 401',
    async (token) => {
      expectRefusal(await refresh(token), 401, 'invalid refresh token');
    },
  );

  test('an access token is no refresh token', async () => {
    const ann = await signUp(server);
    expectRefusal(await refresh(ann.accessToken), 401, 'invalid refresh token');
  });

  test.each([[undefined], [null], [1], [['a']], [{}], ['']])('400 invalid payload: %j', async (token) => {
    expectRefusal(await refresh(token), 400, 'invalid payload');
  });

  test('50 parallel exchanges of one token: one live successor', async () => {
    const ann = await signUp(server);
    const replies = await Promise.all(Array.from({ length: 50 }, () => refresh(ann.refreshToken)));
    const winners = replies.filter((reply) => reply.status === 200);
    expect(winners).toHaveLength(1);
    for (const reply of replies) if (reply.status !== 200) expectRefusal(reply, 401, 'invalid refresh token');
    for (const winner of winners) pairOf(await refresh(pairOf(winner).refresh_token));
  });
});

describe('the same exchange retried with the same Idempotency-Key (a lost reply) gives the same successor', () => {
  test('one after the other', async () => {
    const ann = await signUp(server);
    const key = randomUUID();
    const first = pairOf(await refresh(ann.refreshToken, key));
    const again = pairOf(await refresh(ann.refreshToken, key));
    expect(again.refresh_token).toBe(first.refresh_token);
    expectReply(await listRooms(again.access_token), 200, roomsResponse);
    pairOf(await refresh(again.refresh_token));
  });

  test('50 in parallel', async () => {
    const ann = await signUp(server);
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 50 }, () => refresh(ann.refreshToken, key)));
    expect(new Set(replies.map((reply) => pairOf(reply).refresh_token)).size).toBe(1);
  });

  test('across a kill -9 between the exchange and its repeat', async () => {
    await using mortal = await ServerProcess.start();
    const ann = await signUp(mortal);
    const headers = { 'idempotency-key': randomUUID() };
    const body = { refresh_token: ann.refreshToken };
    const first = pairOf(await post(mortal, PATH, body, { headers }));
    await mortal.kill();
    await mortal.restart();
    expect(pairOf(await post(mortal, PATH, body, { headers })).refresh_token).toBe(first.refresh_token);
    expectRefusal(await post(mortal, PATH, body), 401, 'invalid refresh token');
  });

  test('another key, or the key with another token, gets no tokens', async () => {
    const ann = await signUp(server);
    const bo = await signUp(server);
    const key = randomUUID();
    pairOf(await refresh(ann.refreshToken, key));
    expectRefusal(await refresh(ann.refreshToken, randomUUID()), 401, 'invalid refresh token');
    expectRefusal(await refresh('nonsense', key), 401, 'invalid refresh token');
    pairOf(await refresh(bo.refreshToken, key));
  });

  test('an exchange without a key cannot be repeated with one', async () => {
    const ann = await signUp(server);
    pairOf(await refresh(ann.refreshToken));
    expectRefusal(await refresh(ann.refreshToken, randomUUID()), 401, 'invalid refresh token');
  });
});

describe('what only time shows', () => {
  test.concurrent('reuse after 10 s ends this login alone, with 4101; with the key it is a retry', async () => {
    const ann = await signUp(server);
    const elsewhere = await logIn(server, ann.username);
    const patient = await logIn(server, ann.username);
    const room = await createRoom(server, ann);
    const stolen = await ChatClient.enter(server, ann, room.id);
    const kept = await ChatClient.enter(server, elsewhere, room.id);
    const ticket = await issueTicket(server, ann, room.id);
    const key = randomUUID();

    const successor = pairOf(await refresh(ann.refreshToken));
    const patientPair = pairOf(await refresh(patient.refreshToken, key));
    await sleep(10_500);

    expect(pairOf(await refresh(patient.refreshToken, key)).refresh_token).toBe(patientPair.refresh_token);

    expectRefusal(await refresh(ann.refreshToken), 401, 'invalid refresh token');
    expect((await stolen.closed).code).toBe(4101);
    expectRefusal(await refresh(successor.refresh_token), 401, 'invalid refresh token');
    expectRefusal(await listRooms(successor.access_token), 401, 'invalid token');
    expectRefusal(await listRooms(ann.accessToken), 401, 'invalid token');
    await expect(ChatClient.open(server, room.id, ticket)).rejects.toThrow(/401/);

    await kept.settle();
    expectReply(await listRooms(elsewhere.accessToken), 200, roomsResponse);
    pairOf(await refresh(elsewhere.refreshToken));
    await kept.close();
  });

  test.concurrent('lifetimes are settings: 401 invalid token and invalid refresh token after them', async () => {
    await using shortLived = await ServerProcess.start({
      env: { ACCESS_TOKEN_TTL_S: '2', REFRESH_TOKEN_TTL_S: '9' },
    });
    const ann = await signUp(shortLived);
    const other = await logIn(shortLived, ann.username);
    const list = (token: string) => send(shortLived, '/api/v1/rooms', { token });
    await sleep(3000);
    expectRefusal(await list(ann.accessToken), 401, 'invalid token');
    const pair = pairOf(await post(shortLived, PATH, { refresh_token: ann.refreshToken }));
    expect(pair.expires_in).toBe(2);
    await sleep(6500);
    const late = await post(shortLived, PATH, { refresh_token: other.refreshToken });
    expectRefusal(late, 401, 'invalid refresh token');
  });
});

describe('POST /api/v1/auth/logout: 204, revokes that login', () => {
  const logout = (refreshToken: unknown) =>
    post(server, '/api/v1/auth/logout', { refresh_token: refreshToken });

  test('its refresh tokens, access tokens, tickets and sockets; other logins live', async () => {
    const ann = await signUp(server);
    const elsewhere = await logIn(server, ann.username);
    const room = await createRoom(server, ann);
    const socket = await ChatClient.enter(server, ann, room.id);
    const kept = await ChatClient.enter(server, elsewhere, room.id);
    const ticket = await issueTicket(server, ann, room.id);

    const reply = await logout(ann.refreshToken);
    expect({ status: reply.status, body: reply.text }).toEqual({ status: 204, body: '' });

    expect((await socket.closed).code).toBe(4101);
    expectRefusal(await refresh(ann.refreshToken), 401, 'invalid refresh token');
    expectRefusal(await listRooms(ann.accessToken), 401, 'invalid token');
    await expect(ChatClient.open(server, room.id, ticket)).rejects.toThrow(/401/);

    expectReply(await listRooms(elsewhere.accessToken), 200, roomsResponse);
    await kept.settle();
    await kept.close();
    pairOf(await refresh(elsewhere.refreshToken));
  });

  test('a logout survives a restart', async () => {
    await using mortal = await ServerProcess.start();
    const ann = await signUp(mortal);
    await post(mortal, '/api/v1/auth/logout', { refresh_token: ann.refreshToken });
    await mortal.kill();
    await mortal.restart();
    expectRefusal(await send(mortal, '/api/v1/rooms', { token: ann.accessToken }), 401, 'invalid token');
  });

  test('401 invalid refresh token: unknown, exchanged, or logged out already', async () => {
    const ann = await signUp(server);
    expectRefusal(await logout('nonsense'), 401, 'invalid refresh token');
    const pair = pairOf(await refresh(ann.refreshToken));
    expectRefusal(await logout(ann.refreshToken), 401, 'invalid refresh token');
    expect((await logout(pair.refresh_token)).status).toBe(204);
    expectRefusal(await logout(pair.refresh_token), 401, 'invalid refresh token');
  });

  test.each([[undefined], [null], [1], [['a']], [{}], ['']])('400 invalid payload: %j', async (token) => {
    expectRefusal(await logout(token), 400, 'invalid payload');
  });
});

describe('secrets at rest', () => {
  test.skipIf(whyNotEmbedded() !== undefined)(
    'raw tokens, tickets and passwords are neither in the database files (only hashes) nor in the log',
    async () => {
      await using fresh = await ServerProcess.start({ env: { LOG_LEVEL: 'trace' } });
      const ann = await signUp(fresh, undefined, 'a password that nobody else has');
      const room = await createRoom(fresh, ann);
      const ticket = await issueTicket(fresh, ann, room.id);
      const socket = await ChatClient.open(fresh, room.id, ticket);
      const byQuery = await issueTicket(fresh, ann, room.id);
      await send(fresh, `/ws?room_id=${room.id}&ticket=${byQuery}`);
      const pair = pairOf(
        await post(
          fresh,
          PATH,
          { refresh_token: ann.refreshToken },
          { headers: { 'idempotency-key': 'the key' } },
        ),
      );
      await socket.settle();
      await socket.close();

      const secrets = [
        ...[ann.refreshToken, ann.accessToken, ann.password, ticket, byQuery, pair.refresh_token],
        ...[pair.access_token],
      ];
      const inside = await readdir(join(fresh.dataDir, 'data'), { withFileTypes: true });
      const files = inside.filter((entry) => entry.isFile()).map(({ name }) => name);
      expect(files).toContain('roomful.db');
      for (const file of files) {
        // A journal is gone once what it is of is written.
        const content = await readFile(join(fresh.dataDir, 'data', file), 'latin1').catch((error) => {
          if (file.endsWith('-journal') && error.code === 'ENOENT') return '';
          throw error;
        });
        for (const secret of secrets)
          expect({ file, found: content.includes(secret) }).toEqual({ file, found: false });
      }
      await fresh.stop();
      for (const secret of secrets) expect(fresh.stderr).not.toContain(secret);
      expect(fresh.logs.length).toBeGreaterThan(0);
    },
  );
});
