import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmojiName } from '../names.ts';
import { findEmojiNames } from './emoji-names.ts';

const namesIn = (text: string) => findEmojiNames(text).map(({ name }) => name);

describe('emoji of the server in a text', () => {
  it('stand between colons, alone, in a sentence, beside each other, and beside letters of scripts without spaces', () => {
    expect(namesIn(':party:')).toEqual(['party']);
    expect(namesIn('look :party-time: (:ok_1:), :party::party:!')).toEqual([
      ...['party-time', 'ok_1', 'party', 'party'],
    ]);
    expect(namesIn('你好:party:吗')).toEqual(['party']);
    expect(namesIn('🎉:party:🎉')).toEqual(['party']);
  });

  it('a time, a path, a word, further colons and other letters are none', () => {
    for (const text of [
      '10:30:15',
      'at 10:30: now',
      'std::move:: :x',
      'https://a.example/:party:/x',
      'key:value:more',
      ':party:time',
      ':Party:',
      ':-party:',
      ':party_:',
      ':a:',
      ': party :',
      `:${'a'.repeat(33)}:`,
      ':héllo:',
    ])
      expect(namesIn(text), text).toEqual([]);
  });

  it('whatever is between colons: what is found is a name in its place, in order, and each stands once', () => {
    const soup = fc
      .array(fc.constantFrom(':', '::', 'party', 'a1', '_', '-', '/', ' ', '你', '🎉', 'É', '9', '\n'), {
        maxLength: 40,
      })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(soup, (text) => {
        let last = 0;
        for (const { name, start, end } of findEmojiNames(text)) {
          expect(isEmojiName(name)).toBe(true);
          expect(text.slice(start, end)).toBe(`:${name}:`);
          expect(start).toBeGreaterThanOrEqual(last);
          last = end;
        }
      }),
    );
  });

  it('100 000 colons and letters are read in linear time', () => {
    expect(namesIn(':a1'.repeat(33_000))).toEqual([]);
    expect(namesIn(':'.repeat(100_000))).toEqual([]);
    expect(namesIn(':party:'.repeat(10_000))).toHaveLength(10_000);
  });
});
