/** Tokens of an index that are no words of a text: what a filter asks for. No word has a character for private use. */
import type { FileFamily } from '../../../protocol/rest/files.ts';
import type { Span } from '../../../protocol/search/days.ts';
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

const DAY_MS = 86_400_000;
/** So many days have a mark together: few marks cover any span of time. */
const STRETCHES = [1024, 32, 1];

/**
 * When a message was written, to the day (UTC). Ids do not tell it: the messages of an imported room are old, and their
 * ids are new.
 */
export function dayMarks(at: number): string[] {
  const day = dayOf(at);
  return STRETCHES.map((days) => dayMark(days, day));
}

/** Marks of which every message of the span has one. Those of the rest of its first and last day have them, too. */
export function dayMarksWithin({ from, to }: Span): string[] {
  const end = to > from ? dayOf(to - 1) + 1 : 0;
  const found: string[] = [];
  for (let day = dayOf(from); day < end; ) {
    const days = STRETCHES.find((length) => day % length === 0 && day + length <= end) ?? 1;
    found.push(dayMark(days, day));
    day += days;
  }
  return found;
}

function dayOf(at: number): number {
  return Math.max(0, Math.floor(at / DAY_MS));
}

function dayMark(days: number, day: number): string {
  return `${MARK}d${days}d${Math.floor(day / days)}`;
}

/** Everything that the index keeps of a message. The room is the first. The same message has them in the same order. */
export function allTokens(roomId: number, { texts, marks: own }: Indexed, stems: Stems): string[] {
  const [first = '', ...others] = texts;
  const tokens = tokensOf(first, stems);
  for (const text of others) for (const token of tokensOf(text, stems)) tokens.add(token);
  for (const mark of own) tokens.add(mark);
  return [marks.room(roomId), ...tokens];
}
