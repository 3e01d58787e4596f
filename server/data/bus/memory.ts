/** The bus of a process that runs alone: a function call. */
import type { Bus, BusEvent } from './bus.ts';

const DONE = Promise.resolve();

export function createMemoryBus(): Bus {
  const listeners = new Set<(event: BusEvent) => void>();
  return {
    publish(event) {
      for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    enter: () => DONE,
    leave() {},
    crossingMs: 0,
    crossed() {},
    isInDoubt: false,
    onDoubt: () => () => {},
    async close() {
      listeners.clear();
    },
  };
}
