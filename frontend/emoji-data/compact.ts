/** Makes one short list of emoji for the picker out of the data of `emojibase-data`, when the client is built. */

/** What is used of an entry of `emojibase-data/LANGUAGE/data.json`. */
export interface EmojiEntry {
  readonly emoji: string;
  readonly hexcode: string;
  readonly label: string;
  readonly tags?: readonly string[];
  /** Absent in the letters of flags. */
  readonly group?: number;
  /** The version of Emoji that introduced it. */
  readonly version: number;
  readonly skins?: readonly { readonly emoji: string; readonly tone?: number | readonly number[] }[];
}

/** The names between colons, by hexcode: one or several. */
export type Shortcodes = Readonly<Record<string, string | readonly string[]>>;

/** Emoji of later versions are a box on many devices that are in use. Version 15 is of 2022. */
const MAX_VERSION = 15;
/** Skin tones and hair, which are no emoji of their own. */
const COMPONENTS = 2;
const TONES = [1, 2, 3, 4, 5];

/**
 * The emoji of each group, in the order of Unicode. An emoji is one line: itself, label, shortcodes, tags, and `1`
 * where `withTone` gives it a skin tone, with tabs between them. Shortcodes and tags are separated by commas.
 */
export function compactEmoji(
  entries: readonly EmojiEntry[],
  shortcodes: readonly Shortcodes[],
  withTone: (emoji: string, tone: number) => string,
): string[] {
  const groups = new Map<number, string[]>();
  for (const entry of entries) {
    const { group, version } = entry;
    if (group === undefined || group === COMPONENTS || version > MAX_VERSION) continue;
    const lines = groups.get(group) ?? [];
    groups.set(group, lines);
    const emoji = canonical(entry.emoji);
    const codes = new Set(shortcodes.flatMap((names) => names[entry.hexcode] ?? []));
    const skins = entry.skins ?? [];
    const hasTones = TONES.every((tone) =>
      skins.some((skin) => skin.tone === tone && canonical(skin.emoji) === withTone(emoji, tone)),
    );
    const tags = (entry.tags ?? []).filter((tag) => !codes.has(tag));
    lines.push([emoji, entry.label, [...codes].join(), tags.join(), hasTones ? '1' : ''].join('\t'));
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, lines]) => lines.join('\n'));
}

/**
 * An emoji as keyboards write it: no variation selector after what is a picture without one (UTS #51). Otherwise two
 * reactions that look the same would be different ones.
 */
function canonical(emoji: string): string {
  return emoji.replace(/(\p{Emoji_Presentation})\uFE0F/gu, '$1');
}
