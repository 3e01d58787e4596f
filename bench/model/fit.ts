/** The costs of the model from what was measured. */
import type { Costs } from './costs.ts';

/** What one message took on average, in a load that was measured. Times are CPU microseconds. */
export interface Measured {
  processes: number;
  /** Messages of a batch. */
  batch: number;
  /** Calls of the system, of all processes. */
  reads: number;
  writes: number;
  processUs: number;
  postgresUs: number;
  redisUs: number;
  clientUs: number;
}

const ROUNDS = 20_000;

/**
 * Loads that differ in what a message takes: in batches, reads and writes, and copies to other processes. `flushUs`: of
 * the log to disk. Costs that several loads explain by one and the same line are found by least squares of the relative
 * errors, and none is negative.
 */
export function fitCosts(loads: readonly Measured[], flushUs: number): Costs {
  const process = solve(
    loads.map(({ processes, reads, writes }) => [1, processes - 1, reads, writes]),
    loads.map(({ processUs }) => processUs),
  );
  const postgres = solve(
    loads.map(({ batch }) => [1, 1 / batch]),
    loads.map(({ postgresUs }) => postgresUs),
  );
  const redis = solve(
    loads.map(({ processes }) => [1, processes - 1]),
    loads.map(({ redisUs }) => redisUs),
  );
  const [messageUs = 0, copyUs = 0, readUs = 0, writeUs = 0] = process;
  const [rowUs = 0, batchUs = 0] = postgres;
  const [redisUs = 0, redisCopyUs = 0] = redis;
  return { messageUs, copyUs, readUs, writeUs, rowUs, batchUs, redisUs, redisCopyUs, flushUs };
}

/** The CPU time of Roomful for a message, by these costs. */
export function processUsOf(costs: Costs, { processes, reads, writes }: Measured): number {
  const { messageUs, copyUs, readUs, writeUs } = costs;
  return messageUs + (processes - 1) * copyUs + reads * readUs + writes * writeUs;
}

/** Non-negative least squares by coordinate descent; each equation is divided by its right side. */
function solve(rows: readonly number[][], values: readonly number[]): number[] {
  const scaled = rows.map((row, index) => row.map((each) => each / (values[index] || 1)));
  const solution = (rows[0] ?? []).map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    for (const column of solution.keys()) {
      let above = 0;
      let below = 0;
      for (const row of scaled) {
        const each = row[column] ?? 0;
        const others = row.reduce(
          (sum, other, at) => sum + (at === column ? 0 : other * (solution[at] ?? 0)),
          0,
        );
        above += each * (1 - others);
        below += each * each;
      }
      solution[column] = below === 0 ? 0 : Math.max(0, above / below);
    }
  }
  return solution;
}
