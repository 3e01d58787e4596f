/**
 * A bus that has all the faults that `server/bus/bus.ts` allows between processes: events arrive late, twice or not at
 * all, but in the order in which they were published.
 */
import type { Bus, BusEvent } from '../../server/bus/bus.ts';
import { createMemoryBus } from '../../server/bus/memory.ts';
import type { Owner, World } from './world.ts';

export interface BusWeather {
  maxMs: number;
  /** The probability that a message is not announced. */
  loss: number;
  /** The same for a change in a user's own log. */
  userLogLoss?: number | undefined;
  duplicates: number;
}

/** The bus of a process that runs alone, late like one between processes. Without a weather (null) it has no faults. */
export function createBus(world: World, owner: Owner, weather: () => BusWeather | null): Bus {
  const bus = createMemoryBus();
  const way = new Way(world, owner, bus);
  return {
    ...bus,
    publish(event) {
      const now = weather();
      if (now === null) bus.publish(event);
      else way.carry(event, now);
    },
  };
}

/** A process on the bus between processes. */
interface Stop {
  readonly owner: Owner;
  readonly local: Bus;
  /** What it says is lost until then. */
  muteUntil: number;
  /** What it would hear is lost until then. */
  deafUntil: number;
  /** To each of the others. */
  readonly ways: Map<Stop, Way>;
}

/** The bus between processes. Each hears its own events at once. */
export class LateBus {
  readonly #world: World;
  readonly #weather: () => BusWeather;
  #stops: Stop[] = [];

  constructor(world: World, weather: () => BusWeather) {
    this.#world = world;
    this.#weather = weather;
  }

  /** The bus as a process sees it. */
  enter(owner: Owner): Bus {
    const local = createMemoryBus();
    const stop: Stop = { owner, local, muteUntil: 0, deafUntil: 0, ways: new Map() };
    this.#stops = [...this.#stops.filter((other) => other.owner.isAlive), stop];
    return {
      ...local,
      publish: (event) => {
        local.publish(event);
        this.#carry(stop, event);
      },
    };
  }

  /** Cuts a process off. */
  cut(owner: Owner, way: 'says' | 'hears' | 'both', forMs: number): void {
    const until = this.#world.elapsedMs + forMs;
    for (const stop of this.#stops) {
      if (stop.owner !== owner) continue;
      if (way !== 'hears') stop.muteUntil = until;
      if (way !== 'says') stop.deafUntil = until;
    }
  }

  heal(): void {
    for (const stop of this.#stops) {
      stop.muteUntil = 0;
      stop.deafUntil = 0;
    }
  }

  #carry(from: Stop, event: BusEvent): void {
    const { elapsedMs } = this.#world;
    if (elapsedMs < from.muteUntil) return;
    for (const to of this.#stops) {
      if (to === from || !to.owner.isAlive || elapsedMs < to.deafUntil) continue;
      let way = from.ways.get(to);
      if (!way) {
        way = new Way(this.#world, to.owner, to.local);
        from.ways.set(to, way);
      }
      way.carry(event, this.#weather());
    }
  }
}

/** The way of events to one process. */
class Way {
  readonly #world: World;
  readonly #to: Owner;
  readonly #bus: Bus;
  #lastAt = 0;

  constructor(world: World, to: Owner, bus: Bus) {
    this.#world = world;
    this.#to = to;
    this.#bus = bus;
  }

  carry(event: BusEvent, weather: BusWeather): void {
    const loss = lossOf(event, weather);
    const isLost = loss !== undefined && this.#world.chance(loss);
    if (!isLost) this.#ring(event, weather.maxMs);
    if (this.#world.chance(weather.duplicates)) this.#ring(event, weather.maxMs);
  }

  #ring(event: BusEvent, maxMs: number): void {
    this.#lastAt = Math.max(this.#lastAt, this.#world.elapsedMs + this.#world.delay(0, maxMs));
    this.#world.scheduleAt(this.#to, `bus: ${event.type}`, this.#lastAt, () => this.#bus.publish(event));
  }
}

/** Only what has a log may be lost: the next announcement makes the listeners read what they missed. */
function lossOf({ type }: BusEvent, { loss, userLogLoss }: BusWeather): number | undefined {
  if (type === 'message') return loss;
  return type === 'user_log' ? userLogLoss : undefined;
}
