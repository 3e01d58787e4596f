import { useMemo } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { recentEmoji } from './chosen-emoji.ts';
import { EMOJI_GROUPS, type Emoji, type EmojiSet } from './emoji-data.ts';
import { findEmoji } from './find-emoji.ts';
import type { Section } from './picker-rows.ts';

/**
 * What was found, or all emoji by their groups: before them the latest that this user has picked, and those of the
 * server.
 */
export function useEmojiSections(
  set: EmojiSet | null,
  own: readonly Emoji[],
  wanted: string,
  userId: number,
): readonly Section[] {
  const { emoji: texts } = useScreenTexts();
  const all = useMemo(() => [...own, ...(set?.all ?? [])], [set, own]);
  // Not while it is open: what was just picked does not move the others.
  const recent = useMemo(() => (set === null ? [] : known(all, recentEmoji(userId))), [set, all, userId]);
  return useMemo<readonly Section[]>(() => {
    if (set === null) return [];
    if (wanted !== '') return [{ key: 'found', title: texts.found, emoji: findEmoji(all, wanted) }];
    const groups = EMOJI_GROUPS.map((key) => {
      return { key, title: texts.groups[key], emoji: set.groups.get(key) ?? [] };
    });
    const first = [
      { key: 'recent', title: texts.recent, emoji: recent },
      { key: 'own', title: texts.own, emoji: own },
    ].filter(({ emoji }) => emoji.length > 0);
    return [...first, ...groups];
  }, [set, all, own, wanted, recent, texts]);
}

function known(all: readonly Emoji[], wanted: readonly string[]): readonly Emoji[] {
  if (wanted.length === 0) return [];
  const byEmoji = new Map(all.map((emoji) => [emoji.emoji, emoji]));
  return wanted.flatMap((emoji) => byEmoji.get(emoji) ?? []);
}
