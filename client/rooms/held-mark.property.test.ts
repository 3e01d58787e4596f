/** Read marks converge: devices set them in any order, and frames are late or lost with their connection. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReadMark } from '../../protocol/frames/v2.ts';
import type { Membership } from '../../protocol/rooms.ts';
import { entry, inRooms, membership, roomsFrame, took } from '../testing/rooms-actions.ts';
import { type RoomsAction, reduceRooms } from './rooms-reducer.ts';
import type { RoomsState } from './rooms-state.ts';

const DEVICES = 3;
const HEAD = 9;

/** The rule of docs/PROTOCOL.md, "What has been read". */
class Server {
  me: Membership = membership();
  userSeq = 5;
  readonly devices = Array.from({ length: DEVICES }, () => new Device(this));

  write({ seq, known, unread }: ReadMark): void {
    if (known < this.me.read_set || (!unread && seq <= this.me.read_seq)) return;
    this.userSeq++;
    this.me = { ...this.me, read_seq: seq, ...(unread && { read_set: this.userSeq }) };
    for (const device of this.devices) device.inbox.push(this.me);
  }
}

class Device {
  readonly #server: Server;
  state: RoomsState = inRooms([entry(1, HEAD, 0)]);
  outbox: ReadMark[] = [];
  inbox: Membership[] = [];

  constructor(server: Server) {
    this.#server = server;
  }

  mark(seq: number, isUnread: boolean): void {
    const room = this.state.rooms.get(1);
    if (room === undefined || (!isUnread && seq <= room.readSeq)) return;
    const mark = { room_id: 1, seq, known: room.me.read_set, ...(isUnread && { unread: true as const }) };
    this.#do({ type: 'marked', marks: [mark] });
  }

  /** The server gets one mark. */
  send(): void {
    const mark = this.outbox.shift();
    if (mark !== undefined) this.#server.write(mark);
  }

  /** The device gets one change of the user's log. */
  hear(): void {
    const me = this.inbox.shift();
    if (me === undefined) return;
    this.#do(took({ type: 'me', room_id: 1, me, user_seq: (this.state.userSeq ?? 0) + 1 }));
  }

  /** A new connection: what was on its way is lost, and the marks that are held are sent. */
  reconnect(): void {
    this.inbox = [];
    this.state = reduceRooms(this.state, { type: 'lost' });
    this.outbox = [...this.state.marks.values()];
    this.#do(roomsFrame([entry(1, HEAD, this.#server.me.read_seq, { me: this.#server.me })]));
  }

  #do(action: RoomsAction): void {
    const before = this.state.marks.get(1);
    this.state = reduceRooms(this.state, action);
    const mark = this.state.marks.get(1);
    if (mark !== undefined && mark !== before) this.outbox.push(mark);
  }
}

type Step = (server: Server) => void;

const device = fc.nat(DEVICES - 1);
const act = (weight: number, what: (device: Device, seq: number) => void) => ({
  weight,
  arbitrary: fc.tuple(device, fc.nat(HEAD)).map(
    ([index, seq]): Step =>
      ({ devices }) =>
        what(devices[index] as Device, seq),
  ),
});
const step = fc.oneof(
  act(4, (one, seq) => one.mark(seq, false)),
  act(4, (one, seq) => one.mark(seq, true)),
  act(5, (one) => one.send()),
  act(5, (one) => one.hear()),
  act(1, (one) => one.reconnect()),
);

test('when all is quiet, no device holds a mark, and all show what the server has', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const server = new Server();
      for (const next of steps) next(server);
      // Each mark is repeated at most once.
      for (let round = 0; round < 2 * DEVICES + 60; round++) {
        for (const one of server.devices) {
          one.send();
          one.hear();
        }
      }
      for (const { state, outbox, inbox } of server.devices) {
        expect([outbox, inbox]).toEqual([[], []]);
        expect(state.marks.size).toBe(0);
        expect(state.rooms.get(1)?.readSeq).toBe(server.me.read_seq);
      }
    }),
    { numRuns: 500 },
  );
});
