/** Loaded into the server before anything else: its calendar stands at the time that the file CLOCK_FILE tells. */
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_FILE ?? '';
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...given: [] | [value: number | string | Date]) {
    super(given[0] ?? told());
  }

  static override now(): number {
    return told();
  }
} as DateConstructor;

function told(): number {
  return RealDate.parse(readFileSync(file, 'utf8'));
}
