/** A line with one room open, for tests of what happens in one room. It shares no code with the SDK. */
import { randomUUID } from 'node:crypto';
import type { Message, Person } from '../../protocol/events.ts';
import { type ClientFrameV2, type ServerFrameV2, serverFrameV2 } from '../../protocol/frames/v2.ts';
import type { Target } from './http.ts';
import type { OfType } from './listener.ts';
import { issueUserTicket, type Login } from './users.ts';
import { type ConnectOptions, connect, SocketClient } from './ws-client.ts';

type ServerFrame<T extends ServerFrameV2['type']> = OfType<ServerFrameV2, T>;

/** Where a client left off in a room. */
export interface Cursor {
  since: number;
  epoch?: string;
}

export type RoomLineOptions = ConnectOptions<ServerFrameV2> & {
  /** Resumes after this. */
  cursor?: Cursor;
  /** False: the room is open and not in sight, so the user does not count as being in it. */
  isInSight?: boolean;
};

export class RoomLine extends SocketClient<ServerFrameV2, ClientFrameV2> {
  #roomId = 0;
  #pings = 0;

  /** Opens the socket, and asks for the room; rejects when the server refuses the upgrade. */
  static async open(
    target: Target,
    login: Login,
    roomId: number,
    options: RoomLineOptions = {},
  ): Promise<RoomLine> {
    const ticket = await issueUserTicket(target, login);
    const socket = connect(target, '', ticket, { protocols: ['chatroom.v2'], ...options });
    const line = new RoomLine(socket, 'v2', serverFrameV2, options);
    await line.opened();
    line.#begin(roomId, options);
    return line;
  }

  /** The same, and waits until the user is in the room; with a `cursor`, also for the closing `sync` or `reset`. */
  static async enter(
    target: Target,
    login: Login,
    roomId: number,
    options: RoomLineOptions = {},
  ): Promise<RoomLine> {
    const line = await RoomLine.open(target, login, roomId, options);
    await line.waitFor('opened');
    if (options.isInSight !== false) await line.waitFor('presence', ({ users }) => users !== undefined);
    if (options.cursor) await line.until('sync or reset', () => line.of('sync')[0] ?? line.of('reset')[0]);
    return line;
  }

  get hello(): ServerFrame<'hello'> {
    return this.#first('hello');
  }

  /** The response to `open`. */
  get room(): ServerFrame<'opened'> {
    return this.#first('opened');
  }

  /** The people in the room, from the first `presence` frame that lists them. */
  get people(): readonly Person[] {
    return this.of('presence').find(({ users }) => users !== undefined)?.users ?? [];
  }

  /** The room's messages in the order of receipt, from batches and live. */
  get events(): Message[] {
    return this.frames.flatMap((frame) => {
      if (frame.type === 'batch') return frame.events;
      return frame.type === 'message' ? [frame] : [];
    });
  }

  /** Posts a message, and waits for nothing. */
  say(content: string, cid?: string): void {
    this.send({ type: 'message', room_id: this.#roomId, content, ...(cid === undefined ? {} : { cid }) });
  }

  type(isTyping: boolean): void {
    this.send({ type: 'typing', room_id: this.#roomId, is_typing: isTyping });
  }

  /** Posts a message and waits for its ack. */
  async post(content: string, cid: string = randomUUID()): Promise<ServerFrame<'ack'>> {
    const from = this.mark();
    this.say(content, cid);
    return await this.waitFor('ack', (ack) => ack.cid === cid, from);
  }

  /** Waits until the server has processed all earlier frames: it responds in order. */
  async settle(): Promise<void> {
    const t = `settle ${++this.#pings}`;
    this.send({ type: 'ping', t });
    await this.waitFor('pong', (pong) => pong.t === t);
  }

  #begin(roomId: number, { cursor, isInSight = true }: RoomLineOptions): void {
    this.#roomId = roomId;
    this.send({ type: 'start', ...(cursor?.epoch === undefined ? {} : { epoch: cursor.epoch }) });
    this.send({ type: 'open', room_id: roomId, ...(cursor && { since: cursor.since }) });
    if (isInSight) this.send({ type: 'here', room_id: roomId });
  }

  #first<T extends ServerFrameV2['type']>(type: T): ServerFrame<T> {
    const [first] = this.of(type);
    if (first === undefined) throw new Error(`no ${type} has arrived`);
    return first;
  }
}
