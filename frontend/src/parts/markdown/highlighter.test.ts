import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CodePiece, highlight } from './highlighter.ts';

const textOf = (pieces: readonly CodePiece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : textOf(piece.pieces))).join('');

test('keywords and strings are distinguished', () => {
  expect(highlight('const a = "b"', 'ts')).toEqual([
    { token: 'keyword', pieces: ['const'] },
    ' a = ',
    { token: 'string', pieces: ['"b"'] },
  ]);
});

test('an unknown language leaves the code as it is', () => {
  expect(highlight('const a', 'klingon')).toEqual(['const a']);
});

test('the pieces, joined, are the code again', () => {
  const language = fc.constantFrom('ts', 'html', 'css', 'python', 'bash', 'json', 'diff', 'sql', 'markdown');
  fc.assert(
    fc.property(fc.string(), language, (code, name) => {
      expect(textOf(highlight(code, name))).toBe(code);
    }),
  );
});
