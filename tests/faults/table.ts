/** Prints the table of a fault run, with the figures of every trial, when all have ended (Vitest's globalSetup). */
import { readFileSync, rmSync } from 'node:fs';
import { RESULTS_FILE, type Result } from './results.ts';

const COLUMNS = ['acked', 'lost', 'duplicated', 'unexpected', 'outOfOrder', 'recovered', 'seed'] as const;

/** Removes the results of the last run. */
export function setup(): void {
  rmSync(RESULTS_FILE, { force: true });
}

export function teardown(): void {
  const results = readResults();
  if (results.length === 0) return;
  const rows = results.map((result) => [
    `${result.promise} ${result.name}`,
    ...COLUMNS.map((column) => String(result[column] ?? '')),
    Object.entries(result.figures)
      .map(([name, value]) => `${name} ${value}`)
      .join(' \u00b7 '),
  ]);
  const header = ['trial', ...COLUMNS, 'more'];
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  console.info(`\n${lines.join('\n')}\n`);
}

function readResults(): Result[] {
  try {
    return readFileSync(RESULTS_FILE, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Result);
  } catch {
    return []; // Nothing was run.
  }
}
