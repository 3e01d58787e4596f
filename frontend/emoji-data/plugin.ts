/** Gives the client its emoji data as the modules `virtual:emoji-en` and `virtual:emoji-zh`. */
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { withTone } from '../src/parts/emoji/skin-tone.ts';
import { compactEmoji, type EmojiEntry, type Shortcodes } from './compact.ts';

const NAME = /^virtual:emoji-(en|zh)$/;
const read = createRequire(import.meta.url);

export function emojiData(): Plugin {
  return {
    name: 'roomful-emoji-data',
    resolveId: (id) => (NAME.test(id) ? `\0${id}` : undefined),
    load: (id) => {
      const language = NAME.exec(id.slice(1))?.[1];
      if (!id.startsWith('\0') || language === undefined) return undefined;
      const groups = emojiGroups(language);
      // Parsing JSON is faster than parsing the same array as code.
      return `export const groups = JSON.parse(${JSON.stringify(JSON.stringify(groups))});`;
    },
  };
}

/** The shortcodes are those that people know from other chats, whatever the language. */
function emojiGroups(language: string): string[] {
  const entries: readonly EmojiEntry[] = read(`emojibase-data/${language}/data.json`);
  const codes: readonly Shortcodes[] = ['iamcal', 'github'].map((set) =>
    read(`emojibase-data/en/shortcodes/${set}.json`),
  );
  return compactEmoji(entries, codes, withTone);
}
