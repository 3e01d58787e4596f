/** Reads a `.env` file strictly: a line that Node's parser would skip or misread is an error that names the line. */
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** `NAME=value`, with the forms that shells and `.env` parsers share: leading blanks, `export`, blanks around `=`. */
const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*)$/;
const QUOTES = ['"', "'", '`'];

/** The file is not what a `.env` file may be; the message is a sentence for the operator. */
export class DotEnvError extends Error {
  override readonly name = 'DotEnvError';
}

/** The variables of the file at `path`; none when there is no such file. */
export function readDotEnv(path: string): NodeJS.Dict<string> {
  if (!existsSync(path)) return {};
  return parseDotEnv(decode(readFileSync(path)));
}

/** The variables of a `.env` text. Throws a DotEnvError that names the first bad line, and never quotes its value. */
export function parseDotEnv(text: string): NodeJS.Dict<string> {
  const lines = text.split(/\r\n|\r|\n/);
  const clean: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name, value = ''] = ASSIGNMENT.exec(line) ?? [];
    if (name === undefined) throw new DotEnvError(`.env line ${index + 1} is not NAME=value.`);
    const last = endOfValue(lines, index, value);
    clean.push(`${name}=${withoutBlanks(value)}`, ...lines.slice(index + 1, last + 1));
    index = last;
  }
  return parseEnv(clean.join('\n'));
}

/** A value without quotes loses its comment and the blanks at its end: Node's parser strips spaces, but no tabs. */
function withoutBlanks(value: string): string {
  return QUOTES.includes(value.charAt(0)) ? value : value.replace(/#.*$/, '').trimEnd();
}

/** The index of the line on which the value ends: a quoted one may span lines. */
function endOfValue(lines: readonly string[], from: number, value: string): number {
  const quote = value.charAt(0);
  if (!QUOTES.includes(quote)) return from;
  let rest = value.slice(1);
  for (let index = from; index < lines.length; rest = lines[++index] ?? '') {
    const end = rest.indexOf(quote);
    if (end === -1) continue;
    if (/^\s*(#|$)/.test(rest.slice(end + 1))) return index;
    throw new DotEnvError(`.env line ${index + 1} has text after the closing quote.`);
  }
  throw new DotEnvError(`.env line ${from + 1} opens a quote that is never closed.`);
}

/** The text of the file without a byte order mark, which would become part of the first name. */
function decode(bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Not UTF-8, as below.
  }
  throw new DotEnvError('.env is not UTF-8 text. Save it as UTF-8.');
}
