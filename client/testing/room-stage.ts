/** Rooms on a fake server and a clock that tests move. */
import { WebSocket } from 'ws';
import type { ChangesLine, ChangesLineEvents } from '../changes/changes-line.ts';
import { Emitter } from '../emitter.ts';
import type { NotificationEvents } from '../notification-events.ts';
import { Outbox } from '../outbox/outbox.ts';
import { memoryOutbox, type OutboxItem } from '../outbox/outbox-store.ts';
import { Profiles } from '../people/profiles.ts';
import type { Room } from '../room/room.ts';
import { isLive, type RoomSnapshot, type RoomState } from '../room/room-state.ts';
import { loadExcerpts } from '../rooms/excerpts.ts';
import { RoomList } from '../rooms/room-list.ts';
import type { RoomsSnapshot } from '../rooms/rooms-state.ts';
import { memoryStorage } from '../session/storage.ts';
import { SignedIn } from '../signed-in.ts';
import { FakeServer } from './fake-server.ts';
import { ManualClock } from './manual-clock.ts';
import { ME, ROOM } from './messages.ts';

/** Notes what is sent while it does not send. */
class WatchedSocket extends WebSocket {
  readonly sentInVain: string[] = [];

  override send(data: string): void {
    if (this.readyState !== WebSocket.OPEN) this.sentInVain.push(data);
    super.send(data);
  }
}

export class RoomStage {
  readonly server: FakeServer;
  readonly clock = new ManualClock(1_000_000);
  /** What the outbox has stored. */
  readonly items = new Map<string, OutboxItem>();
  /** What local storage has. */
  readonly storage = memoryStorage();
  /** The sockets of all connections, the newest last. */
  readonly sockets: WatchedSocket[] = [];
  readonly #users: SignedIn[] = [];

  private constructor(server: FakeServer) {
    this.server = server;
  }

  static async start(): Promise<RoomStage> {
    await loadExcerpts();
    return new RoomStage(await FakeServer.start());
  }

  stop(): void {
    for (const user of this.#users) user.stop('stopped');
    this.server.stop();
  }

  /** A signed-in user, with a connection of their own, and the list of rooms. */
  signIn({
    keep = 1000,
    restore,
    restoreRooms,
  }: {
    keep?: number;
    restore?: (() => Promise<RoomSnapshot | null>) | undefined;
    restoreRooms?: (() => Promise<RoomsSnapshot | null>) | undefined;
  } = {}) {
    const { clock, storage, sockets } = this;
    const list: RoomList = new RoomList({ storage, clock, onWanted: () => user.connectIfWanted() });
    const people: Profiles = new Profiles((frame) => user.line.send(frame));
    const lineEvents = new Emitter<ChangesLineEvents>();
    const notifications = new Emitter<NotificationEvents>();
    const user = new SignedIn({
      user: ME,
      api: this.server.api,
      list,
      people,
      lineEvents,
      notifications,
      outbox: new Outbox({ store: memoryOutbox(this.items), clock }),
      renewSession: async () => {},
      socketUrl: this.server.url,
      keep,
      restore,
      WebSocket: class extends WatchedSocket {
        constructor(url: string, protocols: string[]) {
          super(url, protocols);
          sockets.push(this);
        }
      },
      clock,
      random: () => 0,
    });
    list.begin(ME.id, user.line, restoreRooms);
    this.#users.push(user);
    const line = {
      userId: ME.id as number | null,
      send: (frame) => user.line.send(frame),
      on: (name, listener) => lineEvents.on(name, listener),
    } satisfies ChangesLine;
    return { user, list, people, notifications, line };
  }

  /** A room that was entered, the contents that its listener has received, and how many before each reset. */
  enter(keep?: number, restore?: () => Promise<RoomSnapshot | null>) {
    const { user, list } = this.signIn({ ...(keep !== undefined && { keep }), restore });
    const room = user.enter(ROOM);
    const heard: string[] = [];
    room.on('message', ({ content }) => heard.push(content));
    const resets: number[] = [];
    room.on('reset', () => resets.push(heard.length));
    return { room, heard, resets, user, list };
  }

  /** Cuts the connection, and waits until the room has noticed. */
  async cut(room: Room): Promise<void> {
    this.server.drop();
    await until(room, isDown);
  }

  /** Lets the backoff pass, and waits until the room is live again. */
  async comesBack(room: Room): Promise<void> {
    this.clock.advance(this.clock.nextInMs ?? 0);
    await until(room, isLive);
  }
}

/** Resolves when the state is as wanted. The room's clock stands still meanwhile. */
export async function until(room: Room, wanted: (state: RoomState) => boolean): Promise<void> {
  await soon(() => wanted(room.state));
}

export async function soon(seen: () => boolean): Promise<void> {
  while (!seen()) await new Promise((resolve) => setTimeout(resolve, 1));
}

export function isDown(state: RoomState): boolean {
  return state.connection.status === 'waiting';
}

export function contents(room: Room): string[] {
  return room.state.messages.map((message) => message.content);
}
