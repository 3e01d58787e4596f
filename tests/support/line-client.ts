/** Speaks `chatroom.v2`: one socket for all rooms of a user. It shares no code with the SDK. */
import { randomUUID } from 'node:crypto';
import type { Message } from '../../protocol/events.ts';
import { type ClientFrameV2, type ServerFrameV2, serverFrameV2 } from '../../protocol/frames/v2.ts';
import type { RoomEntry } from '../../protocol/rooms.ts';
import type { Target } from './http.ts';
import type { OfType } from './listener.ts';
import { issueUserTicket, type Login } from './users.ts';
import { type ConnectOptions, connect, SocketClient } from './ws-client.ts';

export type ServerFrame<T extends ServerFrameV2['type']> = OfType<ServerFrameV2, T>;
type StartFrame = Extract<ClientFrameV2, { type: 'start' }>;
export type LineOptions = ConnectOptions<ServerFrameV2> & { start?: Omit<StartFrame, 'type'> };

export class LineClient extends SocketClient<ServerFrameV2, ClientFrameV2> {
  #pings = 0;

  /** Opens a socket, and sends nothing. */
  static async open(target: Target, login: Login, options: LineOptions = {}): Promise<LineClient> {
    const ticket = await issueUserTicket(target, login);
    return await LineClient.openWith(target, ticket, options);
  }

  /** The same with a ticket that was already issued; rejects when the server refuses the upgrade. */
  static async openWith(target: Target, ticket: string, options: LineOptions = {}): Promise<LineClient> {
    const socket = connect(target, '', ticket, { protocols: ['chatroom.v2'], ...options });
    const client = new LineClient(socket, 'v2', serverFrameV2, options);
    await client.opened();
    return client;
  }

  /** Opens a socket, starts, and waits for the list of rooms. */
  static async start(target: Target, login: Login, options: LineOptions = {}): Promise<LineClient> {
    const client = await LineClient.open(target, login, options);
    client.send({ type: 'start', ...options.start });
    await client.waitFor('rooms');
    return client;
  }

  get hello(): ServerFrame<'hello'> {
    const [first] = this.frames;
    if (first?.type !== 'hello') throw new Error(`the first frame is no hello: ${JSON.stringify(first)}`);
    return first;
  }

  /** Whether a frame has described this room. */
  knowsRoom(roomId: number): boolean {
    const told = this.frames.flatMap((frame) => {
      if (frame.type === 'rooms') return frame.rooms;
      return frame.type === 'room' ? [frame] : [];
    });
    return told.some(({ room }) => room.id === roomId);
  }

  /** The rooms of the first `rooms` frame. */
  get rooms(): RoomEntry[] {
    return this.of('rooms')[0]?.rooms ?? [];
  }

  /** Opens a room, and waits until it is; with `since`, until it is resumed. */
  async enter(roomId: number, since?: number): Promise<ServerFrame<'opened'>> {
    const from = this.mark();
    this.send({ type: 'open', room_id: roomId, ...(since === undefined ? {} : { since }) });
    const isIt = (frame: { room_id: number }) => frame.room_id === roomId;
    const opened = await this.waitFor('opened', isIt, from);
    if (since !== undefined) {
      await this.until(
        'sync or reset',
        () => this.of('sync', from).find(isIt) ?? this.of('reset', from).find(isIt),
      );
    }
    return opened;
  }

  /** Opens a room that is in sight, and waits until the user is in it. */
  async look(roomId: number): Promise<ServerFrame<'presence'>> {
    const from = this.mark();
    await this.enter(roomId);
    this.send({ type: 'here', room_id: roomId });
    return await this.waitFor(
      'presence',
      ({ room_id, users }) => room_id === roomId && users !== undefined,
      from,
    );
  }

  /** The messages of a room in the order of receipt, from batches and live. */
  events(roomId: number): Message[] {
    return this.frames.flatMap((frame) => {
      if (frame.type === 'batch') return frame.room_id === roomId ? frame.events : [];
      return frame.type === 'message' && frame.room_id === roomId ? [frame] : [];
    });
  }

  /** Sends a message and waits for its ack. */
  async post(roomId: number, content: string, cid: string = randomUUID()): Promise<ServerFrame<'ack'>> {
    const from = this.mark();
    this.send({ type: 'message', room_id: roomId, content, cid });
    return await this.waitFor('ack', (ack) => ack.cid === cid, from);
  }

  /** Waits until the server has processed all earlier frames: it responds in order. */
  async settle(): Promise<void> {
    const t = `settle ${++this.#pings}`;
    this.send({ type: 'ping', t });
    await this.waitFor('pong', (pong) => pong.t === t);
  }
}
