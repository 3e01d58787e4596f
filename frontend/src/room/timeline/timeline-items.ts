/** Turns messages and notices into what the timeline shows: days, rows and folded notices. Pure. */
import type { Message, Notice, PendingMessage } from '../../../../client/index.ts';
import type { Notice as RoomNotice } from '../../../../protocol/notices.ts';
import { startOfDay } from '../../i18n/time.ts';
import { keyOf, type MessageRow, type PendingRow, pendingKeyOf } from '../message/message-row.ts';

/** Joins and leaves with no message between them, in one line. */
export interface NoticeRow {
  readonly kind: 'notices';
  readonly key: string;
  readonly joined: readonly string[];
  readonly left: readonly string[];
  /** The people who joined and left again. */
  readonly visited: readonly string[];
}

/** Something happened to the room or to its members: a durable event among the messages. */
export interface FactRow {
  readonly kind: 'fact';
  readonly key: string;
  readonly notice: RoomNotice;
}

/** The messages that follow were unread when the room was opened. */
export interface NewDividerRow {
  readonly kind: 'new';
  readonly key: 'new';
}

export type TimelineRow = MessageRow | PendingRow | FactRow | NoticeRow | NewDividerRow;

export interface TimelineDay {
  /** Local midnight. */
  readonly day: number;
  readonly rows: readonly TimelineRow[];
}

export interface TimelineContent {
  /** The signed-in user's id. */
  readonly me: number;
  /** Ascending by seq. */
  readonly messages: readonly Message[];
  /** The message before the first of them, which may begin its group; null when none is known. */
  readonly before?: Message | null;
  /** In the order in which they arrived. */
  readonly notices: readonly Notice[];
  /** Empty when the end of the room is not shown. */
  readonly pending?: readonly PendingMessage[];
  /** The divider stands before the first message with a higher seq; null: there is none. */
  readonly newAfterSeq?: number | null;
}

/** Messages of one author within this time of the one before are one group. */
const GROUP_MS = 5 * 60_000;

/** What decides whether the next message continues the group of this one. */
interface Said {
  readonly userId: number;
  readonly at: number;
}

export function timelineDays(content: TimelineContent): TimelineDay[] {
  const { me, messages, before = null, notices, pending = [], newAfterSeq = null } = content;
  const days: { day: number; rows: TimelineRow[] }[] = [];
  const newSeq = firstNewSeq(messages, before, newAfterSeq);
  let previous: Said | null = before && { userId: before.user_id, at: Date.parse(before.created_at) };
  let noticeIndex = 0;

  function add(row: TimelineRow, at: number): void {
    const day = startOfDay(at);
    const last = days.at(-1);
    // Clocks differ: a time of this device never opens an earlier day.
    if (last !== undefined && last.day >= day) last.rows.push(row);
    else days.push({ day, rows: [row] });
  }

  function addNotices(beforeSeq: number): void {
    const from = noticeIndex;
    while ((notices[noticeIndex]?.afterSeq ?? Number.POSITIVE_INFINITY) < beforeSeq) noticeIndex += 1;
    const due = notices.slice(from, noticeIndex);
    const row = fold(due);
    if (row === null) return;
    add(row, due[0]?.at ?? 0);
    previous = null;
  }

  function isFirst(said: Said): boolean {
    const isContinued = previous !== null && continues(previous, said);
    previous = said;
    return !isContinued;
  }

  for (const message of messages) {
    addNotices(message.seq);
    const at = Date.parse(message.created_at);
    if (message.seq === newSeq) {
      add({ kind: 'new', key: 'new' }, at);
      previous = null;
    }
    if (message.notice !== undefined) {
      add({ kind: 'fact', key: `m${message.seq}`, notice: message.notice }, at);
      previous = null;
      continue;
    }
    const first = isFirst({ userId: message.user_id, at });
    add({ kind: 'message', key: keyOf(message, me), message, at, first }, at);
  }
  addNotices(Number.POSITIVE_INFINITY);
  for (const entry of pending) {
    const at = entry.createdAt;
    const first = isFirst({ userId: me, at });
    add({ kind: 'pending', key: pendingKeyOf(entry), entry, at, first }, at);
  }
  return days;
}

function firstNewSeq(
  messages: readonly Message[],
  before: Message | null,
  newAfterSeq: number | null,
): number | null {
  if (newAfterSeq === null || (before?.seq ?? 0) > newAfterSeq) return null;
  return messages.find((message) => message.seq > newAfterSeq)?.seq ?? null;
}

function continues(previous: Said, { userId, at }: Said): boolean {
  return (
    previous.userId === userId && at - previous.at < GROUP_MS && startOfDay(previous.at) === startOfDay(at)
  );
}

/**
 * Only the result counts for each person: one who joined, left and joined again has joined, one who joined and left was
 * here for a while. Nothing is shown of one who left and came back, as with a reload.
 */
function fold(notices: readonly Notice[]): NoticeRow | null {
  const [first] = notices;
  if (first === undefined) return null;
  const wasThere = new Map<number, boolean>();
  const latest = new Map<number, Notice>();
  for (const notice of notices) {
    if (!wasThere.has(notice.userId)) wasThere.set(notice.userId, notice.kind === 'leave');
    latest.delete(notice.userId);
    latest.set(notice.userId, notice);
  }
  const names = (before: boolean, kind: Notice['kind']) =>
    [...latest.values()]
      .filter((notice) => notice.kind === kind && wasThere.get(notice.userId) === before)
      .map((notice) => notice.username);
  const row = { joined: names(false, 'join'), left: names(true, 'leave'), visited: names(false, 'leave') };
  const isEmpty = Object.values(row).every((list) => list.length === 0);
  return isEmpty ? null : { kind: 'notices', key: `n${first.key}`, ...row };
}
