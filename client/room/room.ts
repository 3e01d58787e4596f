/** One user in one room: its state, kept up to date over the client's line. */
import type { Message } from '../../protocol/events.ts';
import type { GoneReason } from '../../protocol/frames/v2.ts';
import { isMessageContent } from '../../protocol/text.ts';
import { type Cancel, nothingToCancel } from '../clock.ts';
import { retryDelayMs } from '../connection/backoff.ts';
import type { CloseReason, ConnectionState } from '../connection/connection-state.ts';
import type { Frame } from '../connection/frames.ts';
import type { Answers } from '../outbox/answers.ts';
import type { Outcome } from '../outbox/outcome.ts';
import type { JumpPlace } from './jump-reader.ts';
import type { Direction } from './jump-steps.ts';
import { fromOutbox, type PendingMessage } from './pending.ts';
import type { RoomFrame } from './room-frame.ts';
import { type RoomEvents, RoomListeners } from './room-listeners.ts';
import type { RoomOptions } from './room-options.ts';
import type { RoomSnapshot, RoomState, Target } from './room-state.ts';
import { RoomSync } from './room-sync.ts';

/** Refusals of other frames than `open`. */
const CLOSES_NOTHING: ReadonlySet<string> = new Set(['too_fast', 'invalid_frame', 'unknown_type']);

/** A room that was entered: `ChatClient.enter`. */
export class Room {
  readonly #options: RoomOptions;
  readonly #listeners = new RoomListeners();
  readonly #sync: RoomSync;
  readonly #closed: Promise<CloseReason>;
  #resolveClosed: (reason: CloseReason) => void = () => {};
  /** Until the snapshot is restored, it is not known where to resume. */
  #isRestored = false;
  #isOver = false;
  #isOpen = false;
  #cancelOutbox: Cancel = nothingToCancel;
  /** The next `open`, after one that was refused for now. */
  #cancelOpening: Cancel = nothingToCancel;
  #refusals = 0;
  /** How the user has lost the room, until it opens again. */
  #gone: GoneReason | undefined;

  /** @internal `ChatClient.enter` creates rooms. */
  constructor(options: RoomOptions) {
    this.#options = options;
    this.#closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#sync = new RoomSync({
      ...options,
      onChange: (state) => this.#listeners.emit('state', state),
      onRead: (messages) => options.delivery.found(messages),
      resume: () => options.line.reconnect(),
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
    return this.#isOver;
  }

  /** @internal Whether the server has opened the room on the current connection. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** @internal Whether everything that was missed has arrived: it may contain messages of the user. */
  get isCaughtUp(): boolean {
    return this.#isOpen && this.state.stream?.phase === 'live';
  }

  /** Resolves with the reason when the connection has ended for good: the room or the session is gone, or you left. */
  closed(): Promise<CloseReason> {
    return this.#closed;
  }

  /** Calls `listener` on each event of that name, until the returned function is called. */
  on<Name extends keyof RoomEvents>(name: Name, listener: (value: RoomEvents[Name]) => void): Cancel {
    return this.#listeners.on(name, listener);
  }

  /** @internal Opens the room on the line, and reads the latest messages meanwhile. */
  start(): void {
    const { line, restore, outbox } = this.#options;
    this.#cancelOutbox = outbox.subscribe(() => this.#syncOutbox());
    this.#syncOutbox();
    if (restore === undefined) this.#isRestored = true;
    this.onConnection(line.state);
    if (restore === undefined) this.#sync.load();
    else void this.#restore(restore);
  }

  /** Leaves the room. Unsent messages are still delivered. */
  leave(): void {
    if (this.#isOver) return;
    this.setTyping(false);
    this.stop();
  }

  /** @internal Closes the room. Unsent messages stay in the outbox. `gone`: how the user has lost it. */
  stop(reason: CloseReason = 'stopped', gone?: GoneReason): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelOutbox();
    this.#cancelOpening();
    // Mute afterwards: listeners see the final state, with the reason.
    const state: ConnectionState = { status: 'closed', reason, ...(gone && { gone }) };
    this.#sync.dispatch({ type: 'connection', state });
    this.#listeners.emit('connection', state);
    this.#sync.stop();
    this.#listeners.stop();
    this.#resolveClosed(reason);
    this.#options.onEnd();
  }

  /**
   * Shows the message as pending at once, puts it into the outbox, and sends it when the connection and the server's
   * limits allow. With files, it is sent once they are uploaded, and later texts overtake it. A reply in a thread is shown by its thread alone. Resolves when the outcome is known, which may take
   * as long as the server is away. Never rejects.
   */
  send(content: string, answers: Answers = {}): Promise<Outcome> {
    const mayBeEmpty = answers.files !== undefined && answers.files.length > 0;
    if (!isMessageContent(content) && !(mayBeEmpty && content === ''))
      return Promise.resolve({ outcome: 'refused', code: 'invalid_content' });
    const outcome = this.#options.outbox.add(this.id, content, this.state.epoch, answers);
    if (answers.threadId === undefined) this.#listeners.emit('sending', { content });
    return outcome;
  }

  /** Messages that texts answer, which were read one by one: see `findQuoted`. */
  addQuoted(messages: readonly Message[]): void {
    this.#sync.dispatch({ type: 'quoted', messages });
  }

  /** The user's replies in a thread that the server has not confirmed: `outbox` says when they change. */
  pendingIn(threadId: number): readonly PendingMessage[] {
    const items = this.#options.outbox.itemsOf(this.id).filter((item) => item.threadId === threadId);
    return fromOutbox(items, []);
  }

  /** Sends a failed message again. */
  retry(cid: string): void {
    this.#options.outbox.retry(cid, this.state.epoch);
  }

  /** Removes a failed message. */
  discard(cid: string): void {
    this.#options.outbox.discard(cid);
  }

  /**
   * Shows or hides the typing notice for the others. It expires 3 s after the last `true`. It is about the main flow:
   * there is none for a reply in a thread.
   */
  setTyping(isTyping: boolean): void {
    this.#options.line.send({ type: 'typing', room_id: this.id, is_typing: isTyping });
  }

  /** Reconnects now instead of at `retryAt`. */
  retryNow(): void {
    this.#options.line.retryNow();
  }

  /** Reads the page before the oldest message held; rejects with an `ApiError`. */
  async loadOlder(): Promise<void> {
    await this.#sync.loadOlder();
  }

  /**
   * Leads to a message, or to the first one of a time or later: `state.jump.target` says to which, and resolves with
   * it. Unless that is among `state.messages`, `state.detached` has what is around it. To a reply in a thread, it leads
   * to the root. Resolves with null when a later jump has taken its place, or the room is empty. Rejects with an
   * `ApiError`: 404 when there is no such message, or the user may not see it.
   */
  async jump(place: JumpPlace): Promise<Target | null> {
    const { count } = this.state.jump;
    return await (await this.#sync.jumps()).jump(place, count);
  }

  /** Leads back from a jump to the end of the room, at once. */
  toLatest(): void {
    this.#sync.dispatch({ type: 'to latest' });
  }

  /**
   * Reads the page before or after `state.detached`. After a page that reaches `state.messages`, these have all of it,
   * and `state.detached` is null. Rejects with an `ApiError`.
   */
  async loadDetached(direction: Direction): Promise<void> {
    await (await this.#sync.jumps()).load(direction);
  }

  /**
   * Keeps all messages from this seq on in `state`, because somebody is reading there, until ten times `keep`
   * messages have arrived or the next call. Null releases them.
   */
  hold(fromSeq: number | null): void {
    this.#sync.hold(fromSeq);
  }

  /** @internal The state of the line has changed. */
  onConnection(state: ConnectionState): void {
    this.#cancelOpening();
    this.#isOpen = false;
    if (state.status === 'open') this.#sync.connected();
    this.#sync.dispatch({ type: 'connection', state });
    this.#listeners.emit('connection', state);
    // Something on the way blocks WebSockets. New messages can still be read over HTTP.
    if (state.status === 'waiting' && this.#options.line.wasAdmitted) this.#sync.poll();
    if (state.status === 'open') this.#open();
  }

  /** @internal */
  onFrame(frame: RoomFrame): void {
    if (frame.type === 'error' && frame.cid === undefined) return this.#refused(frame);
    if (frame.type === 'opened') {
      this.#isOpen = true;
      this.#gone = undefined;
      // An earlier `open` may have been refused.
      this.#cancelOpening();
      this.#refusals = 0;
      // A room that had been gone may be read again.
      this.#sync.connected();
    }
    this.#sync.onFrame(frame);
    // After the state: a message that leaves the outbox is already in its place there.
    if (frame.type === 'message') this.#options.delivery.found([frame]);
    if (frame.type === 'batch') this.#options.delivery.found(frame.events);
    this.#listeners.onFrame(frame, this.state);
  }

  /** @internal The server has closed the room, for this reason. The user may still be allowed to read it. */
  reopen(gone: GoneReason): void {
    this.#gone = gone;
    this.#isOpen = false;
    this.#open();
  }

  /** @internal Pending messages were written to the current connection. */
  onWritten(cids: ReadonlySet<string>): void {
    this.#sync.dispatch({ type: 'written', cids });
  }

  /** @internal */
  onLatency(ms: number): void {
    this.#sync.dispatch({ type: 'latency', ms });
  }

  #syncOutbox(): void {
    const items = this.#options.outbox.itemsOf(this.id).filter(({ threadId }) => threadId === undefined);
    this.#sync.dispatch({ type: 'outbox', items });
    this.#listeners.emit('outbox', null);
  }

  async #restore(restore: () => Promise<RoomSnapshot | null>): Promise<void> {
    await this.#sync.restore(restore);
    this.#isRestored = true;
    if (this.#options.line.state.status === 'open') this.#open();
  }

  #open(): void {
    const { line } = this.#options;
    if (!this.#isRestored || this.#isOver) return;
    this.#cancelOpening();
    const { stream } = this.state;
    // A position in another database means nothing in this one.
    const since = stream?.epoch === line.epoch ? stream?.seq : undefined;
    line.send({ type: 'open', room_id: this.id, ...(since !== undefined && { since }) });
  }

  /**
   * The server does not open the room, or has closed it for a second `open` that failed. What else it refuses in an
   * open room, such as a typing notice, or a frame that an older server does not know, does not matter.
   */
  #refused({ code, retryable, retry_after_ms }: Frame<'error'>): void {
    if (this.#isOpen && CLOSES_NOTHING.has(code)) return;
    this.#isOpen = false;
    if (code === 'room_not_found' || code === 'not_allowed') {
      this.#options.delivery.refuseAll(this.id, code);
      this.#syncOutbox();
      return this.stop('room_gone', this.#gone);
    }
    if (!retryable) return;
    const { clock, random } = this.#options;
    const delayMs = retryDelayMs(this.#refusals++, retry_after_ms, random);
    this.#cancelOpening();
    this.#cancelOpening = clock.after(delayMs, () => this.#open());
  }
}
