/** One user in one room: its state, its connection, and the delivery of what the user sends. */
import type { User } from '../../protocol/rest/accounts.ts';
import { isMessageContent } from '../../protocol/text.ts';
import type { ChatApi } from '../api/api.ts';
import { type Cancel, type Clock, nothingToCancel, systemClock } from '../clock.ts';
import type { CloseReason, ConnectionState } from '../connection/connection-state.ts';
import type { HostSignals } from '../connection/host-signals.ts';
import { type RoomFrame, RoomSocket } from '../connection/socket.ts';
import type { WebSocketConstructor } from '../connection/web-socket.ts';
import { Delivery } from '../outbox/delivery.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Outcome } from '../outbox/outcome.ts';
import { type RoomEvents, RoomListeners } from './room-listeners.ts';
import type { RoomSnapshot, RoomState } from './room-state.ts';
import { RoomSync } from './room-sync.ts';

/** The parts of a `ChatClient` that a room uses. */
export interface RoomOptions {
  readonly roomId: number;
  readonly me: User;
  readonly api: Pick<ChatApi, 'history' | 'ticket'>;
  readonly renewSession: () => Promise<unknown>;
  readonly outbox: Outbox;
  /** `ws://host` or `wss://host`, without a trailing slash. */
  readonly socketUrl: string;
  /** See `ChatClientOptions.keep`. */
  readonly keep: number;
  /** What an earlier visit saved of the room, shown until the server responds. */
  readonly restore?: (() => Promise<RoomSnapshot | null>) | undefined;
  readonly probeOrigin?: (() => Promise<boolean | null>) | undefined;
  /** Called when the room has been left and has nothing more to deliver. */
  readonly onEnd: () => void;
  readonly WebSocket?: WebSocketConstructor | undefined;
  readonly signals?: HostSignals | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/** A room that was entered: `ChatClient.enter`. */
export class Room {
  readonly #options: RoomOptions;
  readonly #listeners = new RoomListeners();
  readonly #socket: RoomSocket;
  readonly #delivery: Delivery;
  readonly #sync: RoomSync;
  readonly #closed: Promise<CloseReason>;
  #resolveClosed: (reason: CloseReason) => void = () => {};
  #restoring: Promise<void> | null = null;
  /** `left`: the user is gone, and only unsent messages are still delivered. */
  #phase: 'entered' | 'left' | 'ended' = 'entered';
  /** A ticket has arrived, and its socket has neither received `hello` nor failed. */
  #isAdmitted = false;
  #cancelOutbox: Cancel = nothingToCancel;

  /** @internal `ChatClient.enter` creates rooms. */
  constructor(options: RoomOptions) {
    this.#options = options;
    const { clock = systemClock, random = Math.random } = options;
    this.#closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#socket = new RoomSocket({
      ...options,
      url: () => `${options.socketUrl}/ws?${this.#position()}`,
      ticket: () => this.#ticket(),
      onFrame: (frame) => this.#onFrame(frame),
      onOpening: () => {
        this.#isAdmitted = true;
      },
      onState: (state) => this.#onConnection(state),
      onLatency: (ms) => this.#sync.dispatch({ type: 'latency', ms }),
    });
    this.#delivery = new Delivery({
      roomId: options.roomId,
      me: options.me.id,
      outbox: options.outbox,
      write: (frame) => this.#socket.send(frame),
      onWritten: (cids) => this.#sync.dispatch({ type: 'written', cids }),
      clock,
      random,
    });
    this.#sync = new RoomSync({
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

  /** Everything that is known of the room. Each change creates a new object; earlier ones do not change. */
  get state(): RoomState {
    return this.#sync.state;
  }

  /** Whether the room was left or its connection has ended for good. `ChatClient.enter` then creates a new room. */
  get isOver(): boolean {
    return this.isLeft || this.#socket.state.status === 'closed';
  }

  /** Whether the room was left. It may still deliver unsent messages. */
  get isLeft(): boolean {
    return this.#phase !== 'entered';
  }

  /** Resolves with the reason when the connection has ended for good: the room or the session is gone, or you left. */
  closed(): Promise<CloseReason> {
    return this.#closed;
  }

  /** Calls `listener` on each event of that name, until the returned function is called. */
  on<Name extends keyof RoomEvents>(name: Name, listener: (value: RoomEvents[Name]) => void): Cancel {
    return this.#listeners.on(name, listener);
  }

  /** @internal Connects, and reads the latest messages meanwhile. */
  start(): void {
    this.#followOutbox();
    this.#socket.start();
    const { restore } = this.#options;
    if (restore === undefined) this.#sync.load();
    else this.#restoring = this.#sync.restore(restore);
  }

  /** @internal Connects only to deliver unsent messages, and leaves when that is done. */
  startDelivery(): void {
    this.#phase = 'left';
    this.#mute();
    this.#socket.start();
    this.#followOutbox();
  }

  /** Leaves the room. Unsent messages are still delivered, then the connection is closed. */
  leave(): void {
    if (this.isLeft) return;
    this.#phase = 'left';
    this.#mute();
    this.#socket.send({ type: 'typing', is_typing: false });
    this.#endWhenDelivered();
  }

  /** @internal Closes the connection at once. Unsent messages stay in the outbox. */
  stop(reason: CloseReason = 'stopped'): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    this.#cancelOutbox();
    // Mute afterwards: listeners of an entered room see the final state, with the reason.
    this.#socket.stop(reason);
    this.#mute();
  }

  /**
   * Shows the message as pending at once, puts it into the outbox, and sends it when the connection and the server's
   * limits allow. Resolves when the outcome is known, which may take as long as the server is away. Never rejects.
   */
  send(content: string): Promise<Outcome> {
    if (!isMessageContent(content)) return Promise.resolve({ outcome: 'refused', code: 'invalid_content' });
    const outcome = this.#options.outbox.add(this.id, content, this.state.epoch);
    this.#listeners.emit('sending', { content });
    return outcome;
  }

  /** Sends a failed message again. */
  retry(cid: string): void {
    this.#options.outbox.retry(cid, this.state.epoch);
  }

  /** Removes a failed message. */
  discard(cid: string): void {
    this.#options.outbox.discard(cid);
  }

  /** Shows or hides the typing notice for the others. It expires 3 s after the last `true`. */
  setTyping(isTyping: boolean): void {
    this.#socket.send({ type: 'typing', is_typing: isTyping });
  }

  /** Reconnects now instead of at `retryAt`. */
  retryNow(): void {
    this.#socket.retryNow();
  }

  /** Reads the page before the oldest message held; rejects with an `ApiError`. */
  async loadOlder(): Promise<void> {
    await this.#sync.loadOlder();
  }

  /**
   * Keeps all messages from this seq on in `state`, because somebody is reading there, until ten times `keep`
   * messages have arrived or the next call. Null releases them.
   */
  hold(fromSeq: number | null): void {
    this.#sync.hold(fromSeq);
  }

  async #ticket(): Promise<string> {
    const { ticket } = await this.#options.api.ticket(this.id);
    // The position to resume from is known once the snapshot is restored.
    if (this.#restoring !== null) await this.#restoring;
    return ticket;
  }

  /** The query of the socket's URL: the room, and where the stream stopped. */
  #position(): URLSearchParams {
    const { stream } = this.#sync.state;
    const position = stream === null ? {} : { since: String(stream.seq), epoch: stream.epoch };
    return new URLSearchParams({ room_id: String(this.id), ...position });
  }

  #followOutbox(): void {
    const { outbox } = this.#options;
    const changed = () => {
      this.#sync.dispatch({ type: 'outbox', items: outbox.itemsOf(this.id) });
      this.#delivery.pump();
      this.#refuseIfGone();
      this.#endWhenDelivered();
    };
    this.#cancelOutbox = outbox.subscribe(changed);
    changed();
  }

  #onConnection(state: ConnectionState): void {
    if (state.status === 'open') this.#sync.connected();
    else this.#delivery.disconnected();
    this.#sync.dispatch({ type: 'connection', state });
    this.#listeners.emit('connection', state);
    // The server responds, but something on the way blocks WebSockets. New messages can still be read over HTTP.
    if (state.status === 'waiting' && this.#isAdmitted) this.#sync.poll();
    if (state.status !== 'connecting') this.#isAdmitted = false;
    if (state.status !== 'closed') return;
    this.#resolveClosed(state.reason);
    this.#refuseIfGone();
    this.#endWhenDelivered();
  }

  /** Nothing can be delivered to a room that is gone. */
  #refuseIfGone(): void {
    const { state } = this.#socket;
    if (state.status === 'closed' && state.reason === 'room_gone') this.#delivery.refuseAll('room_not_found');
  }

  #onFrame(frame: RoomFrame): void {
    this.#sync.onFrame(frame);
    // After the state: a message that leaves the outbox is already in its place there.
    this.#delivery.heard(frame);
    this.#listeners.onFrame(frame, this.state);
  }

  /** Freezes the state, and ends the events about the room. */
  #mute(): void {
    this.#sync.stop();
    this.#listeners.stop();
  }

  #endWhenDelivered(): void {
    const isDone = this.#delivery.isDone || this.#socket.state.status === 'closed';
    if (this.#phase !== 'left' || !isDone) return;
    this.stop();
    this.#options.onEnd();
  }
}
