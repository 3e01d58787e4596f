import { useEffect, useMemo } from 'react';
import { followServerEmoji, useServerEmoji } from '../../stores/server-emoji.ts';
import type { Emoji } from './emoji-data.ts';

const NONE: readonly Emoji[] = [];

/** The emoji of the server as pickers and completion have them: each is written as `:name:`. */
export function useOwnEmoji(isOffered: boolean): readonly Emoji[] {
  const byName = useServerEmoji((store) => store.byName);
  useEffect(() => {
    if (isOffered) followServerEmoji();
  }, [isOffered]);
  return useMemo(() => {
    if (!isOffered) return NONE;
    return Array.from(byName.keys(), (name) => ({
      emoji: `:${name}:`,
      label: name,
      codes: [name],
      tags: [],
      hasTones: false,
    }));
  }, [byName, isOffered]);
}
