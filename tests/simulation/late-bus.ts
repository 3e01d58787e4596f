/**
 * A bus within one process that has all the faults that `server/data/bus/bus.ts` allows between processes: events
 * arrive late, twice or not at all, but in the order in which they were published.
 */
import type { Bus, BusEvent } from '../../server/data/bus/bus.ts';
import { createMemoryBus } from '../../server/data/bus/memory.ts';
import type { Owner, World } from './world.ts';

export interface BusWeather {
  maxMs: number;
  /** The probability that a message is not announced. */
  loss: number;
  /** The same for a change in a user's own log. */
  userLogLoss?: number | undefined;
  duplicates: number;
}

/** Without a weather (null) the bus is that of a process that runs alone. */
export function createBus(world: World, owner: Owner, weather: () => BusWeather | null): Bus {
  const bus = createMemoryBus();
  let lastAt = 0;
  const ring = (event: BusEvent, maxMs: number) => {
    lastAt = Math.max(lastAt, world.elapsedMs + world.delay(0, maxMs));
    world.scheduleAt(owner, `bus: ${event.type}`, lastAt, () => bus.publish(event));
  };
  return {
    ...bus,
    publish(event) {
      const now = weather();
      if (now === null) return bus.publish(event);
      const loss = lossOf(event, now);
      const isLost = loss !== undefined && world.chance(loss);
      if (!isLost) ring(event, now.maxMs);
      if (world.chance(now.duplicates)) ring(event, now.maxMs);
    },
  };
}

/** Only what has a log may be lost: the next announcement makes the listeners read what they missed. */
function lossOf({ type }: BusEvent, { loss, userLogLoss }: BusWeather): number | undefined {
  if (type === 'message') return loss;
  return type === 'user_log' ? userLogLoss : undefined;
}
