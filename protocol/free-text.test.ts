import { describe, expect, test } from 'vitest';
import { reaction } from './fields.ts';
import { isReaction, manyLines, oneLine } from './names.ts';
import { patchMeBody } from './rest/people.ts';
import { createRoomBody, patchRoomBody } from './rest/rooms.ts';

const FAMILY = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}';
const INVISIBLE = [
  ['NUL', '\0'],
  ['a bell', '\u0007'],
  ['escape', '\u001b'],
  ['next line', '\u0085'],
  ['a right-to-left override', '\u202e'],
  ['a right-to-left isolate', '\u2067'],
  ['a left-to-right mark', '\u200e'],
  ['a zero-width space', '\u200b'],
  ['a line separator', '\u2028'],
  ['a byte order mark', '\ufeff'],
  ['a tag letter', '\u{e0061}'],
  ['a lone surrogate', '\ud800'],
  ['a joiner between spaces', ' \u200d '],
  ['a variation selector after a letter', '\ufe0f'],
] as const;

describe('no free text has control, bidirectional or otherwise invisible characters', () => {
  test.each(INVISIBLE)('%s is refused', (_, character) => {
    const text = `a${character}b`;
    const bodies = [
      patchRoomBody.safeParse({ topic: text }),
      patchRoomBody.safeParse({ description: text }),
      patchRoomBody.safeParse({ name: text }),
      createRoomBody.safeParse({ name: 'room', topic: text }),
      patchMeBody.safeParse({ display_name: text }),
      patchMeBody.safeParse({ status: { text } }),
    ];
    expect(bodies.map(({ success }) => success)).toEqual(bodies.map(() => false));
  });

  test.each([
    ['a heart', 'I \u2764\uFE0F it'],
    ['a family', `${FAMILY}!`],
    ['a keycap', '1\uFE0F\u20E3'],
    ['a rainbow flag', '\u{1F3F3}\uFE0F\u200D\u{1F308}'],
    ['a skin tone', '\u{1F44B}\u{1F3FD}'],
    ['a Persian word with a non-joiner', '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645'],
    ['a Sinhala conjunct with a joiner', '\u0DC1\u0DCA\u200D\u0DBB\u0DD3'],
  ])('%s is allowed in free text', (_, text) => {
    expect(oneLine(text, 100)).toBe(text);
    expect(manyLines(text, 100)).toBe(text);
  });
});

describe('one line of free text', () => {
  test('is NFC, trimmed, has no line feed, and may be empty', () => {
    expect(oneLine('  cafe\u0301 \t', 4)).toBe('caf\u00e9');
    expect(oneLine('a\nb', 10)).toBeNull();
    expect(oneLine(' ', 10)).toBe('');
  });
});

describe('text of several lines', () => {
  test('is NFC and trimmed; its lines end in a line feed, and may have tabs', () => {
    expect(manyLines('\n one\r\n\r\n\ttwo\rcafe\u0301 \n', 100)).toBe('one\n\n\ttwo\ncaf\u00e9');
    expect(manyLines('', 100)).toBe('');
  });

  test('is measured in code points', () => {
    expect(manyLines('\u{1F98A}\n\u{1F98A}', 3)).not.toBeNull();
    expect(manyLines('\u{1F98A}\n\u{1F98A}', 2)).toBeNull();
    expect(manyLines('a'.repeat(1_000_000), 2000)).toBeNull();
  });
});

const WALES = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}';

describe('a reaction', () => {
  test.each([
    ['a picture', '\u{1F98A}'],
    ['a heart of text, as an emoji', '\u2764\uFE0F'],
    ['a family', FAMILY],
    ['a flag', '\u{1F1E6}\u{1F1F9}'],
    ['the flag of Sark', '\u{1F1E8}\u{1F1F6}'],
    ['the flag of Kosovo', '\u{1F1FD}\u{1F1F0}'],
    ['a keycap', '1\uFE0F\u20E3'],
    ['the flag of Wales', WALES],
  ])('%s is one', (_, text) => {
    expect(isReaction(text)).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['a word', 'constructor'],
    ['two pictures', '\u{1F98A}\u{1F98A}'],
    ['a digit', '1'],
    ['a number with joiners', '4\u200D2'],
    ['a digit behind a picture', '\u{1F98A}\u200D4'],
    ['an asterisk', '*'],
    ['a picture with tags that nobody sees', '\u{1F600}\u{E0041}\u{E007F}'],
    ['a flag of nowhere', '\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}'],
    ['one letter of a flag', '\u{1F1E6}'],
    ['three letters of flags', '\u{1F1E6}\u{1F1F9}\u{1F1E6}'],
    ['a flag of no region', '\u{1F1FD}\u{1F1FD}'],
    ['a skin tone', '\u{1F3FD}'],
    ['a skin tone behind a joiner', '\u{1F98A}\u200D\u{1F3FD}'],
    ['a letter of a flag behind a joiner', '\u{1F98A}\u200D\u{1F1E6}'],
    ['five pictures, joined', '\u2764\u200D\u2764\u200D\u2764\u200D\u2764\u200D\u2764'],
  ])('%s is none', (_, text) => {
    expect(isReaction(text)).toBe(false);
  });

  test.each([
    ['a heart', '\u2764', '\u2764\uFE0F'],
    ['a heart with its selector', '\u2764\uFE0F', '\u2764\uFE0F'],
    ['a picture with a selector that says nothing', '\u{1F98A}\uFE0F', '\u{1F98A}'],
    ['a keycap', '1\u20E3', '1\uFE0F\u20E3'],
    ['a heart on fire', '\u2764\u200D\u{1F525}', '\u2764\uFE0F\u200D\u{1F525}'],
    ['a woman who runs', '\u{1F3C3}\u200D\u2640', '\u{1F3C3}\u200D\u2640\uFE0F'],
    ['a hand with a skin tone', '\u270C\u{1F3FD}\uFE0F', '\u270C\u{1F3FD}'],
    ['a flag with tags', WALES, WALES],
  ])('%s is read in its fully-qualified form', (_, written, read) => {
    expect(reaction.parse(written)).toBe(read);
    expect(reaction.parse(read)).toBe(read);
  });

  test('skin tones stay different reactions', () => {
    const hands = ['\u{1F44D}', '\u{1F44D}\u{1F3FB}', '\u{1F44D}\u{1F3FF}'];
    expect(hands.map((hand) => reaction.parse(hand))).toEqual(hands);
  });

  test('what would be too long in its fully-qualified form is none', () => {
    const long = Array.from({ length: 20 }, () => '\u2764').join('\u200D');
    expect(long).toHaveLength(39);
    expect(isReaction(long)).toBe(false);
  });
});
