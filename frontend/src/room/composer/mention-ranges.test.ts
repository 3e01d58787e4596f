import { expect, test } from 'vitest';
import { mentionRanges } from './mention-ranges.ts';

const known = new Set(['ann', 'sam okafor']);

function coloured(text: string): string[] {
  return mentionRanges(text, (key) => known.has(key)).map(({ start, end }) => text.slice(start, end));
}

test('known people are coloured, with the quotes around a name', () => {
  expect(coloured('@ann, and @"Sam Okafor"!')).toEqual(['@ann', '@"Sam Okafor"']);
  expect(coloured('@anna and a@ann.example')).toEqual([]);
});

test('a call of the room is coloured', () => {
  expect(mentionRanges('hi @here', () => false)).toEqual([{ kind: 'room', start: 3, end: 8 }]);
});

test('nothing within code is coloured, even where the same name is mentioned elsewhere', () => {
  expect(mentionRanges('`@ann` @ann', (key) => known.has(key))).toEqual([
    { kind: 'person', start: 7, end: 11 },
  ]);
  expect(coloured('```\n@ann @room\n')).toEqual([]);
});

test('a text of many pages is not looked through', () => {
  expect(coloured(`@ann ${'x'.repeat(20_000)}`)).toEqual([]);
});
