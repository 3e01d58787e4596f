import { expect, test } from 'vitest';
import { makeLink, toggleList } from './format-edits.ts';
import type { Selection, TextEdit } from './text-edits.ts';

/** The text before and after, with the selection in [ ] marks of its own: ‹ and ›. */
function edited(marked: string, edit: (text: string, selection: Selection) => TextEdit): string {
  const start = marked.indexOf('‹');
  const end = marked.indexOf('›') - 1;
  const text = marked.replace(/[‹›]/g, '');
  const { start: from, end: to, insert, select } = edit(text, { start, end });
  const after = text.slice(0, from) + insert + text.slice(to);
  return `${after.slice(0, select.start)}‹${after.slice(select.start, select.end)}›${after.slice(select.end)}`;
}

test.each([
  ['see ‹the page› now', 'see [the page](‹›) now'],
  ['‹https://example.org/›', '[‹›](https://example.org/)'],
  ['‹›', '[](‹›)'],
])('a link of %s is %s', (before, after) => {
  expect(edited(before, makeLink)).toBe(after);
});

test.each([
  ['‹one›', '‹- one›'],
  ['o‹n›e', '‹- one›'],
  ['‹one\ntwo›', '‹- one\n- two›'],
  ['‹- one\n- two›', '‹one\ntwo›'],
  ['‹- one\ntwo›', '‹- one\n- two›'],
  ['first\n‹one\n›last', 'first\n‹- one›\nlast'],
  ['‹›', '‹- ›'],
])('a list of %j is %j', (before, after) => {
  expect(edited(before, toggleList)).toBe(after);
});
