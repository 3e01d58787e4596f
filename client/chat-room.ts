/** One member in one room: keeps a `RoomState` true with history, socket and outbox, and delivers what is sent. */

import { TYPING_TTL_MS } from '../protocol/limits.ts';
import type { Message, User } from '../protocol/rest.ts';
import { isMessageContent } from '../protocol/text.ts';
import type { ChatApi } from './api.ts';
import { type Cancel, type Clock, systemClock } from './clock.ts';
import { Delivery } from './delivery.ts';
import { Emitter } from './emitter.ts';
import { HistoryReader } from './history-reader.ts';
import type { HostSignals } from './host-signals.ts';
import type { Outbox, Outcome } from './outbox.ts';
import { nextTypingExpiry, type PresenceChange, presenceChange } from './people.ts';
import {
  indexOfSeq,
  initialRoom,
  missing,
  type RoomAction,
  type RoomSnapshot,
  type RoomState,
  readAt,
  reduceRoom,
} from './room.ts';
import {
  type CloseReason,
  type ConnectionState,
  type RoomFrame,
  RoomSocket,
  type WebSocketConstructor,
} from './socket.ts';
import { type Heard, hear, type Stream } from './stream.ts';

export interface RoomEvents {
  /** Anything changed. */
  readonly state: RoomState;
  /** The member has said something through this room: `state` has it as pending in a moment. */
  readonly sending: { readonly content: string };
  /** A message was said after this client entered: each once, in order, also those that a lost connection missed. */
  readonly message: Message;
  /** Somebody came or went; with `users`, who is there, at each new connection. */
  readonly presence: PresenceChange;
  readonly connection: ConnectionState;
  /** Messages were missed for good, or the server's history was restored: what is in `state` begins anew. */
  readonly reset: RoomState;
}

/** What a room needs of its surroundings: a `ChatClient` gives it. */
export interface RoomOptions {
  readonly roomId: number;
  readonly me: User;
  readonly api: Pick<ChatApi, 'history' | 'ticket'>;
  readonly renewSession: () => Promise<unknown>;
  readonly outbox: Outbox;
  /** `ws://host` or `wss://host`, without a trailing slash. */
  readonly socketUrl: string;
  /** Messages held at most; older ones are forgotten as new ones come. */
  readonly keep: number;
  /** What was kept of the room from an earlier visit: shown until the server tells more. */
  readonly restore?: (() => Promise<RoomSnapshot | null>) | undefined;
  /** Called when the room has been left and has nothing to deliver any more. */
  readonly onEnd: () => void;
  readonly WebSocket?: WebSocketConstructor | undefined;
  readonly signals?: HostSignals | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/** A device that takes longer to read what it has kept is not waited for. */
const RESTORE_TIMEOUT_MS = 1000;

export class Room {
  readonly #options: RoomOptions;
  readonly #clock: Clock;
  readonly #events = new Emitter<RoomEvents>();
  readonly #socket: RoomSocket;
  readonly #delivery: Delivery;
  readonly #history: HistoryReader;
  #state: RoomState;
  #restoring: Promise<void> | null = null;
  /** How far listeners were told. Not the stream of the state: that one may go on from an earlier visit. */
  #told: Stream | null = null;
  /** `left`: nobody looks any more, only what is unsent is still delivered. */
  #phase: 'entered' | 'left' | 'ended' = 'entered';
  /** See `hold`. */
  #heldFrom: number | null = null;
  #cancelTyping: Cancel = () => {};
  #cancelOutbox: Cancel = () => {};

  constructor(options: RoomOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const random = options.random ?? Math.random;
    this.#state = initialRoom(options.roomId, options.me);
    this.#socket = new RoomSocket({
      ...options,
      url: () => `${options.socketUrl}/ws?${this.#place()}`,
      ticket: () => this.#ticket(),
      onFrame: (frame) => this.#onFrame(frame),
      onState: (state) => this.#onConnection(state),
      onLatency: (ms) => this.#dispatch({ type: 'latency', ms }),
    });
    this.#delivery = new Delivery({
      roomId: options.roomId,
      me: options.me.id,
      outbox: options.outbox,
      write: (frame) => this.#socket.send(frame),
      onWritten: (cids) => this.#dispatch({ type: 'written', cids }),
      clock: this.#clock,
      random,
    });
    this.#history = new HistoryReader({
      roomId: options.roomId,
      api: options.api,
      readAt: () => readAt(this.#state),
      onLatest: (page, at) => this.#onPage({ type: 'latest', page, ...at }),
      onOlder: (page, beforeId, at) => this.#onPage({ type: 'older', page, beforeId, ...at }),
      clock: this.#clock,
      random,
    });
  }

  get id(): number {
    return this.#options.roomId;
  }

  get state(): RoomState {
    return this.#state;
  }

  /** Nothing will come of it any more; to enter it again is to begin anew. */
  get isOver(): boolean {
    return this.isLeft || this.#socket.state.status === 'closed';
  }

  /** It only delivers what is unsent. */
  get isLeft(): boolean {
    return this.#phase !== 'entered';
  }

  /** Calls `listener` after each such event, until cancelled. */
  on<Name extends keyof RoomEvents>(name: Name, listener: (value: RoomEvents[Name]) => void): Cancel {
    return this.#events.on(name, listener);
  }

  /** For `ChatClient`: shows the end of history as soon as it is there, and connects meanwhile. */
  start(): void {
    this.#follow();
    this.#socket.start();
    const { restore } = this.#options;
    if (restore === undefined) this.#history.latest();
    else this.#restoring = this.#restore(restore);
  }

  /** For `ChatClient`: connects to deliver what is unsent, and leaves when that is done. */
  startDelivery(): void {
    this.#phase = 'left';
    this.#socket.start();
    this.#follow();
  }

  /** Leaves the room. What is unsent is still delivered, then the connection is closed. */
  leave(): void {
    if (this.isLeft) return;
    this.#phase = 'left';
    this.#cancelTyping();
    this.#history.stop();
    this.#socket.send({ type: 'typing', is_typing: false });
    this.#endWhenDelivered();
  }

  /** For `ChatClient`: lets go of everything at once; the outbox keeps what is unsent. */
  stop(reason: CloseReason = 'stopped'): void {
    this.#cancelTyping();
    this.#history.stop();
    this.#cancelOutbox();
    // Those who look see that it has ended, and why.
    if (this.#phase === 'left') this.#phase = 'ended';
    this.#socket.stop(reason);
    this.#phase = 'ended';
  }

  /**
   * Shows the message as pending at once, keeps it in the outbox, and sends it as soon as the connection allows. Resolves
   * when it is settled, in whatever time and over whatever connection that takes; never rejects.
   */
  send(content: string): Promise<Outcome> {
    if (!isMessageContent(content)) return Promise.resolve({ outcome: 'refused', code: 'invalid_content' });
    const outcome = this.#options.outbox.add(this.id, content);
    this.#events.emit('sending', { content });
    return outcome;
  }

  /** Sends a failed message again. */
  retry(cid: string): void {
    this.#options.outbox.retry(cid);
  }

  /** Gives a failed message up. */
  discard(cid: string): void {
    this.#options.outbox.discard(cid);
  }

  /** Tells the others; the server ends it by itself 3 s after the last `true`. */
  setTyping(isTyping: boolean): void {
    this.#socket.send({ type: 'typing', is_typing: isTyping });
  }

  /** Ends the present wait for another connection. */
  retryNow(): void {
    this.#socket.retryNow();
  }

  /** Fetches the page before the oldest message held; rejects with an `ApiError`. */
  async loadOlder(): Promise<void> {
    const { messages, hasOlder } = this.#state;
    const [oldest] = messages;
    if (oldest !== undefined && hasOlder) await this.#history.older(oldest.id, messages.length);
  }

  /** Forgets no message from this seq on, however many come: somebody reads there. Null: nobody does. */
  hold(fromSeq: number | null): void {
    this.#heldFrom = fromSeq;
  }

  async #restore(restore: () => Promise<RoomSnapshot | null>): Promise<void> {
    const late = new Promise<null>((resolve) => this.#clock.after(RESTORE_TIMEOUT_MS, () => resolve(null)));
    const snapshot = await Promise.race([restore().catch(() => null), late]);
    if (this.isLeft) return;
    if (snapshot !== null) this.#dispatch({ type: 'restored', snapshot });
    // What came after a snapshot is sent by the connection.
    if (this.#state.head === null) this.#history.latest();
  }

  async #ticket(): Promise<string> {
    const { ticket } = await this.#options.api.ticket(this.id);
    // Only then is it known where to go on.
    if (this.#restoring !== null) await this.#restoring;
    return ticket;
  }

  /** The query of the socket's address: the room, and where the stream left off. */
  #place(): URLSearchParams {
    const { stream } = this.#state;
    const place = stream === null ? {} : { since: String(stream.seq), epoch: stream.epoch };
    return new URLSearchParams({ room_id: String(this.id), ...place });
  }

  #follow(): void {
    const { outbox } = this.#options;
    const changed = () => {
      this.#dispatch({ type: 'outbox', items: outbox.itemsOf(this.id) });
      this.#delivery.pump();
      this.#refuseIfGone();
      this.#endWhenDelivered();
    };
    this.#cancelOutbox = outbox.subscribe(changed);
    changed();
  }

  #onConnection(state: ConnectionState): void {
    if (state.status === 'open') this.#history.forgetFailure();
    else this.#delivery.disconnected();
    this.#dispatch({ type: 'connection', state });
    this.#events.emit('connection', state);
    if (state.status !== 'closed') return;
    this.#refuseIfGone();
    this.#endWhenDelivered();
  }

  /** Nothing will ever be delivered to a room that is gone. */
  #refuseIfGone(): void {
    const { state } = this.#socket;
    if (state.status !== 'closed' || state.reason !== 'room_gone') return;
    for (const { cid, refusal } of this.#options.outbox.itemsOf(this.id)) {
      if (refusal === null) this.#options.outbox.refuse(cid, 'room_not_found');
    }
  }

  #onFrame(frame: RoomFrame): void {
    const heard = hear(this.#told, frame);
    this.#told = heard.stream;
    this.#dispatch({ type: 'frame', frame, now: this.#clock.now() });
    // After the state has it: what leaves the outbox is already seen in its place.
    this.#delivery.heard(frame);
    this.#tell(heard);
    if (this.isLeft) return;
    switch (frame.type) {
      case 'hello':
        this.#events.emit('presence', { online: frame.online, joined: [], left: [], users: frame.users });
        return;
      case 'join':
      case 'leave':
      case 'presence':
        this.#events.emit('presence', presenceChange(frame));
        return;
      case 'typing':
        this.#scheduleTypingEnd();
        return;
      default:
        return;
    }
  }

  #endWhenDelivered(): void {
    const { outbox, onEnd } = this.#options;
    const isWaiting = outbox.itemsOf(this.id).some((item) => item.refusal === null);
    if (this.#phase !== 'left' || (isWaiting && this.#socket.state.status !== 'closed')) return;
    this.stop();
    onEnd();
  }

  #onPage(action: RoomAction): void {
    this.#dispatch(action);
    // Not what the page says: one of another life says nothing about this one, and leaves the same page missing.
    this.#delivery.found(this.#state.messages);
    this.#fetchMissing();
  }

  #scheduleTypingEnd(): void {
    this.#cancelTyping();
    const expiry = nextTypingExpiry(this.#state);
    if (expiry === null) return;
    // Whoever set the clock meanwhile: a hint lasts no longer than that.
    const delayMs = Math.min(Math.max(0, expiry - this.#clock.now()), TYPING_TTL_MS);
    this.#cancelTyping = this.#clock.after(delayMs, () => {
      this.#dispatch({ type: 'tick', now: expiry });
      this.#scheduleTypingEnd();
    });
  }

  #dispatch(action: RoomAction): void {
    if (this.isLeft) return;
    const before = this.#state;
    this.#state = reduceRoom(before, action);
    if (this.#state === before) return;
    if (this.#state.head !== before.head) this.#forgetOldest();
    this.#events.emit('state', this.#state);
    this.#fetchMissing();
  }

  #forgetOldest(): void {
    const { messages } = this.#state;
    const heldFrom = this.#heldFrom;
    const held = heldFrom === null ? 0 : messages.length - indexOfSeq(messages, heldFrom);
    const keep = Math.max(this.#options.keep, held);
    if (messages.length > 1.5 * keep) this.#state = reduceRoom(this.#state, { type: 'trim', keep });
  }

  /** Listeners hear the stream, not the view: whatever becomes of pages of history, they miss nothing. */
  #tell({ messages, isReset }: Heard): void {
    if (isReset && !this.isLeft) this.#events.emit('reset', this.#state);
    for (const message of messages) {
      // A listener may have left.
      if (this.isLeft) return;
      this.#events.emit('message', message);
    }
  }

  #fetchMissing(): void {
    if (this.isLeft) return;
    switch (missing(this.#state)) {
      case 'history':
        this.#history.latest();
        return;
      case 'resume':
        this.#socket.reconnect();
        return;
      case null:
        return;
    }
  }
}
