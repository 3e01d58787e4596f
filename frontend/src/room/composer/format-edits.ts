/** What the buttons of the formatting strip do to the text, beside `toggleMark`. */
import type { Selection, TextEdit } from './text-edits.ts';

const ADDRESS = /^(?:https?:\/\/|mailto:)\S+$/i;
const BULLET = /^\s*[-+*] /;

/** A link of the selection: what is missing, its address or its words, is where the cursor goes. */
export function makeLink(text: string, { start, end }: Selection): TextEdit {
  const selected = text.slice(start, end);
  const isAddress = ADDRESS.test(selected.trim());
  const insert = isAddress ? `[](${selected.trim()})` : `[${selected}]()`;
  const cursor = start + (isAddress ? 1 : insert.length - 1);
  return { start, end, insert, select: { start: cursor, end: cursor } };
}

/** Makes a list of the selected lines, or lines of the list when all of them are items. */
export function toggleList(text: string, { start, end }: Selection): TextEdit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  // A selection that ends with a line break does not mean the line after it.
  const last = end > start && text[end - 1] === '\n' ? end - 1 : end;
  const next = text.indexOf('\n', last);
  const to = next < 0 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const isList = lines.every((line) => BULLET.test(line));
  const changed = lines.map((line) =>
    isList ? line.replace(BULLET, '') : BULLET.test(line) ? line : `- ${line}`,
  );
  const insert = changed.join('\n');
  return { start: from, end: to, insert, select: { start: from, end: from + insert.length } };
}
