/**
 * A bus within one process that has all the faults that `server/bus/bus.ts` allows between processes: events arrive
 * late, twice or not at all, but in the order in which they were published.
 */
import type { Bus, BusEvent } from '../../server/bus/bus.ts';
import { createMemoryBus } from '../../server/bus/memory.ts';
import type { Owner, World } from './world.ts';

export interface BusWeather {
  maxMs: number;
  loss: number;
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
    subscribe: bus.subscribe,
    publish(event) {
      const now = weather();
      if (now === null) return bus.publish(event);
      // Only messages may be lost: only they have a log from which the room can read what it missed.
      const isLost = event.type === 'message' && world.chance(now.loss);
      if (!isLost) ring(event, now.maxMs);
      if (world.chance(now.duplicates)) ring(event, now.maxMs);
    },
  };
}
