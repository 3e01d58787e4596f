/** Removing an account: what is gone with it, and what becomes of the texts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import {
  addMember,
  createRoom,
  type Login,
  PASSWORD,
  readHistory,
  signUp,
  uniqueName,
} from '../support/users.ts';

let server: ServerProcess;
let root: Login;
let member: Login;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  [root, member] = [await signUp(server), await signUp(server)];
  expect((await runCommand(server, ['admin', 'grant', root.username])).code).toBe(0);
}, 60_000);
afterAll(async () => await server?.dispose());

const remove = (actor: Login, userId: number, texts: string) =>
  send(server, `/api/v1/admin/users/${userId}?texts=${texts}`, {
    method: 'DELETE',
    token: actor.accessToken,
  });

/** Somebody who said something in a private room of another one. */
async function somebody(count: number) {
  const [owner, person] = [await signUp(server), await signUp(server)];
  const room = await createRoom(server, owner, uniqueName('room'), 'private');
  await addMember(server, owner, room.id, person.userId);
  const line = await LineClient.start(server, person);
  for (let index = 0; index < count; index++) await line.post(room.id, `text ${index}`);
  return { owner, person, room, line };
}

const textsIn = async (owner: Login, roomId: number) =>
  (await readHistory(server, owner, roomId))
    .map(({ content }) => content)
    .filter((content) => content !== '');

describe('removing an account', () => {
  it('signs the person out at once, for good; their texts stay under a name that says so', async () => {
    const { owner, person, room, line } = await somebody(2);
    const seen = await LineClient.start(server, owner);
    await seen.look(room.id);
    expect((await remove(root, person.userId, 'keep')).status).toBe(204);
    await line.closed;
    expect(await seen.waitFor('message', ({ notice }) => notice?.kind === 'removed')).toMatchObject({
      notice: { member: { user_id: person.userId, role: null } },
    });
    await seen.close();
    const login = await post(server, '/api/v1/auth/login', { username: person.username, password: PASSWORD });
    expectRefusal(login, 401, 'invalid credentials');
    const name = `Removed user ${person.userId}`;
    const asNobody = await post(server, '/api/v1/auth/login', { username: name, password: PASSWORD });
    expect(asNobody.status).toBe(401);
    const history = await readHistory(server, owner, room.id);
    expect(history.map(({ username, content }) => [username, content])).toEqual([
      [name, 'text 0'],
      [name, 'text 1'],
    ]);
    const { json } = await send(server, `/api/v1/users?ids=${person.userId}`, { token: owner.accessToken });
    expect(json).toMatchObject({ users: [{ username: name, kind: 'removed', suspended: true }] });
    expect((await remove(root, person.userId, 'keep')).status).toBe(204);
    expect((await signUp(server, person.username)).userId).not.toBe(person.userId);
  });

  it('deletes the texts where the admin says so, and goes on with that after a kill', async () => {
    const { owner, person, room, line } = await somebody(700);
    expect((await remove(root, person.userId, 'delete')).status).toBe(204);
    await line.closed;
    await server.kill();
    await server.restart();
    await eventually(
      'all texts are gone',
      async () => (await textsIn(owner, room.id)).length === 0 || undefined,
    );
  });

  it('is for admins, and not about themselves or another admin', async () => {
    const other = await signUp(server);
    await runCommand(server, ['admin', 'grant', other.username]);
    expectRefusal(await remove(member, other.userId, 'keep'), 404, 'not found');
    expectRefusal(await remove(root, root.userId, 'keep'), 403, 'not allowed');
    expectRefusal(await remove(root, other.userId, 'keep'), 403, 'not allowed');
    expectRefusal(await remove(root, 4_000_000, 'keep'), 404, 'user not found');
    expectRefusal(await remove(root, member.userId, 'perhaps'), 400, 'invalid payload');
  });

  it.skipIf(whyNotEmbedded() !== undefined)(
    'at the command line, for admins too, also without a server',
    async () => {
      const { owner, person, room, line } = await somebody(3);
      await line.close();
      await runCommand(server, ['admin', 'grant', person.username]);
      const args = ['user', 'remove', person.username, '--texts'];
      expect((await runCommand(server, [...args, 'delete'])).code).toBe(2);
      await server.stop();
      const kept = await runCommand(server, [...args, 'keep', '--yes']);
      expect(kept).toEqual({ code: 0, stdout: `${person.username} is removed.\n`, stderr: '' });
      const again = ['user', 'remove', `Removed user ${person.userId}`, '--texts', 'delete', '--yes'];
      expect((await runCommand(server, again)).code).toBe(0);
      expect((await runCommand(server, ['verify'])).code).toBe(0);
      await server.restart();
      expect(await textsIn(owner, room.id)).toEqual([]);
    },
  );
});
