/**
 * A socket that can stop reading. Reading costs almost nothing, because frames are parsed only when `look` is called.
 * So a measurement in the same process does not depend on whether it reads.
 */
import type { Duplex } from 'node:stream';
import { type ServerFrameOneRoom, serverFrameOneRoom } from '../../protocol/frames/one-room.ts';
import { FrameReader, maskedFrame, OPCODE } from '../simulation/websocket-frames.ts';
import type { Target } from '../support/http.ts';
import { offering, upgrade } from '../support/upgrade.ts';
import { issueTicket, type Login } from '../support/users.ts';
import type { Cursor } from '../support/ws-client.ts';

const PING_EVERY_MS = 20_000;

/** Sends pings, because the server drops a silent socket. */
export function keepAlive(socket: Duplex): void {
  const ping = () => socket.writable && socket.write(maskedFrame(OPCODE.ping, Buffer.alloc(0)));
  const timer = setInterval(ping, PING_EVERY_MS);
  socket.once('close', () => clearInterval(timer));
}

export class StoppingReader {
  readonly closed: Promise<unknown>;
  /** Its cursor in the room after the last `look`. */
  readonly cursor: Required<Cursor>;
  readonly #socket: Duplex;
  readonly #frames = new FrameReader();
  #unseen: Buffer[] = [];

  private constructor(socket: Duplex, cursor: Required<Cursor>) {
    this.#socket = socket;
    this.cursor = cursor;
    // Not `once`: it would reject at the TCP reset with which the server cuts a socket that does not read.
    this.closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('data', (bytes: Buffer) => this.#unseen.push(bytes));
    keepAlive(socket);
  }

  /** Enters a room at its head, or resumes after a cursor. */
  static async enter(
    target: Target,
    login: Login,
    roomId: number,
    cursor?: Required<Cursor>,
  ): Promise<StoppingReader> {
    const ticket = await issueTicket(target, login, roomId);
    const resuming = cursor ? `&since=${cursor.since}&epoch=${cursor.epoch}` : '';
    const protocols = offering(ticket).with(0, 'chatroom.v2');
    const { socket, status } = await upgrade(target, `/ws?room_id=${roomId}${resuming}`, { protocols });
    if (!socket) throw new Error(`refused with ${status}`);
    return new StoppingReader(socket, { ...(cursor ?? { since: 0, epoch: '' }) });
  }

  stop(): void {
    this.#socket.pause();
  }

  readOn(): void {
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Parses what arrived since the last call, and returns the last seq. Throws at a gap and at a repeat. */
  look(): number {
    const bytes = Buffer.concat(this.#unseen);
    this.#unseen = [];
    for (const { opcode, payload } of this.#frames.read(bytes)) {
      if (opcode === OPCODE.text) this.#take(serverFrameOneRoom.parse(JSON.parse(String(payload))));
    }
    return this.cursor.since;
  }

  #take(frame: ServerFrameOneRoom): void {
    switch (frame.type) {
      case 'hello':
        this.cursor.epoch = frame.epoch;
        if (!frame.resumed) this.cursor.since = frame.seq;
        return;
      case 'reset':
        throw new Error(`it could not resume after ${this.cursor.since}`);
      case 'message':
        return this.#follow(frame.seq);
      case 'batch':
        for (const { seq } of frame.events) this.#follow(seq);
        return;
    }
  }

  #follow(seq: number): void {
    if (seq !== this.cursor.since + 1) throw new Error(`after ${this.cursor.since} came ${seq}`);
    this.cursor.since = seq;
  }
}
