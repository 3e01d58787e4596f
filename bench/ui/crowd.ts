/** Other users in a room. They send the demo's texts at a given rate, over one socket each. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { issueTicket } from '../../tests/support/users.ts';
import type { Stage } from './stage.ts';

/** The server lets each user send 64 KiB of text per second, and counts at least 1 KiB per message. */
const PEOPLE = 12;
const TICK_MS = 20;

export class Crowd {
  readonly #sockets: readonly WebSocket[];
  readonly #texts: readonly string[];
  #sent = 0;

  private constructor(sockets: readonly WebSocket[], texts: readonly string[]) {
    this.#sockets = sockets;
    this.#texts = texts;
  }

  static async enter(stage: Stage, room: string): Promise<Crowd> {
    const sockets: WebSocket[] = [];
    for (const name of stage.world.people.filter((other) => other !== stage.me.username).slice(0, PEOPLE)) {
      const ticket = await issueTicket(stage.server, await stage.logIn(name), stage.roomId(room));
      const url = `ws://${stage.server.host}/ws?room_id=${stage.roomId(room)}`;
      const socket = new WebSocket(url, ['chatroom.v1', `ticket.${ticket}`], { perMessageDeflate: false });
      await once(socket, 'open');
      sockets.push(socket);
    }
    // The limit on text would hold long messages back.
    const texts = stage.world.messages.slice(-2000).map(({ content }) => content);
    return new Crowd(
      sockets,
      texts.filter((text) => text.length < 400),
    );
  }

  /** Sends at an even rate for this number of seconds; returns the number of messages sent. */
  async talk(perSecond: number, seconds: number): Promise<number> {
    const from = performance.now();
    const sentBefore = this.#sent;
    const total = Math.round(perSecond * seconds);
    while (this.#sent - sentBefore < total) {
      const due = Math.min(total, ((performance.now() - from) / 1000) * perSecond);
      while (this.#sent - sentBefore < due) this.#say(this.#texts[this.#sent % this.#texts.length] ?? '');
      await sleep(TICK_MS);
    }
    return this.#sent - sentBefore;
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
  }

  #say(content: string): void {
    const socket = this.#sockets[this.#sent++ % this.#sockets.length];
    socket?.send(JSON.stringify({ type: 'message', content }));
  }
}
