/** The machine that the server runs on: one disk, and one process after another. */
import type { Store } from '../../server/storage/store.ts';
import type { Disk } from './disk.ts';
import { type BusWeather, createBus } from './late-bus.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';
import type { Network } from './network.ts';
import type { Plan } from './plan.ts';
import { ServerProcess } from './server-process.ts';
import type { World } from './world.ts';

export interface ClusterOptions {
  world: World;
  plan: Plan;
  network: Network;
  disk: Disk;
  plant: (store: Store, disk: Disk) => Store;
  onRestored: (disk: Disk) => void;
}

export class Cluster {
  /** The pages are open: from now on a process may die after a commit. */
  hasBegun = false;
  readonly #options: ClusterOptions;
  #disk: Disk;
  #backup: Disk;
  #lives = 0;
  #restores = 0;
  #crashes = 0;
  #fullUntil = 0;
  #isHealed = false;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.#disk = options.disk;
    this.#backup = options.disk.copy();
    options.world.afterEvent = ({ label, owner }) => {
      if (
        label !== 'commit' ||
        !this.hasBegun ||
        this.#isHealed ||
        owner !== this.#options.network.server?.owner
      )
        return;
      const { world, plan } = this.#options;
      if (world.chance(plan.weather.crashAfterCommit)) this.crash(world.delay(50, 2000), false);
    };
  }

  get disk(): Disk {
    return this.#disk;
  }

  get crashes(): number {
    return this.#crashes;
  }

  get isUp(): boolean {
    return this.#options.network.server?.isListening === true;
  }

  boot(): void {
    const { world, plan, network } = this.#options;
    const owner = ServerProcess.owner(++this.#lives);
    world.schedule(owner, 'start', 0, () => {
      const bus = createBus(world, owner, () => plan.weather.bus && { ...plan.weather.bus, ...this.#fair() });
      const { messageLimit, pageLimit } = plan;
      const limits = { messageLimit, pageLimit };
      const parts = { ...this.#stores(owner), bus, epoch: this.#disk.epoch, ...limits };
      const server = new ServerProcess(world, owner, parts);
      network.server = server;
      // A process that cannot start ends, and its supervisor starts another.
      server.start().catch(() => this.crash(world.delay(100, 1000), false));
    });
  }

  /** The process ends at once. Its memory is lost; what was committed is on the disk. */
  crash(downMs: number, isSilent: boolean): void {
    const server = this.#options.network.server;
    if (server === null) return;
    this.#crashes++;
    this.#options.world.note('CRASH');
    this.#end(server, isSilent, downMs);
  }

  /** A planned restart. */
  restart(downMs: number): void {
    const { world, network } = this.#options;
    const server = network.server;
    if (!server?.isListening) return;
    world.schedule(server.owner, 'stop', 0, () => {
      void server.stop().then(() => {
        // A crash may have ended it first.
        if (network.server === server) this.#end(server, false, downMs);
      });
    });
  }

  backUp(): void {
    this.#backup = this.#disk.copy();
  }

  /** The process ends, and the next one starts from the backup, under another epoch. */
  restore(downMs: number): void {
    const server = this.#options.network.server;
    if (server === null) return;
    this.#disk = this.#backup.copy(`life ${++this.#restores}`);
    this.#options.onRestored(this.#disk);
    this.#end(server, false, downMs);
  }

  /** No commit succeeds for a while. */
  fillDisk(forMs: number): void {
    this.#fullUntil = this.#options.world.elapsedMs + forMs;
  }

  /** The process stands still. */
  pause(forMs: number): void {
    const { world, network } = this.#options;
    if (network.server) network.server.owner.pausedUntil = world.elapsedMs + forMs;
  }

  heal(): void {
    this.#isHealed = true;
    this.#fullUntil = 0;
  }

  #fair(): Partial<BusWeather> | undefined {
    return this.#isHealed ? { loss: 0, userLogLoss: undefined, duplicates: 0 } : undefined;
  }

  #stores(owner: ServerProcess['owner']): { store: Store; revise: MemoryStore['revise'] } {
    const { world, plan, plant } = this.#options;
    const { minMs, maxMs } = plan.weather.storage;
    const store = createMemoryStore({
      disk: this.#disk,
      later: (label, run) => void world.schedule(owner, label, world.delay(minMs, maxMs), run),
      isFull: () => world.elapsedMs < this.#fullUntil,
    });
    return { store: plant(store, this.#disk), revise: store.revise };
  }

  #end(server: ServerProcess, isSilent: boolean, downMs: number): void {
    const { world, network } = this.#options;
    server.owner.isAlive = false;
    network.server = null;
    network.died(server, isSilent);
    world.schedule(world.beyond, 'boot', downMs, () => this.boot());
  }
}
