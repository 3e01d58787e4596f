/** A line in the process of the test, so that a test can come between two steps of the server. */

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { ServerFrameV2 } from '../../protocol/frames/v2.ts';
import type { Bus } from '../../server/data/bus/bus.ts';
import { createMemoryBus } from '../../server/data/bus/memory.ts';
import { openSqliteStore } from '../../server/data/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../server/data/storage/store.ts';
import { BudgetBook } from '../../server/entrypoints/realtime/connection/budgets.ts';
import { Hub } from '../../server/entrypoints/realtime/hub.ts';
import { Line } from '../../server/entrypoints/realtime/line/session/line.ts';
import { ServerName } from '../../server/features/administration/server-name.ts';
import { Changes } from '../../server/features/messages/changes.ts';
import { Posting } from '../../server/features/messages/post.ts';
import { Presence } from '../../server/features/presence/presence.ts';
import { Typing } from '../../server/features/presence/typing.ts';
import { Lifecycle } from '../../server/platform/lifecycle.ts';
import { createLogger } from '../../server/platform/log.ts';

/** One for all tests: each logger listens to standard error. */
const log = createLogger('silent');

interface LineUser {
  userId: number;
  username: string;
  sessionId: number;
}

/** A line, and the frames that its client has received. */
export interface OpenLine {
  readonly line: Line;
  readonly frames: ServerFrameV2[];
  /** The last frame, once this number of frames has arrived. */
  heard(count: number): Promise<ServerFrameV2 | undefined>;
}

/** When all clients of a stage showed an access token. */
export const ADMITTED_AT = 7;

export class LineStage {
  readonly store: Store;
  readonly bus: Bus = createMemoryBus();
  readonly hub: Hub;
  readonly posting: Posting;
  /** The owner of the room. */
  user: LineUser = { userId: 0, username: 'ann', sessionId: 1 };
  /** A public room. */
  roomId = 0;
  /** That lines have given. */
  returnTickets = 0;
  readonly #dataDir: string;
  readonly lifecycle = new Lifecycle();
  readonly #server: Server = createServer();
  readonly #parts;

  private constructor(dataDir: string, store: Store, epoch: string) {
    this.#dataDir = dataDir;
    this.store = store;
    const { bus } = this;
    const typing = new Typing(bus);
    const messageLimit = { perSecond: 0, burst: 0 };
    const { now } = Date;
    const serverName = new ServerName({ store, now });
    this.hub = new Hub({
      store,
      presence: new Presence(),
      typing,
      bus,
      epoch,
      messageLimit,
      serverName,
      now,
    });
    this.posting = new Posting({ store, bus });
    const changes = new Changes({ store, bus });
    this.#parts = {
      hub: this.hub,
      store: this.store,
      posting: this.posting,
      changes,
      typing,
      lifecycle: this.lifecycle,
      log,
      now: Date.now,
      tickets: {
        issueReturn: (_user: unknown, admittedAt: number) => ({
          ...{ ticket: `return ticket ${++this.returnTickets} since ${admittedAt}`, expires_in: 900 },
        }),
      },
    };
  }

  static async start(): Promise<LineStage> {
    const dataDir = await mkdtemp(join(tmpdir(), 'roomful-line-'));
    const onFatal = (error: unknown) => {
      throw error;
    };
    const { store, epoch } = await openSqliteStore({ dataDir, onFatal });
    const stage = new LineStage(dataDir, store, epoch);
    stage.user = await stage.createUser('ann');
    const room = await store.createRoom({
      ...{ name: 'r', key: 'r', looks: ['r'], isDisguised: false, kind: 'public', topic: '', emoji: null },
      ...{ maxPerDay: 0, ownerId: stage.user.userId, now: 0 },
    });
    if (room.outcome !== 'created') throw new Error('no room');
    stage.roomId = room.room.id;
    await new Promise<void>((resolve) => stage.#server.listen(0, '127.0.0.1', resolve));
    return stage;
  }

  async stop(): Promise<void> {
    await this.hub.closeAll(1000);
    this.#server.close();
    await this.store.close();
    await rm(this.#dataDir, { recursive: true });
  }

  /** Connects, starts, and waits for the first frames; null: for none. */
  async connect(user = this.user, count: number | null = 2): Promise<OpenLine> {
    const websockets = new WebSocketServer({ noServer: true });
    const entered = new Promise<Line>((resolve) => {
      this.#server.once('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
        websockets.handleUpgrade(request, socket, head, (websocket) => {
          const budgets = new BudgetBook(undefined).open(user.userId);
          const accepted = {
            websocket,
            socket,
            user,
            admittedAt: ADMITTED_AT,
            addressKey: undefined,
            budgets,
          };
          const line = new Line(accepted, this.#parts);
          this.hub.enter(line);
          resolve(line);
        }),
      );
    });
    const frames: ServerFrameV2[] = [];
    const far = new WebSocket(`ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
    far.on('message', (data) => frames.push(JSON.parse(String(data))));
    far.on('open', () => far.send('{"type":"start"}'));
    const heard = async (expected: number) => {
      await expect.poll(() => frames.length, { timeout: 20_000 }).toBe(expected);
      return frames.at(-1);
    };
    const line = await entered;
    if (count !== null) await heard(count);
    return { line, frames, heard };
  }

  async createUser(username: string): Promise<LineUser> {
    const names = { username, key: username, looks: [username], isDisguised: false };
    const created = await this.store.createUser({ ...names, passwordHash: '', now: 0 });
    if (created.outcome !== 'created') throw new Error('no user');
    return { userId: created.user.id, username, sessionId: created.user.id };
  }

  /** The owner posts in the room. */
  async say(content: string): Promise<void> {
    await this.posting.post({ roomId: this.roomId, author: this.user, draft: { content, cid: null } });
  }
}
