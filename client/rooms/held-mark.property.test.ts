/**
 * Read marks converge: devices set them in any order, frames are late or lost with their connection, and the user leaves
 * the room and comes back.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReadMark } from '../../protocol/frames/v2.ts';
import type { Membership } from '../../protocol/rooms.ts';
import { entry, inRooms, membership, roomsFrame, took } from '../testing/rooms-actions.ts';
import { type RoomsAction, reduceRooms } from './rooms-reducer.ts';
import type { RoomsState } from './rooms-state.ts';

const DEVICES = 3;
const HEAD = 9;
/** Up to where the user has read at first, so that `unread` makes a difference. */
const READ = 5;

/** The rule of docs/PROTOCOL.md, "What has been read". */
class Server {
  me: Membership = membership({ read_seq: READ });
  userSeq = 5;
  readonly devices = Array.from({ length: DEVICES }, () => new Device(this));
  #isIn = true;

  /** The room's row in the user's log; null: the user is not in the room. */
  get row(): Membership | null {
    return this.#isIn ? this.me : null;
  }

  write({ seq, known, unread }: ReadMark): void {
    if (!this.#isIn || known < this.me.read_set || (!unread && seq <= this.me.read_seq)) return;
    this.userSeq++;
    this.#log({ ...this.me, read_seq: seq, ...(unread && { read_set: this.userSeq }) });
  }

  leaveOrReturn(): void {
    this.userSeq++;
    this.#isIn = !this.#isIn;
    this.#log(this.#isIn ? { ...this.me, read_seq: HEAD, read_set: this.userSeq } : this.me);
  }

  #log(me: Membership): void {
    this.me = me;
    for (const device of this.devices) device.inbox.push(this.row);
  }
}

class Device {
  readonly #server: Server;
  state: RoomsState = inRooms([entry(1, HEAD, READ)]);
  outbox: ReadMark[] = [];
  inbox: (Membership | null)[] = [];

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
    const user_seq = (this.state.userSeq ?? 0) + 1;
    if (me === null) return this.#do(took({ type: 'gone', room_id: 1, reason: 'left', user_seq }));
    const frame = this.state.rooms.has(1)
      ? ({ type: 'me', room_id: 1, me } as const)
      : ({ type: 'room', ...inRoom(me) } as const);
    this.#do(took({ ...frame, user_seq }));
  }

  /** The server reads the user's log late: earlier changes have been superseded. */
  skip(): void {
    this.inbox = this.inbox.slice(-1);
  }

  /**
   * A new connection: what was on its way is lost, and the marks that are held are sent. The list is complete, or the
   * user's log follows.
   */
  reconnect(isComplete: boolean): void {
    const { row } = this.#server;
    this.inbox = isComplete ? [] : [row];
    this.state = reduceRooms(this.state, { type: 'lost' });
    this.outbox = [...this.state.marks.values()];
    this.#do(roomsFrame(isComplete && row ? [inRoom(row)] : [], isComplete));
  }

  #do(action: RoomsAction): void {
    const before = this.state.marks.get(1);
    this.state = reduceRooms(this.state, action);
    const mark = this.state.marks.get(1);
    if (mark !== undefined && mark !== before) this.outbox.push(mark);
  }
}

const inRoom = (me: Membership) => entry(1, HEAD, me.read_seq, { me });

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
  act(2, (one) => one.skip()),
  act(1, (one, seq) => one.reconnect(seq % 2 === 0)),
  { weight: 2, arbitrary: fc.constant<Step>((server) => server.leaveOrReturn()) },
);

/** A mark that comes while the user is out of the room, and a device that receives only the return. */
const unheardLoss: Step[] = [
  ({ devices: [one] }) => one?.mark(2, true),
  (server) => server.leaveOrReturn(),
  ({ devices: [one] }) => one?.send(),
  (server) => server.leaveOrReturn(),
  ({ devices: [one] }) => one?.skip(),
];

test('when all is quiet, no device holds a mark, and all show what the server has', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
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
        expect(state.rooms.get(1)?.readSeq).toBe(server.row?.read_seq);
      }
    }),
    { numRuns: 500, examples: [[unheardLoss]] },
  );
});
