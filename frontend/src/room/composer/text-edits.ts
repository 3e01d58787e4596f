/** What the composer's keys do to its text. Each is one replacement, so that one undo takes it back. */

export interface Selection {
  readonly start: number;
  readonly end: number;
}

/** Replaces the text from `start` to `end` with `insert`, and then selects. */
export interface TextEdit extends Selection {
  readonly insert: string;
  readonly select: Selection;
}

/** Puts marks around the selection, or removes them when they are there. */
export function toggleMark(text: string, { start, end }: Selection, mark: string): TextEdit {
  const selected = text.slice(start, end);
  const before = start - mark.length;
  const after = end + mark.length;
  const isMarked =
    text.slice(Math.max(before, 0), start) === mark &&
    text.slice(end, after) === mark &&
    // One star of two does not mean italic.
    !(mark.length === 1 && (text.charAt(before - 1) === mark || text.charAt(after) === mark));
  if (isMarked) {
    const select = { start: before, end: before + selected.length };
    return { start: before, end: after, insert: selected, select };
  }
  // Marks beside a space have no effect, so they go around the words alone.
  const words = selected.trim();
  const lead = words === '' ? 0 : selected.indexOf(words);
  const from = start + lead;
  const inside = from + mark.length;
  const to = words === '' ? end : from + words.length;
  const kept = words === '' ? selected : words;
  return {
    start: from,
    end: to,
    insert: `${mark}${kept}${mark}`,
    select: { start: inside, end: inside + kept.length },
  };
}

const LINE_START = /^(\s*)(?:([-+*])|(\d{1,9})([.)])|(>)) +/;

/**
 * A new line within a list or a quote begins like the one before it. In an item that is still empty it ends the list
 * instead. Null when the line is not an item.
 */
export function continueList(text: string, { start, end }: Selection): TextEdit | null {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const line = text.slice(lineStart, start);
  const found = LINE_START.exec(line);
  if (found === null) return null;
  const [mark, indent = '', bullet = '', number, delimiter, quote = ''] = found;
  if (line === mark) return { start: lineStart, end, insert: '', select: at(lineStart) };
  const next = number === undefined ? bullet + quote : `${Number(number) + 1}${delimiter}`;
  const insert = `\n${indent}${next} `;
  return { start, end, insert, select: at(start + insert.length) };
}

/**
 * After `continueList` has begun an item, people often type its mark once more. This takes the repeated mark away, as
 * the space after it is typed: otherwise it would begin a list within the item. Null where nothing is repeated.
 */
export function dropRepeatedMark(text: string, { start, end }: Selection): TextEdit | null {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const before = text.slice(text.lastIndexOf('\n', lineStart - 2) + 1, Math.max(0, lineStart - 1));
  const [mark] = LINE_START.exec(text.slice(lineStart, start)) ?? [];
  if (start !== end || mark === undefined || !LINE_START.test(before)) return null;
  const typed = text.slice(lineStart + mark.length, start);
  return typed !== '' && typed === mark.trim()
    ? { start: start - typed.length, end, insert: '', select: at(start - typed.length) }
    : null;
}

function at(place: number): Selection {
  return { start: place, end: place };
}
