/** Tokens of an index that are no words of a text: what a filter asks for. No word has a character for private use. */
import type { FileFamily } from '../../../protocol/rest/files.ts';
import { type Stems, tokensOf } from '../../../protocol/search/tokens.ts';
import type { Indexed } from './search-index.ts';

const MARK = '\uE000';

export const marks = {
  room: (roomId: number) => `${MARK}r${roomId}`,
  author: (userId: number) => `${MARK}u${userId}`,
  file: `${MARK}hfile`,
  family: (family: FileFamily) => `${MARK}h${family}`,
  link: `${MARK}hlink`,
  reaction: `${MARK}hreaction`,
  edited: `${MARK}iedited`,
  pinned: `${MARK}ipinned`,
  thread: `${MARK}ithread`,
} as const;

/** Everything that the index keeps of a message. The room is the first. */
export function allTokens(roomId: number, { texts, marks: own }: Indexed, stems: Stems): string[] {
  const tokens = new Set(texts.flatMap((text) => [...tokensOf(text, stems)]));
  for (const mark of own) tokens.add(mark);
  return [marks.room(roomId), ...[...tokens].sort()];
}
