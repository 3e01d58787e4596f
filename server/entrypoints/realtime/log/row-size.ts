import type { MessageRow } from '../../../data/storage/store.ts';

/** About how much memory a message takes, in characters. */
export function sizeOfMessage({ content, notice, facts }: MessageRow): number {
  return content.length + (notice?.length ?? 0) + (facts?.extra?.length ?? 0);
}
