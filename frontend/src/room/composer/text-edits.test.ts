import { describe, expect, test } from 'vitest';
import { continueList, dropRepeatedMark, type Selection, type TextEdit, toggleMark } from './text-edits.ts';

/** `a [b] c`: brackets mark the selection, `|` the caret. */
function parse(shown: string): { text: string; selection: Selection } {
  const text = shown.replace(/[[\]|]/g, '');
  const start = shown.search(/[[|]/);
  const end = shown.includes('|') ? start : shown.indexOf(']') - 1;
  return { text, selection: { start, end } };
}

function apply(text: string, { start, end, insert, select }: TextEdit): string {
  const edited = text.slice(0, start) + insert + text.slice(end);
  if (select.start === select.end) return `${edited.slice(0, select.start)}|${edited.slice(select.start)}`;
  const { start: from, end: to } = select;
  return `${edited.slice(0, from)}[${edited.slice(from, to)}]${edited.slice(to)}`;
}

describe('a mark is set around the selection, and removed again', () => {
  test.each([
    ['a [b] c', '**', 'a **[b]** c'],
    ['a **[b]** c', '**', 'a [b] c'],
    ['a [b ]c', '*', 'a *[b]* c'],
    ['a | c', '`', 'a `|` c'],
    ['a `|` c', '`', 'a | c'],
    ['**[b]**', '*', '***[b]***'],
    ['[b]', '*', '*[b]*'],
  ])('%s with %s', (before, mark, after) => {
    const { text, selection } = parse(before);
    expect(apply(text, toggleMark(text, selection, mark))).toBe(after);
  });
});

describe('a new line continues the list', () => {
  test.each([
    ['- a|', '- a\n- |'],
    ['  * a|', '  * a\n  * |'],
    ['1. a|', '1. a\n2. |'],
    ['9) a|', '9) a\n10) |'],
    ['> a|', '> a\n> |'],
    ['- a|b', '- a\n- |b'],
    ['- a\n- |', '- a\n|'],
    ['x\n3. |', 'x\n|'],
  ])('%j', (before, after) => {
    const { text, selection } = parse(before);
    const edit = continueList(text, selection);
    expect(edit && apply(text, edit)).toBe(after);
  });

  test.each(['a|', '-|', '|- a', '-a|', '1.a|', ''])('%j is not a list', (before) => {
    const { text, selection } = parse(before);
    expect(continueList(text, selection)).toBeNull();
  });
});

describe('a mark typed again in the item that a new line began is dropped', () => {
  test.each([
    ['- a\n- -|', '- a\n- |'],
    ['  * a\n  * *|', '  * a\n  * |'],
    ['1. a\n2. 2.|', '1. a\n2. |'],
    ['> a\n> >|', '> a\n> |'],
  ])('%j', (before, after) => {
    const { text, selection } = parse(before);
    const edit = dropRepeatedMark(text, selection);
    expect(edit && apply(text, edit)).toBe(after);
  });

  test.each(['- -|', '- a\n- b -|', '- a\n- *|', 'a\n- -|', '- a\n- |'])('%j stays as it is', (before) => {
    const { text, selection } = parse(before);
    expect(dropRepeatedMark(text, selection)).toBeNull();
  });
});
