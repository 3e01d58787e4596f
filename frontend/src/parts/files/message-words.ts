import type { Message } from '../../../../client/index.ts';
import { excerptOf } from '../../../../protocol/excerpt.ts';
import { isolate } from '../../i18n/isolate.ts';
import { screenTexts } from '../../i18n/screens.ts';
import { kindOf } from './layout.ts';

/** One line that stands for a message: its first words, or what its files are. Empty: it has neither. */
export function wordsOf({ content, files = [] }: Pick<Message, 'content' | 'files'>): string {
  return excerptOf(content) || fileWords(files);
}

/** "Photo", "3 photos", the name of a file, "3 files". Empty: there are none. */
export function fileWords(files: NonNullable<Message['files']>): string {
  const { files: texts } = screenTexts();
  const [first] = files;
  if (first === undefined) return '';
  if (files.every((file) => kindOf(file) === 'image')) return texts.photos(files.length);
  return files.length === 1 ? isolate(first.name) : texts.words(files.length);
}
