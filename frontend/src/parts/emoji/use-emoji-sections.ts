import { useMemo } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { recentEmoji } from './chosen-emoji.ts';
import { EMOJI_GROUPS, type Emoji, type EmojiSet } from './emoji-data.ts';
import { findEmoji } from './find-emoji.ts';
import type { Section } from './picker-rows.ts';

/** What was found, or all emoji by their groups, and before them the latest that this user has picked. */
export function useEmojiSections(set: EmojiSet | null, wanted: string, userId: number): readonly Section[] {
  const { emoji: texts } = useScreenTexts();
  // Not while it is open: what was just picked does not move the others.
  const recent = useMemo(() => (set === null ? [] : known(set, recentEmoji(userId))), [set, userId]);
  return useMemo<readonly Section[]>(() => {
    if (set === null) return [];
    if (wanted !== '') return [{ key: 'found', title: texts.found, emoji: findEmoji(set.all, wanted) }];
    const groups = EMOJI_GROUPS.map((key) => {
      return { key, title: texts.groups[key], emoji: set.groups.get(key) ?? [] };
    });
    return recent.length === 0 ? groups : [{ key: 'recent', title: texts.recent, emoji: recent }, ...groups];
  }, [set, wanted, recent, texts]);
}

function known(set: EmojiSet, wanted: readonly string[]): readonly Emoji[] {
  if (wanted.length === 0) return [];
  const byEmoji = new Map(set.all.map((emoji) => [emoji.emoji, emoji]));
  return wanted.flatMap((emoji) => byEmoji.get(emoji) ?? []);
}
