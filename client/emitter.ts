import type { Cancel } from './clock.ts';

type Listener<T> = (value: T) => void;

/** Tells listeners by the name of the event, in the order in which they came. */
export class Emitter<Events extends object> {
  readonly #listeners: { [Name in keyof Events]?: Set<Listener<Events[Name]>> } = {};

  /** Calls `listener` after each such event, until cancelled. */
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
        // The listener's fault is the listener's: it is reported as uncaught, and the client goes on.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
