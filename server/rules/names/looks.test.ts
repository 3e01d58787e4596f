import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { normalizeUsername } from '../../../protocol/names.ts';
import { nameKey } from '../../../protocol/text.ts';
import { LOOK_ALIKES } from './look-alikes.ts';
import { isImitation, isReserved, looksOf } from './looks.ts';

/**
 * Whether the newcomer is refused beside a name that is there: whichever comes first, as the database compares them.
 */
function isRefused(newcomer: string, existing: string): boolean {
  const [one, other] = [looksOf(newcomer), looksOf(existing)];
  const areAlike = other.looks.some((look) => one.looks.includes(look));
  return areAlike && (one.isDisguised || other.isDisguised);
}

/** The single characters that look like each single ASCII letter or digit. */
const IMITATIONS = new Map<string, string[]>(
  LOOK_ALIKES.flatMap((row): [string, string[]][] => {
    const [prototype = '', characters = ''] = row.split(':');
    const of = prototype.split(' ').map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
    const [letter = ''] = of;
    if (of.length !== 1 || !/[a-z0-9]/i.test(letter)) return [];
    const alike = characters.split(',').map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
    // Dotless i is a letter of its own, and right-to-left letters turn a name around.
    return [
      [
        letter,
        alike.filter((one) => /(?!\u0131)\P{ASCII}/u.test(one) && normalizeUsername(`a${one}`) !== null),
      ],
    ];
  }),
);

describe('a name that mixes scripts is refused beside the name that it looks like', () => {
  test.each([
    ['paypal', 'pаypal'],
    ['Boris', '\u0412oris'],
    ['boris', '\u0412ORIS'],
    ['Boris', '\u0412ORIS'],
    ['Boris', 'B\u043eris'],
    ['Scope', 'ѕcope'],
    ['Bohn', '\u0412\u043e\u04bbn'],
    ['Ann2', '\u0391nn2'],
  ])('%s: %s', (existing, newcomer) => expect(isRefused(newcomer, existing)).toBe(true));

  const capitals = [
    [
      'Greek',
      'ABEZHIKMNOPTYX',
      '\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7',
    ],
    [
      'Cyrillic',
      'ABCEHIJKMOPSTXY',
      '\u0410\u0412\u0421\u0415\u041d\u0406\u0408\u041a\u041c\u041e\u0420\u0405\u0422\u0425\u04ae',
    ],
    ['Cherokee', 'DRTEWMHZBK', '\u13a0\u13a1\u13a2\u13ac\u13b3\u13b7\u13bb\u13c3\u13f4\u13e6'],
    [
      'Lisu',
      'BPDTGKJCZFMNLSRVHWXYAEIOU',
      '\ua4d0\ua4d1\ua4d3\ua4d4\ua4d6\ua4d7\ua4d9\ua4da\ua4dc\ua4dd\ua4df\ua4e0\ua4e1\ua4e2\ua4e3\ua4e6\ua4e7\ua4ea\ua4eb\ua4ec\ua4ee\ua4f0\ua4f2\ua4f3\ua4f4',
    ],
  ] as const;
  test.each(capitals)('every %s capital that is drawn like a Latin one', (_, latin, others) => {
    for (const [index, letter] of [...latin].entries()) {
      const newcomer = `${[...others][index]}oris`;
      for (const existing of [`${letter}oris`, `${letter}ORIS`, `${letter}oris`.toLowerCase()])
        expect({ existing, newcomer, refused: isRefused(newcomer, existing) }).toMatchObject({
          refused: true,
        });
    }
  });

  it('whichever letters are replaced, and in whichever of its three spellings the name is there', () => {
    const latin = fc.string({
      unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'),
      minLength: 2,
      maxLength: 8,
    });
    fc.assert(
      fc.property(latin, fc.array(fc.nat(), { minLength: 8, maxLength: 8 }), (name, picks) => {
        const newcomer = [...name]
          .map((letter, index) => {
            const choices = [letter, ...(IMITATIONS.get(letter) ?? [])];
            return choices[(picks[index] ?? 0) % choices.length];
          })
          .join('');
        fc.pre(looksOf(newcomer).isDisguised);
        expect(isRefused(newcomer, name)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a name that has no other purpose than to look like a plain one is refused, whoever is there', () => {
  test.each([
    ['\u0412oris', true],
    ['p\u0430ypal', true],
    ['\u0391nn2', true],
    ['🅰dmin', true],
    ['🅐dmin', true],
    ['r⚪⚪t', true],
    ['r⭕ot', true],
    ['adm❗n', true],
    ['ma✖', true],
    ['⍺dmin', true],
    // Honest names.
    ['admin!', false],
    ['Ann ✓', false],
    ['Ann🇫🇷', false],
    ['🦊', false],
    ['⚪⚪', false],
    ['Проект B', false],
    ['Проект Roomful', false],
    ['Aɣilas', false],
    ['Zoë', false],
    ['Ольга', false],
    ['Aydın', false],
    ['山田 太郎', false],
    ['김水', false],
  ])('%s: %s', (name, refused) => expect(isImitation(name)).toBe(refused));

  it('none that is ASCII', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii' }), (name) => !isImitation(name)));
  });
});

describe('a word for everybody, or what looks like one, is nobody’s name', () => {
  test.each([
    ...[
      'all',
      'All',
      'ALL',
      'ａｌｌ',
      'aII',
      'a1l',
      '\u0430ll',
      'here',
      'HERE',
      'h\u0435re',
      'room',
      'r00m',
      'roorn',
    ],
    ...['r⚪⚪m', 'everyone', 'Everyone', 'channel'],
    // The name of a removed account.
    ...['Removed user 69', 'removed user 1', 'REMOVED USER 100', 'Removed  user 7', 'Rem\u043eved user 7'],
  ])('%s', (name) => expect(isReserved(name)).toBe(true));
  test.each(['alla', 'allen', 'there', 'rooms', 'roomie', 'everyone else', 'al', 'ann'])('not %s', (name) =>
    expect(isReserved(name)).toBe(false),
  );
});

describe('a phonetic letter or a symbol in the place of a letter counts as a disguise, too', () => {
  test.each([
    ['gogo', 'go\u0261o'],
    ['admin', '\u237admin'],
    ['ann', '\u0251nn'],
  ])('%s: %s', (existing, newcomer) => expect(isRefused(newcomer, existing)).toBe(true));
});

describe('no name is refused', () => {
  test.each([
    ['in one script', 'copa', '\u0441\u043e\u0440\u0430'],
    ['in one script', 'Corner', 'Comer'],
    ['in one script', 'Al', 'A1'],
    ['for a dotless i', 'Aydin', 'Ayd\u0131n'],
    ['for an accent', 'Andre', 'Andr\u00e9'],
    ['when it looks like no other', 'Проект B', 'Проект R'],
    ['when it looks like no other', 'Проект 2', 'Проект S'],
  ])('%s: beside %s, %s', (_, existing, newcomer) => expect(isRefused(newcomer, existing)).toBe(false));

  it('that is ASCII, whatever there is', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii' }), (name) => !looksOf(name).isDisguised));
  });
});

describe('looks', () => {
  it('are one to three, and the same in whatever form a name comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const { looks, isDisguised } = looksOf(name.normalize('NFC'));
        expect([1, 2, 3]).toContain(looks.length);
        expect(looksOf(name.normalize('NFD'))).toEqual({ looks, isDisguised });
      }),
    );
  });

  it('of one name in all small letters and all capitals have one in common', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (name) => {
        const [small, large] = [name.toLowerCase(), name.toUpperCase()].map((text) => looksOf(text).looks);
        expect(small?.some((look) => large?.includes(look))).toBe(true);
        expect(nameKey(name.toUpperCase())).toBe(nameKey(name));
      }),
    );
  });
});
