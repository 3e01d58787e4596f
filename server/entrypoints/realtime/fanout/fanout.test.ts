import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireV1 } from '../wire/v1.ts';
import { wireOpen } from '../wire/v2.ts';
import type { RoomWire } from '../wire/wire.ts';
import { Fanout } from './fanout.ts';
import { Outlet } from './outlet.ts';
import type { Recipient } from './recipient.ts';
import { SocketWriter } from './socket-writer.ts';

/** Real socket pairs: the bytes that the fan-out writes to one end are read at the other. */
const server = createServer();
let accept: (socket: Socket) => void;
server.on('connection', (socket) => accept(socket));

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

class Listener implements Recipient {
  turn: Recipient['turn'] = null;
  missedEphemeral = false;
  overflowed = false;
  readonly wire: RoomWire;
  readonly userId: number;
  readonly socket: Socket;
  readonly writer: SocketWriter;
  readonly #received: Promise<Buffer>;

  private constructor(wire: RoomWire, userId: number, socket: Socket, far: Socket) {
    this.wire = wire;
    this.userId = userId;
    this.socket = socket;
    this.writer = new SocketWriter(socket);
    this.#received = readAll(far);
  }

  static async create(wire: RoomWire, userId: number): Promise<Listener> {
    const accepted = new Promise<Socket>((resolve) => {
      accept = resolve;
    });
    const far = createConnection((server.address() as AddressInfo).port, '127.0.0.1');
    return new Listener(wire, userId, await accepted, far);
  }

  isOpen(): boolean {
    return true;
  }

  onOverflow(): void {
    this.overflowed = true;
  }

  /** The texts of all frames that were written to it. */
  async texts(): Promise<string[]> {
    this.socket.end();
    return textsOf(await this.#received);
  }
}

/** One after the other, so that each gets its own far end. Their user ids are their indices. */
async function createListeners(wires: RoomWire[]): Promise<Listener[]> {
  const listeners: Listener[] = [];
  for (const [index, wire] of wires.entries()) listeners.push(await Listener.create(wire, index));
  return listeners;
}

async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function textsOf(bytes: Buffer): string[] {
  const texts: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    expect(bytes[at]).toBe(0x81);
    const short = bytes[at + 1] ?? 0;
    const [length, header] =
      short < 126
        ? [short, 2]
        : short === 126
          ? [bytes.readUInt16BE(at + 2), 4]
          : [Number(bytes.readBigUInt64BE(at + 2)), 10];
    texts.push(bytes.toString('utf8', at + header, at + header + length));
    at += header + length;
  }
  return texts;
}

type Step =
  | { kind: 'broadcast'; text: string; only?: RoomWire; except?: number }
  | { kind: 'send'; to: number; text: string }
  | { kind: 'enter'; who: number }
  | { kind: 'flush' };

const PEOPLE = 4;
const person = fc.nat({ max: PEOPLE - 1 });
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('x'.repeat(125), 'é'.repeat(64), 'y'.repeat(70_000)),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('broadcast' as const), text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('broadcast' as const), text, except: person }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('broadcast' as const),
      text,
      only: fc.constantFrom(wireV1, wireOpen),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('send' as const), to: person, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('enter' as const), who: person }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('flush' as const) }) },
);

describe('Fanout', () => {
  it('sends each recipient exactly its frames, in the order of the calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const outlet = new Outlet();
        const fanout = new Fanout(outlet);
        const people = await createListeners(
          Array.from({ length: PEOPLE }, (_, index) => (index % 2 === 0 ? wireV1 : wireOpen)),
        );
        const expected = people.map((): string[] => []);
        const inside = new Set<number>();
        for (const each of steps) {
          switch (each.kind) {
            case 'enter':
              if (inside.has(each.who)) break;
              inside.add(each.who);
              fanout.add(people[each.who] as Listener);
              break;
            case 'broadcast':
              fanout.broadcast({
                encode: (wire) => (each.only === undefined || each.only === wire ? each.text : null),
                ...(each.except === undefined ? {} : { exceptUserIds: [each.except] }),
              });
              for (const who of inside) {
                const wire = who % 2 === 0 ? wireV1 : wireOpen;
                if (who !== each.except && (each.only ?? wire) === wire) expected[who]?.push(each.text);
              }
              break;
            case 'send':
              // A recipient that does not listen yet gets its own frames all the same.
              fanout.send(people[each.to] as Listener, each.text);
              expected[each.to]?.push(each.text);
              break;
            case 'flush':
              outlet.flush();
              break;
          }
        }
        outlet.flush();
        for (const [who, listener] of people.entries()) expect(await listener.texts()).toEqual(expected[who]);
      }),
      { numRuns: 150 },
    );
  });

  it('writes at the end of the turn of the event loop', async () => {
    const outlet = new Outlet();
    const fanout = new Fanout(outlet);
    const ann = await Listener.create(wireV1, 1);
    fanout.add(ann);
    fanout.broadcast({ encode: () => 'one' });
    fanout.broadcast({ encode: () => 'two' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(await ann.texts()).toEqual(['one', 'two']);
  });

  it('encodes once per protocol, however many sockets listen', async () => {
    const outlet = new Outlet();
    const fanout = new Fanout(outlet);
    const people = await createListeners([wireV1, wireV1, wireOpen, wireOpen]);
    for (const listener of people) fanout.add(listener);
    const encoded: RoomWire[] = [];
    fanout.broadcast({
      encode(wire) {
        encoded.push(wire);
        return wire === wireV1 ? 'for v1' : 'for v2';
      },
    });
    outlet.flush();
    expect(await Promise.all(people.map((listener) => listener.texts()))).toEqual([
      ['for v1'],
      ['for v1'],
      ['for v2'],
      ['for v2'],
    ]);
    expect(encoded).toHaveLength(2);
    expect(new Set(encoded)).toEqual(new Set([wireV1, wireOpen]));
  });

  it('drops ephemeral frames for a socket that is behind, and closes one that is far behind', async () => {
    const outlet = new Outlet();
    const fanout = new Fanout(outlet);
    const slow = await Listener.create(wireV1, 1);
    fanout.add(slow);
    // More than the operating system's buffers take at once, so that the rest stays in ours.
    const large = 'x'.repeat(16 * 1024 * 1024);
    fanout.broadcast({ encode: () => large });
    outlet.flush();
    expect(slow.socket.writableLength).toBeGreaterThan(1024 * 1024);
    fanout.broadcast({ encode: () => 'message' });
    outlet.flush();
    expect(slow.overflowed).toBe(true);
    expect(await slow.texts()).toEqual([large]);
  });
});
