import type { Language } from '../../i18n/languages.ts';

export interface Emoji {
  readonly emoji: string;
  /** In the user's language. */
  readonly label: string;
  /** The names that stand between colons, such as `tada`: the same in all languages. */
  readonly codes: readonly string[];
  readonly tags: readonly string[];
  /** Whether it comes in skin tones. */
  readonly hasTones: boolean;
}

/** The groups of Unicode, in its order. */
export const EMOJI_GROUPS = [
  'smileys',
  'people',
  'nature',
  'food',
  'travel',
  'activities',
  'objects',
  'symbols',
  'flags',
] as const;
export type EmojiGroup = (typeof EMOJI_GROUPS)[number];

export interface EmojiSet {
  readonly groups: ReadonlyMap<EmojiGroup, readonly Emoji[]>;
  readonly all: readonly Emoji[];
}

const loaded = new Map<Language, EmojiSet>();

/** All emoji with their names in this language. They are fetched at the first call; rejects when that fails. */
export async function loadEmoji(language: Language): Promise<EmojiSet> {
  const known = loaded.get(language);
  if (known !== undefined) return known;
  const { groups } = await fetchGroups(language);
  const set = readEmoji(groups);
  loaded.set(language, set);
  return set;
}

/** `groups`: as frontend/emoji-data/compact.ts writes them. */
export function readEmoji(groups: readonly string[]): EmojiSet {
  const read = groups.map((lines) => lines.split('\n').map(readLine));
  return {
    groups: new Map(EMOJI_GROUPS.map((group, index) => [group, read[index] ?? []])),
    all: read.flat(),
  };
}

function readLine(line: string): Emoji {
  const [emoji = '', label = '', codes = '', tags = '', hasTones] = line.split('\t');
  return { emoji, label, codes: parts(codes), tags: parts(tags), hasTones: hasTones === '1' };
}

function parts(list: string): string[] {
  return list === '' ? [] : list.split(',');
}

function fetchGroups(language: Language): Promise<{ readonly groups: readonly string[] }> {
  return language === 'zh' ? import('virtual:emoji-zh') : import('virtual:emoji-en');
}
