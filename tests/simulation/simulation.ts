/** Plays one plan, from the first process to the last check. */
import { OTHER_DATABASE } from '../../client/outbox/outcome.ts';
import type { Room } from '../../client/room/room.ts';
import { isLive } from '../../client/room/room-state.ts';
import type { Tokens } from '../../protocol/rest/accounts.ts';
import type { UserRow } from '../../server/data/storage/store.ts';
import { Cluster } from './cluster.ts';
import { describeState } from './describe-state.ts';
import { ephemeralChecksOf } from './ephemeral-witness.ts';
import { mayRead } from './guest-check.ts';
import { LegacyPage } from './legacy-page.ts';
import { isCounted } from './list-check.ts';
import { Network } from './network.ts';
import { OutboxDisk } from './outbox-disk.ts';
import { Page } from './page.ts';
import { NO_WITNESS } from './page-socket.ts';
import { Performer } from './perform.ts';
import type { Plan } from './plan.ts';
import type { Plants } from './plants.ts';
import { simulated } from './runtime.ts';
import { furnish, type Scene } from './scene.ts';
import { Watch } from './watch.ts';
import { Whereabouts } from './whereabouts.ts';
import { World } from './world.ts';

/** After the last fault, every page has everything within this time. */
const HEALS_WITHIN_MS = 120_000;
/** Frames on stalled connections arrive within this time. */
const SETTLES_WITHIN_MS = 16_000;
/** A page notices within this time that its connection is dead. */
const SILENCE_MS = 40_000;
/** Silent connections time out within this time. */
const PRESENCE_WITHIN_MS = 90_000;

export interface SimulationOptions extends Plants {
  tracing?: boolean;
}

export interface Verdict {
  /** Empty when every promise was kept. */
  violations: readonly string[];
  trace: readonly string[];
  fingerprint: number;
  events: number;
  acks: number;
  crashes: number;
}

export type Simulate = (plan: Plan, options?: SimulationOptions) => Promise<Verdict>;

/** Runs tasks that simulate, one after the other, with the whole runtime replaced. */
export function simulating<T>(task: (simulate: Simulate) => Promise<T>): Promise<T> {
  return simulated((enter) =>
    task(async (plan, options = {}) => {
      const world = new World(plan.seed, options);
      enter(world);
      return await new Simulation(world, plan, options).run();
    }),
  );
}

class Simulation {
  readonly #world: World;
  readonly #plan: Plan;
  readonly #scene: Scene;
  readonly #watch: Watch;
  readonly #network: Network;
  readonly #cluster: Cluster;
  readonly #pages: Page[] = [];
  #oldPage: LegacyPage | null = null;
  /** A page of a session that its user ends. */
  #otherDevice: LegacyPage | null = null;
  #ownerToken = '';

  constructor(world: World, plan: Plan, options: SimulationOptions) {
    this.#world = world;
    this.#plan = plan;
    this.#scene = furnish(plan, world.wallMs);
    const { disk, roomIds } = this.#scene;
    const whereabouts = new Whereabouts(() => world.elapsedMs);
    this.#watch = new Watch({
      ephemeral: ephemeralChecksOf(plan, whereabouts),
      roomIds,
      ...{ world, disk, mayLag: plan.weather.bus !== null || plan.cluster !== null },
      isMembersOnly: (roomId) => plan.rooms[roomIds.indexOf(roomId)]?.isPrivate === true,
      inviteUses: (roomId) => plan.rooms[roomIds.indexOf(roomId)]?.inviteUses ?? 0,
    });
    this.#network = new Network(world, plan.weather, (station) => {
      const page = this.#pages.find(({ owner }) => owner === station.owner);
      return page ? this.#watch.connection(page) : NO_WITNESS;
    });
    this.#cluster = new Cluster({
      ...{ world, plan, network: this.#network, disk: this.#scene.disk },
      plant: options.plant ?? ((store) => store),
      plantBus: options.plantBus ?? ((bus) => bus),
      plantExchange: options.plantExchange ?? ((exchange) => exchange),
      whereabouts,
      onRestored: (disk) => this.#watch.begins(disk),
    });
  }

  async run(): Promise<Verdict> {
    const world = this.#world;
    this.#cluster.boot();
    await this.#openPages();
    const performer = this.#newPerformer();
    this.#cluster.begin();
    const begunAt = world.elapsedMs;
    for (const [index, action] of this.#plan.actions.entries()) {
      world.scheduleAt(world.beyond, action.kind, begunAt + action.atMs, () =>
        performer.perform(action, index),
      );
    }
    await world.runUntil(() => false, this.#plan.lastsMs);
    if (world.violations.length === 0) await this.#heal(performer);
    this.#watch.close();
    return {
      violations: world.violations,
      trace: world.trace ?? [],
      fingerprint: world.fingerprint,
      events: world.events,
      acks: this.#watch.acks,
      crashes: this.#cluster.crashes,
    };
  }

  #newPerformer(): Performer {
    return new Performer({
      ...{ world: this.#world, plan: this.#plan, scene: this.#scene, watch: this.#watch },
      ...{ network: this.#network, cluster: this.#cluster },
      ...{
        pages: this.#pages,
        oldPage: this.#oldPage,
        otherDevice: this.#otherDevice,
        ownerToken: this.#ownerToken,
      },
    });
  }

  async #openPages(): Promise<void> {
    const [world, network, watch] = [this.#world, this.#network, this.#watch];
    const { userOf, roomIds, owner } = this.#scene;
    await world.runUntil(() => this.#cluster.isUp, 10_000);
    const server = network.pick();
    if (server === null) return;
    const tokens: Tokens[] = [];
    let others: Tokens | undefined;
    world.schedule(server.owner, 'log in', 0, async () => {
      this.#ownerToken = (await server.startSession(owner)).access_token;
      others = await server.startSession(owner);
      for (const index of this.#plan.pages.keys()) tokens.push(await server.startSession(userOf(index)));
    });
    await world.runUntil(() => tokens.length === this.#plan.pages.length, 30_000);
    for (const [index, given] of tokens.entries()) {
      const { tabOf, rooms, keep } = this.#plan.pages[index] ?? { tabOf: null, rooms: [0], keep: 1000 };
      const outbox = (tabOf === null ? undefined : this.#pages[tabOf]?.outbox) ?? new OutboxDisk(world);
      const where = { rooms: rooms.map((room) => roomIds[room] ?? 0), outbox, keep, look: roomIds };
      this.#pages.push(
        new Page({ world, network, watch, index, user: userOf(index), tokens: given, ...where }),
      );
    }
    const [first] = tokens;
    if (this.#plan.hasOldPage && first) this.#oldPage = this.#legacyPage('old page', userOf(0), first);
    if (this.#plan.cluster?.endsSession && others)
      this.#otherDevice = this.#legacyPage('other device', owner, others);
    for (const page of this.#pages) page.open();
    this.#oldPage?.open();
    this.#otherDevice?.open();
  }

  #legacyPage(name: string, user: UserRow, tokens: Tokens): LegacyPage {
    const [world, network, watch] = [this.#world, this.#network, this.#watch];
    return new LegacyPage({
      ...{ name, world, network, user, tokens, roomId: this.#scene.roomIds[0] ?? 0 },
      isStored: (message) => {
        const mayLag = this.#plan.weather.bus !== null || this.#plan.cluster !== null;
        const { room_id: id, seq } = message;
        if (!mayLag && !watch.isRestored) watch.guests.hears(user.id, { roomId: id, place: seq });
        return watch.isStored(message);
      },
      isNext: (seq, message) => watch.isNextText(seq, message),
    });
  }

  /** Ends all faults. From then on every promise must be kept. */
  async #heal(performer: Performer): Promise<void> {
    const world = this.#world;
    world.note('HEALED');
    this.#network.heal();
    this.#cluster.heal();
    performer.endSession();
    await world.runUntil(() => this.#cluster.isUp, HEALS_WITHIN_MS);
    await world.runUntil(() => false, SETTLES_WITHIN_MS);
    // Also when the doorbells of what lies beyond were lost.
    if (!(await world.runUntil(() => !this.#isResuming(), HEALS_WITHIN_MS))) {
      return this.#complain('a resume does not end');
    }
    // Processes of a cluster find by themselves what was not announced: they read the heads of their logs.
    const { bus } = this.#plan.weather;
    if (bus !== null) {
      performer.announceAll(bus);
      await world.runUntil(() => false, 1000);
    }
    if (!(await this.#converge())) return;
    await this.#loadEverything();
    // Meanwhile the author of a first text may have become a member, or the user of a page may have decided to send
    // what was written for an earlier database.
    if (!(await this.#converge())) return;
    for (const { page, room } of this.#entered()) this.#watch.checkWhole(page, room);
    this.#watch.checkEnd(this.#roomIds, this.#pages);
    await this.#checkEndedSession();
    if (!this.#plan.checksPresence || world.violations.length > 0) return;
    if (!(await world.runUntil(() => this.#presenceIsRight(), PRESENCE_WITHIN_MS))) {
      this.#complain('presence did not converge');
    }
  }

  /** A restored database may not know that the session was ended, nor that it began. */
  async #checkEndedSession(): Promise<void> {
    const page = this.#otherDevice;
    if (page === null || this.#watch.isRestored) return;
    const isOut = await this.#world.runUntil(() => !page.isIn, SILENCE_MS);
    if (!isOut) this.#complain('a session that was ended still has a socket');
  }

  /** All rooms of the database. */
  get #roomIds(): number[] {
    return [...this.#scene.roomIds, ...this.#cluster.disk.dms.keys()];
  }

  #complain(what: string): void {
    if (this.#world.violations.length > 0) return;
    const { servers } = this.#network;
    const state = describeState({
      servers,
      entered: this.#entered(),
      pages: this.#pages,
      disk: this.#cluster.disk,
    });
    this.#world.violation(`${what}; ${state}`);
  }

  #entered(): { page: Page; room: Room }[] {
    return this.#pages.flatMap((page) =>
      [...page.rooms.values()].flatMap((room) => (room === null ? [] : [{ page, room }])),
    );
  }

  #isResuming(): boolean {
    return this.#entered().some(
      ({ room: { state } }) => state.connection.status === 'open' && state.stream?.phase === 'behind',
    );
  }

  async #converge(): Promise<boolean> {
    if (await this.#world.runUntil(() => this.#hasConverged(), HEALS_WITHIN_MS)) return true;
    this.#complain(`it did not converge in ${HEALS_WITHIN_MS} ms`);
    return false;
  }

  #hasConverged(): boolean {
    if (!this.#cluster.isUp || !this.#watch.areOutcomesKnown) return false;
    if (this.#pages.some((page) => !page.outbox.isEmpty || [...page.rooms.values()].includes(null)))
      return false;
    const { disk } = this.#cluster;
    const roomIds = this.#roomIds;
    if (!this.#pages.every(({ user, list }) => isCounted({ disk, roomIds, userId: user.id, list })))
      return false;
    return this.#entered().every(
      ({ page, room }) =>
        mayRead(disk, { roomId: room.id, userId: page.user.id }) &&
        isLive(room.state) &&
        room.state.pending.every(({ refusal }) => refusal !== null && refusal !== OTHER_DATABASE) &&
        room.state.loaded &&
        room.state.epoch === this.#cluster.disk.epoch &&
        room.state.head === this.#cluster.disk.log(room.id).head &&
        room.state.stream?.seq === room.state.head,
    );
  }

  async #loadEverything(): Promise<void> {
    for (const { page, room } of this.#entered()) {
      while (room.state.hasOlder && this.#world.violations.length === 0) {
        const oldest = room.state.messages[0];
        page.loadOlder(room.id);
        // An earlier attempt may still be under way, and fail.
        await this.#world.runUntil(() => room.state.messages[0] !== oldest, 20_000);
      }
    }
  }

  /** A user is in the room that one of the user's pages shows. Only such a page gets presence. */
  #presenceIsRight(): boolean {
    const old = this.#oldPage;
    if (old !== null && !old.isIn) return false;
    return this.#pages.every(({ here }) => {
      if (here === null) return true;
      const there = new Set(
        this.#pages.filter((page) => page.here?.id === here.id).map(({ user }) => user.username),
      );
      for (const one of [old, this.#otherDevice])
        if (one?.roomId === here.id && one.isIn) there.add(one.user.username);
      const shown = here.state.users.map(({ username }) => username);
      const isRight = shown.length === there.size && shown.every((name) => there.has(name));
      return isRight && here.state.online === there.size;
    });
  }
}
