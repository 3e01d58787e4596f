/** `roomful user`, `registration`, `name`, `invite` and `audit`, while the server runs and while it is stopped. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { expectRefusal } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { createRoom, logIn, PASSWORD, signUp, uniqueName } from '../support/users.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
}, 60_000);
afterAll(async () => await server?.dispose());

const run = (args: string[], options?: Parameters<typeof runCommand>[2]) => runCommand(server, args, options);
const json = async (args: string[]) => {
  const { code, stdout, stderr } = await run([...args, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

describe.skipIf(whyNotEmbedded() !== undefined)('a command of the operator', () => {
  it('invites nobody to a server without an account, and says how to make the first one', async () => {
    const stderr = 'There is no account yet. Make the first one: roomful user create NAME.\n';
    expect(await run(['invite'])).toEqual({ code: 1, stdout: '', stderr });
  });

  it('disables somebody on a running server at once; enables them while it is stopped', async () => {
    const bo = await signUp(server);
    const me = () => send(server, '/api/v1/me', { token: bo.accessToken });
    const disabled = await run(['user', 'disable', bo.username.toUpperCase(), '--reason', 'Left']);
    expect(disabled).toEqual({ code: 0, stdout: `${bo.username} is now disabled.\n`, stderr: '' });
    expectRefusal(await me(), 401, 'invalid token');
    const login = await post(server, '/api/v1/auth/login', { username: bo.username, password: PASSWORD });
    expect(login.json).toEqual({ error: 'account suspended', reason: 'Left' });
    await server.stop();
    expect((await run(['user', 'enable', bo.username])).stdout).toBe(`${bo.username} is now enabled.\n`);
    expect((await run(['user', 'enable', bo.username])).stdout).toBe(`${bo.username} is already enabled.\n`);
    await server.restart();
    await logIn(server, bo.username);
    const { entries } = await json(['audit']);
    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'resumed', actor: null, user: { username: bo.username } },
      { action: 'suspended', actor: null, details: { reason: 'Left' } },
    ]);
  });

  it('shows in the log what a moderator did, and that a ban has no end', async () => {
    const [owner, bo] = [await signUp(server), await signUp(server)];
    const { id, name } = await createRoom(server, owner);
    await post(server, `/api/v1/rooms/${id}/join`, {}, { token: bo.accessToken });
    const ban = { method: 'PUT', json: { reason: 'Spam' }, token: owner.accessToken };
    expect((await send(server, `/api/v1/rooms/${id}/bans/${bo.userId}`, ban)).status).toBe(204);
    const [head, latest] = (await run(['audit'])).stdout.split('\n');
    expect(head?.split(/ {2,}/)).toEqual(['time', 'by', 'action', 'person', 'room', 'details']);
    expect(latest?.split(/ {2,}/).slice(1)).toEqual([
      ...[owner.username, 'banned', bo.username, name, 'reason: Spam, until: no end'],
    ]);
  });

  it('names the server, running or stopped; a name that is not allowed is refused, and an empty one is the default', async () => {
    const shown = async () => (await send(server, '/api/v1/server')).json;
    expect(await run(['name'])).toEqual({ code: 0, stdout: 'Roomful\n', stderr: '' });
    expect((await run(['name', 'Acme'])).stdout).toBe('Acme\n');
    expect(await shown()).toMatchObject({ name: 'Acme' });
    const refused = await run(['name', 'a\u202eb']);
    expect([refused.code, refused.stderr]).toEqual([
      ...[1, 'The name is not allowed: one line of 64 characters at most.\n'],
    ]);
    await server.stop();
    expect((await run(['name'])).stdout).toBe('Acme\n');
    expect((await run(['name', ''])).stdout).toBe('Roomful\n');
    await server.restart();
    expect(await shown()).toMatchObject({ name: 'Roomful' });
    const { entries } = await json(['audit']);
    expect(entries[0]).toMatchObject({ action: 'server_named', actor: null, details: { to: null } });
  });

  it('creates accounts also while registration is closed; each can sign in', async () => {
    expect((await run(['registration', 'closed'])).stdout).toBe('Nobody may register.\n');
    const [first, second] = [uniqueName('ann'), uniqueName('bo')];
    const { user, password } = await json(['user', 'create', first]);
    expect(user.username).toBe(first);
    await logIn(server, first, password);
    const { entries } = await json(['audit']);
    expect(entries[0]).toMatchObject({ action: 'user_created', actor: null, user: { username: first } });
    const typed = await run(['user', 'create', second, '--password-stdin'], { input: `${PASSWORD}\n` });
    expect(typed).toEqual({ code: 0, stdout: `${second} can sign in.\n`, stderr: '' });
    await logIn(server, second);
    const taken = await run(['user', 'create', second]);
    expect([taken.code, taken.stderr]).toEqual([
      1,
      'There is a user with this name, or with one that looks like it.\n',
    ]);
    expect((await run(['user', 'create', 'x'])).stderr).toMatch(/^The username is not allowed: /);
    expect((await run(['registration', 'open'])).code).toBe(0);
  });

  it('renames an account: the person is signed out, and signs in by the new name', async () => {
    const [bo, other] = [await signUp(server), await signUp(server)];
    const name = uniqueName('neu');
    const renamed = await run(['user', 'rename', bo.username, name]);
    expect(renamed).toEqual({ code: 0, stdout: `${bo.username} is now ${name}.\n`, stderr: '' });
    expectRefusal(await send(server, '/api/v1/me', { token: bo.accessToken }), 401, 'invalid token');
    expect((await logIn(server, name)).userId).toBe(bo.userId);
    const taken = await run(['user', 'rename', name, other.username.toUpperCase()]);
    expect([taken.code, taken.stderr]).toEqual([
      1,
      'There is a user with this name, or with one that looks like it.\n',
    ]);
    expect((await run(['user', 'rename', name, 'all'])).code).toBe(1);
    expect((await run(['user', 'rename', name, 'x'])).stderr).toMatch(/^The username is not allowed: /);
    const { entries } = await json(['audit']);
    expect(entries[0]).toMatchObject({
      ...{ action: 'user_renamed', actor: null, user: { username: name } },
      details: { from: bo.username, to: name },
    });
  });

  it('that leaves the server without an admin says so, and how to make one', async () => {
    const [ann, bo] = [await signUp(server), await signUp(server)];
    for (const { username } of [ann, bo]) expect((await run(['admin', 'grant', username])).code).toBe(0);
    expect((await run(['user', 'role', ann.username, 'member'])).stderr).toBe('');
    const hint = 'There is no admin now. To make one: roomful admin grant NAME\n';
    expect((await run(['user', 'role', bo.username, 'member'])).stderr).toBe(hint);
    expect((await run(['admin', 'grant', bo.username])).code).toBe(0);
    expect((await run(['user', 'remove', bo.username, '--texts', 'keep', '--yes'])).stderr).toBe(hint);
  });

  it('resets a password by a link, signs in by one, lists and ends sessions, and invites', async () => {
    const bo = await signUp(server);
    const { code, url } = await json(['user', 'reset-password', bo.username]);
    expect(url).toMatch(/\/reset\/[\w-]{22}$/);
    const reset = await post(server, '/api/v1/auth/reset', { code, password: 'another horse battery' });
    expect(reset.status).toBe(200);
    await logIn(server, bo.username, 'another horse battery');
    const link = await json(['user', 'sign-in-link', bo.username]);
    expect(link.url).toMatch(/\/sign-in\/[\w-]{22}$/);
    expect((await post(server, '/api/v1/auth/sign-in-link', { code: link.code })).status).toBe(200);
    const said = await run(['user', 'sign-in-link', bo.username]);
    expect(said.stdout).toContain(`This link signs in as ${bo.username}, once, until `);
    expect(said.stderr).toMatch(/^Nobody can open this link elsewhere: set PUBLIC_URL/);
    expect((await run(['user', 'sign-in-link', 'nobody'])).stderr).toBe('There is no user "nobody".\n');
    expect((await json(['user', 'sessions', bo.username])).sessions).toHaveLength(2);
    expect((await run(['user', 'sessions', bo.username, '--end'])).stdout).toMatch(/^2 sessions of /);
    expect((await json(['invite', '--uses', '1', '--days', '2'])).url).toMatch(/\/invite\/[\w-]{22}$/);
    const made = await run(['invite']);
    expect(made.stderr).toMatch(/^Nobody can open this link elsewhere: set PUBLIC_URL/);
    expect((await json(['usage'])).users).toBeGreaterThan(0);
    const usage = (await run(['usage'])).stdout;
    expect(usage).toMatch(/^search +The index is /m);
    expect(usage).not.toContain('object');
    const { users } = await json(['user', 'list', bo.username.slice(0, 9)]);
    expect(users.map(({ username }: { username: string }) => username)).toContain(bo.username);
  });

  it.each([
    [['user', 'disable', 'nobody'], 1, 'There is no user "nobody".\n'],
    [['user', 'disable'], 2, /missing required argument 'name'/],
    [['user', 'role', 'nobody', 'king'], 2, 'The role must be admin, member or guest.\n'],
    [['registration', 'sometimes'], 2, 'It must be open, invite or closed.\n'],
    [['invite', '--uses', 'many'], 2, /It must be a whole number/],
    [['users'], 2, /unknown command 'users'/],
  ])('%j ends with a code and a sentence', async (args, code, sentence) => {
    const result = await run(args);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toMatch(sentence);
  });

  it('the socket is for the user of the server alone', async () => {
    const { statSync } = await import('node:fs');
    const { mode } = statSync(`${server.dataDir}/data/control.sock`);
    expect(mode & 0o777).toBe(0o600);
  });
});
