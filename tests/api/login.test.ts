import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loginResponse, userSchema } from '../../protocol/rest/accounts.ts';
import { nameKey } from '../../protocol/text.ts';
import { inDatabaseOf } from '../support/database.ts';
import { expectRefusal, expectReply, expectRetryAfter } from '../support/expect-reply.ts';
import { post, type RequestOptions, send } from '../support/http.ts';
import { decodeClaims } from '../support/jwt.ts';
import { ServerProcess } from '../support/server-process.ts';
import { logIn, PASSWORD, signUp, uniqueName } from '../support/users.ts';

const PATH = '/api/v1/auth/login';
const G_CLEF = '\u{1D11E}';

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
});
afterAll(async () => await server?.dispose());

const attempt = (username: unknown, password: unknown, options: RequestOptions = {}) =>
  post(server, PATH, { username, password }, options);

describe('POST /api/v1/auth/login: 200 {access_token, refresh_token, expires_in, user:{id, username}}', () => {
  test('the access token is a JWT of 15 minutes; expires_in says so in seconds', async () => {
    const { username } = await signUp(server);
    const answer = expectReply(await attempt(username, PASSWORD), 200, loginResponse);
    expect(answer.expires_in).toBe(900);
    const claims = decodeClaims(answer.access_token);
    expect(Number(claims.exp) - Number(claims.iat)).toBe(900);
    expect(answer.user.username).toBe(username);
  });

  test('the refresh token is opaque', async () => {
    const { refreshToken } = await signUp(server);
    expect(refreshToken).toMatch(/^[\w-]{32,}$/);
  });

  test('token replies are never stored: Cache-Control no-store', async () => {
    const { username } = await signUp(server);
    expect((await attempt(username, PASSWORD)).headers['cache-control']).toBe('no-store');
  });

  test('each login has tokens of its own', async () => {
    const first = await signUp(server);
    const second = await logIn(server, first.username);
    expect(second.userId).toBe(first.userId);
    expect(second.accessToken).not.toBe(first.accessToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
  });

  test('a long multi-byte password counts to its last character', async () => {
    const username = uniqueName('long');
    const password = `${G_CLEF.repeat(127)}a`;
    expectReply(await post(server, '/api/v1/auth/register', { username, password }), 201, userSchema);
    expectRefusal(await attempt(username, `${G_CLEF.repeat(127)}b`), 401, 'invalid credentials');
    expectReply(await attempt(username, password), 200, loginResponse);
  });

  test('a password is never trimmed, and is the same composed or decomposed', async () => {
    const username = uniqueName('spacious');
    const password = ' passe\u0301word ';
    expectReply(await post(server, '/api/v1/auth/register', { username, password }), 201, userSchema);
    expectReply(await attempt(username, password.normalize('NFC')), 200, loginResponse);
    expectRefusal(await attempt(username, password.trim()), 401, 'invalid credentials');
  });
});

describe('401 invalid credentials', () => {
  test('an unknown user and a wrong password get the same response', async () => {
    const { username } = await signUp(server);
    const wrong = await attempt(username, 'not the password');
    const unknown = await attempt(uniqueName('nobody'), 'not the password');
    expectRefusal(wrong, 401, 'invalid credentials');
    expectRefusal(unknown, 401, 'invalid credentials');
    const comparable = ({ date: _, 'x-request-id': _id, ...headers }: typeof wrong.headers) => headers;
    expect(comparable(unknown.headers)).toEqual(comparable(wrong.headers));
    expect(unknown.text).toBe(wrong.text);
  });

  test('what no name or password can be is a wrong credential', async () => {
    expectRefusal(await attempt('x', 'y'), 401, 'invalid credentials');
    expectRefusal(await attempt('a\u200bb', 'a'.repeat(500)), 401, 'invalid credentials');
  });
});

describe('400 invalid payload', () => {
  test.each([
    ['missing', undefined],
    ['null', null],
    ['a number', 1],
    ['an array', ['ann']],
    ['an object', {}],
    ['empty', ''],
    ['a NUL', 'a\0b'],
    ['a lone surrogate', '\ud800'],
  ])('%s', async (_, value) => {
    expectRefusal(await attempt(value, PASSWORD), 400, 'invalid payload');
    expectRefusal(await attempt('ann', value), 400, 'invalid payload');
  });
});

describe('names from before a rule', () => {
  test.each(['ann  lee', 'admi\u0307n', `a${'\u0301'.repeat(20)}`])('%j still logs in', async (oldName) => {
    await using old = await ServerProcess.start();
    const { username } = await signUp(old);
    await old.stop();
    const rename = 'UPDATE users SET username = ?, username_key = ? WHERE username = ?';
    await inDatabaseOf(old, rename, oldName.normalize('NFC'), nameKey(oldName), username);
    await old.restart();
    expect((await logIn(old, oldName)).username).toBe(oldName.normalize('NFC'));
  });
});

describe('ten failed logins a minute for one account and address give 429 with Retry-After', () => {
  /** Ten wrong passwords from 127.0.0.2; each must be an ordinary 401. */
  async function failTenTimes(username: string): Promise<void> {
    const guesses = Array.from({ length: 10 }, () =>
      attempt(username, 'not the password', { localAddress: '127.0.0.2' }),
    );
    for (const reply of await Promise.all(guesses)) expectRefusal(reply, 401, 'invalid credentials');
  }

  test('the owner elsewhere is never locked out, nor are others at that address', async () => {
    const ann = await signUp(server);
    const bo = await signUp(server);
    await failTenTimes(ann.username);

    const eleventh = await attempt(ann.username, 'not the password', { localAddress: '127.0.0.2' });
    expectRefusal(eleventh, 429, 'too many requests');
    expectRetryAfter(eleventh);
    expect(Number(eleventh.headers['retry-after'])).toBeLessThanOrEqual(60);

    expectReply(await attempt(ann.username, PASSWORD), 200, loginResponse);
    expectReply(await attempt(bo.username, PASSWORD, { localAddress: '127.0.0.2' }), 200, loginResponse);
    expect((await send(server, '/version', { localAddress: '127.0.0.2' })).status).toBe(200);
  });

  test('every spelling of a name is one account', async () => {
    const ann = await signUp(server, uniqueName('ann'));
    await failTenTimes(ann.username);
    const spelled = await attempt(ann.username.toUpperCase(), 'not it', { localAddress: '127.0.0.2' });
    expectRefusal(spelled, 429, 'too many requests');
  });

  test('a name is one account, with a dotted capital I in small letters, too', async () => {
    const ann = await signUp(server, uniqueName('\u0130\u0130'));
    await failTenTimes(ann.username);
    for (const small of ['i\u0307\u0130', '\u0130i\u0307', 'i\u0307i\u0307']) {
      const spelled = ann.username.replace('\u0130\u0130', small);
      const reply = await attempt(spelled, 'not it', { localAddress: '127.0.0.2' });
      expectRefusal(reply, 429, 'too many requests');
    }
  });

  test('a name is one account, with any number of spaces', async () => {
    const ann = await signUp(server, `${uniqueName('ann')} lee`);
    await failTenTimes(ann.username);
    for (const spaces of ['  ', '   ', '    ']) {
      const spelled = ann.username.replace(' ', spaces);
      const reply = await attempt(spelled, 'not it', { localAddress: '127.0.0.2' });
      expectRefusal(reply, 429, 'too many requests');
    }
  });

  test('an account that does not exist has the same limit, so the limit does not reveal it', async () => {
    const username = uniqueName('nobody');
    await failTenTimes(username);
    const eleventh = await attempt(username, 'not the password', { localAddress: '127.0.0.2' });
    expectRefusal(eleventh, 429, 'too many requests');
  });

  test('30 at once: ten of them learn that they are wrong, and one more for each 6 s', async () => {
    const { username } = await signUp(server);
    const from = performance.now();
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => attempt(username, 'not the password', { localAddress: '127.0.0.3' })),
    );
    const refilled = Math.floor((performance.now() - from) / 6000);
    const wrong = replies.filter((reply) => reply.status === 401).length;
    expect(wrong).toBeGreaterThanOrEqual(10);
    expect(wrong).toBeLessThanOrEqual(10 + refilled);
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(30 - wrong);
  });

  test('successful logins do not count', async () => {
    const { username } = await signUp(server);
    for (let count = 0; count < 12; count++) {
      expectReply(await attempt(username, PASSWORD, { localAddress: '127.0.0.4' }), 200, loginResponse);
    }
  });
});

describe('hashing is bounded work', () => {
  test('400 logins at once from 20 addresses: one from another address is served; 503 is logged briefly', async () => {
    await using busy = await ServerProcess.start();
    const { username } = await signUp(busy);
    let refused: (() => void) | undefined;
    const isFull = new Promise<void>((resolve) => {
      refused = resolve;
    });
    const flood = Array.from({ length: 400 }, async (_, index) => {
      const body = { username: uniqueName('nobody'), password: 'not the password' };
      const reply = await post(busy, PATH, body, { localAddress: `127.0.1.${(index % 20) + 1}` });
      if (reply.status === 503) refused?.();
      return reply.status;
    });
    await isFull;
    await logIn(busy, username, PASSWORD, { localAddress: '127.0.2.1' });
    const statuses = await Promise.all(flood);
    const count = statuses.filter((status) => status === 503).length;
    expect(count).toBeGreaterThan(50);
    await busy.stop();
    const lines = busy.logs.filter(({ level }) => Number(level) >= 40);
    expect(lines).toMatchObject([{ level: 40, msg: 'requests refused: too much is waiting', count: 1 }]);
  });

  test('80 logins at once: each is decided, or 503 with Retry-After; /health responds meanwhile', async () => {
    const { username } = await signUp(server);
    const logins = Promise.all([
      ...Array.from({ length: 40 }, () => attempt(uniqueName('nobody'), 'not the password')),
      ...Array.from({ length: 40 }, () => attempt(username, PASSWORD)),
    ]);
    expect((await send(server, '/health')).status).toBe(200);
    for (const reply of await logins) {
      expect([200, 401, 503]).toContain(reply.status);
      if (reply.status === 401) expectRefusal(reply, 401, 'invalid credentials');
      if (reply.status !== 503) continue;
      expectRefusal(reply, 503, 'service unavailable');
      expectRetryAfter(reply);
    }
  });
});
