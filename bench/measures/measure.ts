/** The input and the result of a measure. */
import type { Cores } from '../machine.ts';
import type { Options } from '../options.ts';
import type { Table } from '../table.ts';

export interface Bench {
  options: Options;
  cores: Cores;
  /** Prints the progress. */
  progress(text: string): void;
}

export interface Result {
  title: string;
  /** How to read the table. */
  note: string;
  table: Table;
  /** Further tables, with how to read them. */
  more?: { note: string; table: Table }[];
  /** Every number behind the table, for --json. */
  data: unknown;
}
