/**
 * Mentions in the text of a message: `@ann`, `@"ann lee"` for a name with a space, `@room` for all members, `@here` for
 * those who are here. Server and client share this function. It takes names for what they may be; which of them exist
 * is known to its caller.
 */
import { MENTIONED_MAX, USERNAME } from './limits.ts';
import { plainRuns } from './mention-regions.ts';
import { nameKey } from './text.ts';

/** Whom a mention of the room means: all members, or those who are in the room now. */
export type RoomMention = 'room' | 'here';

/** A mention in plain text, from `start` on, where its `@` is. Places are in UTF-16 units. */
export type Mention =
  | { readonly kind: 'room'; readonly room: RoomMention; readonly start: number; readonly end: number }
  | { readonly kind: 'person'; readonly start: number; readonly names: readonly MentionedName[] };

/** What may be the name: a dot or an `'s` at its end may be a part of it or not. */
export interface MentionedName {
  readonly name: string;
  readonly end: number;
}

export interface ScannedMentions {
  /** For each mention of a person the keys (`nameKey`) that it may mean, the longest first. At most `MENTIONED_MAX`. */
  readonly names: readonly (readonly string[])[];
  readonly room: RoomMention | null;
}

const NONE: ScannedMentions = { names: [], room: null };

const ROOM_WORDS: ReadonlyMap<string, RoomMention> = new Map([
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
/** Scripts that set no space after a name, or set an ending behind it. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\u30FC\u3005]/u;
/** No mention begins behind these: they are in addresses, paths and code. */
const JOINS = /[@.+%=&#$/\\`-]/;
/** Marks of emphasis, which may stand before a mention. */
const EMPHASIS = /[*_~]/;
const OPENING_QUOTE = /["“”]/;
/** What ends a name that is not in quotes. */
const ENDS_NAME = /[\s@`[\]<>*~\\"“”]/;
/** What may follow `@room`, whatever comes after it. */
const ENDS_SENTENCE = /[,:;!?…，。！？；：、)\]}）」』》】]/;

/** Finds the mentions of a message. Code, links and quotes have none: to quote a mention is not to mention. */
export function scanMentions(content: string): ScannedMentions {
  // Most messages end here.
  if (!content.includes('@')) return NONE;
  const names = new Map<string, readonly string[]>();
  const seen = new Set<string>();
  let room: RoomMention | null = null;
  for (const run of plainRuns(content)) {
    for (const mention of findMentions(run, () => names.size >= MENTIONED_MAX)) {
      if (mention.kind === 'room') {
        room = room === 'room' ? room : mention.room;
        continue;
      }
      // A key takes some time, and a text may repeat one name a thousand times.
      const typed = mention.names.map(({ name }) => name);
      const whole = typed.join('\n');
      if (seen.has(whole)) continue;
      seen.add(whole);
      const keys = typed.map(nameKey);
      names.set(keys.join('\n'), keys);
    }
  }
  return { names: [...names.values()], room };
}

/** The ids of the people who are mentioned: for each mention the longest name that there is. */
export function resolveNames(
  names: ScannedMentions['names'],
  idByKey: ReadonlyMap<string, number>,
): number[] {
  const ids = names.map((keys) => keys.map((key) => idByKey.get(key)).find((id) => id !== undefined));
  return [...new Set(ids.filter((id) => id !== undefined))];
}

/** The mentions in text that has no markup, in their order. `isFull`: from then on, of the room alone. */
export function* findMentions(text: string, isFull = () => false): Generator<Mention> {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    if (!maybeBegins(text, at)) continue;
    const next = text.charAt(at + 1);
    const mention = OPENING_QUOTE.test(next)
      ? isFull()
        ? null
        : quoted(text, at)
      : ((BEGINS_ROOM_WORD.test(next) ? roomMention(text, at) : null) ??
        (isFull() ? null : unquoted(text, at)));
    if (mention !== null) yield mention;
  }
}

/** The shortest way to write a mention of this name. */
export function mentionOf(username: string): string {
  const plain = `@${username}`;
  const [found] = findMentions(plain);
  const isPlain = found?.kind === 'person' && found.names[0]?.end === plain.length;
  return isPlain ? plain : `@"${username}"`;
}

function maybeBegins(text: string, at: number): boolean {
  let before = at - 1;
  // At most three, as in `***@ann***`: never a long search.
  while (before >= at - 3 && EMPHASIS.test(text.charAt(before))) before--;
  const character = characterBefore(text, before + 1);
  if (JOINS.test(character)) return false;
  return !LETTER.test(character) || UNSPACED.test(character);
}

function characterBefore(text: string, end: number): string {
  const last = text.charAt(end - 1);
  return /[\uDC00-\uDFFF]/.test(last) ? text.slice(end - 2, end) : last;
}

function quoted(text: string, start: number): Mention | null {
  let name = '';
  for (const character of text.slice(start + 2, start + 2 + 2 * USERNAME.max + 1)) {
    if (OPENING_QUOTE.test(character)) {
      const end = start + 2 + name.length + 1;
      const names = [{ name: name.trim().replace(/ {2,}/g, ' '), end }];
      return name.trim() === '' ? null : { kind: 'person', start, names };
    }
    if (character === '\n') return null;
    name += character;
  }
  return null;
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
  return names.length === 0 ? null : { kind: 'person', start, names: names.reverse() };
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
  if (UNSPACED.test(next) || ENDS_SENTENCE.test(next)) return found;
  return !LETTER.test(next) && /[.'’_]/.test(next) && !LETTER.test(afterNext) ? found : null;
}
