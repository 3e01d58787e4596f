import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hitPieces, namePieces } from './hit-text.ts';

/** With the hits in brackets. */
const shown = (content: string, ...hits: [number, number][]) =>
  hitPieces(content, hits)
    .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
    .join('');

describe('the words of a hit', () => {
  test.each<[string, [number, number][], string]>([
    ['The zeppelin lands', [[4, 12]], 'The [zeppelin] lands'],
    ['**bold zeppelin** _and_ more', [[7, 15]], 'bold [zeppelin] and more'],
    ['**zeppelin**', [[2, 10]], '[zeppelin]'],
    ['use `zeppelin()` now', [[5, 13]], 'use [zeppelin]() now'],
    ['see https://example.org/zeppelin.md', [[24, 32]], 'see https://example.org/[zeppelin].md'],
    ['- one\n- zeppelin', [[8, 16]], 'one\n[zeppelin]'],
    [
      'a  zeppelin\n\n\n  and another   zeppelin',
      [
        [3, 11],
        [30, 38],
      ],
      'a [zeppelin]\nand another [zeppelin]',
    ],
    ['我们今天发布', [[2, 4]], '我们[今天]发布'],
  ])('%j: %j', (content, hits, expected) => {
    expect(shown(content, ...hits)).toBe(expected);
  });

  test('where only the address of a link has it, the text is shown as it was typed', () => {
    const content = '[the plan](https://example.org/zeppelin)';
    const at = content.indexOf('zeppelin');
    expect(shown(content, [at, at + 8])).toContain('[zeppelin]');
  });

  test('a hit far behind the beginning is shown with a few words before it', () => {
    const text = shown(`${'word '.repeat(100)}zeppelin ${'more '.repeat(200)}`, [500, 508]);
    expect(text).toMatch(/^… (word ){10,14}\[zeppelin\] more/u);
    expect(text).toMatch(/…$/u);
    expect(text.length).toBeLessThan(500);
  });

  test('characters for private use in a text are no hits', () => {
    expect(namePieces('a\uE000b\uE001c', []).some(({ isHit }) => isHit)).toBe(false);
  });
});

test('each stretch of a plain text that was found is shown as found, in its order', () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/u);
  fc.assert(
    fc.property(fc.array(fc.tuple(word, fc.boolean()), { minLength: 1, maxLength: 12 }), (words) => {
      const hits: [number, number][] = [];
      let content = '';
      for (const [text, isHit] of words) {
        if (content !== '') content += ' ';
        if (isHit) hits.push([content.length, content.length + text.length]);
        content += text;
      }
      const found = hitPieces(content, hits).filter(({ isHit }) => isHit);
      expect(found.map(({ text }) => text)).toEqual(hits.map(([from, to]) => content.slice(from, to)));
      expect(
        namePieces(content, hits)
          .map(({ text }) => text)
          .join(''),
      ).toBe(content);
    }),
  );
});

test('no text and no ranges break it', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), fc.array(fc.tuple(fc.nat(70), fc.nat(70))), (content, hits) => {
      const pieces = hitPieces(content, hits);
      expect(pieces.some(({ text }) => /[\uE000\uE001]/u.test(text))).toBe(false);
    }),
  );
});
