import { expect, test } from 'vitest';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, issueTicket, signUp } from '../support/users.ts';
import { ChatClient, ChatClientV2 } from '../support/ws-client.ts';

test('at debug the log tells of every socket that opens and closes, with room, user and code, and of no ticket', async () => {
  await using server = await ServerProcess.start({ env: { LOG_LEVEL: 'debug' } });
  const ann = await signUp(server);
  const roomId = (await createRoom(server, ann)).id;
  const tickets = [await issueTicket(server, ann, roomId), await issueTicket(server, ann, roomId)] as const;
  const base = await ChatClient.open(server, roomId, tickets[0]);
  await base.close();
  const client = await ChatClientV2.open(server, roomId, tickets[1]);
  await server.stop();
  expect((await client.closed).code).toBe(4000);
  const told = server.logs.filter(({ msg }) => /^socket (opened|closed)$/.test(String(msg)));
  const who = { level: 20, roomId, userId: ann.userId };
  expect(told).toMatchObject([
    { ...who, version: 1, msg: 'socket opened' },
    { ...who, version: 1, msg: 'socket closed', code: 1000 },
    { ...who, version: 2, msg: 'socket opened' },
    { ...who, version: 2, msg: 'socket closed', code: 4000 },
  ]);
  for (const ticket of tickets) expect(server.stderr).not.toContain(ticket);
});
