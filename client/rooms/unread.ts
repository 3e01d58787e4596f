/**
 * Counts unread messages between two counts of the server. Pure functions. A text counts when its seq is above the head
 * that was known and above the read mark, and neither the user nor somebody blocked has written it.
 */
import { UNREAD_MAX } from '../../protocol/limits.ts';
import type { Frame } from '../connection/frames.ts';
import type { ListedRoom } from './rooms-state.ts';

/** The number of a text, and its author. */
export type Brief = readonly [seq: number, userId: number];

/** What happened in a room after `from`, up to `seq`. */
export interface News {
  readonly from: number;
  readonly seq: number;
  readonly number: number;
  /** Absent: there were too many to be listed. */
  readonly texts?: readonly Brief[] | undefined;
  /** Texts that were deleted. */
  readonly gone?: readonly Brief[] | undefined;
  /** Whether a text of this author counts. */
  readonly counts: (userId: number) => boolean;
}

/** The room after the news. News that is already known changes nothing. */
export function withNews(listed: ListedRoom, news: News): ListedRoom {
  const { from, texts, gone = [], counts } = news;
  // A count of the server already includes what a late head reports.
  const isGap = news.seq > listed.seq && (from > listed.seq || texts === undefined);
  const seq = Math.max(listed.seq, news.seq);
  const number = Math.max(listed.number, news.number);
  if (listed.readSeq >= seq) return { ...listed, seq, number, unread: 0, count: 'exact', mentions: 0 };
  if (listed.unread === null) return { ...listed, seq, number };
  if (isGap) {
    const unread = bounded(listed.unread + number - listed.number);
    return { ...listed, seq, number, unread, count: 'estimate' };
  }
  const isUnread = ([at, userId]: Brief) => at > listed.readSeq && counts(userId);
  const deleted = new Set(gone.map(([at]) => at));
  const came = (texts ?? []).filter(
    (text) => text[0] > listed.seq && !deleted.has(text[0]) && isUnread(text),
  ).length;
  const went = gone.filter((text) => text[0] <= listed.seq && isUnread(text)).length;
  const total = listed.unread + came - went;
  // The server stops counting at the maximum, so what is below it is not known any more.
  const isCut = listed.unread >= UNREAD_MAX && went > 0;
  const count = isCut || total < 0 ? 'estimate' : listed.count;
  return { ...listed, seq, number, unread: bounded(total), count };
}

/** The room after the read mark has moved. Only a mark at the head says how many texts are after it. */
export function withReadSeq(listed: ListedRoom, readSeq: number): ListedRoom {
  if (readSeq === listed.readSeq) return listed;
  if (readSeq >= listed.seq) return { ...listed, readSeq, unread: 0, count: 'exact', mentions: 0 };
  const isLower = readSeq < listed.readSeq;
  const unread = isLower ? Math.max(1, listed.unread ?? 0) : listed.unread;
  return { ...listed, readSeq, unread, count: 'estimate' };
}

/** The room with one unread mention more or less. A count under way may have it already, so the server is asked. */
export function withMention(listed: ListedRoom, by: 1 | -1): ListedRoom {
  return { ...listed, mentions: bounded(listed.mentions + by), count: 'estimate' };
}

/** The room with an entry in one of its threads, which is unread, or is not any more. */
export function withThreadMention(
  listed: ListedRoom,
  threadId: number,
  { seq, read, removed }: Pick<Frame<'inbox'>, 'seq' | 'read' | 'removed'>,
): ListedRoom {
  const others = listed.threadMentions?.filter((entry) => entry[1] !== seq) ?? [];
  return { ...listed, threadMentions: read || removed ? others : [...others, [threadId, seq]] };
}

/** The room after a thread was read. */
export function withThreadRead(listed: ListedRoom, mark: Frame<'thread_follow'>): ListedRoom {
  const isUnread = ([id, seq]: readonly [number, number]) => id !== mark.thread_id || seq > mark.read_seq;
  const left = listed.threadMentions?.filter(isUnread);
  return left?.length === listed.threadMentions?.length ? listed : { ...listed, threadMentions: left };
}

function bounded(unread: number): number {
  return Math.min(UNREAD_MAX, Math.max(0, unread));
}
