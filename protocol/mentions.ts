/**
 * Mentions in the text of a message: `@ann`, `@"ann lee"` for a name with a space, `@room` for all members, `@here` for
 * those who are here. Server and client share this function. It takes names for what they may be; which of them exist
 * is known to its caller.
 */
import { MENTIONED_MAX, USERNAME } from './limits.ts';
import { parseMarkdown } from './markdown/parse.ts';
import { type PlainText, replacePlainText } from './markdown/plain-text.ts';
import { characterBefore, UNSPACED } from './markdown/scripts.ts';
import { nameKey } from './text.ts';

/** Whom a mention of the room means: all members, or those who are in the room now. */
export type RoomMention = 'room' | 'here';

/** A mention in plain text, from `start` on, where its `@` is. Places are in UTF-16 units. */
export type Mention =
  | { readonly kind: 'room'; readonly room: RoomMention; readonly start: number; readonly end: number }
  | { readonly kind: 'person'; readonly start: number; readonly names: readonly MentionedName[] };

/** What may be the name: a dot or an `'s` at its end may be a part of it or not. The likeliest comes first. */
export interface MentionedName {
  readonly name: string;
  readonly end: number;
}

export interface ScannedMentions {
  /** For each mention of a person the keys (`nameKey`) that it may mean, the likeliest first. At most `MENTIONED_MAX`. */
  readonly names: readonly (readonly string[])[];
  readonly room: RoomMention | null;
}

const NONE: ScannedMentions = { names: [], room: null };

/** The words for everybody, which no user may have as a name. */
export const ROOM_WORDS: ReadonlyMap<string, RoomMention> = new Map([
  ['room', 'room'],
  ['channel', 'room'],
  ['everyone', 'room'],
  ['all', 'room'],
  ['here', 'here'],
]);

/** How one of them begins, and the length of `everyone`. */
const BEGINS_ROOM_WORD = /[rceah]/i;
const LONGEST_ROOM_WORD = 8;

/** The possible names of one mention; each is looked up. In a text without spaces any place may be a name's end. */
const NAMES_PER_MENTION = 10;

const LETTER = /[\p{L}\p{N}\p{M}]/u;
const MARK = /\p{M}/u;
/** No mention begins behind these: they are in addresses, paths and code. */
const JOINS = /[@＠.+%=&#$/\\`-]/;
/** What joins two mentions: `@ann/@bob`. */
const JOINS_MENTIONS = /[/&+]/;
/** Marks of emphasis, which may stand before a mention. */
const EMPHASIS = /[*_~]/;
const QUOTE = /["“”]/;
/** Keyboards of phones, and those for Chinese, write these in the place of `@`, `'` and `"`. */
const MENTION_MARK = /[@＠]/g;
const APOSTROPHES = /[‘’]/g;
const QUOTES = /[“”]/g;
/** What ends a name that is not in quotes. */
const ENDS_NAME = /[\s@＠`[\]<>*~\\"“”]/;
/**
 * What belongs to the sentence, where a name without it exists: nobody takes over the mentions of `tom` by the name
 * `tom.` or `tom's`.
 */
const ENDS_LIKE_SENTENCE = /(?:[\p{P}\p{Sc}\p{Sk}\p{Sm}]|['’]s)$/u;
/** What may follow `@room`, whatever comes after it. */
const ENDS_SENTENCE = /[,:;!?…，。！？；：、)\]}）」』》】]/;

/** Whether a text may have a mention. Most have none. */
export function mayMention(content: string): boolean {
  return content.includes('@') || content.includes('＠');
}

/** Finds the mentions of a message. Code, links and quotes have none: to quote a mention is not to mention. */
export function scanMentions(content: string): ScannedMentions {
  if (!mayMention(content)) return NONE;
  const names = new Map<string, readonly string[]>();
  const seen = new Set<string>();
  let room: RoomMention | null = null;
  replacePlainText(parseMarkdown(content), (plain) => {
    for (const mention of findMentions(plain, () => names.size >= MENTIONED_MAX)) {
      if (mention.kind === 'room') {
        room = room === 'room' ? room : mention.room;
        continue;
      }
      // A key takes some time, and a text may repeat one name a thousand times.
      const typed = mention.names.map(({ name }) => name);
      const whole = typed.join('\n');
      if (seen.has(whole)) continue;
      seen.add(whole);
      const keys = typed.flatMap(mentionKeys);
      names.set(keys.join('\n'), keys);
    }
    return [];
  });
  return { names: [...names.values()], room };
}

/** The keys of the names that a typed name may mean: as it was typed, and with the quotes of other keyboards. */
export function mentionKeys(typed: string): string[] {
  const straight = typed.replace(APOSTROPHES, "'").replace(QUOTES, '"');
  const curly = straight.replaceAll("'", '’');
  return [...new Set([typed, straight, curly])].map(nameKey);
}

/** The ids of the people who are mentioned: for each mention the likeliest name that there is. */
export function resolveNames(
  names: ScannedMentions['names'],
  idByKey: ReadonlyMap<string, number>,
): number[] {
  const ids = names.map((keys) => keys.map((key) => idByKey.get(key)).find((id) => id !== undefined));
  return [...new Set(ids.filter((id) => id !== undefined))];
}

/** The mentions in text that has no markup, in their order. `isFull`: from then on, of the room alone. */
export function* findMentions({ text, before }: PlainText, isFull = () => false): Generator<Mention> {
  let last: Mention | null = null;
  for (const { index: at } of text.matchAll(MENTION_MARK)) {
    if (!maybeBegins(text, at, before) && !followsMention(text, at, last)) continue;
    const next = text.charAt(at + 1);
    const mention: Mention | null = QUOTE.test(next)
      ? isFull()
        ? null
        : quoted(text, at)
      : ((BEGINS_ROOM_WORD.test(next) ? roomMention(text, at) : null) ??
        (isFull() ? null : unquoted(text, at)));
    if (mention === null) continue;
    last = mention;
    yield mention;
  }
}

/** The shortest way to write a mention of this name, whatever stands beside it. */
export function mentionOf(username: string): string {
  const plain = `@${username}`;
  const isPlain = !HAS_LOOSE_LINE.test(username) && firstName(plain) === username;
  return isPlain ? plain : `@"${username}"`;
}

/** Whether the server recognises the mention of this name that a client writes, whatever stands beside it. */
export function isMentionable(username: string): boolean {
  return !HAS_MARK_BEHIND_QUOTE.test(username) && firstName(mentionOf(username)) === username;
}

/** The quotes around a name end at its own, and what follows may be a mark: ``a"`b``. */
const HAS_MARK_BEHIND_QUOTE = /["“”].*[`[\]<*_~]/;
/** A line that is not within a word may be a mark of emphasis. */
const HAS_LOOSE_LINE = /(?:^|[^\p{L}\p{N}])_|_(?:[^\p{L}\p{N}]|$)/u;

/** The likeliest name that the first mention of a message may mean, when it is all of the message. */
function firstName(content: string): string | null {
  let name: string | null = null;
  replacePlainText(parseMarkdown(content), (plain) => {
    const [mention] = findMentions(plain);
    const first = mention?.kind === 'person' ? mention.names[0] : undefined;
    if (plain.text === content && first?.end === content.length) name = first.name;
    return [];
  });
  return name;
}

function maybeBegins(text: string, at: number, textBefore: string): boolean {
  let before = at - 1;
  // At most three, as in `***@ann***`: never a long search.
  while (before >= at - 3 && EMPHASIS.test(text.charAt(before))) before--;
  const character = before < 0 ? textBefore : characterBefore(text, before + 1);
  if (JOINS.test(character)) return false;
  return !LETTER.test(character) || UNSPACED.test(character);
}

/** Whether a mark alone separates this mention from the one before: `@ann/@bob`, but not `@types/node/@x`. */
function followsMention(text: string, at: number, last: Mention | null): boolean {
  if (last === null || !JOINS_MENTIONS.test(text.charAt(at - 1))) return false;
  if (last.kind === 'room') return last.end === at - 1;
  return last.names.some(({ name, end }) => end === at - 1 && !name.includes('/'));
}

/** A name may have quotes in it, as `12" disc` has: each that follows may be the one that closes. */
function quoted(text: string, start: number): Mention | null {
  const names: MentionedName[] = [];
  let name = '';
  let length = 0;
  for (const character of text.slice(start + 2, start + 2 + 2 * USERNAME.max + 1)) {
    if (character === '\n' || length > USERNAME.max || names.length === NAMES_PER_MENTION) break;
    const end = start + 2 + name.length + 1;
    const known = name.trim().replace(/ {2,}/g, ' ');
    if (QUOTE.test(character) && known !== '') names.push({ name: known, end });
    name += character;
    length += 1;
  }
  return names.length === 0 ? null : { kind: 'person', start, names: names.reverse() };
}

/** The characters after the mark up to what ends a name, at most `most`, and the one that ends it. */
function wordAt(
  text: string,
  start: number,
  most: number,
): { readonly word: readonly string[]; readonly after: string } {
  const characters = [...text.slice(start + 1, start + 1 + 2 * most)];
  const stop = characters.findIndex((character) => ENDS_NAME.test(character));
  if (stop === -1 || stop > most) return { word: characters.slice(0, most), after: '' };
  return { word: characters.slice(0, stop), after: characters[stop] ?? '' };
}

function unquoted(text: string, start: number): Mention | null {
  const { word, after } = wordAt(text, start, USERNAME.max + 2);
  const names: MentionedName[] = [];
  let name = '';
  for (const [index, character] of word.entries()) {
    name += character;
    const length = index + 1;
    // The whole word is the likeliest; of the others, the shorter ones.
    if (length === word.length || names.length === NAMES_PER_MENTION - 1) break;
    if (length >= USERNAME.min && mayEndBetween(character, word[length], word[length + 1]))
      names.push({ name, end: start + 1 + name.length });
  }
  // `@ann@example.org` is an address of another network.
  if (word.length >= USERNAME.min && word.length <= USERNAME.max && after !== '@') {
    const whole = word.join('');
    names.push({ name: whole, end: start + 1 + whole.length });
  }
  return names.length === 0 ? null : { kind: 'person', start, names: likeliestFirst(names) };
}

/** The longest first, and those last that may have a mark of the sentence at their end. */
function likeliestFirst(names: readonly MentionedName[]): readonly MentionedName[] {
  const isLast = ({ name }: MentionedName) => (ENDS_LIKE_SENTENCE.test(name) ? 1 : 0);
  return names.toReversed().sort((one, other) => isLast(one) - isLast(other));
}

/** Whether a name may end between two characters: not within a word, and not within `types/node`. */
function mayEndBetween(last: string, next = '', afterNext = ''): boolean {
  if (MARK.test(next) || next === '\u200D' || next === '\uFE0F') return false;
  if (next === '/' && LETTER.test(afterNext)) return false;
  return !(LETTER.test(last) && LETTER.test(next)) || UNSPACED.test(last) || UNSPACED.test(next);
}

/**
 * A word for the whole room. Stricter than a name, as it calls many: not `@all-hands`, `@here's` or `@room.example`.
 */
function roomMention(text: string, start: number): Mention | null {
  const { word: characters, after } = wordAt(text, start, LONGEST_ROOM_WORD + 2);
  const first = characters.findIndex((character) => !/[a-z]/i.test(character));
  const word = (first === -1 ? characters : characters.slice(0, first)).join('');
  const room = ROOM_WORDS.get(word.toLowerCase());
  if (room === undefined) return null;
  const found: Mention = { kind: 'room', room, start, end: start + 1 + word.length };
  if (first === -1) return after === '@' ? null : found;
  const [next = '', afterNext = ''] = characters.slice(first);
  if (afterNext === '' && JOINS_MENTIONS.test(next) && JOINS.test(after)) return found;
  if (UNSPACED.test(next) || ENDS_SENTENCE.test(next)) return found;
  return !LETTER.test(next) && /[.'’_]/.test(next) && !LETTER.test(afterNext) ? found : null;
}
