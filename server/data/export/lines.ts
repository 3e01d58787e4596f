/** Reads an export, and refuses what is not as the manifest and the tables say. */
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';
import { DECOY } from '../../rules/decoy-hash.ts';
import { sha256Of } from '../backup/manifest.ts';
import type { Row } from '../storage/copy/source.ts';
import { type Column, type ExportTable, fileOf } from './format.ts';
import type { Manifest } from './manifest.ts';

const CHUNK = 2000;
/** UTF-16 units of one line; the longest row that Roomful writes has a tenth of that. */
const LINE_MAX = 1024 * 1024;

export interface Chunk {
  rows: Row[];
  /** The number of the first row's line; the others follow. */
  line: number;
}

/** Throws a sentence unless every file is the one that the manifest names. */
export async function checkFiles(
  from: string,
  manifest: Pick<Manifest, 'files'>,
  tables: readonly ExportTable[],
  onProgress: (done: number, all: number) => void,
  mayLack: ReadonlySet<string> = new Set(),
): Promise<void> {
  const expected = tables.map(({ name }) => fileOf(name));
  const named = Object.keys(manifest.files);
  const odd = [
    ...expected.filter((name) => !named.includes(name) && !mayLack.has(name)),
    ...named.filter((name) => !expected.includes(name)),
  ];
  if (odd.length > 0)
    throw new UnusableDatabaseError(`manifest.json does not name the files of an export: ${odd.join(', ')}.`);
  const all = Object.values(manifest.files).reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const [name, { rows, bytes, sha256 }] of Object.entries(manifest.files)) {
    onProgress(done, all);
    const found = statSync(join(from, name), { throwIfNoEntry: false })?.size;
    if (found === undefined)
      throw new UnusableDatabaseError(`The export is not complete: it has no ${name}.`);
    // As many ids as there are rows are set aside before they are read.
    if (rows > bytes || found !== bytes || (await sha256Of(join(from, name))) !== sha256)
      throw new UnusableDatabaseError(`The export is damaged: ${name} is not the file of its manifest.`);
    done += bytes;
  }
}

/** The rows of a table. Throws a sentence with the number of the line that is wrong. */
export async function* readRows(
  from: string,
  table: ExportTable,
  manifest: Pick<Manifest, 'files'> & { has_passwords?: boolean },
): AsyncGenerator<Chunk, void> {
  const file = fileOf(table.name);
  let line = 0;
  let rows: Row[] = [];
  for await (const text of linesOf(join(from, file))) {
    line++;
    if (text.length > LINE_MAX) throw new UnusableDatabaseError(`${file}, line ${line} is too long.`);
    const row = parseRow(text, table, manifest.has_passwords === true);
    if (typeof row === 'string') throw new UnusableDatabaseError(`${file}, line ${line}: ${row}.`);
    rows.push(row);
    if (rows.length < CHUNK) continue;
    yield { rows, line: line - rows.length + 1 };
    rows = [];
  }
  if (rows.length > 0) yield { rows, line: line - rows.length + 1 };
  const expected = manifest.files[file]?.rows;
  if (line !== expected)
    throw new UnusableDatabaseError(`${file} has ${line} lines, and its manifest says ${expected}.`);
}

/** Only a line feed ends a line: other separators of lines may be in a text. What has no end is given as it is. */
async function* linesOf(file: string): AsyncGenerator<string, void> {
  let rest = '';
  for await (const text of createReadStream(file, { encoding: 'utf8', highWaterMark: 256 * 1024 })) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    // What reads the lines refuses it: it would be joined to all that follows.
    if (rest.length > LINE_MAX) break;
  }
  if (rest !== '') yield rest;
}

/** The row, or what is wrong with it. */
function parseRow(text: string, { name, types }: ExportTable, hasPasswords: boolean): Row | string {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return 'it is not JSON, or it is cut off';
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return 'it is not a JSON object';
  const row = found as Record<string, string | number | null>;
  if (!hasPasswords && name === 'users' && row.password_hash === null) row.password_hash = DECOY;
  for (const type of types) {
    if (type.isNewer && !Object.hasOwn(row, type.name)) row[type.name] = null;
    const wrong = whatIsWrong(row, type);
    if (wrong !== undefined) return `"${type.name}" ${wrong}`;
  }
  const unknown = Object.keys(row).find((key) => !types.some((type) => type.name === key));
  return unknown === undefined ? row : `${JSON.stringify(unknown)} is not a field of this file`;
}

function whatIsWrong(
  row: Readonly<Record<string, unknown>>,
  { name, type, isNullable }: Column,
): string | undefined {
  const value = Object.hasOwn(row, name) ? row[name] : undefined;
  if (value === undefined) return 'is missing';
  if (value === null) return isNullable ? undefined : 'must not be null';
  if (type === 'text') return typeof value === 'string' ? undefined : 'must be a text';
  return Number.isSafeInteger(value) ? undefined : 'must be a whole number';
}
