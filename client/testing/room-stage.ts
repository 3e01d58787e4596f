/** Rooms on a fake server and a clock that tests move. */
import { WebSocket } from 'ws';
import { Outbox } from '../outbox/outbox.ts';
import { memoryOutbox, type OutboxItem } from '../outbox/outbox-store.ts';
import { Room } from '../room/room.ts';
import { isLive, type RoomSnapshot, type RoomState } from '../room/room-state.ts';
import { FakeServer } from './fake-server.ts';
import { ManualClock } from './manual-clock.ts';
import { ME } from './messages.ts';

export class RoomStage {
  readonly server: FakeServer;
  readonly clock = new ManualClock(1_000_000);
  /** What the outbox has stored. */
  readonly items = new Map<string, OutboxItem>();
  readonly outbox = new Outbox({ store: memoryOutbox(this.items), clock: this.clock });
  /** How many rooms have been left and have delivered everything. */
  ended = 0;
  readonly #rooms: Room[] = [];

  private constructor(server: FakeServer) {
    this.server = server;
  }

  static async start(): Promise<RoomStage> {
    return new RoomStage(await FakeServer.start());
  }

  stop(): void {
    for (const room of this.#rooms) room.stop();
    this.server.stop();
  }

  /** A room that is not started, the contents that its listener has received, and how many before each reset. */
  make(keep = 1000, restore?: () => Promise<RoomSnapshot | null>) {
    const room = new Room({
      roomId: 1,
      me: ME,
      api: this.server.api,
      renewSession: async () => {},
      outbox: this.outbox,
      socketUrl: this.server.url,
      keep,
      restore,
      onEnd: () => {
        this.ended += 1;
      },
      WebSocket,
      clock: this.clock,
      random: () => 0,
    });
    this.#rooms.push(room);
    const heard: string[] = [];
    room.on('message', ({ content }) => heard.push(content));
    const resets: number[] = [];
    room.on('reset', () => resets.push(heard.length));
    return { room, heard, resets };
  }

  /** The same, started. */
  enter(keep?: number) {
    const made = this.make(keep);
    made.room.start();
    return made;
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
