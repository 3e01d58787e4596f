/** A peer that is gone without a word. It takes more than a minute, so it is not in `npm test`. */
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
