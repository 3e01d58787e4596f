/** What the timeline shows, worked out from messages and notices: days, rows, folded notices. Pure. */
import type { Message, Notice } from '../../../client/index.ts';
import { startOfDay } from '../i18n/time.ts';

export interface MessageRow {
  readonly kind: 'message';
  readonly key: string;
  readonly message: Message;
  readonly at: number;
  /** The first of its group carries author and time. */
  readonly first: boolean;
}

/** Comings and goings with no message between them, in one line. */
export interface NoticeRow {
  readonly kind: 'notices';
  readonly key: string;
  readonly joined: readonly string[];
  readonly left: readonly string[];
}

export type TimelineRow = MessageRow | NoticeRow;

export interface TimelineDay {
  /** Local midnight. */
  readonly day: number;
  readonly rows: readonly TimelineRow[];
}

/** Messages of one author within this time of the one before are one group. */
export const GROUP_MS = 5 * 60_000;

/** `messages` ascending by seq; `notices` in the order in which they came. */
export function timelineDays(messages: readonly Message[], notices: readonly Notice[]): TimelineDay[] {
  const days: { day: number; rows: TimelineRow[] }[] = [];
  let previous: MessageRow | null = null;
  let waiting = notices;

  function add(row: TimelineRow, at: number): void {
    const day = startOfDay(at);
    const last = days.at(-1);
    // Clocks differ: a notice of this device never opens an earlier day.
    if (last !== undefined && last.day >= day) last.rows.push(row);
    else days.push({ day, rows: [row] });
  }

  function addNotices(upToSeq: number): void {
    const due = waiting.filter((notice) => notice.afterSeq < upToSeq);
    const [first] = due;
    if (first === undefined) return;
    waiting = waiting.filter((notice) => notice.afterSeq >= upToSeq);
    add(fold(due, first), first.at);
    previous = null;
  }

  for (const message of messages) {
    addNotices(message.seq);
    const at = Date.parse(message.created_at);
    const row: MessageRow = {
      kind: 'message',
      key: `m${message.seq}`,
      message,
      at,
      first: !continues(previous, message, at),
    };
    add(row, at);
    previous = row;
  }
  addNotices(Number.POSITIVE_INFINITY);
  return days;
}

function continues(previous: MessageRow | null, message: Message, at: number): boolean {
  return (
    previous !== null &&
    previous.message.user_id === message.user_id &&
    at - previous.at < GROUP_MS &&
    startOfDay(previous.at) === startOfDay(at)
  );
}

/** Only where somebody stands in the end is told: who left and came back has joined. */
function fold(notices: readonly Notice[], first: Notice): NoticeRow {
  const latest = new Map<number, Notice>();
  for (const notice of notices) {
    latest.delete(notice.userId);
    latest.set(notice.userId, notice);
  }
  const names = (kind: Notice['kind']) =>
    [...latest.values()].filter((notice) => notice.kind === kind).map((notice) => notice.username);
  return { kind: 'notices', key: `n${first.key}`, joined: names('join'), left: names('leave') };
}
