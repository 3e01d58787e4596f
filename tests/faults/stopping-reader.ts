/**
 * A socket that can stop reading. Reading costs almost nothing, because frames are parsed only when `look` is called.
 * So a measurement in the same process does not depend on whether it reads.
 */
import type { Duplex } from 'node:stream';
import { type ServerFrameV2, serverFrameV2 } from '../../protocol/frames/v2.ts';
import { FrameReader, OPCODE } from '../simulation/websocket-frames.ts';
import { eventually } from '../support/eventually.ts';
import type { Target } from '../support/http.ts';
import type { Cursor } from '../support/room-line.ts';
import { issueUserTicket, type Login } from '../support/users.ts';
import { askFor, keepAlive, openLine } from './raw-line.ts';

export class StoppingReader {
  readonly closed: Promise<unknown>;
  /** Its cursor in the room after the last `look`. */
  readonly cursor: Required<Cursor>;
  readonly #socket: Duplex;
  readonly #frames = new FrameReader();
  #unseen: Buffer[] = [];
  #isPresent = false;

  private constructor(socket: Duplex, cursor: Required<Cursor>) {
    this.#socket = socket;
    this.cursor = cursor;
    // Not `once`: it would reject at the TCP reset with which the server cuts a socket that does not read.
    this.closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('data', (bytes: Buffer) => this.#unseen.push(bytes));
    keepAlive(socket);
  }

  /**
   * Enters a room at its head, or resumes after a cursor. Resolves when the user is present in the room: another socket
   * of the user can be closed then without a leave.
   */
  static async enter(
    target: Target,
    login: Login,
    roomId: number,
    cursor?: Required<Cursor>,
  ): Promise<StoppingReader> {
    const socket = await openLine(target, await issueUserTicket(target, login));
    askFor(socket, { type: 'start', ...(cursor && { epoch: cursor.epoch }) });
    askFor(socket, { type: 'open', room_id: roomId, ...(cursor && { since: cursor.since }) });
    askFor(socket, { type: 'here', room_id: roomId });
    const reader = new StoppingReader(socket, { ...(cursor ?? { since: 0, epoch: '' }) });
    await eventually('present in the room', () => {
      reader.look();
      return reader.#isPresent || undefined;
    });
    return reader;
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
      if (opcode === OPCODE.text) this.#take(serverFrameV2.parse(JSON.parse(String(payload))));
    }
    return this.cursor.since;
  }

  #take(frame: ServerFrameV2): void {
    switch (frame.type) {
      case 'presence':
        this.#isPresent = true;
        return;
      case 'hello':
        this.cursor.epoch = frame.epoch;
        return;
      case 'opened':
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
