/** One member in one room: its state, its connection, and the delivery of what is sent. */
import type { User } from '../../protocol/rest.ts';
import { isMessageContent } from '../../protocol/text.ts';
import type { ChatApi } from '../api/api.ts';
import { type Cancel, type Clock, systemClock } from '../clock.ts';
import type { HostSignals } from '../connection/host-signals.ts';
import {
  type CloseReason,
  type ConnectionState,
  type RoomFrame,
  RoomSocket,
  type WebSocketConstructor,
} from '../connection/socket.ts';
import { Delivery } from '../outbox/delivery.ts';
import type { Outbox, Outcome } from '../outbox/outbox.ts';
import { type RoomEvents, RoomListeners } from './room-listeners.ts';
import type { RoomSnapshot, RoomState } from './room-state.ts';
import { RoomStore } from './room-store.ts';

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

export class Room {
  readonly #options: RoomOptions;
  readonly #listeners = new RoomListeners();
  readonly #socket: RoomSocket;
  readonly #delivery: Delivery;
  readonly #store: RoomStore;
  #restoring: Promise<void> | null = null;
  /** `left`: nobody looks any more, only what is unsent is still delivered. */
  #phase: 'entered' | 'left' | 'ended' = 'entered';
  /** A ticket has come, and the socket that it is for has neither said hello nor failed. */
  #isAdmitted = false;
  #cancelOutbox: Cancel = () => {};

  constructor(options: RoomOptions) {
    this.#options = options;
    const { clock = systemClock, random = Math.random } = options;
    this.#socket = new RoomSocket({
      ...options,
      url: () => `${options.socketUrl}/ws?${this.#place()}`,
      ticket: () => this.#ticket(),
      onFrame: (frame) => this.#onFrame(frame),
      onOpening: () => {
        this.#isAdmitted = true;
      },
      onState: (state) => this.#onConnection(state),
      onLatency: (ms) => this.#store.dispatch({ type: 'latency', ms }),
    });
    this.#delivery = new Delivery({
      roomId: options.roomId,
      me: options.me.id,
      outbox: options.outbox,
      write: (frame) => this.#socket.send(frame),
      onWritten: (cids) => this.#store.dispatch({ type: 'written', cids }),
      clock,
      random,
    });
    this.#store = new RoomStore({
      ...options,
      onChange: (state) => this.#listeners.emit('state', state),
      onRead: (messages) => this.#delivery.found(messages),
      resume: () => this.#socket.reconnect(),
      clock,
      random,
    });
  }

  get id(): number {
    return this.#options.roomId;
  }

  get state(): RoomState {
    return this.#store.state;
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
    return this.#listeners.on(name, listener);
  }

  /** For `ChatClient`: shows the end of history as soon as it is there, and connects meanwhile. */
  start(): void {
    this.#follow();
    this.#socket.start();
    const { restore } = this.#options;
    if (restore === undefined) this.#store.load();
    else this.#restoring = this.#store.restore(restore);
  }

  /** For `ChatClient`: connects to deliver what is unsent, and leaves when that is done. */
  startDelivery(): void {
    this.#lookAway();
    this.#socket.start();
    this.#follow();
  }

  /** Leaves the room. What is unsent is still delivered, then the connection is closed. */
  leave(): void {
    if (this.isLeft) return;
    this.#lookAway();
    this.#socket.send({ type: 'typing', is_typing: false });
    this.#endWhenDelivered();
  }

  /** For `ChatClient`: lets go of everything at once; the outbox keeps what is unsent. */
  stop(reason: CloseReason = 'stopped'): void {
    this.#cancelOutbox();
    // Those who look see that it has ended, and why.
    if (this.#phase === 'left') this.#phase = 'ended';
    this.#socket.stop(reason);
    this.#lookAway();
    this.#phase = 'ended';
  }

  /**
   * Shows the message as pending at once, keeps it in the outbox, and sends it as soon as the connection allows. Resolves
   * when it is settled, in whatever time and over whatever connection that takes; never rejects.
   */
  send(content: string): Promise<Outcome> {
    if (!isMessageContent(content)) return Promise.resolve({ outcome: 'refused', code: 'invalid_content' });
    const outcome = this.#options.outbox.add(this.id, content);
    this.#listeners.emit('sending', { content });
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
    await this.#store.loadOlder();
  }

  /**
   * Forgets no message from this seq on, as somebody reads there, until ten times `keep` have come or it is said anew.
   * Null: nobody does.
   */
  hold(fromSeq: number | null): void {
    this.#store.hold(fromSeq);
  }

  async #ticket(): Promise<string> {
    const { ticket } = await this.#options.api.ticket(this.id);
    // Only then is it known where to go on.
    if (this.#restoring !== null) await this.#restoring;
    return ticket;
  }

  /** The query of the socket's address: the room, and where the stream left off. */
  #place(): URLSearchParams {
    const { stream } = this.#store.state;
    const place = stream === null ? {} : { since: String(stream.seq), epoch: stream.epoch };
    return new URLSearchParams({ room_id: String(this.id), ...place });
  }

  #follow(): void {
    const { outbox } = this.#options;
    const changed = () => {
      this.#store.dispatch({ type: 'outbox', items: outbox.itemsOf(this.id) });
      this.#delivery.pump();
      this.#refuseIfGone();
      this.#endWhenDelivered();
    };
    this.#cancelOutbox = outbox.subscribe(changed);
    changed();
  }

  #onConnection(state: ConnectionState): void {
    if (state.status === 'open') this.#store.connected();
    else this.#delivery.disconnected();
    this.#store.dispatch({ type: 'connection', state });
    this.#listeners.emit('connection', state);
    // The server answers, but something between lets no socket through: what is new can be read at least.
    if (state.status === 'waiting' && this.#isAdmitted) this.#store.poll();
    if (state.status !== 'connecting') this.#isAdmitted = false;
    if (state.status !== 'closed') return;
    this.#refuseIfGone();
    this.#endWhenDelivered();
  }

  /** Nothing will ever be delivered to a room that is gone. */
  #refuseIfGone(): void {
    const { state } = this.#socket;
    if (state.status === 'closed' && state.reason === 'room_gone') this.#delivery.refuseAll('room_not_found');
  }

  #onFrame(frame: RoomFrame): void {
    this.#store.hear(frame);
    // After the state has it: what leaves the outbox is already seen in its place.
    this.#delivery.heard(frame);
    this.#listeners.hear(frame, this.state);
  }

  #lookAway(): void {
    this.#phase = 'left';
    this.#store.stop();
    this.#listeners.stop();
  }

  #endWhenDelivered(): void {
    const isOver = this.#delivery.isDone || this.#socket.state.status === 'closed';
    if (this.#phase !== 'left' || !isOver) return;
    this.stop();
    this.#options.onEnd();
  }
}
