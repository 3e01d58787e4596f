/**
 * Checks what one connection receives, by the rules of chatroom.v2: `hello` first, then the user's rooms, then the user's
 * own log in order, and of every room what `room-witness.ts` allows.
 */
import type { ClientFrameV2, ServerFrameV2 } from '../../protocol/frames/v2.ts';
import type { RoomLog } from './room-log.ts';
import { RoomWitness } from './room-witness.ts';

type Start = Extract<ClientFrameV2, { type: 'start' }>;
type Hello = Extract<ServerFrameV2, { type: 'hello' }>;

export interface LineWitnessOptions {
  userId: number;
  isMembersOnly: (roomId: number) => boolean;
  /** Doorbells may be lost or late. */
  mayLag: boolean;
  /** The log of this room in the database of this epoch. */
  log: (epoch: string, roomId: number) => RoomLog;
  violation: (text: string) => void;
}

export class LineWitness {
  readonly #options: LineWitnessOptions;
  readonly #rooms = new Map<number, RoomWitness>();
  #hello: Hello | null = null;
  #start: Start | null = null;
  #hasRooms = false;
  /** The last number of the user's own log. */
  #userSeq = 0;
  /** Sent before `hello` arrived. */
  readonly #early: ClientFrameV2[] = [];

  constructor(options: LineWitnessOptions) {
    this.#options = options;
  }

  /** The epoch that hello named. */
  get epoch(): string {
    return this.#hello?.epoch ?? '';
  }

  /** The client sends this. */
  sends(frame: ClientFrameV2): void {
    if (frame.type === 'start') this.#start = frame;
    if (this.#hello === null) this.#early.push(frame);
    else if (frame.type === 'open' || frame.type === 'close') this.#room(frame.room_id).sends(frame);
  }

  hear(frame: ServerFrameV2): void {
    if ((this.#hello === null) !== (frame.type === 'hello')) return this.#wrong(frame, 'hello is the first');
    switch (frame.type) {
      case 'hello':
        this.#hello = frame;
        for (const early of this.#early) this.sends(early);
        return this.#begins();
      case 'rooms':
        return this.#lists(frame);
      case 'room':
        this.#ownLog(frame);
        return this.#room(frame.room.id).lists(frame.seq);
      case 'gone':
      case 'me':
        this.#ownLog(frame);
        return this.#room(frame.room_id).hear(frame);
      case 'error':
        if (frame.room_id !== undefined) this.#room(frame.room_id).hear({ ...frame, room_id: frame.room_id });
        return;
      case 'user':
      case 'people':
      case 'pong':
      case 'restart':
      case 'return_ticket':
        return;
      default:
        return this.#room(frame.room_id).hear(frame);
    }
  }

  /** What the client knows is as good as a list, if it is of this database. */
  #begins(): void {
    const { epoch, rooms = {} } = this.#start ?? {};
    if (epoch !== this.epoch) return;
    for (const [roomId, seq] of Object.entries(rooms)) this.#room(Number(roomId)).knows(seq);
  }

  #lists(rooms: Extract<ServerFrameV2, { type: 'rooms' }>): void {
    const isFirst = !this.#hasRooms;
    this.#hasRooms = true;
    if (isFirst && !rooms.complete && this.#start?.epoch !== this.epoch)
      this.#wrong(rooms, 'the client knew nothing of this database');
    for (const { room, seq } of rooms.rooms) this.#room(room.id).lists(seq);
  }

  /** Numbers ascend. Those that later changes superseded may be left out. */
  #ownLog(frame: Extract<ServerFrameV2, { user_seq: number }>): void {
    if (frame.type === 'hello') return;
    if (frame.user_seq < this.#userSeq) this.#wrong(frame, `${this.#userSeq} came before`);
    this.#userSeq = frame.user_seq;
  }

  #room(roomId: number): RoomWitness {
    let room = this.#rooms.get(roomId);
    if (!room) {
      const { epoch } = this;
      const { log, isMembersOnly, ...rest } = this.#options;
      room = new RoomWitness({
        ...{ ...rest, roomId, epoch, startEpoch: this.#start?.epoch },
        isMembersOnly: isMembersOnly(roomId),
        log: log(epoch, roomId),
      });
      this.#rooms.set(roomId, room);
    }
    return room;
  }

  #wrong(heard: object, why: string): void {
    this.#options.violation(`received ${JSON.stringify(heard)}, but ${why}`);
  }
}
