/** Performs the actions of a plan: users do something, or something goes wrong. */
import { AppError } from '../../protocol/errors.ts';
import type { UserRow } from '../../server/data/storage/store.ts';
import type { Cluster } from './cluster.ts';
import type { BusWeather } from './late-bus.ts';
import type { LegacyPage } from './legacy-page.ts';
import type { Network } from './network.ts';
import type { Page } from './page.ts';
import type { Action, Plan } from './plan.ts';
import { wayOf } from './revising.ts';
import { inviteCodeOf, type Scene } from './scene.ts';
import type { ServerProcess } from './server-process.ts';
import type { Watch } from './watch.ts';
import type { World } from './world.ts';

/** A user tries again after this time. */
const AGAIN_MS = 500;
/** No request takes longer, unless its process stands still. */
const GIVES_UP_AFTER_MS = 7000;

export interface Cast {
  world: World;
  plan: Plan;
  scene: Scene;
  watch: Watch;
  network: Network;
  cluster: Cluster;
  pages: readonly Page[];
  oldPage: LegacyPage | null;
  otherDevice: LegacyPage | null;
  ownerToken: string;
}

export class Performer {
  readonly #cast: Cast;

  constructor(cast: Cast) {
    this.#cast = cast;
  }

  /** Performs an action of the plan; `index` is its place in the plan. */
  perform(action: Action, index: number): void {
    const { scene, pages, cluster, ownerToken } = this.#cast;
    const page = 'page' in action ? pages[action.page] : undefined;
    const roomId = 'room' in action && action.room !== null ? (scene.roomIds[action.room] ?? 0) : 0;
    switch (action.kind) {
      case 'say':
        for (let count = 1; count <= action.texts; count++) {
          page?.say(roomId, `${action.page}:${index}:${count}`.padEnd(action.length, '.'));
        }
        return;
      case 'say over v1':
        return this.#sayOverV1(`old:${index}`);
      case 'type':
        return page?.setTyping(roomId);
      case 'enter':
        return page?.enter(roomId);
      case 'leave':
        return page?.leave(roomId);
      case 'older':
        return page?.loadOlder(roomId);
      case 'read':
        return page?.markRead(roomId, page.headOf(roomId));
      case 'unread':
        return page?.markUnread(roomId, Math.floor(page.headOf(roomId) / 2));
      case 'here':
        return page?.setHere(action.room === null ? null : roomId);
      case 'join':
        return this.request(page?.accessToken, 'PUT', `rooms/${roomId}/members/me`);
      case 'quit':
        return this.request(page?.accessToken, 'DELETE', `rooms/${roomId}/members/me`);
      case 'add':
        return this.request(page && ownerToken, 'PUT', `rooms/${roomId}/members/${page?.user.id}`);
      case 'remove':
        return this.request(page && ownerToken, 'DELETE', `rooms/${roomId}/members/${page?.user.id}`);
      case 'write': {
        const userIds = action.users.map((user) => scene.users[user]?.id ?? 0);
        return page?.writeTo(userIds, `${action.page}:${index}`);
      }
      case 'respond':
        return page?.respond(`${action.page}:${index}`);
      case 'pry': {
        const others = [...cluster.disk.dms].filter(([, { people }]) => !people.includes(page?.user.id ?? 0));
        const [dm] = others.at(-1) ?? [];
        return dm === undefined ? undefined : page?.enter(dm);
      }
      case 'accept': {
        const code = inviteCodeOf(action.room);
        return this.request(page?.accessToken, 'POST', `invites/${code}/accept`);
      }
      case 'revise':
        return this.#revise(roomId, { action, index });
      case 'role':
        return page && this.#setRole(page.user.id, action.role);
      case 'leaver writes':
        return this.#leaverWrites(roomId, action.way, index);
      case 'remove leaver':
        return this.#ofLeaver('remove leaver', (server, { id }) => server.removeAccount(id));
      case 'topic':
        return this.request(ownerToken, 'PATCH', `rooms/${roomId}`, { topic: `topic ${index}` });
      case 'wake':
        return page?.signals('wake');
      case 'reload':
        return page?.reload(action.serverMs);
      case 'cut':
        if (page) this.#cast.network.cut(page, { serverMs: action.serverMs, clientMs: action.pageMs });
        return;
      case 'stall':
        if (page) this.#cast.network.stall(page, action.forMs);
        return;
      case 'offline':
        if (page) this.#goOffline(page, action.forMs);
        return;
      case 'crash':
        return this.#cast.cluster.crash(action.process, action.downMs, action.isSilent);
      case 'restart':
        return this.#cast.cluster.restart(action.process, action.downMs);
      case 'back up':
        return this.#cast.cluster.backUp();
      case 'restore':
        return this.#cast.cluster.restore(action.downMs);
      case 'full':
        return this.#cast.cluster.fillDisk(action.forMs);
      case 'pause':
        return this.#cast.cluster.pause(action.process, action.forMs);
      case 'end session':
        return this.endSession();
      case 'cut redis':
        return this.#cast.cluster.cutRedis(action.process, action.way, action.forMs);
      case 'deafen':
        return this.#cast.cluster.deafen(action.process, action.way);
      case 'restart redis':
        return this.#cast.cluster.restartRedis(action.downMs);
      case 'cut database':
        return this.#cast.cluster.cutDatabase(action.process, action.forMs);
      case 'fail over':
        return this.#cast.cluster.failOver(action.forMs, action.lost);
      case 'jump':
        this.#cast.world.clockOffsetMs += action.byMs;
        return;
    }
  }

  /**
   * Something happens in every room and, where their announcements were lost, in every user's log: the next
   * announcement makes up for a lost one.
   */
  announceAll({ userLogLoss }: BusWeather): void {
    const { network, world, scene, cluster, ownerToken } = this.#cast;
    const server = network.pick();
    for (const roomId of scene.roomIds)
      this.request(ownerToken, 'PATCH', `rooms/${roomId}`, { topic: 'the last one' });
    if (server === null) return;
    const does = (label: string, run: () => Promise<unknown>) =>
      world.schedule(server.owner, label, 0, () => void run());
    for (const [roomId, { people }] of cluster.disk.dms) {
      const author = scene.users.find(({ id }) => people.includes(id));
      if (author) does('the last text', () => server.post(roomId, author, `long ago, the last in ${roomId}`));
    }
    if (userLogLoss === undefined) return;
    // A guest may make none.
    for (const { id } of scene.users)
      does('notes', async () => {
        if (!(await server.makeNotes(id))) this.#setRole(id, 'member');
      });
  }

  /** A user ends the session of another device, and repeats that until it has ended. */
  endSession(): void {
    const { otherDevice, network, world } = this.#cast;
    if (otherDevice === null) return;
    const { id } = otherDevice.user;
    const server = network.pick();
    let hasEnded = false;
    // The process may die before it responds.
    world.schedule(world.beyond, 'again', server === null ? AGAIN_MS : GIVES_UP_AFTER_MS, () => {
      if (!hasEnded) this.endSession();
    });
    const ends = () => {
      hasEnded = true;
    };
    if (server === null) return;
    world.schedule(server.owner, 'end session', 0, () => {
      this.#sessionOf(server, otherDevice.accessToken).then(
        (sessionId) =>
          server.sessions.endOne(id, sessionId).then(ends, (error) => {
            // It may have ended, and the response was lost.
            if (error instanceof AppError && error.code === 'session_not_found') ends();
          }),
        ends,
      );
    });
  }

  async #sessionOf({ sessions }: ServerProcess, accessToken: string): Promise<number> {
    return sessions.authenticate(accessToken).sessionId;
  }

  #setRole(userId: number, role: 'guest' | 'member'): void {
    const { network, world, watch } = this.#cast;
    const server = network.pick();
    if (server === null) return;
    world.schedule(server.owner, `role ${role}`, 0, () => {
      const { announced } = watch.guests.changes(userId, role);
      void server.setRole(userId, role).then((isDone) => isDone && announced());
    });
  }

  #leaverWrites(roomId: number, way: 'join' | 'status' | 'notes', index: number): void {
    this.#ofLeaver(`leaver: ${way}`, (server, { id: userId }) => {
      if (way === 'join') return server.join({ roomId, userId });
      return way === 'status' ? server.setStatus(userId, `status ${index}`) : server.makeNotes(userId);
    });
  }

  #ofLeaver(label: string, run: (server: ServerProcess, leaver: UserRow) => Promise<unknown>): void {
    const { leaver } = this.#cast.scene;
    const server = this.#cast.network.pick();
    if (server === null || leaver === null) return;
    this.#cast.world.schedule(server.owner, label, 0, () => void run(server, leaver));
  }

  /** Changes one of the room's first messages. */
  #revise(
    roomId: number,
    { action, index }: { action: Extract<Action, { kind: 'revise' }>; index: number },
  ): void {
    const count = this.#cast.plan.rooms[action.room]?.messages ?? 0;
    const server = this.#cast.network.pick();
    if (server === null || count === 0) return;
    const old = this.#cast.cluster.disk
      .log(roomId)
      .rows.filter(({ content, facts }) => content.startsWith('long ago') || facts?.deletedAt);
    const message = old[Math.floor(action.nth * old.length)];
    if (message === undefined) return;
    const way = action.way ?? wayOf(action.nth, index);
    const isReaction = way === 'react' || way === 'take back';
    const by = isReaction ? 1 + (index % this.#cast.plan.pages.length) : message.userId;
    const content = `long ago, revised ${index}`;
    this.#cast.world.schedule(
      server.owner,
      `${way} ${message.seq}`,
      0,
      () => void server.revise({ message, by, way, content }, { isUnheard: action.isUnheard === true }),
    );
  }

  /** A request from outside, which may find no server. */
  request(token: string | undefined, method: string, path: string, body?: unknown): void {
    const server = this.#cast.network.pick();
    if (server === null || token === undefined) return;
    const url = `http://server/api/v1/${path}`;
    this.#cast.world.schedule(server.owner, `${method} ${path}`, 0, () => {
      if (server.isListening) void server.answer(method, url, `Bearer ${token}`, body);
    });
  }

  #sayOverV1(text: string): void {
    const { oldPage: page, watch } = this.#cast;
    if (page === null) return;
    watch.sent({ roomId: page.roomId, userId: page.user.id, text, from: null });
    page.say(text);
  }

  #goOffline(page: Page, forMs: number): void {
    page.offlineUntil = this.#cast.world.elapsedMs + forMs;
    const isNoticed = this.#cast.world.chance(0.5);
    this.#cast.network.cut(page, { serverMs: null, clientMs: isNoticed ? 0 : null });
    if (isNoticed) page.signals('offline');
  }
}
