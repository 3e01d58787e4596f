import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-reply.ts';
import { decodeClaims, decodeHeader, forge, keysOf } from '../support/jwt.ts';
import { ServerProcess } from '../support/server-process.ts';
import { offering, tryUpgrade, upgrade } from '../support/upgrade.ts';
import { createRoom, issueTicket, type Login, signUp } from '../support/users.ts';

const SECRET = 'a secret that only this test and its server know';

let server: ServerProcess;
let ann: Login;
let roomId: number;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { JWT_SECRET: SECRET } });
  ann = await signUp(server);
  roomId = (await createRoom(server, ann)).id;
});
afterAll(async () => await server?.dispose());

const open = (ticket: string) => tryUpgrade(server, `/ws?room_id=${roomId}`, { protocols: offering(ticket) });

describe('a ticket is spent exactly once and durably', () => {
  test('replay: 101, then 401 invalid ws ticket', async () => {
    const ticket = await issueTicket(server, ann, roomId);
    expect((await open(ticket)).status).toBe(101);
    expectRefusal(await open(ticket), 401, 'invalid ws ticket');
    const byQuery = await tryUpgrade(server, `/ws?ticket=${ticket}`);
    expectRefusal(byQuery, 401, 'invalid ws ticket');
  });

  test('50 parallel upgrades with one ticket: exactly one 101', async () => {
    for (let round = 0; round < 3; round++) {
      const ticket = await issueTicket(server, ann, roomId);
      const replies = await Promise.all(Array.from({ length: 50 }, () => open(ticket)));
      expect(replies.filter((reply) => reply.status === 101)).toHaveLength(1);
      for (const reply of replies) if (reply.status !== 101) expectRefusal(reply, 401, 'invalid ws ticket');
    }
  });

  test.each(['stop', 'kill'] as const)(
    'replay after a restart (%s) is 401; an unspent ticket still opens',
    async (end) => {
      const spent = await issueTicket(server, ann, roomId);
      const unspent = await issueTicket(server, ann, roomId);
      const first = await upgrade(server, `/ws?room_id=${roomId}`, { protocols: offering(spent) });
      expect(first.status).toBe(101);
      await server[end]();
      first.socket?.destroy();
      await server.restart();
      expectRefusal(await open(spent), 401, 'invalid ws ticket');
      expect((await open(unspent)).status).toBe(101);
    },
  );

  test('20 tickets of one user for one room open 20 sockets', async () => {
    const tickets = await Promise.all(Array.from({ length: 20 }, () => issueTicket(server, ann, roomId)));
    const replies = await Promise.all(tickets.map(open));
    expect(replies.map((reply) => reply.status)).toEqual(Array.from({ length: 20 }, () => 101));
  });
});

describe('401 invalid ws ticket', () => {
  test('expired', async () => {
    await using brief = await ServerProcess.start({ env: { WS_TICKET_TTL_S: '1' } });
    const bo = await signUp(brief);
    const room = await createRoom(brief, bo);
    const ticket = await issueTicket(brief, bo, room.id);
    await new Promise((resolve) => setTimeout(resolve, 2100));
    expectRefusal(await tryUpgrade(brief, '/ws', { protocols: offering(ticket) }), 401, 'invalid ws ticket');
  });

  test('signed with our key, but forged: alg none, another audience, no expiry, no id, no room', async () => {
    const keys = await keysOf(server, SECRET);
    const ticket = await issueTicket(server, ann, roomId);
    const [header, claims] = [decodeHeader(ticket), decodeClaims(ticket)];
    expect((await open(forge(header, claims, keys.ticket.key))).status).toBe(101);
    const jti = 'another-ticket';
    for (const forged of [
      forge({ ...header, alg: 'none' }, { ...claims, jti }, keys.ticket.key),
      forge(header, { ...claims, jti }, keys.access.key),
      forge(header, { ...claims, jti, aud: 'roomful:access' }, keys.ticket.key),
      forge(header, { ...claims, jti, exp: undefined }, keys.ticket.key),
      forge(header, { ...claims, jti: undefined }, keys.ticket.key),
      forge(header, { ...claims, jti, room: undefined }, keys.ticket.key),
      forge(header, { ...claims, jti, room: String(roomId) }, keys.ticket.key),
    ]) {
      expectRefusal(await open(forged), 401, 'invalid ws ticket');
    }
  });
});
