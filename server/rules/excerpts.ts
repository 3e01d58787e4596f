/** The first words of messages, for lists of rooms and for notifications. */
import { excerptOf } from '../../protocol/excerpt.ts';

/** Shorter texts cost less than to look them up. */
const KEPT_FROM = 120;
/** About 4 MB at most: a text is cut before it is read. */
const KEPT_MAX = 2000;

/** By text, the one that was made last at the end. */
const kept = new Map<string, string>();

/**
 * `excerptOf`, made once for a text that is asked for again and again: by each reading of a list of rooms, and for each
 * recipient of a notification. A text of nothing but marks takes a millisecond.
 */
export function keptExcerptOf(content: string): string {
  if (content.length < KEPT_FROM) return excerptOf(content);
  const known = kept.get(content);
  if (known !== undefined) return known;
  const excerpt = excerptOf(content);
  if (kept.size >= KEPT_MAX) for (const oldest of kept.keys()) if (kept.delete(oldest)) break;
  kept.set(content, excerpt);
  return excerpt;
}
