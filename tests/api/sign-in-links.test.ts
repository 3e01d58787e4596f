/** A link that signs in once, which the operator makes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loginResponse } from '../../protocol/rest/accounts.ts';
import { runCommand } from '../support/command.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type Login, signUp } from '../support/users.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
});
afterAll(() => server?.dispose());

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await runCommand(server, args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};
const make = async ({ username }: Login): Promise<{ code: string; url: string; expires_at: string }> =>
  JSON.parse(await run('user', 'sign-in-link', username, '--json'));
const find = (code: string) => post(server, '/api/v1/auth/sign-in-link/find', { code });
const use = (code: string) => post(server, '/api/v1/auth/sign-in-link', { code });

describe('a link that signs in', () => {
  it('works once, within ten minutes: of several presses at once one wins; to open it changes nothing', async () => {
    const bo = await signUp(server);
    const { code, url, expires_at } = await make(bo);
    expect(url.endsWith(`/sign-in/${code}`)).toBe(true);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(600_000);
    for (let times = 0; times < 3; times++) {
      await send(server, `/sign-in/${code}`);
      expect((await find(code)).json).toEqual({ user: { user_id: bo.userId, username: bo.username } });
    }
    const racers = await Promise.all([use(code), use(code), use(code)]);
    expect(racers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    const won = racers.find(({ status }) => status === 200);
    if (!won) throw new Error('nobody won');
    const { access_token: token, user } = expectReply(won, 200, loginResponse);
    expect(user).toEqual({ id: bo.userId, username: bo.username });
    expect((await send(server, '/api/v1/me', { token })).status).toBe(200);
    // The session that was there goes on.
    expect((await send(server, '/api/v1/me', { token: bo.accessToken })).status).toBe(200);
    expectRefusal(await find(code), 404, 'link not found');
    const { entries } = JSON.parse(await run('audit', '--json'));
    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'sign_in_link_used', actor: { user_id: bo.userId }, user: { user_id: bo.userId } },
      { action: 'sign_in_link_made', actor: null, user: { user_id: bo.userId } },
    ]);
  });

  it('is neither a link for a password nor a guess: an unknown code leads nowhere', async () => {
    const bo = await signUp(server);
    const { code } = await make(bo);
    expectRefusal(await post(server, '/api/v1/auth/reset/find', { code }), 404, 'link not found');
    const password = 'another horse battery';
    expectRefusal(await post(server, '/api/v1/auth/reset', { code, password }), 404, 'link not found');
    expect((await find(code)).status).toBe(200);
    const reset = JSON.parse(await run('user', 'reset-password', bo.username, '--json'));
    expectRefusal(await use(reset.code), 404, 'link not found');
    // The newer link has ended the one before.
    expectRefusal(await use(code), 404, 'link not found');
    for (const wrong of ['unknown', '', 'A'.repeat(22)])
      expectRefusal(await use(wrong), 404, 'link not found');
  });

  it('signs in nobody who is disabled, and says why as sign-in does', async () => {
    const bo = await signUp(server);
    const before = await make(bo);
    await run('user', 'disable', bo.username, '--reason', 'Left the company');
    expectRefusal(await use(before.code), 404, 'link not found');
    const since = await make(bo);
    for (const reply of [await find(since.code), await use(since.code)]) {
      const refusal = { error: 'account suspended', reason: 'Left the company' };
      expect([reply.status, reply.json]).toEqual([403, refusal]);
    }
  });

  it('comes from a page of the server only', async () => {
    const bo = await signUp(server);
    const { code } = await make(bo);
    const headers = { origin: 'https://elsewhere.example' };
    const reply = await post(server, '/api/v1/auth/sign-in-link', { code }, { headers });
    expectRefusal(reply, 403, 'origin not allowed');
    expect((await use(code)).status).toBe(200);
  });
});
