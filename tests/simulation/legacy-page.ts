/**
 * A simple `chatroom.v1` client: one room, no SDK, no acks, no resuming. It reconnects a second after each connection
 * ends.
 */

import type { WebSocketLike } from '../../client/connection/web-socket.ts';
import type { Message } from '../../protocol/events.ts';
import { serverFrameV1 } from '../../protocol/frames/v1.ts';
import type { Tokens, User } from '../../protocol/rest/accounts.ts';
import type { Network, Station } from './network.ts';
import { newOwner, type Owner, type SimulatedEvent, type World } from './world.ts';

const PAUSE_MS = 1000;
const HANDSHAKE_WITHIN_MS = 5000;
const PING_AFTER_MS = 20_000;
const PONG_WITHIN_MS = 5000;

export interface LegacyPageOptions {
  name: string;
  world: World;
  network: Network;
  user: User;
  tokens: Tokens;
  roomId: number;
  /** Whether the database has it, or had it before a backup was restored. */
  isStored: (message: Message) => boolean;
  /** Whether it is the first text after this number. */
  isNext: (seq: number, message: Message) => boolean;
}

export class LegacyPage implements Station {
  readonly owner: Owner;
  readonly user: User;
  readonly roomId: number;
  offlineUntil = 0;
  readonly #options: LegacyPageOptions;
  #socket: WebSocketLike | null = null;
  /** The seq of the last message that this connection received. */
  #heard: number | null = null;
  #isIn = false;
  #deadline: SimulatedEvent | null = null;

  constructor(options: LegacyPageOptions) {
    this.#options = options;
    this.owner = newOwner(options.name);
    this.user = options.user;
    this.roomId = options.roomId;
  }

  get accessToken(): string {
    return this.#options.tokens.access_token;
  }

  /** Whether the server has admitted it. */
  get isIn(): boolean {
    return this.#isIn;
  }

  open(): void {
    this.#options.world.schedule(this.owner, 'open', 0, () => void this.#connect());
  }

  /** Sends a message if it can. The protocol has no ack, so the outcome is unknown. */
  say(text: string): void {
    const frame = JSON.stringify({ type: 'message', content: text });
    this.#options.world.schedule(this.owner, `say ${text}`, 0, () => this.#socket?.send(frame));
  }

  async #connect(): Promise<void> {
    const { network } = this.#options;
    const ticket = await this.#ticket().catch(() => null);
    if (ticket === null) return this.#comeBack();
    this.#heard = null;
    const url = `ws://server/ws?room_id=${this.roomId}`;
    const socket = new (network.webSocketOf(this))(url, ['chatroom.v1', `ticket.${ticket}`]);
    this.#socket = socket;
    this.#expectFrame(HANDSHAKE_WITHIN_MS);
    const ifPresent = (run: () => void) => {
      if (this.#socket === socket) run();
    };
    socket.addEventListener('message', ({ data }) => ifPresent(() => this.#hear(JSON.parse(String(data)))));
    socket.addEventListener('close', () => ifPresent(() => this.#comeBack()));
  }

  /** Sends a ping when no frame arrives within this time, and reconnects when still none arrives. */
  #expectFrame(withinMs: number): void {
    if (this.#deadline) this.#deadline.isCancelled = true;
    const socket = this.#socket;
    this.#deadline = this.#options.world.schedule(this.owner, 'ping', withinMs, () => {
      socket?.send(JSON.stringify({ type: 'ping' }));
      this.#deadline = this.#options.world.schedule(this.owner, 'give up', PONG_WITHIN_MS, () => {
        this.#comeBack();
        socket?.close(1000);
      });
    });
  }

  async #ticket(): Promise<string> {
    const answer = await this.#options.network.fetchOf(this)('http://server/api/v1/ws/tickets', {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.#options.tokens.access_token}` },
      body: JSON.stringify({ room_id: this.roomId }),
    });
    return ((await answer.json()) as { ticket: string }).ticket;
  }

  #comeBack(): void {
    if (this.#deadline) this.#deadline.isCancelled = true;
    this.#socket = null;
    this.#isIn = false;
    this.#options.world.schedule(this.owner, 'come back', PAUSE_MS, () => void this.#connect());
  }

  #hear(frame: unknown): void {
    const wrong = (why: string) =>
      this.#options.world.violation(`a v1 page received ${JSON.stringify(frame)}, but ${why}`);
    const parsed = serverFrameV1.safeParse(frame);
    if (!parsed.success) return wrong('it is not a v1 frame');
    this.#isIn = true;
    this.#expectFrame(PING_AFTER_MS);
    const known = parsed.data;
    if (known.type !== 'message') return;
    if (known.cid !== undefined) wrong('v1 has no cids');
    if (!this.#options.isStored(known)) wrong('it is not durable');
    if (this.#heard !== null && !this.#options.isNext(this.#heard, known))
      wrong(`${this.#heard} came before`);
    this.#heard = known.seq;
  }
}
