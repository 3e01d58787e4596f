import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePointLength, isMessageContent } from '../../../../protocol/text.ts';
import { splitMessage } from './split-message.ts';

const MAX = 200;

describe('a text that is too long is cut', () => {
  test('at a blank line', () => {
    const [first, second] = ['a '.repeat(55).trim(), 'b '.repeat(55).trim()];
    expect(splitMessage(`${first}\n\n${second}`, MAX)).toEqual([first, second]);
  });

  test('else between lines', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    expect(splitMessage(lines.join('\n'), MAX).join('\n').split('\n')).toEqual(lines);
  });

  test('else between words, and in a word only when it is too long itself', () => {
    const words = 'word '.repeat(100).trim();
    for (const part of splitMessage(words, MAX)) expect(part).toMatch(/^(?:word ?)+$/);
    expect(splitMessage('x'.repeat(500), MAX).join('')).toBe('x'.repeat(500));
  });

  test('in code, which stays code of its language in every part', () => {
    const code = Array.from({ length: 60 }, (_, index) => `call(${index});`);
    const parts = splitMessage(`look:\n\`\`\`ts\n${code.join('\n')}\n\`\`\`\nafter`, MAX);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts.slice(1, -1)) expect(part).toMatch(/^```ts\n[^`]+\n```$/);
    expect(parts.at(-1)).toMatch(/\n```\nafter$/);
    expect(parts.join('\n').match(/call\(\d+\);/g)).toEqual(code);
  });
});

test('every part is a valid message within the limit, and no word is lost or moved', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.constantFrom('\n', '\n\n', '```\n', '\n```ts\n', '~~~', ' ', 'word '),
  );
  // Fences are repeated where code is cut.
  const words = (text: string) => text.replace(/[\s`~]|(?<=```)ts/g, '');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const content = pieces.join('');
      const parts = splitMessage(content, MAX);
      for (const part of parts) {
        expect(codePointLength(part)).toBeLessThanOrEqual(MAX);
        expect(isMessageContent(part)).toBe(true);
      }
      if (!content.includes('`') && !content.includes('~'))
        expect(words(parts.join(''))).toBe(words(content));
    }),
  );
});
