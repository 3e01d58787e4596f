/** Puts a bug into the running code, and takes it out again. */
import type { Draw } from './kept-seeds.ts';
import type { SimulationOptions } from './simulation.ts';

export interface PlantedBug {
  readonly name: string;
  /** What the violation that it causes says. */
  readonly shows: RegExp;
  /** A seed that is known to show it, or one just before; by default 1. */
  readonly from?: number;
  /** It shows only among several processes. */
  readonly isOfClusters?: true;
  /** Patches the code; `patch` undoes it when the bug is removed. */
  readonly plant?: (patch: Patch) => void;
  readonly store?: NonNullable<SimulationOptions['plant']>;
  readonly bus?: NonNullable<SimulationOptions['plantBus']>;
  readonly exchange?: NonNullable<SimulationOptions['plantExchange']>;
}

/** So many seeds from `first` on, each with the plan in which the bug can show. */
export function drawsFor(bug: PlantedBug, first: number, count: number): Draw[] {
  return Array.from({ length: count }, (_, index) => ({
    seed: first + index,
    isAlone: bug.isOfClusters !== true,
  }));
}

/** Replaces a method by one that may call it. */
export type Patch = <Name extends string, Target extends { [Key in Name]: (...args: never[]) => unknown }>(
  target: Target,
  name: Name,
  replace: (original: Target[Name]) => Target[Name],
) => void;

/** Runs `task` with the bug in place. */
export async function withBug<T>(
  { plant, store, bus, exchange }: PlantedBug,
  task: (options: SimulationOptions) => Promise<T>,
): Promise<T> {
  const undo: (() => void)[] = [];
  plant?.((target, name, replace) => {
    const own = Object.getOwnPropertyDescriptor(target, name);
    undo.push(() => {
      if (own) Object.defineProperty(target, name, own);
      else Reflect.deleteProperty(target, name);
    });
    const value = replace(target[name]);
    Object.defineProperty(target, name, { configurable: true, writable: true, value });
  });
  try {
    return await task({
      ...(store && { plant: store }),
      ...(bus && { plantBus: bus }),
      ...(exchange && { plantExchange: exchange }),
    });
  } finally {
    for (const one of undo) one();
  }
}
