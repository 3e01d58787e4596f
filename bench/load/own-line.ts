/** A line of the bench itself, beside the load: it says single things, and hears what calls for its user. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Door } from './plan.ts';
import { fetchTicket } from './ticket.ts';

type Frame = { type?: string; cid?: string; id?: number; body?: string };

export class OwnLine {
  /** Called for each frame. */
  onFrame: (frame: Frame) => void = () => {};
  readonly #socket: WebSocket;
  #said = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.onFrame(JSON.parse(String(data)) as Frame));
  }

  /** Opens no room: a line hears of its user in any case. */
  static async open({ port, path, subprotocol, ticket }: Door): Promise<OwnLine> {
    if (ticket === null || subprotocol === null) throw new Error('a line needs a ticket');
    const protocols = [subprotocol, `ticket.${await fetchTicket(port, ticket)}`];
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, { perMessageDeflate: false });
    await once(socket, 'open');
    const line = new OwnLine(socket);
    socket.send('{"type":"start"}');
    return line;
  }

  /** Resolves with the message's id once it is stored. */
  async say(roomId: number, content: string): Promise<number> {
    const cid = `own-${++this.#said}`;
    this.#socket.send(JSON.stringify({ type: 'message', room_id: roomId, content, cid }));
    return await new Promise((resolve) => {
      this.onFrame = (frame) => {
        if (frame.type === 'ack' && frame.cid === cid) resolve(frame.id ?? 0);
      };
    });
  }

  /** Opens a room and has it in sight. */
  enter(roomId: number): void {
    this.#socket.send(JSON.stringify({ type: 'open', room_id: roomId }));
    this.#socket.send(JSON.stringify({ type: 'here', room_id: roomId }));
  }

  type(roomId: number, isTyping: boolean): void {
    this.#socket.send(JSON.stringify({ type: 'typing', room_id: roomId, is_typing: isTyping }));
  }

  close(): void {
    this.#socket.terminate();
  }
}
