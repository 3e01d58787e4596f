/** Seeds that once failed. Every run plays them first. */
import { readFileSync, writeFileSync } from 'node:fs';

/** In the source folder; the path is relative to the compiled file. */
const FILE = new URL('../../../tests/simulation/kept-seeds.json', import.meta.url);

/** A seed, and which of its plans: see `isAloneIn`. */
export interface Draw {
  seed: number;
  isAlone: boolean;
}

interface KeptSeed extends Draw {
  /** What was wrong, in a few words. */
  found: string;
}

export function keptSeeds(): KeptSeed[] {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

/** Adds a seed that failed to the file, with a few words on what was wrong. */
export function keepSeed({ seed, isAlone }: Draw, violation: string): void {
  const kept = keptSeeds();
  if (kept.some((one) => one.seed === seed && one.isAlone === isAlone)) return;
  const found = violation.replaceAll(/[^ -~]|["\\]/g, ' ').slice(0, 70);
  writeFileSync(FILE, `${JSON.stringify([...kept, { seed, isAlone, found }], null, 2)}\n`);
}
