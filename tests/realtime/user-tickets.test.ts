import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-reply.ts';
import { ServerProcess } from '../support/server-process.ts';
import { tryUpgrade } from '../support/upgrade.ts';
import { createRoom, issueTicket, issueUserTicket, type Login, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

let server: ServerProcess;
let ann: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  ann = await signUp(server);
});
afterAll(async () => await server?.dispose());

const offering = (ticket: string, ...protocols: string[]) => ({
  protocols: [...protocols, `ticket.${ticket}`],
});

describe('the ticket picks the protocol', () => {
  test('a ticket of the user opens chatroom.v2, even where v1 is offered first', async () => {
    const ticket = await issueUserTicket(server, ann);
    const opened = await tryUpgrade(server, '/ws', offering(ticket, 'chatroom.v1', 'chatroom.v2'));
    expect(opened).toMatchObject({ status: 101, headers: { 'sec-websocket-protocol': 'chatroom.v2' } });
  });

  test('without its protocol: 400 unsupported protocol, and the ticket is not spent', async () => {
    const ticket = await issueUserTicket(server, ann);
    const refused = await tryUpgrade(server, '/ws', offering(ticket, 'chatroom.v1'));
    expectRefusal(refused, 400, 'unsupported protocol');
    const silent = await tryUpgrade(server, `/ws?ticket=${ticket}`);
    expectRefusal(silent, 400, 'unsupported protocol');
    expect((await tryUpgrade(server, '/ws', offering(ticket, 'chatroom.v2'))).status).toBe(101);
  });

  test('a forged ticket is 401 before the protocol is checked', async () => {
    const refused = await tryUpgrade(server, '/ws', offering('forged', 'chatroom.v1'));
    expectRefusal(refused, 401, 'invalid ws ticket');
  });

  test.each([
    ['room_id=1', 'invalid room_id'],
    ['since=0', 'invalid since'],
    ['epoch=e', 'invalid since'],
  ])('%s in the URL of a ticket of the user is 400 %s, and spends nothing', async (query, message) => {
    const ticket = await issueUserTicket(server, ann);
    const refused = await tryUpgrade(server, `/ws?${query}`, offering(ticket, 'chatroom.v2'));
    expectRefusal(refused, 400, message);
    expect((await tryUpgrade(server, '/ws', offering(ticket, 'chatroom.v2'))).status).toBe(101);
  });

  test('a ticket of a room opens chatroom.v1, even where v2 is offered first', async () => {
    const { id } = await createRoom(server, ann);
    for (const protocols of [
      ['chatroom.v2', 'chatroom.v1'],
      ['chatroom.v1', 'chatroom.v2'],
    ]) {
      const ticket = await issueTicket(server, ann, id);
      const client = await ChatClient.open(server, id, ticket, { protocols });
      expect(client.protocol).toBe('chatroom.v1');
      expect((await client.waitFor('join')).user_id).toBe(ann.userId);
      await client.close();
    }
  });

  test('a ticket of a room without chatroom.v1: 400 unsupported protocol, after 401, and nothing is spent', async () => {
    const { id } = await createRoom(server, ann);
    const ticket = await issueTicket(server, ann, id);
    const refused = await tryUpgrade(server, `/ws?room_id=${id}`, offering(ticket, 'chatroom.v2'));
    expectRefusal(refused, 400, 'unsupported protocol');
    const elsewhere = await tryUpgrade(server, `/ws?room_id=${id + 1}`, offering(ticket, 'chatroom.v2'));
    expectRefusal(elsewhere, 401, 'invalid ws ticket');
    expect((await tryUpgrade(server, '/ws', offering(ticket, 'chatroom.v1'))).status).toBe(101);
  });
});
