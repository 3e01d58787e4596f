/** Tests a promise: runs it with the seeds that failed before and with a new one, prints the result, and checks it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { runSeed } from '../support/random.ts';
import { faultsOf, type Report } from './checker.ts';
import { announce } from './results.ts';

/** The seeds that failed, by the trial's name. The file is in the source folder, so that it is committed. */
const SEEDS_FILE = fileURLToPath(new URL('../../../tests/faults/seeds.json', import.meta.url));
const FAULTS_SHOWN = 20;

/** The result of a run: the checker's report, figures of its own, or both. */
export interface Finding {
  report?: Report;
  /** The counts for the table when there is no report. */
  counts?: { acked: number; lost: number };
  figures?: Record<string, number | string>;
}

export interface Trial {
  /** As in docs/GUARANTEES.md. */
  promise: string;
  name: string;
  /** Throws when the promise is broken in a way that the report does not show. */
  run(seed: number): Promise<Finding>;
}

/** Throws when a run breaks its promise. Its seed is then kept, and replayed first the next time. */
export async function putOnTrial({ promise, name, run }: Trial): Promise<void> {
  for (const seed of [...(readSeeds()[name] ?? []), runSeed()]) {
    try {
      const { report, counts, figures } = await run(seed);
      announce({ promise, name, seed, ...counts, ...countsOf(report), figures: { ...figures } });
      const faults = report ? faultsOf(report) : [];
      const found = { seed, count: faults.length, faults: faults.slice(0, FAULTS_SHOWN) };
      expect(found).toEqual({ seed, count: 0, faults: [] });
    } catch (error) {
      keepSeed(name, seed);
      // The message says the cause too: a reporter may print nothing else.
      throw new Error(`${name}: seed ${seed}: ${String(error)}`, { cause: error });
    }
  }
}

function countsOf(report: Report | undefined) {
  if (!report) return {};
  const { acked, recovered, lost, duplicated, unexpected, outOfOrder, violations } = report;
  return {
    acked,
    lost: lost.length,
    duplicated: duplicated.length,
    unexpected: unexpected.length,
    outOfOrder: outOfOrder.length + violations.length,
    recovered,
  };
}

function readSeeds(): Record<string, number[]> {
  return JSON.parse(readFileSync(SEEDS_FILE, 'utf8')) as Record<string, number[]>;
}

function keepSeed(name: string, seed: number): void {
  const seeds = readSeeds();
  seeds[name] = [...new Set([...(seeds[name] ?? []), seed])];
  writeFileSync(SEEDS_FILE, `${JSON.stringify(seeds, null, 2)}\n`);
}
