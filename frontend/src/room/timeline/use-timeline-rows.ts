import { useMemo } from 'react';
import type { Message, Notice, RoomState } from '../../../../client/index.ts';
import { useRooms } from '../../stores/rooms.ts';
import { timelineDays } from './timeline-items.ts';
import type { TimelineWindow } from './timeline-window.ts';

/** An outbox may be longer than a document should be. The others enter the document as these are sent. */
const MAX_PENDING = 50;

interface TimelineRowsOptions {
  readonly state: RoomState;
  readonly messages: readonly Message[];
  readonly window: TimelineWindow;
  readonly range: { readonly from: number; readonly to: number };
  readonly newAfterSeq: number | null;
  /** The message that Tab leads to; null: the last one. */
  readonly activeKey: string | null;
}

/** The rows of the window, and the keys of those that play a special part. */
export function useTimelineRows(options: TimelineRowsOptions) {
  const { state, messages, window, range, newAfterSeq, activeKey } = options;
  const { from, to } = range;
  const isOpen = window.lastSeq === null;
  // Nobody leaves a direct conversation: its header says who is online.
  const isDirect = useRooms(({ rooms }) => rooms.find(({ id }) => id === state.roomId)?.kind === 'dm');
  const { pending, notices, hasOlder, connection, me } = state;

  const days = useMemo(() => {
    const before = messages[from - 1] ?? null;
    const oldestSeq = hasOlder ? (messages[0]?.seq ?? 0) : 0;
    return timelineDays({
      me: me.id,
      messages: messages.slice(from, to),
      before,
      notices: noticesBetween(
        isDirect ? [] : notices,
        before?.seq ?? oldestSeq - 1,
        isOpen ? null : (messages[to]?.seq ?? null),
      ),
      pending: isOpen ? pending.slice(-MAX_PENDING) : [],
      newAfterSeq,
    });
  }, [me, messages, from, to, isOpen, hasOlder, isDirect, notices, pending, newAfterSeq]);

  const said = days.flatMap(({ rows }) =>
    rows.flatMap((row) => (row.kind === 'message' || row.kind === 'pending' ? [row.key] : [])),
  );
  const waiting =
    connection.status === 'open' ? undefined : pending.findLast(({ status }) => status !== 'failed');
  return {
    days,
    activeKey: activeKey !== null && said.includes(activeKey) ? activeKey : (said.at(-1) ?? null),
    promiseKey: waiting === undefined ? null : `c${waiting.cid}`,
  };
}

/** The notices after the message `afterSeq` and before the message `beforeSeq`; null: to the end. */
function noticesBetween(
  notices: readonly Notice[],
  afterSeq: number,
  beforeSeq: number | null,
): readonly Notice[] {
  return notices.filter(
    (notice) => notice.afterSeq >= afterSeq && (beforeSeq === null || notice.afterSeq < beforeSeq),
  );
}
