/** The ticket for the way back, which a line gives its client. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { decodeClaims, decodeHeader, forge, keysOf } from '../support/jwt.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { tryUpgrade } from '../support/upgrade.ts';
import { createRoom, type Login, logIn, signUp } from '../support/users.ts';
import { ADMITTED_AT, LineStage } from './line-stage.ts';

const MINUTE_MS = 60_000;
const SECRET = 'a secret that only this test and its server know';

let server: ServerProcess;
let ann: Login;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { JWT_SECRET: SECRET } });
  ann = await signUp(server);
});
afterAll(async () => await server?.dispose());

/** That of a line which has closed since. */
async function returnTicket(login: Login, from = server): Promise<string> {
  const line = await LineClient.start(from, login);
  await line.close();
  return line.hello.return_ticket?.ticket ?? '';
}

const open = (ticket: string, path = '/ws', protocol = 'chatroom.v2') =>
  tryUpgrade(server, path, { protocols: [protocol, `ticket.${ticket}`] });

describe('a return ticket', () => {
  test('is in hello, lives for 15 minutes, and opens the next line, which gives another one', async () => {
    const first = await LineClient.start(server, ann);
    await first.close();
    expect(first.hello.return_ticket?.expires_in).toBe(900);
    const second = await LineClient.openWith(server, first.hello.return_ticket?.ticket ?? '');
    await second.waitFor('hello');
    expect(second.hello).toMatchObject({ user_id: ann.userId, username: ann.username });
    expect(second.hello.return_ticket?.ticket).not.toBe(first.hello.return_ticket?.ticket);
    await second.close();
    expect((await open(second.hello.return_ticket?.ticket ?? '')).status).toBe(101);
  });

  test('opens one line: 50 parallel upgrades have exactly one 101, and a replay is 401', async () => {
    const ticket = await returnTicket(ann);
    const replies = await Promise.all(Array.from({ length: 50 }, () => open(ticket)));
    expect(replies.filter(({ status }) => status === 101)).toHaveLength(1);
    for (const reply of replies) if (reply.status !== 101) expectRefusal(reply, 401, 'invalid ws ticket');
    expectRefusal(await open(ticket), 401, 'invalid ws ticket');
    expectRefusal(await open(ticket, '/ws?room_id=1'), 401, 'invalid ws ticket');
  });

  test('opens no socket of a room, and a refused attempt does not spend it', async () => {
    const { id } = await createRoom(server, ann);
    const ticket = await returnTicket(ann);
    expectRefusal(await open(ticket, '/ws', 'chatroom.v1'), 400, 'unsupported protocol');
    expectRefusal(await open(ticket, `/ws?room_id=${id}`), 400, 'invalid room_id');
    expect((await open(ticket)).status).toBe(101);
  });

  test.each(['stop', 'kill'] as const)(
    'after a restart (%s): unspent it opens, spent it does not',
    async (end) => {
      const [spent, unspent] = [await returnTicket(ann), await returnTicket(ann)];
      expect((await open(spent)).status).toBe(101);
      await server[end]();
      await server.restart();
      expectRefusal(await open(spent), 401, 'invalid ws ticket');
      expect((await open(unspent)).status).toBe(101);
    },
  );

  test('ends with its login: by a logout, by another login that ends it, by a new password', async () => {
    const bo = await signUp(server);
    const auth = (path: string, json: object, token?: string) =>
      send(server, `/api/v1${path}`, { method: 'POST', json, ...(token !== undefined && { token }) });
    const ticket = await returnTicket(bo);
    await auth('/auth/logout', { refresh_token: bo.refreshToken });
    expectRefusal(await open(ticket), 401, 'invalid ws ticket');
    const [one, other] = [await logIn(server, bo.username), await logIn(server, bo.username)];
    const [ofOne, ofOther] = [await returnTicket(one), await returnTicket(other)];
    const { json } = await send(server, '/api/v1/me/sessions', { token: one.accessToken });
    const sessions = (json as { sessions: { id: number; current: boolean }[] }).sessions;
    const ended = sessions.find(({ current }) => !current);
    await send(server, `/api/v1/me/sessions/${ended?.id}`, { method: 'DELETE', token: one.accessToken });
    expectRefusal(await open(ofOther), 401, 'invalid ws ticket');
    expect((await open(ofOne)).status).toBe(101);
    await server.kill();
    await server.restart();
    expectRefusal(await open(ticket), 401, 'invalid ws ticket');
    expectRefusal(await open(ofOther), 401, 'invalid ws ticket');
  });

  test('signed with our key, but forged: another audience, no id, no time of admission, no expiry', async () => {
    const keys = await keysOf(server, SECRET);
    const ticket = await returnTicket(ann);
    const [header, claims] = [decodeHeader(ticket), decodeClaims(ticket)];
    const jti = 'another-ticket';
    expect((await open(forge(header, { ...claims, jti: 'fine' }, keys.returnTicket.key))).status).toBe(101);
    for (const forged of [
      forge(header, { ...claims, jti }, keys.ticket.key),
      forge(header, { ...claims, jti }, keys.access.key),
      forge(header, { ...claims, jti, aud: 'roomful:ticket' }, keys.returnTicket.key),
      forge(header, { ...claims, jti: undefined }, keys.returnTicket.key),
      forge(header, { ...claims, jti, admitted: undefined }, keys.returnTicket.key),
      forge(header, { ...claims, jti, exp: undefined }, keys.returnTicket.key),
      forge({ ...header, alg: 'none' }, { ...claims, jti }, keys.returnTicket.key),
    ])
      expectRefusal(await open(forged), 401, 'invalid ws ticket');
    expectRefusal(await send(server, '/api/v1/rooms', { token: ticket }), 401, 'invalid token');
  });
});

describe('an open line', () => {
  test('gives another return ticket every five minutes, for as long as the client was admitted', async () => {
    const stage = await LineStage.start();
    const { line, frames, heard } = await stage.connect();
    const ticket = (number: number) => ({
      ...{ ticket: `return ticket ${number} since ${ADMITTED_AT}`, expires_in: 900 },
    });
    expect(frames[0]).toMatchObject({ type: 'hello', return_ticket: ticket(1) });
    let now = performance.now();
    for (const minutes of [1, 3.9, 0.2, 0.1, 4.8, 0.2, 5.1]) {
      // The client is not taken for silent.
      line.stoodStill(minutes * MINUTE_MS);
      now += minutes * MINUTE_MS;
      line.tick(now);
    }
    await heard(5);
    expect(frames.slice(2)).toEqual(
      [2, 3, 4].map((number) => ({ type: 'return_ticket', ...ticket(number) })),
    );
    await stage.stop();
  });
});
