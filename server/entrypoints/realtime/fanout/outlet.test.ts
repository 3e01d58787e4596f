import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireInSight, wireOpen } from '../wire/v2.ts';
import type { RoomWire } from '../wire/wire.ts';
import { Fanout } from './fanout.ts';
import { Outlet } from './outlet.ts';
import type { Recipient } from './recipient.ts';
import { SocketWriter } from './socket-writer.ts';
import { encodeTextFrame } from './text-frame.ts';

const ROOMS = 3;
const SOCKETS = 3;

/** Real socket pairs: the bytes that are written to one end are read at the other. */
const server = createServer();
let accept: (socket: Socket) => void;
server.on('connection', (socket) => accept(socket));

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** A socket that counts what is handed to the operating system. */
class Line {
  readonly socket: Socket;
  readonly writer: SocketWriter;
  writes = 0;
  readonly #received: Promise<Buffer>;

  private constructor(socket: Socket, far: Socket) {
    this.socket = socket;
    this.writer = new SocketWriter(socket);
    const count = (name: '_write' | '_writev') => {
      const write = Reflect.get(socket, name) as (...args: unknown[]) => void;
      Object.assign(socket, {
        [name]: (...args: unknown[]) => {
          this.writes++;
          write.apply(socket, args);
        },
      });
    };
    count('_write');
    count('_writev');
    this.#received = readAll(far);
  }

  static async create(): Promise<Line> {
    const accepted = new Promise<Socket>((resolve) => {
      accept = resolve;
    });
    const far = createConnection((server.address() as AddressInfo).port, '127.0.0.1');
    return new Line(await accepted, far);
  }

  async bytes(): Promise<Buffer> {
    this.socket.end();
    return await this.#received;
  }
}

/** A socket in a room. */
class Seat implements Recipient {
  turn: Recipient['turn'] = null;
  missedEphemeral = false;
  readonly wire: RoomWire;
  readonly userId: number;
  readonly writer: SocketWriter;

  constructor(line: Line, userId: number, wire: RoomWire) {
    this.writer = line.writer;
    this.userId = userId;
    this.wire = wire;
  }

  isOpen(): boolean {
    return true;
  }

  onOverflow(): void {
    throw new Error('a socket of the test is behind');
  }
}

async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const room = fc.nat({ max: ROOMS - 1 });
const to = fc.nat({ max: SOCKETS - 1 });
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('x'.repeat(3000), 'é'.repeat(300)),
);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('broadcast' as const), room, text }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('send' as const), room, to, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('line' as const), to, text }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('enter' as const), room, to }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), room, to }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('turn' as const) }) },
);

describe('Outlet', () => {
  it('keeps the order of each room and of each socket, and writes each socket at most once a turn', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const outlet = new Outlet();
        const rooms = Array.from({ length: ROOMS }, () => new Fanout<Seat>(outlet));
        const lines: Line[] = [];
        while (lines.length < SOCKETS) lines.push(await Line.create());
        const seats = rooms.map((_, index) =>
          lines.map((line, user) => new Seat(line, user, index === 0 ? wireInSight : wireOpen)),
        );
        const inside = rooms.map(() => new Set<number>());
        /** What each socket must receive, in the order in which the outlet writes a turn. */
        const expected = lines.map((): Buffer[] => []);
        let speaking: number[] = [];
        const own = lines.map((): string[] => []);
        const said = rooms.map(() => lines.map((): string[] => []));
        const register = (index: number) => {
          if (!speaking.includes(index)) speaking.push(index);
        };
        const endTurn = () => {
          const before = lines.map(({ writes }) => writes);
          outlet.flush();
          for (const [user, line] of lines.entries()) {
            const texts = [...(own[user] ?? []), ...speaking.flatMap((index) => said[index]?.[user] ?? [])];
            expected[user]?.push(...texts.map(encodeTextFrame));
            expect(line.writes - (before[user] ?? 0)).toBe(texts.length === 0 ? 0 : 1);
          }
          speaking = [];
          for (const texts of own) texts.length = 0;
          for (const texts of said.flat()) texts.length = 0;
        };
        for (const each of steps) {
          if (each.kind === 'turn') endTurn();
          else if (each.kind === 'line') {
            const line = lines[each.to] as Line;
            outlet.send(line.writer, each.text);
            own[each.to]?.push(each.text);
          } else {
            const fanout = rooms[each.room] as Fanout<Seat>;
            const people = inside[each.room] as Set<number>;
            const texts = said[each.room] as string[][];
            if (each.kind === 'broadcast') {
              fanout.broadcast({ encode: () => each.text });
              if (people.size > 0) register(each.room);
              for (const user of people) texts[user]?.push(each.text);
              continue;
            }
            const seat = seats[each.room]?.[each.to] as Seat;
            if (each.kind === 'send') {
              fanout.send(seat, each.text);
              register(each.room);
              texts[each.to]?.push(each.text);
            } else if (each.kind === 'enter' && !people.has(each.to)) {
              people.add(each.to);
              fanout.add(seat);
            } else if (each.kind === 'leave') {
              // Nothing is sent to a seat that has been given up, not even what was queued.
              people.delete(each.to);
              fanout.delete(seat);
              texts[each.to] = [];
            }
          }
        }
        endTurn();
        for (const [user, line] of lines.entries()) {
          expect(await line.bytes()).toEqual(Buffer.concat(expected[user] ?? []));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('many rooms and frames of the socket in one turn: one write, joined when small, gathered when large', async () => {
    for (const length of [10, 5000]) {
      const outlet = new Outlet();
      const line = await Line.create();
      const rooms = Array.from({ length: 50 }, () => new Fanout<Seat>(outlet));
      for (const fanout of rooms) fanout.add(new Seat(line, 1, wireOpen));
      for (const fanout of rooms) fanout.broadcast({ encode: () => 'r'.repeat(length) });
      outlet.send(line.writer, 'first');
      await new Promise((resolve) => setImmediate(resolve));
      expect(line.writes).toBe(1);
      const bytes = await line.bytes();
      expect(bytes.subarray(2, 7).toString()).toBe('first');
      expect(bytes.length).toBe(7 + 50 * encodeTextFrame('r'.repeat(length)).length);
    }
  });

  it('a turn in which one room speaks shares one buffer among its sockets', async () => {
    const outlet = new Outlet();
    const fanout = new Fanout<Seat>(outlet);
    const lines = [await Line.create(), await Line.create(), await Line.create()];
    const written: unknown[] = [];
    for (const [user, line] of lines.entries()) {
      const { socket } = line;
      const write = socket.write.bind(socket);
      Object.assign(socket, {
        write: (chunk: Buffer) => {
          written.push(chunk);
          return write(chunk);
        },
      });
      fanout.add(new Seat(line, user, wireOpen));
    }
    fanout.broadcast({ encode: () => 'hello' });
    outlet.flush();
    expect(written).toHaveLength(3);
    expect(new Set(written).size).toBe(1);
    for (const line of lines) await line.bytes();
  });
});
