import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Piece, SocketWriter } from './socket-writer.ts';
import { encodeTextFrame } from './text-frame.ts';

const server = createServer();
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** A real connection: the near end, which is written to, and the far end, which does not read yet. */
async function connect(): Promise<{ socket: Socket; writer: SocketWriter; far: Socket }> {
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const far = createConnection((server.address() as AddressInfo).port, '127.0.0.1').pause();
  const socket = await accepted;
  return { socket, writer: new SocketWriter(socket), far };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** More than the operating system's buffers take at once. */
const LARGE = 16 * 1024 * 1024;

const piece = fc.oneof(
  fc.nat({ max: 200 }).map((length) => Buffer.alloc(length, 's')),
  fc.nat({ max: 100_000 }).map((length) => Buffer.alloc(length, 'm')),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.nat({ max: 100_000 }).map((length) => 'j'.repeat(length)),
);

const bytesOf = (piece: Piece) => (typeof piece === 'string' ? encodeTextFrame(piece) : piece);

describe('SocketWriter', () => {
  it('writes exactly the bytes that it gets, in order, whatever has to wait', async () => {
    const turns = fc.array(fc.array(piece, { minLength: 1, maxLength: 5 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(turns, fc.boolean(), async (pieces, isBehind) => {
        const { socket, writer, far } = await connect();
        const large = Buffer.alloc(isBehind ? LARGE : 0, 'l');
        writer.write([large]);
        for (const turn of pieces) writer.write(turn);
        socket.write('and text');
        socket.end();
        const heard: Buffer[] = [];
        for await (const chunk of far) heard.push(chunk);
        expect(
          Buffer.concat(heard).equals(
            Buffer.concat([large, ...pieces.flat().map(bytesOf), Buffer.from('and text')]),
          ),
        ).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('what a socket has not taken yet is not overwritten by what others get', async () => {
    const behind = await connect();
    const others = await Promise.all([connect(), connect()]);
    // Fills it up to the last byte, so that one of the small writes is taken in part.
    const texts: string[] = [];
    while (behind.writer.unsentBytes === 0) {
      texts.push(`${texts.length} `.repeat(2000));
      behind.writer.write([texts.at(-1) ?? '']);
      for (const { writer } of others) writer.write(['another text'.repeat(1000)]);
      for (const { far } of others) far.resume();
    }
    for (let index = 0; index < 100; index++) {
      texts.push(`${index} more`);
      behind.writer.write([texts.at(-1) ?? '']);
      for (const { writer } of others) writer.write(['another text'.repeat(1000)]);
    }
    behind.socket.end();
    const heard: Buffer[] = [];
    for await (const chunk of behind.far) heard.push(chunk);
    expect(Buffer.concat(heard).equals(Buffer.concat(texts.map(encodeTextFrame)))).toBe(true);
    for (const { far, socket } of others) {
      far.destroy();
      socket.destroy();
    }
  });

  it('is stalled when nothing got through for more than 10 s, however much is unsent', async () => {
    const { socket, writer, far } = await connect();
    writer.write([Buffer.alloc(LARGE)]);
    expect(writer.unsentBytes).toBeGreaterThan(0);
    expect(writer.isStalled(0)).toBe(false);
    expect(writer.isStalled(10_000)).toBe(false);
    expect(writer.isStalled(10_001)).toBe(true);
    far.destroy();
    socket.destroy();
  });

  it('is not stalled while one large write gets through in parts', async () => {
    const { socket, writer, far } = await connect();
    writer.write([Buffer.alloc(LARGE)]);
    writer.write([Buffer.alloc(1000)]);
    let owed = writer.unsentBytes;
    let now = 0;
    let parts = 0;
    far.on('data', () => undefined);
    for (; owed > 0; parts++) {
      now += 10_000;
      expect(writer.isStalled(now)).toBe(false);
      far.resume();
      while (writer.unsentBytes === owed) await nextTurn();
      far.pause();
      expect(writer.unsentBytes).toBeLessThan(owed);
      owed = writer.unsentBytes;
    }
    expect(parts).toBeGreaterThan(1);
    expect(writer.isStalled(now + 20_000)).toBe(false);
    far.destroy();
    socket.destroy();
  });

  it('a socket without unsent bytes is never stalled', async () => {
    const { socket, writer, far } = await connect();
    far.resume();
    writer.write([Buffer.alloc(10)]);
    while (writer.unsentBytes > 0) await nextTurn();
    expect(writer.isStalled(0)).toBe(false);
    expect(writer.isStalled(1_000_000)).toBe(false);
    writer.write([Buffer.alloc(10)]);
    expect(writer.isStalled(2_000_000)).toBe(false);
    far.destroy();
    socket.destroy();
  });

  it('a write ends with an error when the socket breaks', async () => {
    const { socket, writer, far } = await connect();
    socket.on('error', () => undefined);
    writer.write([Buffer.alloc(LARGE)]);
    far.resetAndDestroy();
    await new Promise((resolve) => socket.once('close', resolve));
    expect(writer.isWritable).toBe(false);
  });
});
