import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roomsResponse } from '../../protocol/rest/rooms.ts';
import { deriveKeys, type Keys } from '../../server/features/identity/secret.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { send, sendRaw } from '../support/http.ts';
import { type Claims, decodeClaims, decodeHeader, flipBit, forge, keysOf } from '../support/jwt.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, issueTicket, type Login, signUp } from '../support/users.ts';

const SECRET = 'a secret that only this test and its server know';

let server: ServerProcess;
let keys: Keys;
let ann: Login;
let header: Claims;
let claims: Claims;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { JWT_SECRET: SECRET } });
  keys = await keysOf(server, SECRET);
  ann = await signUp(server);
  header = decodeHeader(ann.accessToken);
  claims = decodeClaims(ann.accessToken);
});
afterAll(async () => await server?.dispose());

const list = (authorization: string) => send(server, '/api/v1/rooms', { headers: { authorization } });
const listWith = (token: string) => list(`Bearer ${token}`);
const nowS = () => Math.floor(Date.now() / 1000);

test('the control: a token forged with the right key and untouched claims is accepted', async () => {
  expectReply(await listWith(forge(header, claims, keys.access.key)), 200, roomsResponse);
});

describe('401 invalid token', () => {
  test.each(['none', 'None', 'NONE', 'nOnE', '', ' none'])('alg %j, signed and unsigned', async (alg) => {
    const forged = forge({ ...header, alg }, claims, keys.access.key);
    const unsigned = `${forged.split('.').slice(0, 2).join('.')}.`;
    expectRefusal(await listWith(forged), 401, 'invalid token');
    expectRefusal(await listWith(unsigned), 401, 'invalid token');
  });

  test.each([
    ['HS384', 'sha384'],
    ['HS512', 'sha512'],
    ['RS256', 'sha256'],
    ['ES256', 'sha256'],
    ['EdDSA', 'sha256'],
    ['hs256', 'sha256'],
    ['HS384', 'sha256'],
  ])('alg %s, signed with our key and %s', async (alg, hash) => {
    expectRefusal(
      await listWith(forge({ ...header, alg }, claims, keys.access.key, hash)),
      401,
      'invalid token',
    );
  });

  test('a token that was accepted is refused as soon as it has expired', async () => {
    const exp = nowS() + 5;
    const token = forge(header, { ...claims, exp }, keys.access.key);
    expectReply(await listWith(token), 200, roomsResponse);
    await expect.poll(async () => (await listWith(token)).status, { timeout: 20_000 }).toBe(401);
    expect(nowS()).toBeGreaterThanOrEqual(exp);
    expectRefusal(await listWith(token), 401, 'invalid token');
  });

  test('a token that was accepted is refused with another signature, header or payload', async () => {
    const token = forge(header, { ...claims, jti: 'once accepted' }, keys.access.key);
    expectReply(await listWith(token), 200, roomsResponse);
    for (const part of [0, 1, 2]) {
      expectRefusal(await listWith(flipBit(token, part)), 401, 'invalid token');
    }
  });

  test('an empty signature, and one that is cut short', async () => {
    const [head, payload, signature = ''] = ann.accessToken.split('.');
    expectRefusal(await listWith(`${head}.${payload}.`), 401, 'invalid token');
    expectRefusal(await listWith(`${head}.${payload}.${signature.slice(0, 20)}`), 401, 'invalid token');
  });

  test('a key that the token brings along', async () => {
    const key = Buffer.from('attacker attacker attacker attack');
    const jwk = { kty: 'oct', k: key.toString('base64url') };
    const jku = 'http://127.0.0.1:1/keys';
    expectRefusal(await listWith(forge({ ...header, jwk }, claims, key)), 401, 'invalid token');
    expectRefusal(await listWith(forge({ ...header, jku }, claims, key)), 401, 'invalid token');
    expectRefusal(await listWith(forge({ ...header, x5u: jku }, claims, key)), 401, 'invalid token');
  });

  test.each([[['exp']], [['b64']], [['unknown']], ['unknown'], [[]]])('crit %j', async (crit) => {
    expectRefusal(
      await listWith(forge({ ...header, crit, unknown: 1 }, claims, keys.access.key)),
      401,
      'invalid token',
    );
  });

  test.each(['../../../../dev/null', "' OR 1=1 --", '', 'a'.repeat(1000), null, 1, ['a'], {}])(
    'a hostile kid: %j',
    async (kid) => {
      expectRefusal(await listWith(forge({ ...header, kid }, claims, keys.access.key)), 401, 'invalid token');
      expectRefusal(await listWith(forge({ ...header, kid }, claims, '')), 401, 'invalid token');
    },
  );

  test.each([0, 1, 2])('one bit of part %i turned over', async (part) => {
    expectRefusal(await listWith(flipBit(ann.accessToken, part)), 401, 'invalid token');
  });

  test('another last character, also one that decodes to the same bytes', async () => {
    const last = ann.accessToken.at(-1);
    for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      if (character === last) continue;
      expectRefusal(await listWith(`${ann.accessToken.slice(0, -1)}${character}`), 401, 'invalid token');
    }
  });

  test('other keys: the secret itself, the empty one, those for tickets, for refreshing, of other epochs', async () => {
    const elsewhere = ['', 'another epoch'].map((epoch) => deriveKeys(SECRET, epoch).access.key);
    for (const key of [...elsewhere, SECRET, '', 'secret', keys.ticket.key, keys.refresh]) {
      expectRefusal(await listWith(forge(header, claims, key)), 401, 'invalid token');
    }
  });

  test('an extra segment, a missing one, and other shapes', async () => {
    const [head, payload, signature] = ann.accessToken.split('.');
    for (const token of [
      `${ann.accessToken}.`,
      `${ann.accessToken}.${signature}`,
      `.${ann.accessToken}`,
      `${head}.${payload}`,
      `${head}..${signature}`,
      `.${payload}.${signature}`,
      `${head}.${payload}.${signature}=`,
      'a.b.c',
      '..',
      'e30.e30.e30',
      ann.refreshToken,
    ]) {
      expectRefusal(await listWith(token), 401, 'invalid token');
    }
  });

  test.each<[string, () => Claims]>([
    ['expired', () => ({ exp: nowS() - 1 })],
    ['exp missing', () => ({ exp: undefined })],
    ['exp as a string', () => ({ exp: String(nowS() + 600) })],
    ['exp null', () => ({ exp: null })],
    ['nbf in the future', () => ({ nbf: nowS() + 600 })],
    ['nbf as a string', () => ({ nbf: '0' })],
    ['another audience', () => ({ aud: 'roomful:ticket' })],
    ['no audience', () => ({ aud: undefined })],
    ['another issuer', () => ({ iss: 'evil' })],
    ['no subject', () => ({ sub: undefined })],
    ['a subject that is no id', () => ({ sub: 'ann' })],
    ['no session', () => ({ sid: undefined })],
    ['a session as a string', () => ({ sid: String(claims.sid) })],
  ])('signed with our key, but %s', async (_, change) => {
    expectRefusal(
      await listWith(forge(header, { ...claims, ...change() }, keys.access.key)),
      401,
      'invalid token',
    );
  });

  test('claims that are no object', async () => {
    for (const payload of ['null', '[]', '"ann"', '1', '{']) {
      const parts = [JSON.stringify(header), payload].map((part) => Buffer.from(part).toString('base64url'));
      const input = parts.join('.');
      const signature = createHmac('sha256', keys.access.key).update(input).digest('base64url');
      expectRefusal(await listWith(`${input}.${signature}`), 401, 'invalid token');
    }
  });

  test('a ticket as Bearer', async () => {
    const room = await createRoom(server, ann);
    expectRefusal(await listWith(await issueTicket(server, ann, room.id)), 401, 'invalid token');
  });
});

describe('401 missing bearer token (no or malformed header)', () => {
  test.each(['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Token abc', 'bearer', 'Bearerabc', 'abc'])(
    '%j',
    async (value) => {
      expectRefusal(await list(value), 401, 'missing bearer token');
    },
  );

  test('no header at all, on each endpoint that needs one', async () => {
    for (const [method, path] of [
      ['POST', '/api/v1/rooms'],
      ['GET', '/api/v1/rooms'],
      ['GET', '/api/v1/rooms/1/messages'],
      ['POST', '/api/v1/ws/tickets'],
    ] as const) {
      expectRefusal(await send(server, path, { method }), 401, 'missing bearer token');
      expectRefusal(await send(server, path, { method, token: 'nonsense' }), 401, 'invalid token');
    }
  });

  test('the scheme is case-insensitive (RFC 9110 section 11.1)', async () => {
    expectReply(await list(`bearer ${ann.accessToken}`), 200, roomsResponse);
  });

  test('a token in the query or in the body counts for nothing', async () => {
    const reply = await send(server, `/api/v1/rooms?access_token=${ann.accessToken}`);
    expectRefusal(reply, 401, 'missing bearer token');
  });
});

test('a 100 KB Authorization header is 431, and the server lives', async () => {
  const pid = server.pid;
  const { text } = await sendRaw(
    server,
    `GET /api/v1/rooms HTTP/1.1\r\nHost: ${server.host}\r\nAuthorization: Bearer ${'a'.repeat(100_000)}\r\n\r\n`,
    { quietMs: 2000 },
  );
  expect(text).toMatch(/^HTTP\/1\.1 431 /);
  expect(text).toMatch(/\{"error":"[a-z ]+"\}$/);
  expect((await send(server, '/health')).status).toBe(200);
  expect(server.pid).toBe(pid);
});

test('a generated secret outlives a restart; another JWT_SECRET ends all tokens', async () => {
  await using generated = await ServerProcess.start();
  const bo = await signUp(generated);
  await generated.stop();
  await generated.restart();
  expectReply(await send(generated, '/api/v1/rooms', { token: bo.accessToken }), 200, roomsResponse);
  await generated.stop();
  await generated.restart({ JWT_SECRET: 'quite another secret than the generated one' });
  expectRefusal(await send(generated, '/api/v1/rooms', { token: bo.accessToken }), 401, 'invalid token');
});
