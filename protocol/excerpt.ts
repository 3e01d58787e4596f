/** The first words of a message, for a list of rooms and for notifications. */
import { EXCERPT_MAX, EXCERPT_START } from './limits.ts';
import { wordsOf } from './markdown/words.ts';

/** Its first characters in one line, without marks: the words that the message shows. Its beginning is enough. */
export function excerptOf(content: string): string {
  // The last character may be half of one.
  const start = content.slice(0, EXCERPT_START).replace(/[\uD800-\uDBFF]$/, '');
  const line = oneLine(wordsOf(start));
  // A message of nothing but marks is still better shown than left out, and only a deleted one is empty.
  const shown = cut(line === '' ? oneLine(start) : line);
  return shown === '' && start !== '' ? '…' : shown;
}

/** What stands for the text of a message that has nothing but files, in no language: `📎 plan.pdf`. */
export function fileNames(files: readonly { readonly name: string }[]): string {
  return files.length === 0 ? '' : cut(`📎 ${files.map(({ name }) => name).join(', ')}`);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Counted in code points, so that no character is cut in half. */
function cut(line: string): string {
  const characters = [...line];
  return characters.length <= EXCERPT_MAX ? line : `${characters.slice(0, EXCERPT_MAX - 1).join('')}…`;
}
