/** Compares the two databases: of each table, and of each room's messages, the count and a chain over all rows. */
import { createHash, type Hash } from 'node:crypto';
import type { Row, Source } from './source.ts';
import { MESSAGES, type TableWithColumns } from './tables.ts';
import type { Target } from './target.ts';

const PAGE = 5000;

/**
 * What differs, as a part of a sentence; undefined when nothing does. `onRows`: the number of rows that were compared.
 */
export async function findDifference(
  { source, target }: { source: Source; target: Target },
  tables: readonly TableWithColumns[],
  onRows: (count: number) => void,
): Promise<string | undefined> {
  for (const table of tables) {
    const [here, there] = [new Chains(table), new Chains(table)];
    while (!here.isComplete || !there.isComplete) {
      // PostgreSQL reads its page while SQLite's is hashed.
      const page = there.isComplete ? [] : target.page(table, there.after, PAGE);
      if (!here.isComplete) here.add(source.page(table, here.after, PAGE));
      const rows = await page;
      if (!there.isComplete) there.add(rows);
      onRows(rows.length);
    }
    const difference = differenceOf(here.parts, there.parts);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** The count, and the SHA-256 over all rows in the order of their key. */
interface Part {
  count: number;
  digest: string;
}

/** One database's chains, one for each part of a table. Only messages have several parts: the rooms. */
class Chains {
  readonly #table: TableWithColumns;
  /** By a name for the operator. */
  readonly parts = new Map<string, Part>();
  #name = '';
  #count = 0;
  #hash: Hash = createHash('sha256');
  /** The key of the last row; undefined before the first page. */
  after: (string | number | null)[] | undefined;
  isComplete = false;

  constructor(table: TableWithColumns) {
    this.#table = table;
  }

  /** The next page of rows; one that is not full is the last. */
  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const name = partOf(this.#table, row);
      if (name !== this.#name) this.#begin(name);
      this.#count++;
      this.#hash.update(canonical(this.#table, row));
    }
    const last = rows.at(-1);
    this.after = last && this.#table.key.map((column) => last[column] ?? null);
    this.isComplete = rows.length < PAGE;
    if (this.isComplete) this.#begin('');
  }

  #begin(name: string): void {
    if (this.#count > 0) this.parts.set(this.#name, { count: this.#count, digest: this.#hash.digest('hex') });
    this.#name = name;
    this.#count = 0;
    this.#hash = createHash('sha256');
  }
}

/** The same text for the same row, from whichever database it comes. */
function canonical({ columns }: TableWithColumns, row: Row): string {
  return `${JSON.stringify(columns.map((column) => row[column]))}\n`;
}

function partOf({ name }: TableWithColumns, row: Row): string {
  return name === MESSAGES.name ? `room ${row.room_id}` : `the table ${name}`;
}

function differenceOf(here: ReadonlyMap<string, Part>, there: ReadonlyMap<string, Part>): string | undefined {
  for (const name of new Set([...here.keys(), ...there.keys()])) {
    const [one, other] = [here.get(name), there.get(name)];
    if (one?.count !== other?.count)
      return `${name} has ${one?.count ?? 0} rows in SQLite and ${other?.count ?? 0} in PostgreSQL`;
    if (one?.digest !== other?.digest)
      return `${name} does not have the same rows in PostgreSQL as in SQLite`;
  }
  return undefined;
}
