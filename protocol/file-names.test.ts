import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileName, mediaType } from './file-names.ts';

/** UTF-8 bytes: each is one escape. */
const bytesOf = (text: string) => encodeURIComponent(text).replace(/%../g, '.').length;

describe('the name of a file', () => {
  it.each([
    ['photo.jpg', 'photo.jpg'],
    ['no extension', 'no extension'],
    ['👩‍👩‍👧 holiday.png', '👩‍👩‍👧 holiday.png'],
    ['/etc/passwd', 'passwd'],
    ['C:\\Users\\ann\\plan.doc', 'plan.doc'],
    ['..', 'file'],
    ['../..', 'file'],
    ['folder/', 'file'],
    ['', 'file'],
    ['a\0b\n.txt', 'ab.txt'],
    ['  spaced \u00a0 out.txt. ', 'spaced out.txt'],
    ['.gitignore', '.gitignore'],
    ['u\u0308ber.txt', '\u00fcber.txt'],
    ['broken\ud800.txt', 'broken\ufffd.txt'],
  ])('%j is stored as %j', (raw, stored) => {
    expect(fileName(raw)).toBe(stored);
  });

  it('cannot turn the direction of what follows: exe stays behind the name', () => {
    expect(fileName('photo_\u202Egpj.exe')).toBe('photo_gpj.exe');
    expect(fileName('\u2066a\u2069.txt')).toBe('a.txt');
  });

  it('has 255 bytes at most: a longer one is cut before its extension, between letters', () => {
    expect(fileName('a'.repeat(255))).toBe('a'.repeat(255));
    expect(fileName(`${'a'.repeat(400)}.tar`)).toBe(`${'a'.repeat(251)}.tar`);
    expect(fileName(`${'é'.repeat(200)}.pdf`)).toBe(`${'é'.repeat(125)}.pdf`);
    expect(fileName(`${'👩‍👩‍👧'.repeat(40)}.png`)).toBe(`${'👩‍👩‍👧'.repeat(13)}.png`);
  });

  it('of any text has a letter to show, no path, and is what a second pass makes of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (raw) => {
        const name = fileName(raw);
        expect(name).not.toMatch(/^[. ]*$|[/\\\0]/);
        expect(bytesOf(name)).toBeLessThanOrEqual(255);
        expect(fileName(name)).toBe(name);
      }),
    );
  });
});

it('a type that is none means bytes of any kind', () => {
  expect(mediaType('Image/PNG; charset=x')).toBe('image/png');
  for (const raw of ['', 'png', 'a/b/c', 'text/\nhtml', 'a b/c'])
    expect(mediaType(raw)).toBe('application/octet-stream');
});
