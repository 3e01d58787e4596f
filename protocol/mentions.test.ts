import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MENTIONED_MAX } from './limits.ts';
import { findMentions, mentionOf, resolveNames, scanMentions } from './mentions.ts';
import { normalizeUsername } from './names.ts';
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
  'bob',
  'O’Brien',
  '12" disc',
  '`code`',
  'Jürgen',
];
const IDS = new Map(USERS.map((name, index) => [nameKey(name), index]));
/** The existing users whom a text mentions. */
const mentioned = (content: string) =>
  resolveNames(scanMentions(content).names, IDS).map((id) => USERS[id] ?? '');
const room = (content: string) => scanMentions(content).room;

describe('a name that ends as a sentence does', () => {
  const ENDS = ['.', ',', ':', ';', '!', '?', '…', ')', '-', '·', '。', '、', "'s", '’s', '+', '$', '^'];
  const takers = ENDS.map((end) => `tom${end}`);
  const people = ['tom', ...takers];
  const ids = new Map(people.map((name, index) => [nameKey(name), index]));
  const whom = (content: string, known: ReadonlyMap<string, number>) =>
    resolveNames(scanMentions(content).names, known).map((id) => people[id]);

  test.each(takers)('takes no mention of the name without that end: %s', (taker) => {
    expect(whom(`ask @${taker}`, ids)).toEqual(['tom']);
    expect(whom(`@${taker} please look`, ids)).toEqual(['tom']);
  });
  test.each(takers)('is mentioned where nobody has the name without that end: %s', (taker) => {
    const alone = new Map([[nameKey(taker), people.indexOf(taker)]]);
    expect(whom(`@${taker} please look`, alone)).toEqual([taker]);
  });
  test.each(takers)('is mentioned by what a client writes: %s', (taker) => {
    expect(whom(`${mentionOf(taker)} please look`, ids)).toEqual([taker]);
  });
});

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
    ['＠ann hi', 'ann'],
    ['看＠小明 hi', '小明'],
    ['＠"ann lee" hi', 'ann lee'],
    ['@o’neil hi', "o'neil"],
    ["@o'brien hi", 'O’Brien'],
    ['@o’brien hi', 'O’Brien'],
    ['@“12” disc” hi', '12" disc'],
    ['@"12" disc" hi', '12" disc'],
    ['@"ann lee" said "hello"', 'ann lee'],
    ['@"`code`" hi', '`code`'],
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
    '@jurgen',
    '＠＠ann',
    '@types/node/@ann',
    'ann@bob',
    '@zed/x/@ann',
  ])('%j means nobody', (content) => expect(mentioned(content)).toEqual([]));

  test.each([
    '@ann/@bob',
    '@ann+@bob',
    '@ann&@bob',
    '@ann、@bob',
    '＠ann/＠bob',
    '@"ann"/@bob',
    '@ann / @bob',
    '@Ann/@bob!',
  ])('%j means both', (content) => expect(mentioned(content)).toEqual(['ann', 'bob']));

  test('behind a call of the room', () => {
    expect([mentioned('@all/@bob'), room('@all/@bob')]).toEqual([['bob'], 'room']);
  });

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
    '＠all',
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

  // What a mention of it could be taken for: code, links, emphasis, quotes of a sentence.
  const NAMES = [
    ...[
      'Ann “Bo” Lee',
      '12" disc',
      '"quoted"',
      'x"',
      'a”b',
      '`code`',
      '[a](b)',
      'www.x.com',
      'http://x.y',
      'a`b',
    ],
    ...[
      '@bob',
      ':smile:',
      'jo@y.com',
      '>quote',
      '- list',
      '1. x',
      'a\\b',
      'a\\',
      '**',
      '_u_',
      '_x',
      'x_',
      '~~x~~',
      "'q'",
    ],
    ...[
      '&amp;',
      'a,b',
      'a)',
      '(a',
      'a<b',
      '<https://x.y>',
      'a-www.x.com',
      '小http://x.y',
      '![a](b)',
      'a_-_b',
      '＠bob',
    ],
    ...[
      '``',
      '](',
      '* x *',
      'o’neil',
      "o'neil",
      '"',
      '""',
      'a b',
      'all',
      'here',
      '@"x"',
      'a"`b',
      '#x',
      'x:',
      'x.',
    ],
  ].flatMap((name) => [name, `four${name}`, `${name} x`]);
  const before = ['', 'hi ', '**', '看', '_a ', '(', '"see" '];
  const after = ['', ' and _b_ `c` *d* [e](https://f.example)', ', "yes"', '**', '_', '!', '\n> said'];

  test.each(NAMES.filter((name) => normalizeUsername(name) === name))(
    'a new name is mentioned whatever stands beside it: %s',
    (name) => {
      for (const start of before) {
        for (const end of after) {
          const content = `${start}${mentionOf(name)}${end}`;
          const [keys = []] = scanMentions(content).names;
          expect(keys, content).toContain(nameKey(name));
          expect(resolveNames([keys], new Map([[nameKey(name), 1]])), content).toEqual([1]);
        }
      }
    },
  );

  test('the names that were hard to mention are allowed still', () => {
    const refused = NAMES.filter((name) => name.length >= 2 && normalizeUsername(name) === null);
    expect(refused).toEqual(['a"`b', 'foura"`b', 'a"`b x']);
  });

  test('whatever the new name, what is written means it', () => {
    const name = fc.oneof(
      fc.string({ minLength: 2, maxLength: 64, unit: 'grapheme' }),
      fc
        .array(fc.constantFrom(...'"“”`*_~[]()<>@＠\\/.,:!\'’ ax小', 'www.', 'http://', '](', '@"'), {
          maxLength: 20,
        })
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(name, (typed) => {
        const made = normalizeUsername(typed);
        fc.pre(made !== null);
        if (made === null) return;
        const content = `${mentionOf(made)} `;
        expect(scanMentions(content).names[0], content).toContain(nameKey(made));
      }),
      { numRuns: 2000 },
    );
  });
});

test('places are those of the text, so that it can be shown', () => {
  const text = 'hi @"ann lee" and @小明看 @here';
  const shown = [...findMentions({ text, before: '' })].map((mention) =>
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
