/** Writes the section on the web client in docs/PERFORMANCE.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../../../docs/PERFORMANCE.md', import.meta.url));
const TITLE = '## Web client';

/** Replaces the body of the section, or adds the section at the end of the file when there is none. */
export function writeSection(body: string): void {
  const text = readFileSync(FILE, 'utf8');
  const section = `${TITLE}\n\n${body.trim()}\n`;
  const from = text.indexOf(`${TITLE}\n`);
  if (from < 0) return writeFileSync(FILE, `${text.trimEnd()}\n\n${section}`);
  const next = text.indexOf('\n## ', from + TITLE.length);
  writeFileSync(FILE, text.slice(0, from) + section + (next < 0 ? '' : text.slice(next)));
}
