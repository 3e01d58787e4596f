import { expect, test } from 'vitest';
import { pastedOf } from './given-files.ts';

const picture = (name: string, type = 'image/png') => new File(['…'], name, { type });
const paste = (files: File[], text = '') => ({ getData: () => text, files: files as unknown as FileList });
const names = (files: readonly File[]) => files.map(({ name }) => name);

test('a picture that is copied is pasted', () => {
  expect(names(pastedOf(paste([picture('image.png')])))).toEqual(['image.png']);
});

test('a table of Excel, which comes with a picture of itself, is text', () => {
  expect(pastedOf(paste([picture('image.png')], 'a\tb'))).toEqual([]);
});

test('the picture that Firefox copies in two types is one', () => {
  const twice = [picture('image.png'), picture('image.jpeg', 'image/jpeg')];
  expect(names(pastedOf(paste(twice)))).toEqual(['image.png']);
});

test('several files of a folder are several', () => {
  const files = [picture('a.png'), picture('b.png'), new File(['…'], 'c.pdf')];
  expect(names(pastedOf(paste(files)))).toEqual(['a.png', 'b.png', 'c.pdf']);
});
