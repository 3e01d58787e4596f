/** Roomful for a program: sign in, enter rooms, hear and say things. Knows no UI and runs in browsers and in Node. */
import type { User } from '../protocol/rest.ts';
import type { Room as RoomInfo } from '../protocol/rooms.ts';
import { type AuthApi, authApi, type ChatApi, chatApi } from './api/api.ts';
import type { Cancel, Clock } from './clock.ts';
import type { HostSignals } from './connection/host-signals.ts';
import type { CloseReason, WebSocketConstructor } from './connection/socket.ts';
import { Outbox } from './outbox/outbox.ts';
import { memoryOutbox, type OutboxItem, type OutboxStore } from './outbox/outbox-store.ts';
import { Room } from './room/room.ts';
import type { RoomSnapshot } from './room/room-state.ts';
import { Session, type SessionState, type StorageEvents } from './session/session.ts';
import { type KeyValueStorage, memoryStorage } from './session/storage.ts';
import type { Locks } from './session/token-refresh.ts';

export interface ChatClientOptions {
  /** Where the server is: `http://host` or `https://host`, without a trailing slash. */
  readonly url: string;
  /** Where there is no WebSocket of the platform's own, as in Node 20: that of `ws`. */
  readonly WebSocket?: WebSocketConstructor | undefined;
  /** Keeps the session. By default it ends with the process. */
  readonly storage?: KeyValueStorage | undefined;
  /** Opens a user's outbox. By default it ends with the process. */
  readonly outbox?: ((userId: number) => OutboxStore) | undefined;
  /** What the device has kept of a room from an earlier visit, or null: shown until the server tells more. */
  readonly restore?: ((userId: number, roomId: number) => Promise<RoomSnapshot | null>) | undefined;
  /** `navigator.locks`: one tab at a time renews the session. */
  readonly locks?: Locks | undefined;
  /** The window: its `storage` events tell what other tabs did. */
  readonly events?: StorageEvents | undefined;
  /** When the device comes online, goes offline, or is looked at again. */
  readonly signals?: HostSignals | undefined;
  /** Messages that a room holds at most, 1000 by default; older ones are forgotten as new ones come. */
  readonly keep?: number | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

const DEFAULT_KEEP = 1000;
/** Rooms that are not entered and have something unsent are visited so many at a time. */
const MAX_DELIVERIES = 4;

interface SignedIn {
  readonly user: User;
  readonly outbox: Outbox;
}

export class ChatClient {
  /** Who is signed in; tells of every change. */
  readonly session: Session;
  /** The REST interface; every failure is an `ApiError`. */
  readonly api: ChatApi;
  readonly #auth: AuthApi;
  readonly #options: ChatClientOptions;
  /** Rooms that are entered, and rooms that are not and have something unsent. */
  readonly #rooms = new Map<number, Room>();
  readonly #unsent = new Map<number, Map<string, OutboxItem>>();
  readonly #unsubscribe: Cancel;
  #closed = false;
  #signedIn: SignedIn | null = null;

  constructor(options: ChatClientOptions) {
    if (options.WebSocket === undefined && globalThis.WebSocket === undefined) {
      throw new Error('There is no WebSocket here: give ChatClient the one of the package ws.');
    }
    this.#options = options;
    const http = { baseUrl: options.url, ...(options.fetch === undefined ? {} : { fetch: options.fetch }) };
    this.#auth = authApi(http);
    const { locks, events, clock } = options;
    const storage = options.storage ?? memoryStorage();
    this.session = new Session({ api: this.#auth, storage, locks, events, clock });
    this.api = chatApi(http, (call) => this.session.authorized(call));
    this.#unsubscribe = this.session.subscribe((state) => this.#follow(state));
    this.#follow(this.session.state);
  }

  /** Null when nobody is signed in. */
  get user(): User | null {
    return this.#signedIn?.user ?? null;
  }

  /** How many messages the outbox has: on their way, waiting for a connection, or refused. */
  get unsent(): number {
    return this.#signedIn?.outbox.items.length ?? 0;
  }

  /** Makes an account and signs in to it; rejects with an `ApiError`. */
  signUp(username: string, password: string): Promise<User> {
    return this.session.signUp(username, password);
  }

  /** Rejects with an `ApiError`. */
  signIn(username: string, password: string): Promise<User> {
    return this.session.signIn(username, password);
  }

  /** Ends this login, and deletes what the outbox has of the user's. */
  async signOut(): Promise<void> {
    const cleared = this.#signedIn?.outbox.clear();
    await Promise.all([cleared, this.session.signOut()]);
  }

  /** The newest rooms, at most 500; rejects with an `ApiError`. */
  rooms(): Promise<RoomInfo[]> {
    return this.api.listRooms();
  }

  /** Rejects with an `ApiError`: 409 when the name is taken. */
  createRoom(name: string): Promise<RoomInfo> {
    return this.api.createRoom(name);
  }

  /** Enters a room, as the user who is signed in; entering it again gives the same. Leave it by its `leave()`. */
  enter(roomId: number): Room {
    const held = this.#rooms.get(roomId);
    if (held !== undefined && !held.isOver) return held;
    held?.stop();
    const room = this.#open(roomId);
    room.start();
    return room;
  }

  /** Ends all connections and timers. The session stays where it is stored, and so does what is unsent. */
  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    this.session.close();
    this.#leaveAll('stopped');
  }

  #follow(state: SessionState): void {
    const user = state.status === 'signed_in' ? state.user : null;
    if (user?.id === this.#signedIn?.user.id) return;
    this.#leaveAll('signed_out');
    if (user === null) return;
    const store = this.#options.outbox?.(user.id) ?? memoryOutbox(this.#unsentOf(user.id));
    const outbox = new Outbox({ store, signals: this.#options.signals, clock: this.#options.clock });
    this.#signedIn = { user, outbox };
    outbox.subscribe(() => this.#deliver());
  }

  /** What is unsent when a login runs out is there again when its user is. */
  #unsentOf(userId: number): Map<string, OutboxItem> {
    const unsent = this.#unsent.get(userId) ?? new Map<string, OutboxItem>();
    this.#unsent.set(userId, unsent);
    return unsent;
  }

  #leaveAll(reason: CloseReason): void {
    for (const room of this.#rooms.values()) room.stop(reason);
    this.#rooms.clear();
    this.#signedIn?.outbox.close();
    this.#signedIn = null;
  }

  /** Visits the rooms that have something unsent and are not entered. */
  #deliver(): void {
    const visits = [...this.#rooms.values()].filter((room) => room.isLeft).length;
    const waiting = this.#signedIn?.outbox.dueRooms().filter((roomId) => !this.#rooms.has(roomId)) ?? [];
    const free = Math.max(0, MAX_DELIVERIES - visits);
    for (const roomId of waiting.slice(0, free)) this.#open(roomId).startDelivery();
  }

  #open(roomId: number): Room {
    if (this.#closed) throw new Error('this client is closed');
    if (this.#signedIn === null) throw new Error('sign in before entering a room');
    const { url, keep, restore, WebSocket, signals, clock, random } = this.#options;
    const { user: me, outbox } = this.#signedIn;
    const room: Room = new Room({
      roomId,
      me,
      outbox,
      api: this.api,
      renewSession: () => this.session.renew(),
      socketUrl: url.replace(/^http/, 'ws'),
      keep: keep ?? DEFAULT_KEEP,
      restore: restore && (() => restore(me.id, roomId)),
      onEnd: () => {
        if (this.#rooms.get(roomId) === room) this.#rooms.delete(roomId);
        this.#deliver();
      },
      WebSocket,
      signals,
      clock,
      random,
    });
    this.#rooms.set(roomId, room);
    return room;
  }
}
