/** The entry point of the SDK: sign in, enter rooms, receive and send messages. It runs in browsers and in Node. */
import type { User } from '../protocol/rest/accounts.ts';
import type { Room as RoomInfo } from '../protocol/rooms.ts';
import { type AuthApi, authApi, type ChatApi, chatApi } from './api/api.ts';
import { type Http, serverUrl } from './api/http.ts';
import type { ChangesLine, ChangesLineEvents } from './changes/changes-line.ts';
import { type Cancel, type Clock, systemClock } from './clock.ts';
import type { CloseReason } from './connection/connection-state.ts';
import type { HostSignals } from './connection/host-signals.ts';
import type { WebSocketConstructor } from './connection/web-socket.ts';
import { Emitter } from './emitter.ts';
import type { NotificationEvents, Notifications } from './notification-events.ts';
import { Outbox } from './outbox/outbox.ts';
import { memoryOutbox, type OutboxItem, type OutboxStore } from './outbox/outbox-store.ts';
import type { UnsentFiles } from './outbox/unsent-files.ts';
import { Profiles } from './people/profiles.ts';
import type { Room } from './room/room.ts';
import type { RoomSnapshot } from './room/room-state.ts';
import { RoomList } from './rooms/room-list.ts';
import type { RoomsSnapshot } from './rooms/rooms-state.ts';
import { Session, type SessionState, type StorageEvents } from './session/session.ts';
import { type KeyValueStorage, memoryStorage } from './session/storage.ts';
import type { Locks } from './session/token-refresh.ts';
import { SignedIn } from './signed-in.ts';
import { type FileLimits, fileLimitsOf } from './uploads/file-limits.ts';

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
  /** Loads what `roomsSnapshotOf` saved of the list of rooms, or null. */
  readonly restoreRooms?: ((userId: number) => Promise<RoomsSnapshot | null>) | undefined;
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

/** A user's connection to one Roomful server. */
export class ChatClient {
  /** The signed-in user, with `subscribe` for changes. */
  readonly session: Session;
  /** The REST interface. */
  readonly api: ChatApi;
  /** The user's own rooms: unread counts, latest texts, read marks. */
  readonly rooms: RoomList;
  /** The profiles of people in sight. */
  readonly people: Profiles;
  /** The line of the signed-in user, for `Changes`. */
  readonly line: ChangesLine;
  readonly #lineEvents = new Emitter<ChangesLineEvents>();
  /** What notifies the user. Listening alone does not connect: a listener of `rooms` does. */
  readonly notifications: Notifications;
  readonly #notifications = new Emitter<NotificationEvents>();
  readonly #auth: AuthApi;
  readonly #http: Http;
  readonly #options: ChatClientOptions;
  readonly #unsent = new Map<number, Map<string, OutboxItem>>();
  readonly #unsubscribe: Cancel;
  #closed = false;
  #signedIn: SignedIn | null = null;

  /** Throws a `TypeError` for an unusable `url`, and an `Error` when there is no WebSocket. */
  constructor(options: ChatClientOptions) {
    if (options.WebSocket === undefined && globalThis.WebSocket === undefined) {
      throw new Error('This platform has no WebSocket: pass the one of ws.');
    }
    this.#options = options;
    const { fetch, locks, events, clock, random } = options;
    this.#http = { baseUrl: serverUrl(options.url), ...(fetch === undefined ? {} : { fetch }) };
    this.#auth = authApi(this.#http);
    const storage = options.storage ?? memoryStorage();
    this.session = new Session({ api: this.#auth, storage, locks, events, clock, random });
    this.api = chatApi(this.#http, (call) => this.session.authorized(call));
    this.rooms = new RoomList({
      storage,
      clock: clock ?? systemClock,
      onWanted: () => this.#signedIn?.connectIfWanted(),
    });
    const client = this;
    this.line = {
      get userId() {
        return client.user?.id ?? null;
      },
      send: (frame) => this.#signedIn?.line.send(frame) ?? false,
      on: (name, listener) => this.#lineEvents.on(name, listener),
    };
    this.notifications = this.#notifications;
    this.people = new Profiles((frame) => this.#signedIn?.line.send(frame) ?? false);
    this.#unsubscribe = this.session.subscribe((state) => this.#onSession(state));
    this.#onSession(this.session.state);
  }

  /** The signed-in user, or null. */
  get user(): User | null {
    return this.#signedIn?.user ?? null;
  }

  /**
   * What the server is called, since the line was opened last (`line.on('open', …)`); null: not known. For the page to
   * sign in there is `DoorApi.server`.
   */
  get serverName(): string | null {
    return this.#signedIn?.hello?.server_name ?? null;
  }

  /**
   * Another text whenever the emoji of the server have changed, as of `line.on('open', …)`; null: not known, or there are
   * none.
   */
  get emojiStamp(): string | null {
    return this.#signedIn?.hello?.emoji ?? null;
  }

  /** The user's unsent messages, for `Uploads`; null: nobody is signed in. */
  get outbox(): UnsentFiles | null {
    return this.#signedIn?.outbox ?? null;
  }

  /** Which files the server takes, as far as it has said: no file is larger, no message has more; null: not known. */
  get fileLimits(): FileLimits | null {
    const hello = this.#signedIn?.hello;
    return hello ? fileLimitsOf(hello) : null;
  }

  /** How many links of a message get previews, in rooms that want them; 0: the server makes none, or it is not known. */
  get linkPreviews(): number {
    return this.#signedIn?.hello?.limits.link_previews ?? 0;
  }

  /** The number of messages in the outbox: sent, queued or refused. */
  get unsent(): number {
    return this.#signedIn?.outbox.items.length ?? 0;
  }

  /**
   * Creates an account and signs in to it; rejects with an `ApiError`. `invite`: the code of an invitation, whose room
   * the new user joins; 404 when it has ended.
   */
  async signUp(username: string, password: string, invite?: string): Promise<User> {
    requireText({ username, password });
    return this.session.signUp(username, password, invite);
  }

  /** Rejects with an `ApiError`. */
  async signIn(username: string, password: string): Promise<User> {
    requireText({ username, password });
    return this.session.signIn(username, password);
  }

  /** With the code of a link that the operator has made, once. Rejects with an `ApiError`: 404 when it has ended. */
  async signInByLink(code: string): Promise<User> {
    requireText({ code });
    return this.session.signInByLink(code);
  }

  /** Ends the login, and deletes the user's unsent messages. */
  async signOut(): Promise<void> {
    const cleared = this.#signedIn?.outbox.clear();
    this.rooms.end(true);
    await Promise.all([cleared, this.session.signOut()]);
  }

  /** The newest rooms that are public or the user's own, at most 500; rejects with an `ApiError`. */
  browseRooms(): Promise<RoomInfo[]> {
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
    if (this.#closed) throw new Error('This client is closed.');
    if (this.#signedIn === null) throw new Error('Sign in before entering a room.');
    return this.#signedIn.enter(roomId);
  }

  /**
   * Says which of the entered rooms is in sight, or null for none: only there do others see the user, and only from
   * there do typing and presence come. Without a call, it is the room that was entered last.
   */
  setHere(roomId: number | null): void {
    this.#signedIn?.setHere(roomId);
  }

  /** See `RoomList.markRead`. */
  markRead(roomId: number, seq: number): void {
    this.rooms.markRead(roomId, seq);
  }

  /** See `RoomList.markUnread`. */
  markUnread(roomId: number, seq: number): void {
    this.rooms.markUnread(roomId, seq);
  }

  /** See `Profiles.watch`. */
  watch(userIds: readonly number[]): void {
    this.people.watch(userIds);
  }

  /** Ends all connections and timers for good. The session and unsent messages stay where they are stored. */
  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    this.session.close();
    this.#leave('stopped');
  }

  #onSession(state: SessionState): void {
    const user = state.status === 'signed_in' ? state.user : null;
    if (user?.id === this.#signedIn?.user.id) return;
    this.#leave('signed_out');
    if (user === null) return;
    const { keep, restore, restoreRooms, origin } = this.#options;
    const { WebSocket, signals, clock = systemClock, random = Math.random } = this.#options;
    const store = this.#options.outbox?.(user.id) ?? memoryOutbox(this.#unsentOf(user.id));
    const signedIn = new SignedIn({
      user,
      outbox: new Outbox({ store, signals, clock }),
      list: this.rooms,
      people: this.people,
      lineEvents: this.#lineEvents,
      notifications: this.#notifications,
      api: this.api,
      renewSession: () => this.session.renew(),
      socketUrl: this.#http.baseUrl.replace(/^http/i, 'ws'),
      keep: keep ?? DEFAULT_KEEP,
      restore: restore && ((roomId) => restore(user.id, roomId)),
      probeOrigin:
        origin === undefined
          ? undefined
          : () =>
              import('./connection/origin-probe.ts').then(
                ({ isOriginRefused }) => isOriginRefused(this.#http, origin),
                () => null,
              ),
      WebSocket,
      signals,
      clock,
      random,
    });
    this.#signedIn = signedIn;
    this.rooms.begin(user.id, signedIn.line, restoreRooms && (() => restoreRooms(user.id)));
    signedIn.connectIfWanted();
  }

  /** The memory outbox of a user: it survives a login that expires. */
  #unsentOf(userId: number): Map<string, OutboxItem> {
    const unsent = this.#unsent.get(userId) ?? new Map<string, OutboxItem>();
    this.#unsent.set(userId, unsent);
    return unsent;
  }

  #leave(reason: CloseReason): void {
    this.#signedIn?.stop(reason);
    this.#signedIn = null;
    this.rooms.end(false);
    this.people.end();
  }
}

/** Throws a `TypeError` for a value that is not text, such as an unset environment variable. */
function requireText(values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string') throw new TypeError(`${name} must be text; it is ${value}`);
  }
}
