/** A server process: the parts of `server/process/services.ts` on a simulated store, behind a simulated network. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../../protocol/errors.ts';
import type { UserRole } from '../../protocol/people.ts';
import type { Tokens } from '../../protocol/rest/accounts.ts';
import type { HistoryPage } from '../../protocol/rest/messages.ts';
import type { RoomPatch } from '../../protocol/rest/rooms.ts';
import type { Bus } from '../../server/data/bus/bus.ts';
import type { Store, UserRow } from '../../server/data/storage/store.ts';
import { toAppError } from '../../server/entrypoints/http/errors.ts';
import { HeadPoll } from '../../server/entrypoints/realtime/head-poll.ts';
import { Hub } from '../../server/entrypoints/realtime/hub.ts';
import { Upgrader } from '../../server/entrypoints/realtime/upgrade/upgrade.ts';
import { Administration } from '../../server/features/administration/administration.ts';
import { Removal } from '../../server/features/administration/removal.ts';
import { ServerName } from '../../server/features/administration/server-name.ts';
import { deriveKeys } from '../../server/features/identity/secret.ts';
import { Sessions } from '../../server/features/identity/sessions.ts';
import { Tickets } from '../../server/features/identity/tickets.ts';
import { Changes } from '../../server/features/messages/changes.ts';
import { History } from '../../server/features/messages/history.ts';
import { Posting } from '../../server/features/messages/post.ts';
import type { Rosters } from '../../server/features/presence/cluster/rosters.ts';
import type { Presence } from '../../server/features/presence/presence.ts';
import { expectRoster, saveRoster } from '../../server/features/presence/roster.ts';
import { Typing } from '../../server/features/presence/typing.ts';
import { Invites } from '../../server/features/rooms/invites.ts';
import { Members } from '../../server/features/rooms/members.ts';
import type { Where } from '../../server/features/rooms/permit.ts';
import { Rooms } from '../../server/features/rooms/rooms.ts';
import { Lifecycle } from '../../server/platform/lifecycle.ts';
import { RequestLimit } from '../../server/platform/limits/request-limit.ts';
import type { Logger } from '../../server/platform/log.ts';
import { OriginPolicy } from '../../server/platform/net/origin.ts';
import { ProxyWarnings } from '../../server/platform/net/proxy-warnings.ts';
import type { ServerSocket } from './connection-pair.ts';
import { CallFailure } from './database.ts';
import { type Revision, revise } from './revising.ts';
import type { Surroundings } from './surroundings.ts';
import { describeError, newOwner, type Owner, type World } from './world.ts';

/** The keys are the same for every epoch, so that a restore signs nobody out: pages cannot sign in again. */
const KEYS = deriveKeys('the secret of the simulation, long enough for anybody', 'every epoch');
const COMMITS_GRACE_MS = 2000;
const SOCKETS_GRACE_MS = 2000;
/** Long enough that no access token expires. */
const ACCESS_TTL_S = 86_400;

export interface MessageLimit {
  perSecond: number;
  burst: number;
}

export interface ServerParts {
  store: Store;
  surroundings: Surroundings;
  presence: Presence;
  epoch: string;
  messageLimit: MessageLimit;
  /** The most messages in one page of history. */
  pageLimit: number;
  /** The process cannot go on. */
  onFatal(): void;
}

/** A REST response. */
export interface Answer {
  status: number;
  body: unknown;
  retryAfterMs?: number | undefined;
}

export class ServerProcess {
  readonly owner: Owner;
  readonly presence: Presence;
  readonly sessions: Sessions;
  readonly #world: World;
  readonly #store: Store;
  readonly #bus: Bus;
  readonly #lifecycle = new Lifecycle();
  readonly #posting: Posting;
  readonly #members: Members;
  readonly #invites: Invites;
  readonly #rooms: Rooms;
  readonly #administration: Administration;
  readonly #removal: Removal;
  readonly #pages: History;
  readonly #pageLimit: number;
  readonly #surroundings: Surroundings;
  readonly #rosters: Rosters | null;
  readonly #tickets: Tickets;
  readonly #hub: Hub;
  readonly #upgrader: Upgrader;
  readonly #startHeadPoll: (() => HeadPoll) | null;
  #headPoll: HeadPoll | null = null;
  #isListening = false;

  /** Must run as the owner, so that all timers belong to it. */
  constructor(
    world: World,
    owner: Owner,
    { store, surroundings, presence, epoch, messageLimit, pageLimit, onFatal }: ServerParts,
  ) {
    this.#world = world;
    this.owner = owner;
    this.#pageLimit = pageLimit;
    this.presence = presence;
    const { bus, rostersOf } = surroundings;
    this.#surroundings = surroundings;
    this.#rosters = rostersOf?.(this.presence) ?? null;
    this.#store = store;
    this.#bus = bus;
    const typing = new Typing(bus);
    const log = this.#log();
    const now = () => Date.now();
    const proxyWarnings = new ProxyWarnings(log);
    const ttl = { accessTtlS: ACCESS_TTL_S, refreshTtlS: 7 * 86_400 };
    this.sessions = new Sessions({ store, bus, keys: KEYS, ...ttl });
    this.#tickets = new Tickets({ store, sessions: this.sessions, keys: KEYS, ttlS: 60, ...ttl });
    this.#posting = new Posting({ store, bus });
    this.#members = new Members({ store, presence: this.presence, bus, epoch });
    this.#invites = new Invites({ store, bus, attempts: undefined });
    this.#rooms = new Rooms({ store, presence: this.presence, bus, roomsPerDay: 0, dmsPerDay: 0 });
    const announceEnd = (sessionId: number) => this.sessions.announceEnd(sessionId);
    const operated = { store, bus, announceEnd, now };
    this.#administration = new Administration({
      ...{ ...operated, attempts: undefined, version: '' },
      searchStatus: () => Promise.reject(new Error('nobody searches here')),
    });
    this.#removal = new Removal(operated);
    this.#pages = new History(store, epoch);
    const serverName = new ServerName({ store, now });
    this.#hub = new Hub({
      store,
      presence: this.presence,
      typing,
      bus,
      epoch,
      messageLimit,
      serverName,
      now,
    });
    const { sessions } = this;
    const onLost = () => world.violation(`${owner.name}: the database is behind what was delivered`);
    this.#startHeadPoll =
      rostersOf && (() => new HeadPoll({ store, bus, hub: this.#hub, sessions, epoch, onLost, onFatal }));
    this.#upgrader = new Upgrader({
      ...{
        store,
        hub: this.#hub,
        tickets: this.#tickets,
        sessions: this.sessions,
        posting: this.#posting,
        changes: new Changes({ store, bus }),
        typing,
        log,
        messageLimit,
        now,
      },
      lifecycle: this.#lifecycle,
      requestLimit: new RequestLimit({ perSecond: 0, burst: 0, isExempt: () => false }),
      clientAddressOf: () => '192.0.2.1',
      socketsPerUser: 50,
      socketsPerAddress: 5000,
      origins: new OriginPolicy({
        allowedOrigins: [],
        publicOrigins: [],
        isTrustedProxy: () => false,
        warnings: proxyWarnings,
      }),
      proxyWarnings,
    });
  }

  static owner(name: string): Owner {
    return newOwner(name);
  }

  get isListening(): boolean {
    return this.owner.isAlive && this.#isListening;
  }

  get sockets(): number {
    return this.#hub.size;
  }

  /** Does everything that a process does before it listens. */
  async start(): Promise<void> {
    await this.sessions.load();
    if (this.#rosters) await this.#rosters.start();
    else await expectRoster(this.#store, this.presence);
    this.#headPoll = this.#startHeadPoll?.() ?? null;
    this.#isListening = true;
  }

  /** Stops as planned, as after SIGTERM. `onLeaving`: right before the other processes learn of it. */
  async stop(onLeaving: () => void): Promise<void> {
    this.#lifecycle.draining = true;
    this.#hub.announceRestart({ perSecond: 0, burst: 0 });
    await this.#posting.idle(COMMITS_GRACE_MS);
    onLeaving();
    if (this.#rosters) await this.#rosters.leave();
    else await saveRoster(this.#store, this.presence).catch(() => {});
    await this.#hub.closeAll(SOCKETS_GRACE_MS);
    this.#isListening = false;
    this.#headPoll?.stop();
    await this.#surroundings.close();
    await this.#store.close();
  }

  /** Handles a WebSocket handshake. */
  upgrade(url: string, protocols: readonly string[], socket: ServerSocket): void {
    const headers = {
      host: 'server',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'c2ltdWxhdGVkIGtleSAxNg==',
      'sec-websocket-protocol': protocols.join(', '),
    };
    // Both have every part that the server and `ws` read.
    const request = {
      method: 'GET',
      url,
      headers,
      rawHeaders: [],
      httpVersion: '1.1',
      socket,
    } as unknown as IncomingMessage;
    void this.#upgrader.handle(request, socket as unknown as Socket, Buffer.alloc(0));
  }

  /** Handles a REST request. It has the routes that the SDK needs to chat. */
  async answer(method: string, url: string, authorization: string, body: unknown): Promise<Answer> {
    try {
      return { status: 200, body: await this.#route(method, new URL(url), authorization, body) };
    } catch (error) {
      const { status, message, retryAfterMs, cause } = toAppError(error);
      if (status === 500) this.#world.violation(`${method} ${url}: ${describeError(cause)}`);
      return { status, body: { error: message }, retryAfterMs };
    }
  }

  /** Changes a message as its author may. It may be refused: the author has left, or the text is gone. */
  async revise(revision: Revision, how: { isUnheard: boolean }): Promise<void> {
    await revise({ store: this.#store, bus: this.#bus }, revision, how).catch((error) => {
      if (!(error instanceof AppError)) throw error;
    });
  }

  /** Stores a text as if its author had sent it. */
  async post(roomId: number, author: UserRow, content: string): Promise<void> {
    const { id: userId, username } = author;
    await this.#posting.post({ roomId, author: { userId, username }, draft: { content, cid: null } });
  }

  /** Makes the direct conversation of the user with nobody else. */
  async makeNotes(userId: number): Promise<boolean> {
    return await unlessRefused(this.#rooms.createDm([], userId));
  }

  /** The operator gives the user this role. Whether it was done. */
  async setRole(userId: number, role: UserRole): Promise<boolean> {
    return await unlessRefused(this.#administration.change(null, userId, { role }));
  }

  /** The operator removes the account. Whether it was done. */
  async removeAccount(userId: number): Promise<boolean> {
    return await unlessRefused(this.#removal.remove(null, userId, { texts: 'keep' }));
  }

  /** The user sets a status, with a request that was let in by its token before. */
  async setStatus(userId: number, text: string): Promise<boolean> {
    const status = JSON.stringify({ text });
    return await unlessRefused(this.#store.changeProfile({ userId, status }));
  }

  /** The user becomes a member of a room, with a request that was let in before. */
  async join(where: Where): Promise<boolean> {
    return await unlessRefused(this.#members.join(where));
  }

  async startSession(user: UserRow): Promise<Tokens> {
    const tokens = await this.sessions.start({ ...user, passwordHash: '' }, 'simulation');
    assert(tokens !== undefined);
    return tokens;
  }

  async #route(method: string, url: URL, authorization: string, body: unknown): Promise<unknown> {
    const identity = this.sessions.authenticate(authorization.replace(/^Bearer /, ''));
    if (method === 'POST' && url.pathname === '/api/v1/ws/tickets') {
      const { room_id: roomId } = body as { room_id?: number };
      return roomId === undefined
        ? this.#tickets.issueForUser(identity)
        : this.#tickets.issue(identity, roomId);
    }
    const { userId } = identity;
    if (method === 'POST' && url.pathname === '/api/v1/dms')
      return (await this.#rooms.createDm((body as { user_ids: number[] }).user_ids, userId)).room;
    const [, code] = /^\/api\/v1\/invites\/([^/]+)\/accept$/.exec(url.pathname) ?? [];
    if (code !== undefined) return await this.#invites.accept(code, userId, { key: undefined });
    const [, id, rest = ''] = /^\/api\/v1\/rooms\/(\d+)(.*)$/.exec(url.pathname) ?? [];
    const where = { roomId: Number(id), userId };
    switch (`${method} ${rest.replace(/\d+/, ':id')}`) {
      case 'GET /messages':
        return this.#history(where, url.searchParams);
      case 'PATCH ':
        return this.#rooms.change(where, body as RoomPatch);
      case 'PUT /members/me':
        return this.#members.join(where);
      case 'DELETE /members/me':
        return this.#members.leave(where);
      case 'PUT /members/:id':
        return this.#members.set(where, Number(rest.split('/')[2]));
      case 'DELETE /members/:id':
        return this.#members.remove(where, Number(rest.split('/')[2]));
      default:
        throw new Error(`there is no ${method} ${url.pathname} in the simulation`);
    }
  }

  async #history({ roomId, userId }: Where, query: URLSearchParams): Promise<HistoryPage> {
    const beforeId = query.get('before_id');
    const page = {
      roomId,
      limit: Math.min(Number(query.get('limit') ?? 50), this.#pageLimit),
      beforeId: beforeId === null ? undefined : Number(beforeId),
    };
    const isFlow = query.get('view') === 'flow';
    const json = await (isFlow ? this.#pages.flow(page, userId) : this.#pages.page(page, userId));
    return JSON.parse(json.toString());
  }

  /** Treats a logged error as a violation, unless the database takes no calls or the process is about to end anyway. */
  #log(): Logger {
    const ignore = () => {};
    const error = ({ err }: { err?: unknown }, text: string) => {
      const isRetryable = err instanceof AppError && err.code === 'service_unavailable';
      if (this.#lifecycle.draining || isRetryable || err instanceof CallFailure) return;
      this.#world.violation(`${this.owner.name} logged: ${text}: ${describeError(err)}`);
    };
    const isLevelEnabled = (level: string) => level === 'error';
    return { debug: ignore, info: ignore, warn: ignore, error, isLevelEnabled } as unknown as Logger;
  }
}

/** Whether it was done. */
async function unlessRefused(done: Promise<unknown>): Promise<boolean> {
  try {
    await done;
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
