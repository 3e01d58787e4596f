/** Everything of one signed-in user: the line, the rooms that are entered, and the delivery of what is unsent. */
import { OPEN_ROOMS_MAX } from '../protocol/limits.ts';
import type { User } from '../protocol/rest/accounts.ts';
import type { ChatApi } from './api/api.ts';
import type { ChangesLineEvents } from './changes/changes-line.ts';
import type { Clock } from './clock.ts';
import type { CloseReason, ConnectionState } from './connection/connection-state.ts';
import type { Frame } from './connection/frames.ts';
import type { HostSignals } from './connection/host-signals.ts';
import { Line } from './connection/line.ts';
import type { LineFrame } from './connection/line-socket.ts';
import type { WebSocketConstructor } from './connection/web-socket.ts';
import type { Emitter } from './emitter.ts';
import type { NotificationEvents } from './notification-events.ts';
import { Delivery } from './outbox/delivery.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { Profiles } from './people/profiles.ts';
import { Room } from './room/room.ts';
import type { RoomFrame } from './room/room-frame.ts';
import type { RoomSnapshot } from './room/room-state.ts';
import type { RoomList } from './rooms/room-list.ts';

export interface SignedInOptions {
  readonly user: User;
  readonly api: Pick<ChatApi, 'flow' | 'ticket'>;
  readonly outbox: Outbox;
  readonly list: RoomList;
  readonly people: Profiles;
  readonly lineEvents?: Emitter<ChangesLineEvents> | undefined;
  readonly notifications?: Emitter<NotificationEvents> | undefined;
  readonly renewSession: () => Promise<unknown>;
  /** `ws://host` or `wss://host`, without a trailing slash. */
  readonly socketUrl: string;
  /** See `ChatClientOptions.keep`. */
  readonly keep: number;
  readonly restore?: ((roomId: number) => Promise<RoomSnapshot | null>) | undefined;
  readonly probeOrigin?: (() => Promise<boolean | null>) | undefined;
  readonly WebSocket?: WebSocketConstructor | undefined;
  readonly signals?: HostSignals | undefined;
  readonly clock: Clock;
  readonly random: () => number;
}

export class SignedIn {
  readonly user: User;
  readonly outbox: Outbox;
  /** The latest; null: none has come. */
  hello: Frame<'hello'> | null = null;
  readonly #options: SignedInOptions;
  readonly #line: Line;
  readonly #delivery: Delivery;
  /** The rooms that are entered, the least recently used one first. */
  readonly #rooms = new Map<number, Room>();
  #epoch: string | null = null;
  /** A ticket was granted, and its socket has neither received `hello` nor failed. */
  #isAdmitted = false;
  #latencyMs: number | null = null;
  /** The room in sight. `auto`: the one that was entered last. */
  #here: number | null | 'auto' = 'auto';
  #toldHere: number | null = null;
  #isOver = false;

  constructor(options: SignedInOptions) {
    this.#options = options;
    this.user = options.user;
    this.outbox = options.outbox;
    const { list, outbox } = options;
    this.#line = new Line({
      ...options,
      url: `${options.socketUrl}/ws`,
      ticket: () => this.#ticket(),
      start: (epoch) => list.start(epoch),
      onFrame: (frame) => this.#onFrame(frame),
      onState: (state) => this.#onState(state),
      onLatency: (ms) => {
        this.#latencyMs = ms;
        for (const room of this.#rooms.values()) room.onLatency(ms);
      },
    });
    this.#delivery = new Delivery({
      ...options,
      me: options.user.id,
      write: (frame) => this.#line.send(frame),
      isReady: (roomId) => this.#rooms.get(roomId)?.isCaughtUp ?? true,
      onWritten: (roomId, cids) => this.#rooms.get(roomId)?.onWritten(cids),
    });
    outbox.subscribe(() => {
      this.connectIfWanted();
      this.#delivery.pump();
    });
  }

  get line(): Pick<Line, 'send' | 'reconnect' | 'retryNow' | 'state'> {
    return this.#line;
  }

  /** Connects when there is a reason to, and disconnects when there is none left. */
  connectIfWanted(): void {
    if (this.#isOver) return;
    const isWanted = this.#rooms.size > 0 || this.#options.list.isWanted || this.outbox.due().length > 0;
    const isOn = this.#line.state.status !== 'closed';
    if (isWanted && !isOn) this.#line.start();
    // Whatever was written waits for its ack.
    const isIdle = !isWanted && this.outbox.items.every(({ refusal }) => refusal !== null);
    if (isIdle && isOn) this.#line.stop();
  }

  enter(roomId: number): Room {
    const held = this.#rooms.get(roomId);
    if (held !== undefined) {
      this.#touch(held);
      return held;
    }
    this.#makeSpace();
    const room = this.#newRoom(roomId);
    this.#rooms.set(roomId, room);
    this.connectIfWanted();
    room.start();
    if (this.#latencyMs !== null) room.onLatency(this.#latencyMs);
    this.#tellHere();
    return room;
  }

  /** Which of the entered rooms is in sight; null: none of them. */
  setHere(roomId: number | null): void {
    this.#here = roomId;
    this.#tellHere();
  }

  stop(reason: CloseReason): void {
    this.#isOver = true;
    for (const room of [...this.#rooms.values()]) room.stop(reason);
    this.#line.stop(reason);
    this.#delivery.disconnected();
    this.outbox.close();
  }

  async #ticket(): Promise<string> {
    const { ticket } = await this.#options.api.ticket();
    this.#isAdmitted = true;
    // Where to start is known once the list is restored.
    await this.#options.list.ready();
    return ticket;
  }

  #newRoom(roomId: number): Room {
    const { user: me, restore } = this.#options;
    const self = this;
    const room: Room = new Room({
      ...this.#options,
      roomId,
      me,
      delivery: this.#delivery,
      line: {
        get state() {
          return self.#line.state;
        },
        get epoch() {
          return self.#epoch;
        },
        get wasAdmitted() {
          return self.#isAdmitted;
        },
        send: (frame) => {
          if (frame.type === 'open' && frame.since !== undefined)
            this.#options.list.resuming(frame.room_id, frame.since);
          return this.#line.send(frame);
        },
        retryNow: () => this.#line.retryNow(),
        reconnect: () => this.#line.reconnect(),
      },
      restore: restore && (() => restore(roomId)),
      onEnd: () => this.#left(room),
    });
    return room;
  }

  #left(room: Room): void {
    if (this.#rooms.get(room.id) !== room) return;
    this.#rooms.delete(room.id);
    this.#options.list.flush(room.id);
    this.#tellHere();
    this.#line.send({ type: 'close', room_id: room.id });
    this.#delivery.pump();
    this.connectIfWanted();
  }

  #touch(room: Room): void {
    this.#rooms.delete(room.id);
    this.#rooms.set(room.id, room);
    this.#tellHere();
  }

  #makeSpace(): void {
    const [oldest] = this.#rooms.values();
    if (oldest !== undefined && this.#rooms.size >= OPEN_ROOMS_MAX) oldest.stop('displaced');
  }

  #tellHere(): void {
    const wanted = this.#here === 'auto' ? ([...this.#rooms.keys()].at(-1) ?? null) : this.#here;
    const room = wanted === null ? undefined : this.#rooms.get(wanted);
    const here = room === undefined ? null : wanted;
    // A room is in sight once the server has opened it.
    if (here === this.#toldHere || room?.isOpen === false) return;
    if (this.#line.send({ type: 'here', room_id: here })) this.#toldHere = here;
  }

  #onState(state: ConnectionState): void {
    if (state.status !== 'open') {
      this.#epoch = null;
      this.#toldHere = null;
      this.#latencyMs = null;
      this.#delivery.disconnected();
      this.#options.lineEvents?.emit('open', false);
      this.#options.list.lost();
      for (const room of [...this.#rooms.values()]) {
        if (state.status === 'closed') room.stop(state.reason);
        else room.onConnection(state);
      }
    }
    if (state.status !== 'connecting') this.#isAdmitted = false;
  }

  #onFrame(frame: LineFrame): void {
    // A refused change says nothing about its room, nor about what else was sent there.
    if ('ref' in frame && frame.ref !== undefined) return this.#options.lineEvents?.emit('answer', frame);
    this.#options.list.onFrame(frame);
    this.#options.people.onFrame(frame);
    switch (frame.type) {
      case 'hello':
        this.#epoch = frame.epoch;
        this.hello = frame;
        for (const room of [...this.#rooms.values()]) room.onConnection({ status: 'open' });
        this.#delivery.connected(frame);
        this.#options.lineEvents?.emit('open', true);
        return;
      case 'ack':
        this.#pass(frame.room_id, frame);
        this.#delivery.acked(frame);
        return;
      case 'error':
        if (frame.room_id !== undefined) this.#refused(frame.room_id, frame);
        this.#delivery.refused(frame);
        return;
      case 'opened':
        this.#pass(frame.room_id, { ...frame, epoch: this.#epoch ?? '' });
        this.#tellHere();
        this.#delivery.pump();
        return;
      case 'reset':
        this.#pass(frame.room_id, { ...frame, epoch: this.#epoch ?? '' });
        this.#delivery.pump();
        return;
      case 'sync':
        this.#pass(frame.room_id, frame);
        // The batches before it may have brought our own messages, which need no second sending.
        this.#delivery.pump();
        return;
      case 'message':
      case 'reaction':
      case 'thread':
      case 'batch':
      case 'typing':
      case 'presence':
        this.#pass(frame.room_id, frame);
        return;
      case 'gone':
        this.#gone(frame);
        return;
      case 'inbox':
      case 'notify':
      case 'saved':
      case 'thread_follow':
        this.#options.notifications?.emit(frame.type, frame);
        return;
      default:
        return;
    }
  }

  #refused(roomId: number, frame: Frame<'error'>): void {
    this.#pass(roomId, frame);
    // A room that the server has closed is not in sight any more.
    if (this.#toldHere === roomId && this.#rooms.get(roomId)?.isOpen === false) this.#toldHere = null;
  }

  #gone({ room_id, reason }: Frame<'gone'>): void {
    const room = this.#rooms.get(room_id);
    // The server has taken the user out of the room.
    if (this.#toldHere === room_id) this.#toldHere = null;
    if (reason === 'removed' || reason === 'deleted') room?.stop('room_gone', reason);
    // The server has closed the room. It opens it again for a user who may still read it, and refuses the others.
    else if (reason !== 'hidden') room?.reopen(reason);
  }

  #pass(roomId: number, frame: RoomFrame): void {
    this.#rooms.get(roomId)?.onFrame(frame);
  }
}
