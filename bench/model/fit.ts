/** The costs of the model from what was measured. */
import type { Costs } from './cluster.ts';

/** CPU microseconds of a message in each part, and the messages of a batch. */
export interface Measured {
  batch: number;
  processUs: number;
  postgresUs: number;
  redisUs: number;
  clientUs: number;
}

/** What a message costs in any batch, and what a batch costs. */
interface Line {
  each: number;
  batch: number;
}

/**
 * `small` and `large` are of one process, with small and with large batches; `two` is of two processes. `flushUs` is the
 * time of a flush to disk.
 */
export function fitCosts(
  { small, large, two }: { small: Measured; large: Measured; two: Measured },
  flushUs: number,
): Costs {
  const process = fitLine(small, large, ({ processUs }) => processUs);
  const postgres = fitLine(small, large, ({ postgresUs }) => postgresUs);
  return {
    messageUs: process.each,
    callUs: process.batch,
    foreignUs: Math.max(0, two.processUs - process.each - process.batch / two.batch),
    rowUs: postgres.each,
    batchUs: postgres.batch,
    redisUs: large.redisUs,
    redisCopyUs: Math.max(0, two.redisUs - large.redisUs),
    clientUs: large.clientUs,
    flushUs,
  };
}

/** Through two points. Neither part is negative. */
function fitLine(small: Measured, large: Measured, costOf: (measured: Measured) => number): Line {
  const slope = (costOf(small) - costOf(large)) / (1 / small.batch - 1 / large.batch);
  const batch = Number.isFinite(slope) ? Math.min(Math.max(0, slope), costOf(large) * large.batch) : 0;
  return { each: costOf(large) - batch / large.batch, batch };
}
