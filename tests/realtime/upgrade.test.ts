/** `GET /ws`: what opens a socket, what is refused, and in which order. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-reply.ts';
import { send, sendRaw } from '../support/http.ts';
import { flipBit } from '../support/jwt.ts';
import { ServerProcess } from '../support/server-process.ts';
import { offering, tryUpgrade, type UpgradeOptions, upgrade } from '../support/upgrade.ts';
import { createRoom, issueTicket, type Login, signUp } from '../support/users.ts';

const ALLOWED = 'https://chat.example.org';

let server: ServerProcess;
let ann: Login;
let roomId: number;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { ALLOWED_ORIGINS: ALLOWED } });
  ann = await signUp(server);
  roomId = (await createRoom(server, ann)).id;
});
afterAll(async () => await server?.dispose());

const freshTicket = () => issueTicket(server, ann, roomId);
const ws = (query = `?room_id=${roomId}`) => `/ws${query}`;

/** A handshake with a fresh ticket, valid in everything but `options`. */
async function attempt(options: UpgradeOptions = {}, path = ws()) {
  const ticket = await freshTicket();
  return { ticket, reply: await tryUpgrade(server, path, { protocols: offering(ticket), ...options }) };
}

/** The ticket still opens a socket: the refusals before did not spend it. */
async function expectUnspent(ticket: string): Promise<void> {
  expect((await tryUpgrade(server, ws(), { protocols: offering(ticket) })).status).toBe(101);
}

describe('101: the socket opens', () => {
  test('only the protocol name is echoed, never the ticket', async () => {
    const { ticket, reply } = await attempt();
    expect(reply.status).toBe(101);
    expect(reply.headers['sec-websocket-protocol']).toBe('chatroom.v1');
    expect(JSON.stringify(reply.headers)).not.toContain(ticket);
  });

  test.each([
    ['the ticket first', (ticket: string) => [`ticket.${ticket}`, 'chatroom.v1']],
    ['other versions beside ours', (ticket: string) => ['chatroom.v9', 'chatroom.v1', `ticket.${ticket}`]],
    [
      'unknown protocols beside ours',
      (ticket: string) => ['mqtt', `ticket.${ticket}`, 'chatroom.v1', 'soap'],
    ],
  ])('in any order: %s', async (_, protocols) => {
    const reply = await tryUpgrade(server, ws(), { protocols: protocols(await freshTicket()) });
    expect(reply.status).toBe(101);
    expect(reply.headers['sec-websocket-protocol']).toBe('chatroom.v1');
  });

  test('none offered at all means v1: the ticket may be the query parameter, and nothing is echoed', async () => {
    const ticket = await freshTicket();
    const reply = await upgrade(server, ws(`?room_id=${roomId}&ticket=${ticket}`));
    expect(reply.status).toBe(101);
    expect(reply.headers['sec-websocket-protocol']).toBeUndefined();
    reply.socket?.destroy();
  });

  test('a version offered and the ticket in the query', async () => {
    const ticket = await freshTicket();
    const reply = await tryUpgrade(server, ws(`?ticket=${ticket}`), { protocols: ['chatroom.v1'] });
    expect(reply.status).toBe(101);
    expect(reply.headers['sec-websocket-protocol']).toBe('chatroom.v1');
  });

  test('room_id is optional: the ticket names the room', async () => {
    const ticket = await freshTicket();
    expect((await tryUpgrade(server, '/ws', { protocols: offering(ticket) })).status).toBe(101);
  });

  test('compression offered is not negotiated', async () => {
    const { reply } = await attempt({
      headers: { 'sec-websocket-extensions': 'permessage-deflate; client_max_window_bits' },
    });
    expect(reply.status).toBe(101);
    expect(reply.headers['sec-websocket-extensions']).toBeUndefined();
  });

  test('header values in any case', async () => {
    const { reply } = await attempt({ headers: { upgrade: 'WebSocket', connection: 'keep-alive, UPGRADE' } });
    expect(reply.status).toBe(101);
  });
});

describe('400 invalid room_id', () => {
  test.each(['abc', '0', '-1', '1.5', '0x1', '1e0', '%201', '', '9007199254740992'])('%j', async (value) => {
    const { ticket, reply } = await attempt({}, ws(`?room_id=${value}`));
    expectRefusal(reply, 400, 'invalid room_id');
    await expectUnspent(ticket);
  });

  test('given twice', async () => {
    const { reply } = await attempt({}, ws(`?room_id=${roomId}&room_id=${roomId}`));
    expectRefusal(reply, 400, 'invalid room_id');
  });
});

describe('400 invalid since', () => {
  test.each(['abc', '-1', '1.5', '0x1', '%201', '', '9007199254740992'])('%j', async (value) => {
    const { ticket, reply } = await attempt({}, ws(`?room_id=${roomId}&since=${value}`));
    expectRefusal(reply, 400, 'invalid since');
    await expectUnspent(ticket);
  });

  test('given twice', async () => {
    const { reply } = await attempt({}, ws(`?room_id=${roomId}&since=1&since=1`));
    expectRefusal(reply, 400, 'invalid since');
  });
});

describe('426 for a bad or missing upgrade, version or key', () => {
  test('a plain GET', async () => {
    const reply = await send(server, ws());
    expectRefusal(reply, 426, 'upgrade required');
    expect(reply.headers.upgrade).toBe('websocket');
  });

  test.each<[string, UpgradeOptions['headers']]>([
    ['version 8', { 'sec-websocket-version': '8' }],
    ['no version', { 'sec-websocket-version': undefined }],
    ['a version that is no number', { 'sec-websocket-version': '13, 8' }],
    ['no key', { 'sec-websocket-key': undefined }],
    ['a short key', { 'sec-websocket-key': 'AAAA' }],
    ['a key that is no base64', { 'sec-websocket-key': '!!!!!!!!!!!!!!!!!!!!!!==' }],
    ['an upgrade to something else', { upgrade: 'h2c' }],
  ])('%s', async (_, headers) => {
    const { ticket, reply } = await attempt({ headers });
    expectRefusal(reply, 426, 'upgrade required');
    expect(reply.headers['sec-websocket-version']).toBe('13');
    await expectUnspent(ticket);
  });

  test('over HTTP/1.0, which knows no upgrade (RFC 9110 §7.8); the log says what a proxy has to speak', async () => {
    const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
    const ticket = await freshTicket();
    const head = `Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n`;
    const { text } = await sendRaw(server, `GET /ws?ticket=${ticket} HTTP/1.0\r\n${head}`);
    expect(text).toMatch(/^HTTP\/1\.1 426 [\s\S]*\{"error":"upgrade required"\}$/);
    await expectUnspent(ticket);
    expect(await server.logged(({ msg }) => String(msg).includes('HTTP/1.1'))).toHaveLength(1);
  });

  test('another method is no way in', async () => {
    const { ticket, reply } = await attempt({ method: 'POST' });
    expect([400, 405, 426]).toContain(reply.status);
    await expectUnspent(ticket);
  });
});

describe('400 unsupported protocol: protocols offered, none of ours', () => {
  test.each([[['chatroom.v9']], [['mqtt', 'soap']], [['CHATROOM.V1']], [['chatroom.v1.1']]])(
    '%j',
    async (offered) => {
      const ticket = await freshTicket();
      const reply = await tryUpgrade(server, ws(), { protocols: [...offered, `ticket.${ticket}`] });
      expectRefusal(reply, 400, 'unsupported protocol');
      await expectUnspent(ticket);
    },
  );

  test.each<[string, (ticket: string) => string]>([
    ['a protocol given twice', (ticket) => `chatroom.v1, chatroom.v1, ticket.${ticket}`],
    ['an empty element', (ticket) => `chatroom.v1,, ticket.${ticket}`],
    ['a trailing comma', (ticket) => `chatroom.v1, ticket.${ticket},`],
    ['a name that is no token', (ticket) => `chatroom.v1, a b, ticket.${ticket}`],
    ['a quoted name', (ticket) => `"chatroom.v1", chatroom.v1, ticket.${ticket}`],
  ])('a malformed list is accepted, or refused without spending the ticket: %s', async (_, list) => {
    const ticket = await freshTicket();
    const reply = await tryUpgrade(server, ws(), { headers: { 'sec-websocket-protocol': list(ticket) } });
    if (reply.status === 101) return;
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.json as object)).toEqual(['error']);
    await expectUnspent(ticket);
  });
});

describe('403 origin not allowed', () => {
  test('same-origin, an allowed origin, and no Origin header are fine', async () => {
    for (const origin of [undefined, server.url, ALLOWED, ALLOWED.toUpperCase()]) {
      expect((await attempt({ headers: { origin } })).reply.status).toBe(101);
    }
  });

  test.each([
    ...['null', '', 'https://evil.example', `${ALLOWED}.evil.example`, 'https://evil-chat.example.org'],
    ...['http://chat.example.org', `${ALLOWED}:8443`, `${ALLOWED}/`, `${ALLOWED}, https://evil.example`],
    ...['http://127.0.0.1:1', 'http://127.0.0.1', 'http://localhost', 'file://', 'chat.example.org'],
    'https://chat.example.org@evil.example',
  ])('%j', async (origin) => {
    const { ticket, reply } = await attempt({ headers: { origin } });
    expectRefusal(reply, 403, 'origin not allowed');
    await expectUnspent(ticket);
  });

  test('the right host over another scheme, or a forged forwarded proto or host', async () => {
    const own = `https://${server.host}`;
    expectRefusal((await attempt({ headers: { origin: own } })).reply, 403, 'origin not allowed');
    const proto = { origin: own, 'x-forwarded-proto': 'https' };
    expectRefusal((await attempt({ headers: proto })).reply, 403, 'origin not allowed');
    const host = { origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' };
    expectRefusal((await attempt({ headers: host })).reply, 403, 'origin not allowed');
  });

  test('behind a trusted proxy, its forwarded proto makes an https page same-origin', async () => {
    await using proxied = await ServerProcess.start({ env: { TRUST_PROXY: '127.0.0.1' } });
    const bo = await signUp(proxied);
    const room = await createRoom(proxied, bo);
    const ticket = await issueTicket(proxied, bo, room.id);
    const reply = await tryUpgrade(proxied, '/ws', {
      protocols: offering(ticket),
      headers: { host: 'chat.example.org', origin: 'https://chat.example.org', 'x-forwarded-proto': 'https' },
    });
    expect(reply.status).toBe(101);
  });
});

describe('401 missing ws ticket / invalid ws ticket', () => {
  test('no ticket', async () => {
    expectRefusal(await tryUpgrade(server, ws(), { protocols: ['chatroom.v1'] }), 401, 'missing ws ticket');
    expectRefusal(await tryUpgrade(server, ws()), 401, 'missing ws ticket');
  });

  test('nonsense, a flipped bit, another room, a room that is not there', async () => {
    const other = await createRoom(server, ann);
    const ticket = await freshTicket();
    const tampered = [0, 1, 2].map((part) => flipBit(ticket, part));
    for (const wrong of ['nonsense', 'a.b.c', ...tampered]) {
      const reply = await tryUpgrade(server, ws(), { protocols: offering(wrong) });
      expectRefusal(reply, 401, 'invalid ws ticket');
    }
    for (const elsewhere of [other.id, 999_999]) {
      const reply = await tryUpgrade(server, ws(`?room_id=${elsewhere}`), { protocols: offering(ticket) });
      expectRefusal(reply, 401, 'invalid ws ticket');
    }
    await expectUnspent(ticket);
  });

  test('access or refresh token as ticket', async () => {
    for (const token of [ann.accessToken, ann.refreshToken]) {
      const reply = await tryUpgrade(server, ws(), { protocols: offering(token) });
      expectRefusal(reply, 401, 'invalid ws ticket');
    }
  });

  test('an Authorization header is no ticket', async () => {
    const reply = await tryUpgrade(server, ws(), {
      protocols: ['chatroom.v1'],
      headers: { authorization: `Bearer ${ann.accessToken}` },
    });
    expectRefusal(reply, 401, 'missing ws ticket');
  });
});

describe('refusals come in the stated order', () => {
  /** Everything is wrong at first; then one fault after the other is corrected. */
  test('room_id, handshake, protocol, origin, ticket', async () => {
    const bad = { version: '8', protocol: 'chatroom.v9', origin: 'https://evil.example' };
    const ask = (query: string, { version, protocol, origin }: typeof bad) =>
      tryUpgrade(server, ws(query), {
        protocols: [protocol],
        headers: { 'sec-websocket-version': version, origin },
      });
    expectRefusal(await ask('?room_id=x', bad), 400, 'invalid room_id');
    const room = `?room_id=${roomId}`;
    expectRefusal(await ask(room, bad), 426, 'upgrade required');
    expectRefusal(await ask(room, { ...bad, version: '13' }), 400, 'unsupported protocol');
    const spoken = { ...bad, version: '13', protocol: 'chatroom.v1' };
    expectRefusal(await ask(room, spoken), 403, 'origin not allowed');
    expectRefusal(await ask(room, { ...spoken, origin: ALLOWED }), 401, 'missing ws ticket');
  });
});

describe('paths other than /ws', () => {
  test.each(['/ws/', '/ws/1', '/wsx', '/api/v1/ws', '/'])('%s opens no socket', async (path) => {
    const ticket = await freshTicket();
    const reply = await upgrade(server, path, { protocols: offering(ticket) });
    expect(reply.status).not.toBe(101);
    await expectUnspent(ticket);
  });

  test('an upgrade that is none of ours is ignored (RFC 9110 section 7.8)', async () => {
    const reply = await tryUpgrade(server, '/healthz', { headers: { upgrade: 'h2c' } });
    expect({ status: reply.status, body: reply.json }).toEqual({ status: 200, body: { status: 'ok' } });
  });
});
