/** Seeds that once failed: they are played first, for ever. */
import { readFileSync, writeFileSync } from 'node:fs';

/** Beside the sources, seen from where this file is compiled to. */
const FILE = new URL('../../../tests/simulation/kept-seeds.json', import.meta.url);

interface KeptSeed {
  seed: number;
  /** What was wrong, in a few words. */
  found: string;
}

export function keptSeeds(): KeptSeed[] {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

/** Keeps a seed that has failed; a few words of what was wrong are enough. */
export function keepSeed(seed: number, violation: string): void {
  const kept = keptSeeds();
  if (kept.some((one) => one.seed === seed)) return;
  const found = violation.replaceAll(/[^ -~]|["\\]/g, ' ').slice(0, 70);
  const lines = [...kept, { seed, found }].map((one) => `  { "seed": ${one.seed}, "found": "${one.found}" }`);
  writeFileSync(FILE, `[\n${lines.join(',\n')}\n]\n`);
}
