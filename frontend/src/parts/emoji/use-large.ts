import { findEmojiNames } from '../../../../protocol/markdown/emoji-names.ts';
import { useServerEmoji } from '../../stores/server-emoji.ts';
import { isFewEmoji } from './few-emoji.ts';

/** Whether the text is nothing but a few emoji, some of them of the server: they are shown larger. */
export function useLarge(content: string): boolean {
  return useServerEmoji(({ byName }) => {
    if (byName.size === 0 || !content.includes(':')) return false;
    let from = 0;
    let rest = '';
    for (const { name, start, end } of findEmojiNames(content)) {
      if (!byName.has(name)) return false;
      rest += `${content.slice(from, start)}🙂`;
      from = end;
    }
    return from > 0 && isFewEmoji(rest + content.slice(from));
  });
}
