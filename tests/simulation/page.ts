/** A browser page that runs the SDK. Its user enters rooms, sends messages and reloads the page. */
import { roomsApi } from '../../client/api/rooms-api.ts';
import { ChatClient } from '../../client/chat-client.ts';
import type { HostSignal } from '../../client/connection/host-signals.ts';
import { OTHER_DATABASE } from '../../client/outbox/outcome.ts';
import type { Room } from '../../client/room/room.ts';
import type { RoomState } from '../../client/room/room-state.ts';
import type { RoomsState } from '../../client/rooms/rooms-state.ts';
import { type KeyValueStorage, memoryStorage } from '../../client/session/storage.ts';
import { STORAGE_KEYS } from '../../client/session/stored-session.ts';
import type { Tokens, User } from '../../protocol/rest/accounts.ts';
import type { Network, Station } from './network.ts';
import type { OutboxDisk } from './outbox-disk.ts';
import type { Watch } from './watch.ts';
import { newOwner, type Owner, type World } from './world.ts';

/** How long a user takes to decide about a message. */
const DECISION_MS = 1000;

export interface PageOptions {
  world: World;
  network: Network;
  watch: Watch;
  outbox: OutboxDisk;
  index: number;
  user: User;
  tokens: Tokens;
  rooms: readonly number[];
  /** The rooms whose counts it shows, besides direct conversations. */
  look: readonly number[];
  keep: number;
}

export class Page implements Station {
  readonly user: User;
  readonly outbox: OutboxDisk;
  /** The rooms that it is in, or wants to be in. */
  readonly rooms = new Map<number, Room | null>();
  offlineUntil = 0;
  owner: Owner;
  readonly #options: PageOptions;
  readonly #storage: KeyValueStorage = memoryStorage();
  #client: ChatClient | null = null;
  #lives = 0;
  #here: number | null = null;
  /** The rooms on its list that it is to look at, besides those of its plan. */
  #seen = '';
  /** The cids that the user has decided to send again. */
  readonly #decided = new Set<string>();
  readonly #signals = new Set<(signal: HostSignal) => void>();

  constructor(options: PageOptions) {
    this.#options = options;
    this.user = options.user;
    this.outbox = options.outbox;
    this.owner = newOwner(`page ${options.index}`);
    const { access_token, refresh_token } = options.tokens;
    this.#storage.setItem(STORAGE_KEYS.user, JSON.stringify(options.user));
    this.#storage.setItem(STORAGE_KEYS.access, access_token);
    this.#storage.setItem(STORAGE_KEYS.refresh, refresh_token);
    for (const room of options.rooms) this.rooms.set(room, null);
    this.#here = options.rooms[0] ?? null;
  }

  get accessToken(): string {
    return this.#options.tokens.access_token;
  }

  /** The room in sight, if it is entered. */
  get here(): Room | null {
    return this.#here === null ? null : (this.rooms.get(this.#here) ?? null);
  }

  /** The number of the room's last event that its list knows. */
  headOf(roomId: number): number {
    return this.list?.rooms.get(roomId)?.seq ?? 0;
  }

  /** Its list of rooms. */
  get list(): RoomsState | null {
    return this.#client?.rooms.state ?? null;
  }

  open(): void {
    this.owner = newOwner(`page ${this.#options.index}${"'".repeat(this.#lives++)}`);
    this.does('open', () => {
      this.#client = this.#newClient();
      // Somebody looks at the list, so its counts are kept exact.
      this.#client.rooms.subscribe((state) => this.#seeNew(state));
      this.#client.rooms.look(this.#options.look);
      for (const roomId of this.rooms.keys()) this.#enter(roomId);
      this.#client.setHere(this.#here);
    });
  }

  /** The page ends at once, and is opened again. */
  reload(serverMs: number | null): void {
    this.owner.isAlive = false;
    this.#options.network.cut(this, { serverMs, clientMs: null });
    this.#client = null;
    this.#signals.clear();
    this.#decided.clear();
    this.#seen = '';
    for (const roomId of this.rooms.keys()) this.rooms.set(roomId, null);
    this.open();
  }

  /** Runs an action of its user. */
  does(label: string, run: () => void): void {
    this.#options.world.schedule(this.owner, label, 0, run);
  }

  say(roomId: number, text: string): void {
    this.does(`say ${text}`, () => {
      const room = this.#client && this.#enter(roomId);
      if (!room) return;
      const from = {
        owner: this.owner,
        room,
        isShared: this.outbox.tabs > 1,
        epoch: room.state.epoch,
      };
      const sent = this.#options.watch.sent({ roomId, userId: this.user.id, text, from });
      void room.send(text).then((outcome) => this.#options.watch.settled(sent, outcome));
    });
  }

  /** Writes to these users directly: makes the conversation, unless it is there, and says this in it. */
  writeTo(userIds: readonly number[], text: string): void {
    this.does(`write to ${userIds}`, () => {
      if (this.#client === null) return;
      const made = roomsApi(this.#client.api.requests).createDm(userIds);
      made.then(
        ({ id }) => this.say(id, text),
        // The user gives up.
        () => {},
      );
    });
  }

  /** Says this in the direct conversation that came last onto its list, if there is any. */
  respond(text: string): void {
    const dm = [...(this.list?.rooms.values() ?? [])].findLast(({ room }) => room.kind === 'dm');
    if (dm) this.say(dm.room.id, text);
  }

  enter(roomId: number): void {
    this.does('enter', () => void (this.#client && this.#enter(roomId)));
  }

  leave(roomId: number): void {
    this.does('leave', () => {
      this.rooms.get(roomId)?.leave();
      this.rooms.delete(roomId);
    });
  }

  /** Passes a signal of the device about the network to the SDK. */
  signals(signal: HostSignal): void {
    this.does(signal, () => {
      for (const listener of [...this.#signals]) listener(signal);
    });
  }

  /** Marks a room as read up to this number. */
  markRead(roomId: number, seq: number): void {
    this.does('mark read', () => this.#client?.markRead(roomId, seq));
  }

  /** Makes everything after this number unread. */
  markUnread(roomId: number, seq: number): void {
    this.does('mark unread', () => this.#client?.markUnread(roomId, seq));
  }

  setHere(roomId: number | null): void {
    this.#here = roomId;
    this.does('look', () => this.#client?.setHere(roomId));
  }

  setTyping(roomId: number): void {
    this.does('type', () => this.rooms.get(roomId)?.setTyping(true));
  }

  loadOlder(roomId: number): void {
    this.does(
      'load older',
      () =>
        void this.rooms
          .get(roomId)
          ?.loadOlder()
          .catch(() => {}),
    );
  }

  #enter(roomId: number): Room | null {
    const room = this.#client?.enter(roomId) ?? null;
    if (room !== null && this.rooms.get(roomId) !== room) {
      this.rooms.set(roomId, room);
      this.#options.watch.entered(this.owner, room);
      room.on('state', (state) => this.#decide(room, state));
      void room.closed().then((reason) => {
        // The user has been removed, or never was a member.
        if (reason === 'room_gone' && this.rooms.get(roomId) === room) this.rooms.delete(roomId);
      });
    }
    return room;
  }

  /** Looks at the rooms that came onto the list, too. */
  #seeNew({ rooms }: RoomsState): void {
    const { look } = this.#options;
    const others = [...rooms.keys()].filter((id) => !look.includes(id));
    if (others.join() === this.#seen) return;
    this.#seen = others.join();
    this.does('see new rooms', () => this.#client?.rooms.look([...look, ...others]));
  }

  /**
   * The user decides to send every message that was written for a database that is gone. That takes them a second: two
   * tabs may be connected to different databases, and the one refuses what the other has decided.
   */
  #decide(room: Room, { pending }: RoomState): void {
    for (const { cid, content, refusal } of pending) {
      if (refusal !== OTHER_DATABASE || this.#decided.has(cid)) continue;
      this.#decided.add(cid);
      const { world } = this.#options;
      world.schedule(this.owner, 'send it all the same', DECISION_MS, () => {
        this.#decided.delete(cid);
        this.#options.watch.resent(content);
        room.retry(cid);
      });
    }
  }

  #newClient(): ChatClient {
    const { world, network } = this.#options;
    const { owner } = this;
    const page = this;
    // Anything in transit to a page that ends does not reach the page that is opened in its place.
    const station: Station = {
      owner,
      get offlineUntil() {
        return page.offlineUntil;
      },
    };
    return new ChatClient({
      url: 'http://server',
      WebSocket: network.webSocketOf(station),
      fetch: network.fetchOf(station),
      storage: this.#storage,
      outbox: () => this.outbox.open(owner),
      random: () => world.random.next(),
      keep: this.#options.keep,
      signals: (listener) => {
        this.#signals.add(listener);
        return () => this.#signals.delete(listener);
      },
      clock: {
        now: () => Math.floor(world.deviceMs),
        elapsed: () => Math.floor(world.elapsedMs),
        after: (delayMs, run) => {
          const event = world.schedule(owner, 'timer', delayMs, run);
          return () => {
            event.isCancelled = true;
          };
        },
      },
    });
  }
}
