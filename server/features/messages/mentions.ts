/** The mentions of a text that is posted or edited. */
import { scanMentions } from '../../../protocol/mentions.ts';
import type { MentionsOf } from '../../data/storage/store.ts';

/** What the store looks up; undefined for a text that can mention nobody: nearly all have no `@`, and cost nothing. */
export function mentionsOf(content: string): MentionsOf | undefined {
  const found = scanMentions(content);
  return found.names.length === 0 && found.room === null ? undefined : found;
}
