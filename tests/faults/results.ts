/** The results of the trials of a run: one JSON line each, kept until the table is printed. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const RESULTS_FILE = fileURLToPath(new URL('../../../reports/faults.jsonl', import.meta.url));

export interface Result {
  /** As in docs/GUARANTEES.md. */
  promise: string;
  name: string;
  seed: number;
  acked?: number;
  lost?: number;
  duplicated?: number;
  unexpected?: number;
  outOfOrder?: number;
  recovered?: number;
  figures: Record<string, number | string>;
}

/** Prints a result and keeps it for the table. */
export function announce(result: Result): void {
  const { promise, name, figures, ...counts } = result;
  const all = Object.entries({ ...counts, ...figures }).map(([key, value]) => `${key} ${value}`);
  console.info(`${promise} ${name}: ${all.join(', ')}`);
  if (process.env.KEEP_FAULT_RESULTS === undefined) return;
  mkdirSync(dirname(RESULTS_FILE), { recursive: true });
  appendFileSync(RESULTS_FILE, `${JSON.stringify(result)}\n`);
}
