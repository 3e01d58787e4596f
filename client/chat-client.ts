/** The entry point of the SDK: sign in, enter rooms, receive and send messages. It runs in browsers and in Node. */
import type { User } from '../protocol/rest/accounts.ts';
import type { Room as RoomInfo } from '../protocol/rooms.ts';
import { type AuthApi, authApi, type ChatApi, chatApi } from './api/api.ts';
import { type Http, serverUrl } from './api/http.ts';
import type { Cancel, Clock } from './clock.ts';
import type { CloseReason } from './connection/connection-state.ts';
import type { HostSignals } from './connection/host-signals.ts';
import { isOriginRefused } from './connection/origin-probe.ts';
import type { WebSocketConstructor } from './connection/web-socket.ts';
import { Outbox } from './outbox/outbox.ts';
import { memoryOutbox, type OutboxItem, type OutboxStore } from './outbox/outbox-store.ts';
import { Room } from './room/room.ts';
import type { RoomSnapshot } from './room/room-state.ts';
import { Session, type SessionState, type StorageEvents } from './session/session.ts';
import { type KeyValueStorage, memoryStorage } from './session/storage.ts';
import type { Locks } from './session/token-refresh.ts';

/** The options of a `ChatClient`. Only `url` is required, and `WebSocket` in Node 20. */
export interface ChatClientOptions {
  /** The address of the server: `https://chat.example.org`. */
  readonly url: string;
  /** The class to use where the platform has none, as in Node 20: `WebSocket` of the package `ws`. */
  readonly WebSocket?: WebSocketConstructor | undefined;
  /** Keeps the session. By default, memory. */
  readonly storage?: KeyValueStorage | undefined;
  /** Opens the outbox of a user. By default, memory. */
  readonly outbox?: ((userId: number) => OutboxStore) | undefined;
  /** Loads what `snapshotOf` saved of a room, or null. It is shown until the server responds, and resumed from. */
  readonly restore?: ((userId: number, roomId: number) => Promise<RoomSnapshot | null>) | undefined;
  /** `navigator.locks`: one tab at a time renews the session. */
  readonly locks?: Locks | undefined;
  /** The window: its `storage` events report what other tabs did. */
  readonly events?: StorageEvents | undefined;
  /** Reports when the device comes online, goes offline, or is used again. */
  readonly signals?: HostSignals | undefined;
  /** The origin of the page, `location.origin`: lets the client find out that the server refuses it. */
  readonly origin?: string | undefined;
  /** The number of messages that a room holds. Older ones are dropped as new ones arrive. 1000 by default. */
  readonly keep?: number | undefined;
  /** For tests. */
  readonly fetch?: typeof fetch | undefined;
  /** For tests. */
  readonly clock?: Clock | undefined;
  /** For tests: returns 0 ≤ x < 1. */
  readonly random?: (() => number) | undefined;
}

const DEFAULT_KEEP = 1000;
/** The number of connections that deliver to rooms that are not entered. */
const MAX_DELIVERIES = 4;

interface SignedIn {
  readonly user: User;
  readonly outbox: Outbox;
}

/** A user's connection to one Roomful server. */
export class ChatClient {
  /** The signed-in user, with `subscribe` for changes. */
  readonly session: Session;
  /** The REST interface. */
  readonly api: ChatApi;
  readonly #auth: AuthApi;
  readonly #http: Http;
  readonly #options: ChatClientOptions;
  /** Rooms that are entered, and rooms that only deliver unsent messages. */
  readonly #rooms = new Map<number, Room>();
  readonly #unsent = new Map<number, Map<string, OutboxItem>>();
  readonly #unsubscribe: Cancel;
  #closed = false;
  #signedIn: SignedIn | null = null;

  /** Throws a `TypeError` for an unusable `url`, and an `Error` when there is no WebSocket. */
  constructor(options: ChatClientOptions) {
    if (options.WebSocket === undefined && globalThis.WebSocket === undefined) {
      throw new Error('This platform has no WebSocket: pass the option WebSocket, from the package ws.');
    }
    this.#options = options;
    const { fetch, locks, events, clock, random } = options;
    this.#http = { baseUrl: serverUrl(options.url), ...(fetch === undefined ? {} : { fetch }) };
    this.#auth = authApi(this.#http);
    const storage = options.storage ?? memoryStorage();
    this.session = new Session({ api: this.#auth, storage, locks, events, clock, random });
    this.api = chatApi(this.#http, (call) => this.session.authorized(call));
    this.#unsubscribe = this.session.subscribe((state) => this.#follow(state));
    this.#follow(this.session.state);
  }

  /** The signed-in user, or null. */
  get user(): User | null {
    return this.#signedIn?.user ?? null;
  }

  /** The number of messages in the outbox: sent, queued or refused. */
  get unsent(): number {
    return this.#signedIn?.outbox.items.length ?? 0;
  }

  /** Creates an account and signs in to it; rejects with an `ApiError`. */
  async signUp(username: string, password: string): Promise<User> {
    requireText({ username, password });
    return this.session.signUp(username, password);
  }

  /** Rejects with an `ApiError`. */
  async signIn(username: string, password: string): Promise<User> {
    requireText({ username, password });
    return this.session.signIn(username, password);
  }

  /** Ends the login, and deletes the user's unsent messages. */
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

  /**
   * Enters a room as the signed-in user and stays connected. While the room is entered, every call returns the same
   * `Room`. Throws a `TypeError` when `roomId` is not an id, and an `Error` when nobody is signed in. A room that
   * does not exist is reported by `Room.closed`.
   */
  enter(roomId: number): Room {
    if (!Number.isSafeInteger(roomId) || roomId < 1)
      throw new TypeError(`roomId must be a positive integer; it is ${roomId}`);
    const held = this.#rooms.get(roomId);
    if (held !== undefined && !held.isOver) return held;
    held?.stop();
    const room = this.#open(roomId);
    room.start();
    return room;
  }

  /** Ends all connections and timers for good. The session and unsent messages stay where they are stored. */
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

  /** The memory outbox of a user: it survives a login that expires. */
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

  /** Connects to rooms that have unsent messages and are not entered. */
  #deliver(): void {
    const deliveries = [...this.#rooms.values()].filter((room) => room.isLeft).length;
    const waiting = this.#signedIn?.outbox.dueRooms().filter((roomId) => !this.#rooms.has(roomId)) ?? [];
    const free = Math.max(0, MAX_DELIVERIES - deliveries);
    for (const roomId of waiting.slice(0, free)) this.#open(roomId).startDelivery();
  }

  #open(roomId: number): Room {
    if (this.#closed) throw new Error('This client is closed.');
    if (this.#signedIn === null) throw new Error('Sign in before entering a room.');
    const { keep, restore, origin, WebSocket, signals, clock, random } = this.#options;
    const { user: me, outbox } = this.#signedIn;
    const room: Room = new Room({
      roomId,
      me,
      outbox,
      api: this.api,
      renewSession: () => this.session.renew(),
      socketUrl: this.#http.baseUrl.replace(/^http/i, 'ws'),
      keep: keep ?? DEFAULT_KEEP,
      restore: restore && (() => restore(me.id, roomId)),
      probeOrigin: origin === undefined ? undefined : () => isOriginRefused(this.#http, origin),
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

/** Throws a `TypeError` for a value that is not text, such as an unset environment variable. */
function requireText(values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string') throw new TypeError(`${name} must be text; it is ${value}`);
  }
}
