/** A peer that is gone without a word, or in the middle of one. Each takes long, so it is not in `npm test`. */
import { expect, test } from 'vitest';
import { ServerProcess } from '../support/server-process.ts';
import { offering, upgrade } from '../support/upgrade.ts';
import { createRoom, issueTicket, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

test('a peer that answers no ping is dropped, and the others see it leave', async () => {
  await using server = await ServerProcess.start();
  const [ann, bo] = [await signUp(server), await signUp(server)];
  const { id } = await createRoom(server, ann);
  const witness = await ChatClient.enter(server, ann, id);
  const { socket } = await upgrade(server, `/ws?room_id=${id}`, {
    protocols: offering(await issueTicket(server, bo, id)),
  });
  socket?.resume();
  await witness.waitFor('join', ({ user_id }) => user_id === bo.userId);
  await new Promise((resolve) => socket?.on('close', resolve));
  const leave = await witness.waitFor('leave', ({ user_id }) => user_id === bo.userId);
  expect(leave.online).toBe(1);
  expect(witness.isOpen).toBe(true);
  await witness.close();
});

test('a peer that never ends its message is closed with 1008, although it pings', async () => {
  await using server = await ServerProcess.start();
  const ann = await signUp(server);
  const { id } = await createRoom(server, ann);
  const { socket } = await upgrade(server, `/ws?room_id=${id}`, {
    protocols: offering(await issueTicket(server, ann, id)),
  });
  const received: Buffer[] = [];
  socket?.on('data', (data: Buffer) => received.push(data));
  // The first fragment of a text, and pings; the masks are zero.
  socket?.write(Buffer.from([0x01, 0x81, 0, 0, 0, 0, 0x7b]));
  const pings = setInterval(() => socket?.write(Buffer.from([0x89, 0x80, 0, 0, 0, 0])), 1000);
  await new Promise((resolve) => socket?.on('close', resolve));
  clearInterval(pings);
  // A close frame with its code.
  expect(Buffer.concat(received).includes(Buffer.from([0x88, 0x02, 0x03, 0xf0]))).toBe(true);
});
