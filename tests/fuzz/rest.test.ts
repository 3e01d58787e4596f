/** No request gives a 500 or ends the process, and every refusal has the same form. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpReply, type RequestOptions, send, sendRaw } from '../support/http.ts';
import { runSeed } from '../support/random.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';

const seed = runSeed();
const LIMITS = { seed, interruptAfterTimeLimit: 10_000, markInterruptAsFailure: false };

let server: ServerProcess;
let pid: number;
let ann: Login;
beforeAll(async () => {
  console.info(`fuzz seed ${seed} (SEED=${seed} brings it back)`);
  server = await ServerProcess.start();
  pid = server.pid;
  // Paths with the id 1 must not end the session that the others are sent with.
  await signUp(server);
  ann = await signUp(server);
  const room = await createRoom(server, ann);
  const line = await RoomLine.enter(server, ann, room.id);
  for (const content of ['one', 'two']) await line.post(content);
  await line.close();
});
afterAll(async () => await server?.dispose());

async function expectAlive(): Promise<void> {
  expect((await send(server, '/health')).status).toBe(200);
  expect(server.isRunning).toBe(true);
  expect(server.pid).toBe(pid);
}

/** Expects no server error, and exactly one key in a refusal. */
function expectJudged(reply: HttpReply, isHead: boolean): void {
  expect(reply.status).toBeGreaterThanOrEqual(200);
  expect(reply.status).toBeLessThan(500);
  expect(reply.headers['x-content-type-options']).toBe('nosniff');
  if (reply.status < 400 || isHead) return;
  expect(reply.json).toEqual({ error: expect.stringMatching(/^[a-z_ ]+$/) });
}

const strangeText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 140 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '__proto__',
    'constructor',
    'toString',
    "'; DROP TABLE users;--",
    '%00',
    '../..',
  ),
  fc.integer({ min: 100, max: 600 }).map((length) => 'a'.repeat(length)),
);
const strangeNumber = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -1, 1.5, 2 ** 53, 1e308, Number.MAX_SAFE_INTEGER),
);
const strangeValue = fc.oneof(strangeText, strangeNumber, fc.jsonValue({ maxDepth: 3 }));
const fieldName = fc.oneof(
  fc.constantFrom(
    'username',
    'password',
    'refresh_token',
    'name',
    'room_id',
    'user_ids',
    'kind',
    'topic',
    'description',
    'emoji',
    'archived',
    'settings',
    'role',
    'notify_muted_until',
    'hidden',
    'display_name',
    'status',
    'time_zone',
    'invite',
    'code',
    'expires_in',
    'max_uses',
    '__proto__',
    'constructor',
    'toJSON',
  ),
  strangeText,
);
/** Bodies: nearly valid ones, invalid ones, and no JSON at all. */
const body = fc.oneof(
  fc.record({ username: strangeText, password: strangeText }).map((value) => JSON.stringify(value)),
  fc
    .record({ room_id: strangeValue, name: strangeValue, refresh_token: strangeValue })
    .map((value) => JSON.stringify(value)),
  fc
    .record(
      {
        name: strangeText,
        kind: fc.constantFrom('public', 'private', 'dm'),
        topic: strangeText,
        description: strangeText,
        emoji: fc.oneof(fc.constantFrom('\u{1F98A}', '1\ufe0f\u20e3', null), strangeText),
        archived: fc.boolean(),
        settings: fc.record({ invite: fc.oneof(fc.constantFrom('member', 'moderator'), strangeText) }),
        user_ids: fc.array(fc.oneof(fc.constant(1), strangeNumber), { maxLength: 12 }),
        role: fc.oneof(fc.constantFrom('owner', 'moderator', 'member'), strangeText),
        notify: fc.oneof(fc.constantFrom('all', 'mentions', 'none', null), strangeText),
        notify_muted_until: fc.oneof(fc.date({ noInvalidDate: true }).map(String), strangeText),
        threads: fc.oneof(fc.constantFrom('all', 'none', null), strangeText),
        starred: fc.boolean(),
        expires_in: strangeNumber,
        max_uses: strangeNumber,
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
  fc
    .record(
      {
        display_name: strangeText,
        status: fc.record(
          { text: strangeText, emoji: strangeText, until: strangeText },
          { requiredKeys: ['text'] },
        ),
        time_zone: fc.oneof(fc.constantFrom('UTC', 'Europe/Vienna', '+01:00'), strangeText),
        settings: fc.record({ theme: strangeText, language: strangeText }, { requiredKeys: [] }),
        invite: strangeText,
        code: strangeText,
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
  fc
    .record(
      {
        content: fc.oneof(strangeText, fc.constant('@room `x` @"a b"')),
        base_revision: fc.oneof(fc.constantFrom(0, 1), strangeNumber),
        note: strangeText,
        title: strangeText,
        resolved: fc.oneof(fc.boolean(), strangeText),
        seq: fc.oneof(fc.constantFrom(0, 1), strangeNumber),
        endpoint: fc.oneof(fc.webUrl(), strangeText),
        keys: fc.record({ p256dh: strangeText, auth: strangeText }),
        dnd: fc.oneof(fc.constant(null), strangeValue),
        default: fc.oneof(fc.constantFrom('all', 'mentions', 'none'), strangeText),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
  fc.array(fc.tuple(fieldName, strangeValue), { maxLength: 6 }).map(
    // Written by hand, so that `__proto__` and repeated keys arrive as such.
    (fields) =>
      `{${fields.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`,
  ),
  fc.json(),
  fc.uint8Array({ maxLength: 300 }),
);
const id = fc.oneof(
  fc.constantFrom('1', '0', '-1', '01', '9007199254740993', '1e3', '0x1', '%00', '%', '%ff', '..'),
  strangeText,
);
const path = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .constantFrom('register', 'login', 'refresh', 'logout')
      .map((name) => `/api/v1/auth/${name}`),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom('/api/v1/rooms', '/api/v1/ws/tickets', '/ws', '/health', '/ready', '/version'),
  },
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(
        ...['me', 'me/rooms', 'me/blocks', 'me/sessions', 'me/saved', 'me/threads', 'me/inbox'],
        ...['me/notifications', 'me/push', 'me/push/key', 'users', 'dms', 'rooms/1', 'setup'],
      )
      .map((name) => `/api/v1/${name}`),
  },
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom('messages', 'members', 'members/me', 'invites', 'prefs', 'pins', 'threads'), id)
      .map(([name, text]) => `/api/v1/rooms/${encode(text)}/${name}`),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom('rooms/1/members/', 'rooms/1/invites/', 'me/blocks/', 'me/sessions/', 'invites/'),
        id,
      )
      .map(([name, text]) => `/api/v1/${name}${encode(text)}`),
  },
  {
    weight: 10,
    arbitrary: fc
      .tuple(
        fc.constantFrom('1', '2', '999'),
        fc.constantFrom('', '/revisions', '/reactions', '/pin', '/saved', '/why', '/reactions/'),
        fc.oneof(fc.constantFrom('🦊', '👍'), id),
      )
      .map(([message, end, emoji]) => {
        const path = `/api/v1/rooms/1/messages/${message}${end}`;
        return end.endsWith('/') ? `${path}${encode(emoji)}` : path;
      }),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(id, fc.constantFrom('', '/messages', '/follow', '/read'))
      .map(([thread, end]) => `/api/v1/rooms/1/threads/${encode(thread)}${end}`),
  },
  {
    weight: 2,
    arbitrary: fc.array(strangeText, { maxLength: 5 }).map((parts) => `/${parts.map(encode).join('/')}`),
  },
  { weight: 1, arbitrary: strangeText.map((text) => `/${encode(text)}`) },
);
const query = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(
          ...['limit', 'before_id', 'after_id', 'q', 'ids', 'view', 'room_id', 'since', 'ticket', 'limit[]'],
        ),
        strangeText,
      ),
      fc.oneof(id, strangeText),
    ),
    { maxLength: 4 },
  )
  .map((pairs) =>
    pairs.length === 0 ? '' : `?${pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&')}`,
  );
const headerText = fc.string({ maxLength: 200 }).map((text) => text.replace(/[^\x20-\x7e]/g, ''));
const headers = fc.record(
  {
    'content-type': fc.oneof(
      fc.constantFrom('application/json', 'text/plain', 'multipart/form-data'),
      headerText,
    ),
    'content-encoding': fc.oneof(fc.constantFrom('gzip', 'identity'), headerText),
    'idempotency-key': headerText,
    'x-forwarded-for': headerText,
    accept: headerText,
    'accept-encoding': headerText,
    'if-none-match': headerText,
    range: headerText,
    origin: headerText,
  },
  { requiredKeys: [] },
);
const method = fc.constantFrom(
  ...['GET', 'GET', 'POST', 'POST', 'POST', 'HEAD', 'PUT', 'PUT', 'PATCH', 'PATCH', 'DELETE', 'OPTIONS'],
);
const authorization = fc.oneof(
  { weight: 5, arbitrary: fc.constant('good' as const) },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: headerText },
);

/** A request target: characters that the HTTP client refuses to send are escaped, the rest is sent as it is. */
function encode(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[^\x21-\x7e]|[?#]/g, (byte) => {
      return `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
    });
}

test('no method, path, query, header or body gives a 500 or ends the process', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      method,
      path,
      query,
      headers,
      authorization,
      body,
      async (verb, route, search, extra, who, payload) => {
        const options: RequestOptions = { method: verb, headers: extra };
        if (who !== null) options.token = who === 'good' ? ann.accessToken : who;
        if (verb !== 'GET' && verb !== 'HEAD') options.body = payload;
        expectJudged(await send(server, `${route}${search}`, options), verb === 'HEAD');
      },
    ),
    { ...LIMITS, numRuns: 2000 },
  );
  await expectAlive();
});

test('bytes that are not valid HTTP are refused, and never fatal', { timeout: 60_000 }, async () => {
  const start = fc.constantFrom(
    '',
    'GET / HTTP/1.1\r\n',
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\n',
    'GET /ws HTTP/1.1\r\n',
  );
  const middle = fc.oneof(
    fc.constantFrom('Content-Length: 9', 'Transfer-Encoding: chunked\r\n\r\n', 'Upgrade: websocket'),
    headerText,
  );
  await fc.assert(
    fc.asyncProperty(start, middle, fc.uint8Array({ maxLength: 200 }), async (first, second, rest) => {
      const bytes = Buffer.concat([Buffer.from(`${first}${second}\r\n`), rest, Buffer.from('\r\n\r\n')]);
      const { text } = await sendRaw(server, bytes, { quietMs: 40 });
      expect(text).toMatch(/^(HTTP\/1\.1 [234]|$)/);
    }),
    { ...LIMITS, numRuns: 150 },
  );
  await expectAlive();
});
