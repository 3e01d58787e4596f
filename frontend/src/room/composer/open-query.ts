/** What is being typed before the caret and could be completed: the start of a mention, or of an emoji's name. */
import { openFence } from '../../../../protocol/markdown/fences.ts';
import { UNSPACED } from '../../../../protocol/markdown/scripts.ts';

export interface OpenQuery {
  readonly kind: 'person' | 'emoji';
  /** The letters after the mark. */
  readonly typed: string;
  /** Where the mark is, and the caret. A choice replaces everything between them. */
  readonly start: number;
  readonly end: number;
  /** The name of the emoji has its second colon. */
  readonly isClosed: boolean;
}

/** No name is longer. */
const LONGEST = 66;
/** What may stand before an `@`: as protocol/mentions.ts has it, roughly. */
const PERSON = /(?<![\p{L}\p{N}\p{M}@＠.+%=&#$/\\`-])[@＠](?:["“”]([^"“”\n]*)|([^\s@＠"“”]*))$/u;
/** In scripts without spaces a mention follows on a word, and everywhere on another mention: `@ann/@bob`. */
const AFTER_WORD = new RegExp(
  `(?:(?<=${UNSPACED.source})|(?<=[@＠][^\\s@＠/&+]+[/&+]))[@＠](?:["“”]([^"“”\\n]*)|([^\\s@＠"“”]*))$`,
  'u',
);
/**
 * A display name has several words. Only what finds somebody is offered, so most sentences after a mention offer
 * nothing. A word ends with a letter or digit: `@ann, hi` and `@ann. Hi` are a mention and more.
 */
const WORD = String.raw`[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}'’._-]*[\p{L}\p{N}\p{M}])?`;
const WORDS = new RegExp(
  String.raw`(?<![\p{L}\p{N}\p{M}@＠.+%=&#$/\\` + String.raw`\x60-])[@＠](${WORD}(?: ${WORD}){1,2})$`,
  'u',
);
/** Two letters at least: `:)` and `10:30` are no names. */
const EMOJI = /(?<![\p{L}\p{N}:/])[:：]([\p{L}\p{N}_+-]{2,})(:?)$/u;
/** On a word of a script without spaces, a name in Latin letters: others go on with the sentence. */
const EMOJI_AFTER_WORD = new RegExp(`(?<=${UNSPACED.source}):([a-z0-9_+-]{2,})(:?)$`, 'iu');

/** The query that ends at the caret; null where there is none, and within code. */
export function openQuery(text: string, caret: number): OpenQuery | null {
  const before = text.slice(Math.max(0, caret - LONGEST), caret);
  if (!/[@＠:：]/.test(before)) return null;
  const query = personQuery(before) ?? emojiQuery(before);
  if (query === null) return null;
  const start = caret - query.length;
  return isCode(text, start) ? null : { ...query, start, end: caret };
}

type Found = Omit<OpenQuery, 'start' | 'end'> & { readonly length: number };

function personQuery(before: string): Found | null {
  const found = PERSON.exec(before) ?? AFTER_WORD.exec(before) ?? WORDS.exec(before);
  if (found === null) return null;
  return { kind: 'person', typed: found[1] ?? found[2] ?? '', length: found[0].length, isClosed: false };
}

function emojiQuery(before: string): Found | null {
  const found = EMOJI.exec(before) ?? EMOJI_AFTER_WORD.exec(before);
  if (found === null) return null;
  const [all, typed = '', closing] = found;
  return { kind: 'emoji', typed, length: all.length, isClosed: closing !== '' };
}

/** Within a fence, or behind a backtick of the same line that no other closes. */
export function isCode(text: string, place: number): boolean {
  const before = text.slice(0, place);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return (line.match(/`+/g)?.length ?? 0) % 2 === 1 || openFence(before.split('\n')) !== null;
}
