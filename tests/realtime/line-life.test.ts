import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, logIn, signUp } from '../support/users.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

describe('watch: the people in sight', () => {
  test('profiles that differ, whether they are online, and what changes later', {
    timeout: 60_000,
  }, async () => {
    const line = await LineClient.start(server, ann);
    const cy = await signUp(server);
    line.send({ type: 'watch', users: { [bo.userId]: 0, [cy.userId]: 1 } });
    const people = await line.waitFor('people');
    expect(people).toEqual({ type: 'people', online: [], offline: [] });
    expect(line.of('user').map(({ user }) => user.username)).toEqual([bo.username]);
    const other = await LineClient.start(server, cy);
    expect(await line.waitFor('people', ({ online }) => online.length > 0)).toMatchObject({
      online: [cy.userId],
    });
    await send(server, '/api/v1/me', {
      method: 'PATCH',
      json: { display_name: 'Cyril' },
      token: cy.accessToken,
    });
    const { user } = await line.waitFor('user', (frame) => frame.user.id === cy.userId);
    expect(user).toMatchObject({ display_name: 'Cyril', version: 2 });
    await other.close();
    const gone = await line.waitFor('people', ({ offline }) => offline.length > 0);
    expect(gone).toMatchObject({ online: [], offline: [cy.userId] });
    line.send({ type: 'watch', users: {} });
    await line.settle();
    await line.close();
  });

  test('more than 500 are refused', async () => {
    const line = await LineClient.start(server, ann);
    const users = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [String(index + 1), 0]));
    line.send({ type: 'watch', users });
    expect(await line.waitFor('error')).toMatchObject({ code: 'invalid_frame' });
    await line.close();
  });
});

describe('the life of a line', () => {
  test('no start within 10 s: 1008', { timeout: 60_000 }, async () => {
    const line = await LineClient.open(server, ann);
    expect((await line.closed).code).toBe(1008);
  });

  test('a logout closes it with 4101', async () => {
    const login = await logIn(server, ann.username);
    const line = await LineClient.start(server, login);
    await post(server, '/api/v1/auth/logout', { refresh_token: login.refreshToken });
    expect((await line.closed).code).toBe(4101);
  });

  test('a planned restart: a restart frame with a time, then 4000; a user who comes back does not leave', async () => {
    const { id } = await createRoom(server, ann);
    const line = await LineClient.start(server, ann);
    await line.look(id);
    await server.stop();
    expect((await line.closed).code).toBe(4000);
    expect(line.of('restart')[0]?.in_ms).toBeGreaterThan(0);
    await server.restart();
    const again = await LineClient.start(server, ann);
    expect((await again.look(id)).online).toBe(1);
    await again.close();
  });

  test('refused frames are answered with the room and the cid, and cost nothing else', async () => {
    const { id } = await createRoom(server, ann);
    const line = await LineClient.start(server, ann);
    line.sendRaw('{"type":"message","room_id":7,"content":"","cid":"c"}');
    expect(await line.waitFor('error')).toMatchObject({ code: 'invalid_content', room_id: 7, cid: 'c' });
    line.sendRaw('{"type":"dance","room_id":7}');
    await line.waitFor('error', ({ code }) => code === 'unknown_type');
    line.sendRaw('nonsense');
    await line.waitFor('error', ({ code }) => code === 'invalid_json');
    await line.post(id, 'still here');
    await line.close();
  });

  test('a reader that was slow for a while misses no change of a room that is brief', {
    timeout: 120_000,
  }, async () => {
    await using fast = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
    const [cy, di] = await Promise.all([signUp(fast), signUp(fast)]);
    const [loud, quiet] = [(await createRoom(fast, cy)).id, (await createRoom(fast, cy)).id];
    const line = await LineClient.start(fast, cy);
    await line.look(loud);
    const talk = await LineClient.start(fast, di);
    line.stopReading();
    // More than the buffers of the operating system take, and less than closes the socket.
    let backlog = 0;
    while (backlog < 3_600_000) {
      const content = 'x'.repeat(3900);
      for (let index = 0; index < 20; index++) talk.send({ type: 'message', room_id: loud, content });
      backlog += 20 * 4000;
      await talk.settle();
    }
    await talk.post(quiet, 'in the meantime');
    await new Promise((resolve) => setTimeout(resolve, 2500));
    line.readOn();
    const isTold = () =>
      line.of('rooms').find(({ rooms }) => rooms.some(({ room, seq }) => room.id === quiet && seq === 1)) ??
      line.of('head').find(({ room_id, seq }) => room_id === quiet && seq === 1);
    await line.until('the quiet room', isTold);
    await Promise.all([line.close(), talk.close()]);
  });
});
