/** Frames that violate RFC 6455 or the limits: each closes its own socket with its code and harms nobody else. */
import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { offering, upgrade } from '../support/upgrade.ts';
import { createRoom, issueTicket, type Login, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

const KIB = 1024;
const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

let server: ServerProcess;
let ann: Login;
let witness: ChatClient;
let roomId: number;
beforeAll(async () => {
  server = await ServerProcess.start();
  ann = await signUp(server);
  roomId = (await createRoom(server, ann)).id;
  witness = await ChatClient.enter(server, await signUp(server), roomId);
});
afterAll(async () => {
  await witness?.close();
  await server?.dispose();
});

interface RawFrame {
  opcode: number;
  payload?: Uint8Array;
  fin?: boolean;
  masked?: boolean;
  reserved?: number;
}

/** One client frame, with the faults that are asked for. */
function frameBytes({
  opcode,
  payload = Buffer.alloc(0),
  fin = true,
  masked = true,
  reserved = 0,
}: RawFrame): Buffer {
  const mask = randomBytes(4);
  const first = (fin ? 0x80 : 0) | (reserved << 4) | opcode;
  const maskBit = masked ? 0x80 : 0;
  let head: Buffer;
  if (payload.length < 126) {
    head = Buffer.from([first, maskBit | payload.length]);
  } else if (payload.length < 65_536) {
    head = Buffer.from([first, maskBit | 126, payload.length >> 8, payload.length & 0xff]);
  } else {
    head = Buffer.alloc(10);
    head.set([first, maskBit | 127]);
    head.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  if (!masked) return Buffer.concat([head, payload]);
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}

async function openRaw(): Promise<Duplex> {
  const ticket = await issueTicket(server, ann, roomId);
  const { socket } = await upgrade(server, `/ws?room_id=${roomId}`, { protocols: offering(ticket) });
  if (socket === null) throw new Error('the upgrade was refused');
  return socket;
}

/** Sends bytes on a fresh socket and returns the code of the server's close frame after the close. */
async function closeCodeAfter(...frames: (RawFrame | Buffer)[]): Promise<number | null> {
  const socket = await openRaw();
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  // Not `once`: it would fail on the reset with which a server may end a flood.
  const closed = new Promise((resolve) => socket.on('close', resolve));
  for (const frame of frames) socket.write(Buffer.isBuffer(frame) ? frame : frameBytes(frame));
  await closed;
  return closeCodeIn(Buffer.concat(received));
}

function closeCodeIn(bytes: Buffer): number | null {
  let at = 0;
  while (at + 2 <= bytes.length) {
    const opcode = (bytes[at] ?? 0) & 0x0f;
    let length = (bytes[at + 1] ?? 0) & 0x7f;
    let header = 2;
    if (length === 126) [length, header] = [bytes.readUInt16BE(at + 2), 4];
    if (opcode === OPCODE.close) return length >= 2 ? bytes.readUInt16BE(at + header) : null;
    at += header + length;
  }
  return null;
}

const text = (content: string): RawFrame => ({ opcode: OPCODE.text, payload: Buffer.from(content) });

/** The others can still chat, and the process is alive. */
async function expectUnharmed(): Promise<void> {
  const mark = witness.mark();
  witness.say('unharmed');
  await witness.waitFor('message', (message) => message.content === 'unharmed', mark);
  expect((await send(server, '/health')).status).toBe(200);
}

describe('close codes', () => {
  test('1009: a frame or a message over 64 KiB', async () => {
    const frame = (bytes: number): RawFrame => ({ opcode: OPCODE.text, payload: Buffer.alloc(bytes, 'a') });
    expect(await closeCodeAfter(frame(64 * KIB + 1))).toBe(1009);
    expect(await closeCodeAfter(frame(1024 * KIB))).toBe(1009);
    // The announced length is enough: the server does not wait for 2^62 bytes.
    const announced = Buffer.from([0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]);
    expect([1002, 1009]).toContain(await closeCodeAfter(announced));
    const half: RawFrame = { opcode: OPCODE.text, payload: Buffer.alloc(40 * KIB, 'a'), fin: false };
    expect(await closeCodeAfter(half, { ...half, opcode: OPCODE.continuation, fin: true })).toBe(1009);
    await expectUnharmed();
  });

  test('a frame of exactly 64 KiB is read, and refused for its content', async () => {
    const socket = await ChatClient.enter(server, ann, roomId);
    socket.sendRaw('a'.repeat(64 * KIB));
    await socket.waitFor('error');
    await socket.close();
  });

  test('1003: a binary frame, whatever its content', async () => {
    expect(await closeCodeAfter({ opcode: OPCODE.binary, payload: Buffer.from([1, 2, 3]) })).toBe(1003);
    const json = Buffer.from('{"type":"message","content":"binary"}');
    expect(await closeCodeAfter({ opcode: OPCODE.binary, payload: json })).toBe(1003);
    const history = await readHistory(server, ann, roomId);
    expect(history.filter((message) => message.content === 'binary')).toEqual([]);
  });

  test.each([
    ['a stray byte', [0xff]],
    ['a truncated sequence', [0xe2, 0x82]],
    ['an overlong encoding', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['beyond Unicode', [0xf5, 0x80, 0x80, 0x80]],
  ])('1007: bad UTF-8: %s', async (_, bytes) => {
    expect(await closeCodeAfter({ opcode: OPCODE.text, payload: Buffer.from(bytes) })).toBe(1007);
  });

  test.each<[string, (RawFrame | Buffer)[]]>([
    ['an unmasked frame', [{ ...text('{"type":"ping"}'), masked: false }]],
    ['reserved bit 1, compression that was not negotiated', [{ ...text('{"type":"ping"}'), reserved: 4 }]],
    ['reserved bit 2', [{ ...text('x'), reserved: 2 }]],
    ['reserved bit 3', [{ ...text('x'), reserved: 1 }]],
    ['a reserved opcode', [{ opcode: 3, payload: Buffer.from('x') }]],
    ['a reserved control opcode', [{ opcode: 11 }]],
    ['a long ping', [{ opcode: OPCODE.ping, payload: Buffer.alloc(126) }]],
    ['a split ping', [{ opcode: OPCODE.ping, fin: false }]],
    ['a continuation without a start', [{ opcode: OPCODE.continuation, payload: Buffer.from('x') }]],
    ['a new message within another', [{ ...text('a'), fin: false }, text('b')]],
    ['a close with half a code', [{ opcode: OPCODE.close, payload: Buffer.from([3]) }]],
    ['a close with an invalid code', [{ opcode: OPCODE.close, payload: Buffer.from([0x03, 0xed]) }]],
  ])('1002: %s', async (_, frames) => {
    expect(await closeCodeAfter(...frames)).toBe(1002);
  });
});

describe('fragments', () => {
  test('a message in a few fragments, with a ping in between, is one message', async () => {
    const socket = await openRaw();
    const mark = witness.mark();
    const json = Buffer.from('{"type":"message","content":"in \u00fc pieces"}');
    // Cut inside a character, which must not be checked before it is whole.
    const cut = json.indexOf(0xc3) + 1;
    socket.write(frameBytes({ opcode: OPCODE.text, payload: json.subarray(0, cut), fin: false }));
    socket.write(frameBytes({ opcode: OPCODE.ping }));
    socket.write(frameBytes({ opcode: OPCODE.continuation, payload: json.subarray(cut) }));
    await witness.waitFor('message', (message) => message.content === 'in \u00fc pieces', mark);
    socket.destroy();
  });

  test.each([
    ['empty', 0],
    ['tiny', 1],
  ])('a flood of %s fragments is closed with 1008', async (_, bytes) => {
    const payload = Buffer.alloc(bytes, 'a');
    const start = frameBytes({ opcode: OPCODE.text, payload, fin: false });
    const more = frameBytes({ opcode: OPCODE.continuation, payload, fin: false });
    const code = await closeCodeAfter(Buffer.concat([start, ...Array.from({ length: 20_000 }, () => more)]));
    expect(code).toBe(1008);
    await expectUnharmed();
  });
});

describe('floods end with errors, then 1008', () => {
  test('messages: those within the burst are stored, the rest are refused, then the socket is closed', async () => {
    await using limited = await ServerProcess.start({
      env: { MESSAGES_PER_SECOND: '1', MESSAGE_BURST: '20' },
    });
    const bo = await signUp(limited);
    const room = await createRoom(limited, bo);
    const other = await ChatClient.enter(limited, await signUp(limited), room.id);
    const flooder = await ChatClient.enter(limited, bo, room.id);
    for (let count = 0; count < 2000; count++) flooder.say(`flood ${count}`);
    expect((await flooder.closed).code).toBe(1008);
    expect(flooder.of('error').length).toBeGreaterThan(0);
    await other.waitFor('leave');
    const stored = await readHistory(limited, bo, room.id);
    expect(stored.length).toBeGreaterThanOrEqual(20);
    expect(stored.length).toBeLessThan(40);
    expect(stored).toEqual(other.of('message'));
    other.say('calm');
    await other.waitFor('message', (message) => message.content === 'calm');
    await other.close();
  });

  test('a short burst above the limit gets errors, and the socket stays open', async () => {
    await using limited = await ServerProcess.start({
      env: { MESSAGES_PER_SECOND: '1', MESSAGE_BURST: '5' },
    });
    const bo = await signUp(limited);
    const room = await createRoom(limited, bo);
    const socket = await ChatClient.enter(limited, bo, room.id);
    for (let count = 0; count < 8; count++) socket.say(`burst ${count}`);
    await socket.waitFor('error');
    await socket.settle();
    expect(socket.isOpen).toBe(true);
    await socket.close();
  });

  test.each<[string, (socket: ChatClient) => void]>([
    ['pings', (socket) => socket.send({ type: 'ping' })],
    ['typing', (socket) => socket.send({ type: 'typing', is_typing: true })],
    ['rubbish', (socket) => socket.sendRaw('rubbish')],
  ])('%s', async (_, sendOne) => {
    const socket = await ChatClient.enter(server, ann, roomId);
    for (let count = 0; count < 5000; count++) sendOne(socket);
    expect((await socket.closed).code).toBe(1008);
    expect(socket.of('error').length).toBeGreaterThan(0);
    await expectUnharmed();
  });

  test.each(['ping', 'pong'] as const)('protocol-level %ss: the socket is ended', async (opcode) => {
    const frame = frameBytes({ opcode: OPCODE[opcode], payload: Buffer.from('x') });
    expect([null, 1008]).toContain(
      await closeCodeAfter(Buffer.concat(Array.from({ length: 20_000 }, () => frame))),
    );
    await expectUnharmed();
  });
});
