import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MENTIONED_MAX } from './limits.ts';
import { findMentions, mentionOf, resolveNames, scanMentions } from './mentions.ts';
import { nameKey } from './text.ts';

const USERS = [
  'ann',
  'ann lee',
  "o'neil",
  'ann.b',
  '小明',
  '민수',
  'Zoë',
  'all-hands',
  'jo@home',
  'ann-marie',
];
const IDS = new Map(USERS.map((name, index) => [nameKey(name), index]));
/** The existing users whom a text mentions. */
const mentioned = (content: string) =>
  resolveNames(scanMentions(content).names, IDS).map((id) => USERS[id] ?? '');
const room = (content: string) => scanMentions(content).room;

describe('a mention of a person', () => {
  test.each([
    ['@ann', 'ann'],
    ['hi @ann, hi', 'ann'],
    ['@ANN', 'ann'],
    ['(@ann)', 'ann'],
    ["@ann's idea", 'ann'],
    ['ask @ann.', 'ann'],
    ['ask @ann.b.', 'ann.b'],
    ["@o'neil's", "o'neil"],
    ['@ann-marie', 'ann-marie'],
    ['@zoe\u0308!', 'Zoë'],
    ['@"ann lee" said', 'ann lee'],
    ['@“Ann  Lee”', 'ann lee'],
    ['@"jo@home"', 'jo@home'],
    ['cc:@ann', 'ann'],
    ['**@ann**', 'ann'],
    ['_@ann_', 'ann'],
    ['@小明请看一下', '小明'],
    ['请@小明看', '小明'],
    ['@민수야', '민수'],
    ['@all-hands', 'all-hands'],
  ])('%j means %s', (content, name) => expect(mentioned(content)).toEqual([name]));

  test.each([
    'ann@example.org',
    'ann.@ann',
    '@ann@example.org',
    '@annabel',
    '@an',
    '@ ann',
    '@@ann',
    '@"ann',
    '@"ann\nlee"',
    '@ann/marie',
    'github.com/@ann',
    '\\@ann',
    'x_@ann',
    '@',
    '@"',
    '@""',
  ])('%j means nobody', (content) => expect(mentioned(content)).toEqual([]));

  test('each person counts once, in the order of the text', () => {
    expect(mentioned('@小明 @ann @Ann. @ANN')).toEqual(['小明', 'ann']);
  });

  test(`a message mentions at most ${MENTIONED_MAX} names`, () => {
    const content = Array.from({ length: MENTIONED_MAX + 10 }, (_, index) => `@user${index}`).join(' ');
    expect(scanMentions(content).names).toHaveLength(MENTIONED_MAX);
    expect(scanMentions(`${content} @room`).room).toBe('room');
  });
});

describe('a mention of the room', () => {
  test.each([
    '@room',
    '@channel',
    '@everyone',
    '@all',
    '@Room!',
    'hi @room.',
    '(@all)',
    '@all大家好',
    '**@room**',
    '@room, hi',
  ])('%j calls all members', (content) => expect(room(content)).toBe('room'));

  test('@here calls those who are here, and @room wins over it', () => {
    expect(room('@here look')).toBe('here');
    expect([room('@here @room'), room('@room @here')]).toEqual(['room', 'room']);
  });

  test.each([
    '@rooms',
    '@all-hands',
    "@here's",
    '@room.example',
    '@"room"',
    'a@room',
    '@room@example.org',
    '@all_in',
    '@here\u0301',
  ])('%j does not', (content) => expect(room(content)).toBeNull());
});

describe('writing a mention', () => {
  test.each([
    ['ann', '@ann'],
    ['ann lee', '@"ann lee"'],
    ["o'neil", "@o'neil"],
    ['jo@home', '@"jo@home"'],
    ['room', '@"room"'],
    ['小明', '@小明'],
  ])('of %s', (name, written) => expect(mentionOf(name)).toBe(written));

  test('whatever the name, what is written means it first', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 2, maxLength: 64, unit: 'grapheme' }), (typed) => {
        const name = typed.replace(/["“”\s]+/g, 'x').slice(0, 64);
        fc.pre(name.length >= 2);
        const [found] = findMentions(`${mentionOf(name)} `);
        expect(found?.kind === 'person' && found.names[0]?.name).toBe(name);
      }),
    );
  });
});

test('places are those of the text, so that it can be shown', () => {
  const text = 'hi @"ann lee" and @小明看 @here';
  const shown = [...findMentions(text)].map((mention) =>
    mention.kind === 'room'
      ? text.slice(mention.start, mention.end)
      : mention.names.map(({ end }) => text.slice(mention.start, end)),
  );
  expect(shown).toEqual([['@"ann lee"'], ['@小明看', '@小明'], '@here']);
});

describe('a hostile text takes linear time', () => {
  test.each([
    '@',
    ' @',
    '(@',
    '@a',
    '@"',
    '@"a',
    '*@',
    '`',
    '` ',
    '`@``@',
    '\\`',
    '[',
    ']',
    '](',
    '[](',
    '](<',
    '<a',
    '<`',
    'http://',
    '> ',
    '\n> @',
    '\n- @',
    '\n```',
    '\n \n',
    '@小',
    '\n',
    ' ',
  ])('of %j, 100 000 times', (piece) => {
    // In quadratic time this would not end within the time of a test.
    scanMentions(`@ann ${piece.repeat(100_000)} @ann`);
  });
});
