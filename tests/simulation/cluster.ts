/** The machines that the server runs on: one database, and in each place one process after another. */
import type { Bus } from '../../server/data/bus/bus.ts';
import type { Store } from '../../server/data/storage/store.ts';
import type { RosterExchange } from '../../server/features/presence/cluster/exchange.ts';
import { type Caller, Database } from './database.ts';
import type { Disk } from './disk.ts';
import { createBus } from './late-bus.ts';
import { openAlone } from './memory-store.ts';
import type { Network } from './network.ts';
import type { Plan } from './plan.ts';
import { type CutWay, RedisServer } from './redis-server.ts';
import { ServerProcess } from './server-process.ts';
import { createSharedStore } from './shared-store.ts';
import { alone, type Surroundings, together } from './surroundings.ts';
import type { Whereabouts } from './whereabouts.ts';
import type { Owner, World } from './world.ts';

export interface ClusterOptions {
  world: World;
  plan: Plan;
  network: Network;
  disk: Disk;
  plant: (store: Store, disk: Disk) => Store;
  plantBus: (bus: Bus) => Bus;
  plantExchange: (exchange: RosterExchange) => RosterExchange;
  whereabouts: Whereabouts;
  onRestored: (disk: Disk) => void;
}

/** Where one process runs at a time. */
interface Place {
  readonly name: string;
  server: ServerProcess | null;
  lives: number;
}

/** The next process starts within this time, unless a plan says otherwise. */
const SUPERVISOR_MS = { min: 100, max: 1000 };

/** A process misses its echo within this time, and has connected again. */
const NOTICES_DEAFNESS_MS = 6000;

/** What is left of the faults of a bus when all faults have ended: it may be late. */
const FAIR = { loss: 0, userLogLoss: undefined, duplicates: 0 };

export class Cluster {
  readonly #options: ClusterOptions;
  readonly #places: readonly Place[];
  /** Null: the process has the disk for itself. */
  readonly #database: Database | null;
  readonly #redis: RedisServer | null;
  readonly #callers = new Map<Owner, Caller>();
  #disk: Disk;
  #backup: Disk;
  #restores = 0;
  #crashes = 0;
  #fullUntil = 0;
  /** No failover takes back what was committed before the pages were open. */
  #firstCommits = Number.POSITIVE_INFINITY;
  #isHealed = false;

  constructor(options: ClusterOptions) {
    const { world, plan, disk } = options;
    const { cluster, weather } = plan;
    this.#options = options;
    this.#disk = disk;
    this.#backup = disk.copy();
    this.#places = Array.from({ length: cluster?.processes ?? 1 }, (_, index) => ({
      ...{ name: cluster === null ? 'server' : `server ${index}.`, server: null, lives: 0 },
    }));
    this.#database = cluster && new Database(world, disk, weather.storage);
    this.#redis =
      cluster &&
      new RedisServer(world, () => (this.#isHealed ? { ...cluster.redis, ...FAIR } : cluster.redis));
    world.afterEvent = ({ label, owner }) => {
      if (label === 'commit') this.#hasCommitted(owner);
    };
  }

  get disk(): Disk {
    return this.#database?.disk ?? this.#disk;
  }

  get crashes(): number {
    return this.#crashes;
  }

  get isUp(): boolean {
    return this.#places.every(({ server }) => server?.isListening === true);
  }

  boot(): void {
    for (const place of this.#places) this.#boot(place, 0);
  }

  /** The pages are open: from now on calls may fail, and a process may die after a commit. */
  begin(): void {
    this.#firstCommits = this.disk.commits;
    const { cluster } = this.#options.plan;
    if (cluster && this.#database) this.#database.calls = cluster.calls;
  }

  /** A process ends at once. Its memory is lost; what was committed is in the database. */
  crash(process: number | undefined, downMs: number, isSilent: boolean): void {
    const place = this.#place(process);
    if (place.server === null) return;
    this.#crashes++;
    this.#options.world.note(`CRASH of ${place.server.owner.name}`);
    this.#end(place, isSilent, downMs);
  }

  /** A planned restart of one process. */
  restart(process: number | undefined, downMs: number): void {
    const place = this.#place(process);
    const { server } = place;
    if (!server?.isListening) return;
    this.#options.world.schedule(server.owner, 'stop', 0, () => {
      // The others keep its users from then on; its last commits may take it seconds.
      const onLeaving = () => this.#options.whereabouts.ended(server.owner, false);
      void server.stop(onLeaving).then(() => {
        // A crash may have ended it first.
        if (place.server === server) this.#end(place, false, downMs);
      });
    });
  }

  /** A process stands still. */
  pause(process: number | undefined, forMs: number): void {
    const { server } = this.#place(process);
    if (server === null) return;
    server.owner.pausedUntil = this.#options.world.elapsedMs + forMs;
    this.#options.whereabouts.disturbed(server.owner, forMs);
  }

  cutRedis(process: number, way: CutWay, forMs: number): void {
    const { server } = this.#place(process);
    if (server === null) return;
    this.#redis?.cut(server.owner, way, forMs);
    this.#options.whereabouts.disturbed(server.owner, forMs);
  }

  deafen(process: number, way: 'says' | 'hears'): void {
    const { server } = this.#place(process);
    if (server === null) return;
    this.#redis?.deafen(server.owner, way);
    this.#options.whereabouts.disturbed(server.owner, NOTICES_DEAFNESS_MS);
  }

  restartRedis(downMs: number): void {
    this.#redis?.restart(downMs);
  }

  cutDatabase(process: number, forMs: number): void {
    const { server } = this.#place(process);
    const caller = server && this.#callers.get(server.owner);
    if (caller) caller.cutUntil = this.#options.world.elapsedMs + forMs;
  }

  /** Another server takes over, with all commits or, under another epoch, without the last ones. */
  failOver(forMs: number, lost: number): void {
    if (this.#database === null) return;
    const commits = Math.max(this.#firstCommits, this.disk.commits - lost);
    if (commits >= this.disk.commits) return this.#database.failOver(this.disk, forMs);
    const disk = this.disk.copy(`life ${++this.#restores}`, commits);
    this.#database.failOver(disk, forMs);
    this.#options.onRestored(disk);
  }

  backUp(): void {
    this.#backup = this.disk.copy();
  }

  /** Every process ends, and the next ones start from the backup, under another epoch. */
  restore(downMs: number): void {
    if (this.#places.every(({ server }) => server === null)) return;
    const disk = this.#backup.copy(`life ${++this.#restores}`);
    this.#disk = disk;
    this.#database?.failOver(disk, 0);
    this.#firstCommits = Math.min(this.#firstCommits, disk.commits);
    this.#options.onRestored(disk);
    for (const place of this.#places) if (place.server !== null) this.#end(place, false, downMs);
  }

  /** No commit succeeds for a while. */
  fillDisk(forMs: number): void {
    this.#fullUntil = this.#options.world.elapsedMs + forMs;
    if (this.#database) this.#database.fullUntil = this.#fullUntil;
  }

  heal(): void {
    this.#isHealed = true;
    this.#fullUntil = 0;
    this.#database?.heal();
    this.#redis?.heal();
    for (const caller of this.#callers.values()) caller.cutUntil = 0;
  }

  #place(process = 0): Place {
    const place = this.#places[process % this.#places.length];
    if (!place) throw new Error(`no process ${process}`);
    return place;
  }

  #boot(place: Place, downMs: number): void {
    const { world } = this.#options;
    world.schedule(world.beyond, 'boot', downMs, () => {
      const owner = ServerProcess.owner(`${place.name} ${++place.lives}`);
      world.schedule(owner, 'start', 0, () => {
        // A process that cannot start ends, and its supervisor starts another.
        this.#start(place, owner).catch(() => this.#fail(place, owner));
      });
    });
  }

  async #start(place: Place, owner: Owner): Promise<void> {
    const { world, plan, network } = this.#options;
    const { messageLimit, pageLimit } = plan;
    const { epoch } = this.disk;
    const { bus, ...others } = await this.#enter(owner, epoch);
    const surroundings = { ...others, bus: this.#options.plantBus(bus) };
    const onFatal = () => this.#die(owner);
    const presence = this.#options.whereabouts.presenceOf(owner);
    this.#options.whereabouts.started();
    const rest = { surroundings, presence, epoch, messageLimit, pageLimit, onFatal };
    const server = new ServerProcess(world, owner, { store: this.#store(owner, epoch), ...rest });
    place.server = server;
    network.servers = this.#places.flatMap(({ server: other }) => other ?? []);
    await server.start();
  }

  #fail(place: Place, owner: Owner): void {
    if (!owner.isAlive) return;
    if (place.server !== null) return this.#die(owner);
    owner.isAlive = false;
    this.#boot(place, this.#supervisorMs());
  }

  async #enter(owner: Owner, epoch: string): Promise<Surroundings> {
    const { world, plan, plantExchange } = this.#options;
    if (this.#redis) return await together(this.#redis, { owner, epoch, plant: plantExchange });
    const { bus } = plan.weather;
    return alone(createBus(world, owner, () => bus && { ...bus, ...(this.#isHealed ? FAIR : undefined) }));
  }

  #store(owner: Owner, epoch: string): Store {
    const { plant, world } = this.#options;
    const isFull = () => world.elapsedMs < this.#fullUntil;
    const store = this.#database
      ? this.#openShared(this.#database, { owner, epoch })
      : openAlone({ ...this.#options, disk: this.#disk, owner, isFull });
    return plant(store, this.disk);
  }

  #openShared(database: Database, { owner, epoch }: { owner: Owner; epoch: string }): Store {
    const caller: Caller = {
      ...{ owner, epoch, cutUntil: 0 },
      onFatal: () => this.#die(owner),
      onCommitted: () => this.#hasCommitted(owner),
    };
    this.#callers.set(owner, caller);
    return createSharedStore(database, caller);
  }

  /** Right after a commit, and before its process knows of it, is a good moment to die. */
  #hasCommitted(owner: Owner): void {
    const { world, plan } = this.#options;
    const hasBegun = this.#firstCommits < Number.POSITIVE_INFINITY;
    const place = this.#places.findIndex(({ server }) => server?.owner === owner);
    if (!hasBegun || this.#isHealed || place < 0) return;
    if (world.chance(plan.weather.crashAfterCommit)) this.crash(place, world.delay(50, 2000), false);
  }

  #die(owner: Owner): void {
    const place = this.#places.findIndex(({ server }) => server?.owner === owner);
    if (place < 0) return;
    this.crash(place, this.#supervisorMs(), false);
  }

  #supervisorMs(): number {
    return this.#options.world.delay(SUPERVISOR_MS.min, SUPERVISOR_MS.max);
  }

  #end(place: Place, isSilent: boolean, downMs: number): void {
    const { network } = this.#options;
    const { server } = place;
    if (server === null) return;
    this.#options.whereabouts.ended(server.owner, server.isListening);
    server.owner.isAlive = false;
    this.#callers.delete(server.owner);
    this.#database?.left(server.owner, isSilent);
    place.server = null;
    network.servers = network.servers.filter((other) => other !== server);
    network.died(server, isSilent);
    this.#boot(place, downMs);
  }
}
