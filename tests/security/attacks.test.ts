/** Attacks on what two parsers, two readers or two users may take for different things. */
import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roomSchema } from '../../protocol/rooms.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { post, send, sendRaw } from '../support/http.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { offering, upgrade } from '../support/upgrade.ts';
import { createRoom, issueTicket, type Login, PASSWORD, signUp, uniqueName } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

let server: ServerProcess;
let ann: Login;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { LOG_LEVEL: 'trace' } });
  ann = await signUp(server);
});
afterAll(async () => await server?.dispose());

describe('a request that is hidden in another one is never served', () => {
  /** What a proxy in front may have passed as the body of the first request. */
  const hidden = 'GET /version HTTP/1.1\r\nHost: x\r\n\r\n';
  const posted = (lines: string[], body: string) =>
    ['POST /api/v1/auth/login HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n') + body;
  const chunked = 'Transfer-Encoding: chunked';

  test.each<[string, string]>([
    ['a length of 0 beside chunked', posted([chunked, 'Content-Length: 0'], hidden)],
    [
      'chunked in another case beside a length',
      posted(['Transfer-Encoding: CHUNKED', 'Content-Length: 4'], hidden),
    ],
    ['chunked twice', posted([chunked, chunked], `0\r\n\r\n${hidden}`)],
    ['chunked after identity', posted(['Transfer-Encoding: identity, chunked', 'Content-Length: 0'], hidden)],
    ['a vertical tab before chunked', posted(['Transfer-Encoding: \x0bchunked'], `0\r\n\r\n${hidden}`)],
    ['a name in quotes', posted(['Transfer-Encoding: "chunked"'], `0\r\n\r\n${hidden}`)],
    [
      'a carriage return in a header',
      posted(['X: a\rTransfer-Encoding: chunked', 'Content-Length: 0'], hidden),
    ],
    ['a tab before the colon', posted(['Content-Length\t: 0'], hidden)],
    ['a length with a comma', posted(['Content-Length: 0,'], hidden)],
    ['an underscore for the hyphen, and a length that is too long', posted(['Content-Length: 1_0'], hidden)],
    ['a chunk size with a sign', posted([chunked], `+0\r\n\r\n${hidden}`)],
    ['a chunk size with a prefix', posted([chunked], `0x0\r\n\r\n${hidden}`)],
    ['a chunk size with a space before', posted([chunked], ` 0\r\n\r\n${hidden}`)],
    ['a chunk that ends in a bare line feed', posted([chunked], `0\n\n${hidden}`)],
    ['a chunk longer than its size', posted([chunked], `1\r\nab\r\n0\r\n\r\n${hidden}`)],
    ['an extension with a bare line feed', posted([chunked], `1;x\n0\r\na\r\n0\r\n\r\n${hidden}`)],
  ])('%s', async (_, bytes) => {
    const { text, closed } = await sendRaw(server, bytes, { quietMs: 3000 });
    expect(text).not.toContain('node_version');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(closed).toBe(true);
  });
});

describe('keys of prototypes are data that nobody asked for', () => {
  const HOSTILE = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];
  /** JSON.stringify would leave `__proto__` out. */
  const hostile = (fields: string) =>
    `{${HOSTILE.map((key) => `"${key}":{"role":"admin","isAdmin":true,"prototype":{"polluted":1}},`).join('')}${fields}}`;

  test('in a body: fields that are inherited count for nothing, and nothing is inherited from then on', async () => {
    const { accessToken: token } = ann;
    const sendBody = (method: string, path: string, body: string) =>
      send(server, path, { method, body, token });
    const name = uniqueName('room');
    const room = expectReply(
      await sendBody('POST', '/api/v1/rooms', hostile(`"name":"${name}"`)),
      201,
      roomSchema,
    );
    expectRefusal(
      await sendBody('POST', '/api/v1/rooms', '{"__proto__":{"name":"inherited"}}'),
      400,
      'invalid payload',
    );
    const inherited = '{"__proto__":{"username":"inherited","password":"correct horse"}}';
    expectRefusal(await sendBody('POST', '/api/v1/auth/register', inherited), 400, 'invalid payload');
    for (const path of [`/api/v1/rooms/${room.id}`, '/api/v1/me'])
      expect((await sendBody('PATCH', path, hostile('"x":1'))).status).toBeLessThan(500);
    const text = (await send(server, '/api/v1/me', { token })).text + (await send(server, '/health')).text;
    expect(text).not.toMatch(/polluted|isAdmin/);
    expect((await send(server, '/api/v1/admin/users', { token })).status).not.toBe(200);
  });

  test('in a frame and in a query', async () => {
    const { id } = await createRoom(server, ann);
    const client = await ChatClient.enter(server, ann, id);
    for (const type of [...HOSTILE, '__defineGetter__']) client.sendRaw(`{"type":"${type}","content":"x"}`);
    client.sendRaw('{"__proto__":{"type":"message","content":"inherited"}}');
    await client.waitForCount('error', HOSTILE.length + 2);
    client.sendRaw(hostile('"type":"message","content":"own"'));
    const { content } = await client.waitFor('message');
    expect(content).toBe('own');
    await client.close();
    for (const key of HOSTILE) {
      const reply = await send(server, `/api/v1/rooms?${key}=1&${key}[x]=1`, { token: ann.accessToken });
      expect(reply.status).toBe(200);
      expect((await send(server, `/api/v1/${key}`)).status).toBe(404);
    }
  });
});

test('a message that deflates a thousandfold closes its socket before it is inflated', async () => {
  const { id } = await createRoom(server, ann);
  const bomb = deflateRawSync(Buffer.alloc(60 * 1024 * 1024, 'a'));
  {
    const reply = await upgrade(server, `/ws?room_id=${id}`, {
      protocols: offering(await issueTicket(server, ann, id)),
      headers: { 'sec-websocket-extensions': 'permessage-deflate; client_no_context_takeover' },
    });
    expect(reply.headers['sec-websocket-extensions']).toBeUndefined();
    const { socket } = reply;
    const closed = new Promise((resolve) => socket?.on('close', resolve));
    const received: Buffer[] = [];
    socket?.on('data', (chunk: Buffer) => received.push(chunk));
    // The final frame of a text, with the bit that says that it is compressed.
    const payload = bomb.subarray(0, 60_000);
    const mask = randomBytes(4);
    const head = Buffer.from([0xc1, 0xfe, payload.length >> 8, payload.length & 0xff, ...mask]);
    socket?.write(Buffer.concat([head, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))]));
    await closed;
    expect(Buffer.concat(received).includes(Buffer.from([0x03, 0xea]))).toBe(true);
  }
});

/** What Markdown, mentions, addresses and names begin and end with; parsers go back over what is not closed. */
const PIECES = [
  ...[
    '*',
    '__',
    '`',
    '``',
    '```\n',
    '~~',
    '[',
    '](',
    '![',
    '<',
    '>',
    '> ',
    '- ',
    '\n',
    '\n\n',
    ' ',
    '\t',
    '@',
    '@"',
  ],
  ...['@a', '@room ', 'a.', 'www.', 'http://', '(', ')', '\\', '&', 'a\u0301', '\ufdfa', '\u6c34', 'x'],
];

test('the longest message of any two marks, again and again, is stored, and the next one as well', async () => {
  await using other = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  const bo = await signUp(other);
  const line = await RoomLine.enter(other, bo, (await createRoom(other, bo)).id);
  for (const first of PIECES) {
    const texts = PIECES.map((second) => `x${[...(first + second).repeat(4000)].slice(0, 3999).join('')}`);
    await Promise.all(texts.map((content) => line.post(content)));
  }
  await line.close();
});

test('line breaks and terminal codes in names, paths and headers stay within one line of JSON', async () => {
  const marks = ['\u001b[31mred', '\u009b2J', '\u2028{"level":60,"msg":"forged"}', '\u0085'];
  const forged = '{"level":60,"msg":"forged"}';
  for (const mark of marks) {
    await post(server, '/api/v1/auth/login', { username: `ann\n${forged}\r\n${mark}`, password: PASSWORD });
    await post(server, '/api/v1/rooms', { name: `room${mark}` }, { token: ann.accessToken });
  }
  const encoded = encodeURIComponent(`\r\n${forged}\u001b[2J`);
  for (const path of [`/api/v1/${encoded}`, `/ws?ticket=${encoded}`, `/api/v1/rooms?q=${encoded}`]) {
    const raw = `GET ${path} HTTP/1.1\r\nHost: x\r\nUser-Agent: a\x1b[31m\x85\tb\r\nX-Request-Id: ${forged}\x1b[2J\r\n`;
    await sendRaw(server, `${raw}Origin: http://evil.example\x1b[31m\r\nConnection: close\r\n\r\n`);
  }
  const raw = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
  const key =
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nOrigin: http://evil.example\x1b[31m\x9b\r\n\r\n';
  await sendRaw(server, `GET /ws HTTP/1.1\r\n${raw}${key}`, { quietMs: 500 });
  await server.logged(({ msg }) => /origin|refused/.test(String(msg)));
  expect(server.logs.filter(({ msg }) => msg === 'forged')).toEqual([]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them.
  expect(server.stderr.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
});

test('secrets in paths, queries, headers, bodies and broken requests are in no line of the log', async () => {
  const secret = 'sEcReT-4f1c9b7e2d';
  const bearer = `Host: x\r\nAuthorization: Bearer ${secret}\r\nCookie: s=${secret}\r\n`;
  const paths = [
    `/api/v1/invites/${secret}`,
    `/api/v1/invites/${secret}/x`,
    `/ws?ticket=${secret}`,
    `/${secret}%zz`,
  ];
  for (const path of [...paths, `/api/v1/rooms?access_token=${secret}`, `/api/v1/${secret}`])
    await sendRaw(server, `GET ${path} HTTP/1.1\r\n${bearer}Connection: close\r\n\r\n`);
  // What Node's parser refuses it hands over with the bytes.
  await sendRaw(server, `GET / HTTP/1.1\r\n${bearer}: x\r\n\r\n`);
  await sendRaw(
    server,
    `POST /${secret} HTTP/1.1\r\n${bearer}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
  );
  const password = {
    username: secret,
    password: secret,
    refresh_token: secret,
    code: secret,
    name: `\0${secret}`,
  };
  for (const path of [
    'auth/login',
    'auth/refresh',
    'auth/logout',
    'rooms',
    'auth/reset',
    'auth/reset/find',
    'ws/tickets',
  ])
    await post(server, `/api/v1/${path}`, password, { token: ann.accessToken });
  await send(server, '/api/v1/rooms', {
    method: 'POST',
    body: `{"password":"${secret}`,
    token: ann.accessToken,
  });
  const { id } = await createRoom(server, ann);
  const client = await ChatClient.enter(server, ann, id);
  for (const frame of [secret, `{"type":"${secret}"}`, `{"type":"message","content":"${secret}"}`])
    client.sendRaw(frame);
  await client.waitForCount('error', 2);
  await client.close();
  await server.logged(({ msg }) => msg === 'socket closed');
  expect(server.stderr).not.toContain(secret);
  expect(server.stdout).not.toContain(secret);
});
