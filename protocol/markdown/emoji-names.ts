/** Finds what may be emoji of the server, `:name:`, in what the parser of messages takes for plain text. */
import { characterAt, characterBefore, UNSPACED } from './scripts.ts';

export interface FoundName {
  readonly name: string;
  /** The places of the colons: of the first, and behind the last. */
  readonly start: number;
  readonly end: number;
}

/** As `isEmojiName` (protocol/names.ts) has it. */
const CODE = /:([a-z0-9](?:[a-z0-9_-]{0,30}[a-z0-9])):/g;
const IN_WORD = /[\p{L}\p{N}]/u;

/**
 * The names in a text, in order. None stands within a word or a time, such as `10:30:15`, and none between further
 * colons or behind a slash, as in addresses and in code. Names may stand directly beside each other.
 */
export function findEmojiNames(text: string): FoundName[] {
  const found: FoundName[] = [];
  for (const { index: start, 0: code, 1: name = '' } of text.matchAll(CODE)) {
    const end = start + code.length;
    const isBehind = found.at(-1)?.end === start;
    if (!isBehind && !mayBegin(characterBefore(text, start))) continue;
    if (isWord(characterAt(text, end))) continue;
    found.push({ name, start, end });
  }
  return found;
}

function mayBegin(before: string): boolean {
  return !isWord(before) && !/[:/\\]/.test(before);
}

/** Scripts that set no space between words have emoji directly beside their letters. */
function isWord(character: string): boolean {
  return IN_WORD.test(character) && !UNSPACED.test(character);
}
