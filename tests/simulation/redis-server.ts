/**
 * Redis, which the processes of a cluster share. The server's own `Redis`, its bus and its exchange of rosters run on
 * it unchanged. What is published may be late, lost or doubled; what one process publishes arrives in order.
 */
import type { RedisLink } from '../../server/platform/redis/link.ts';
import { newOwner, type Owner, type World } from './world.ts';

/** The faults of channels: the probability of each, per event and listener. */
export interface RedisWeather {
  maxMs: number;
  loss: number;
  duplicates: number;
}

type Hear = (payload: string, channel: string) => void;

/** Which connections of a process bring nothing: the one for commands, the one for channels, or both. */
export type CutWay = 'says' | 'hears' | 'both';

/** The commands that the server sends once it is connected. */
const COMMANDS = {
  set: (data: RedisData, [key = '', value = '', , leaseMs]: string[]) =>
    data.set(key, value, Number(leaseMs)),
  get: (data: RedisData, [key = '']: string[]) => data.get(key),
  mget: (data: RedisData, keys: string[]) => keys.map((key) => data.get(key)),
  exists: (data: RedisData, [key = '']: string[]) => (data.get(key) === null ? 0 : 1),
  pexpire: (data: RedisData, [key = '', leaseMs]: string[]) => data.prolong(key, Number(leaseMs)),
  sadd: (data: RedisData, [key = '', member = '']: string[]) => data.members(key).add(member).size,
  srem: (data: RedisData, [key = '', member = '']: string[]) => (data.members(key).delete(member) ? 1 : 0),
  smembers: (data: RedisData, [key = '']: string[]) => [...data.members(key)],
} as const;

class RedisData {
  readonly #now: () => number;
  readonly #values = new Map<string, { value: string; until: number }>();
  readonly #sets = new Map<string, Set<string>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get(key: string): string | null {
    const kept = this.#values.get(key);
    return kept && this.#now() < kept.until ? kept.value : null;
  }

  set(key: string, value: string, leaseMs: number): string {
    this.#values.set(key, { value, until: this.#now() + leaseMs });
    return 'OK';
  }

  prolong(key: string, leaseMs: number): number {
    const value = this.get(key);
    if (value === null) return 0;
    this.set(key, value, leaseMs);
    return 1;
  }

  members(key: string): Set<string> {
    const set = this.#sets.get(key) ?? new Set<string>();
    this.#sets.set(key, set);
    return set;
  }

  clear(): void {
    this.#values.clear();
    this.#sets.clear();
  }
}

export class RedisServer {
  readonly owner = newOwner('redis');
  readonly #world: World;
  readonly #weather: () => RedisWeather;
  readonly #data: RedisData;
  #links: SimulatedLink[] = [];
  /** By process: until when each of its connections brings nothing. */
  readonly #cuts = new Map<Owner, { says: number; hears: number }>();
  #awayUntil = 0;

  constructor(world: World, weather: () => RedisWeather) {
    this.#world = world;
    this.#weather = weather;
    this.#data = new RedisData(() => world.elapsedMs);
  }

  /** The connections of a process. Rejects while it is cut off, or the server is away. */
  connect(owner: Owner): Promise<RedisLink> {
    return new Promise((resolve, reject) => {
      this.#world.schedule(owner, 'connect to redis', this.delay(), () => {
        const { elapsedMs } = this.#world;
        if (
          elapsedMs < Math.max(this.#awayUntil, this.heldUntil(owner, 'says'), this.heldUntil(owner, 'hears'))
        )
          return reject(new Error('Redis is away'));
        const link = new SimulatedLink(this.#world, this, owner);
        this.#links.push(link);
        resolve(link);
      });
    });
  }

  /** Cuts a process off, and nobody tells it: only the silence of its echo shows that. */
  cut(owner: Owner, way: CutWay, forMs: number): void {
    const until = this.#world.elapsedMs + forMs;
    this.#cuts.set(owner, { says: way === 'hears' ? 0 : until, hears: way === 'says' ? 0 : until });
  }

  /** The open connections of a process stay without what it says, or what it would hear. */
  deafen(owner: Owner, way: 'says' | 'hears'): void {
    for (const link of this.#links) if (link.owner === owner) link.loses(way);
  }

  /** The server ends, and starts again without anything that it had. */
  restart(downMs: number): void {
    this.#awayUntil = this.#world.elapsedMs + downMs;
    this.#data.clear();
    for (const link of [...this.#links]) link.destroy(new Error('Redis has ended'));
  }

  heal(): void {
    this.#cuts.clear();
    this.#awayUntil = 0;
  }

  delay(): number {
    return this.#world.delay(0, this.#weather().maxMs);
  }

  /** What a connection carries stays on its way until then, as TCP repeats it. */
  heldUntil(owner: Owner, way: 'says' | 'hears'): number {
    return this.#cuts.get(owner)?.[way] ?? 0;
  }

  run([name = '', ...args]: readonly string[]): unknown {
    if (name === 'PUBSUB') return args.slice(1).flatMap((channel) => [channel, this.#listeners(channel)]);
    const command = COMMANDS[name.toLowerCase() as keyof typeof COMMANDS];
    if (command === undefined) throw new Error(`the simulation has no ${name}`);
    return command(this.#data, args);
  }

  #listeners(channel: string): number {
    return this.#links.filter((link) => link.isOpen && link.hears(channel)).length;
  }

  publish(from: SimulatedLink, channel: string, payload: string): void {
    const { loss, duplicates, maxMs } = this.#weather();
    this.#links = this.#links.filter(({ isOpen }) => isOpen);
    for (const to of this.#links) {
      if (!to.hears(channel)) continue;
      // An echo that is lost alone tells nothing.
      const isEcho = to === from;
      const times = (!isEcho && this.#world.chance(loss) ? 0 : 1) + (this.#world.chance(duplicates) ? 1 : 0);
      for (let time = 0; time < times; time++) to.deliver(from, { channel, payload, maxMs });
    }
  }
}

class SimulatedLink implements RedisLink {
  readonly owner: Owner;
  readonly lost: Promise<Error>;
  readonly #world: World;
  readonly #server: RedisServer;
  readonly #channels = new Map<string, Hear>();
  /** When the last event of each publisher arrives. */
  readonly #lastAt = new Map<SimulatedLink, number>();
  #lose: (cause: Error) => void = () => {};
  #isDestroyed = false;
  #isMute = false;
  #isDeaf = false;

  constructor(world: World, server: RedisServer, owner: Owner) {
    this.#world = world;
    this.#server = server;
    this.owner = owner;
    this.lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
  }

  get isOpen(): boolean {
    return !this.#isDestroyed && this.owner.isAlive;
  }

  send(command: readonly string[]): Promise<unknown> {
    if (this.#isDestroyed) return Promise.reject(new Error('the link is lost'));
    const [name, channel = '', payload = ''] = command;
    if (name !== 'PUBLISH') return this.#respond('says', `redis ${name}`, () => this.#server.run(command));
    if (this.#isMute) return Promise.resolve(0);
    const heldUntil = this.#server.heldUntil(this.owner, 'says');
    const publish = () => this.#server.publish(this, channel, payload);
    if (heldUntil <= this.#world.elapsedMs) publish();
    else
      this.#world.scheduleAt(this.#server.owner, 'redis PUBLISH', heldUntil, () => this.isOpen && publish());
    return Promise.resolve(1);
  }

  async subscribe(channels: string[], listener: Hear): Promise<void> {
    await this.#respond('hears', 'redis SUBSCRIBE', () => {
      for (const channel of channels) this.#channels.set(channel, listener);
    });
  }

  async unsubscribe(channels: string[]): Promise<void> {
    await this.#respond('hears', 'redis UNSUBSCRIBE', () => {
      for (const channel of channels) this.#channels.delete(channel);
    });
  }

  destroy(cause: Error): void {
    this.#isDestroyed = true;
    this.#lose(cause);
  }

  hears(channel: string): boolean {
    return !this.#isDeaf && this.#channels.has(channel);
  }

  loses(way: 'says' | 'hears'): void {
    if (way === 'says') this.#isMute = true;
    else this.#isDeaf = true;
  }

  deliver(
    from: SimulatedLink,
    { channel, payload, maxMs }: { channel: string; payload: string; maxMs: number },
  ): void {
    const lastAt = this.#lastAt.get(from) ?? 0;
    const at = Math.max(lastAt, this.#at('hears', this.#world.delay(0, maxMs)));
    this.#lastAt.set(from, at);
    this.#world.scheduleAt(this.owner, 'redis event', at, () => {
      if (!this.#isDestroyed) this.#channels.get(channel)?.(payload, channel);
    });
  }

  /** Runs at the server. Rejects when the link is lost before the reply has come. */
  #respond<T>(way: 'says' | 'hears', label: string, run: () => T): Promise<T> {
    const reply = new Promise<T>((resolve) => {
      this.#world.scheduleAt(this.#server.owner, label, this.#at(way, this.#server.delay()), () => {
        if (!this.isOpen) return;
        const result = run();
        const at = this.#at(way, this.#server.delay());
        this.#world.scheduleAt(this.owner, `${label}: reply`, at, () => resolve(result));
      });
    });
    return Promise.race([reply, this.#whenLost()]);
  }

  #at(way: 'says' | 'hears', delayMs: number): number {
    return Math.max(this.#world.elapsedMs, this.#server.heldUntil(this.owner, way)) + delayMs;
  }

  async #whenLost(): Promise<never> {
    throw await this.lost;
  }
}
