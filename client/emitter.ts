import type { Cancel } from './clock.ts';

type Listener<T> = (value: T) => void;

/** Calls the listeners of an event in the order in which they were added. */
export class Emitter<Events extends object> {
  readonly #listeners: { [Name in keyof Events]?: Set<Listener<Events[Name]>> } = {};

  /** Calls `listener` on each event of that name, until cancelled. */
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): Cancel {
    const listeners: Set<Listener<Events[Name]>> = this.#listeners[name] ?? new Set();
    this.#listeners[name] = listeners;
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  emit<Name extends keyof Events>(name: Name, value: Events[Name]): void {
    for (const listener of this.#listeners[name] ?? []) {
      try {
        listener(value);
      } catch (error) {
        // A listener that throws must not break the client: the error is rethrown as uncaught.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
