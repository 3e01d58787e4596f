/** A process that stands still, as after SIGSTOP. It takes more than a minute, so it is not in `npm test`. */
import { expect, test } from 'vitest';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

/** Longer than a silent socket is kept. */
const STOOD_STILL_MS = 65_000;

test('after the process has stood still for a minute its sockets go on: nobody was silent', {
  timeout: 180_000,
}, async () => {
  await using server = await ServerProcess.start();
  const ann = await signUp(server);
  const { id } = await createRoom(server, ann);
  const [line, v1] = [await LineClient.start(server, ann), await ChatClient.enter(server, ann, id)];
  await line.enter(id);
  process.kill(server.pid, 'SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, STOOD_STILL_MS));
  process.kill(server.pid, 'SIGCONT');
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect([line.isOpen, v1.isOpen]).toEqual([true, true]);
  await line.post(id, 'still here');
  await v1.waitFor('message', ({ content }) => content === 'still here');
  await Promise.all([line.close(), v1.close()]);
});
