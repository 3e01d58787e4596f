import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type {
  Message,
  PendingMessage,
  Room,
  RoomThread,
  ThreadState,
  User,
} from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { Button } from '../../ui/Button.tsx';
import scroller from '../../ui/Scroller.module.css';
import { useRequest } from '../../ui/use-loaded.ts';
import { MessageItem } from '../message/MessageItem.tsx';
import {
  keyOf,
  type MessageRow,
  type PendingActions,
  type PendingRow,
  pendingKeyOf,
} from '../message/message-row.ts';
import styles from './ThreadPanel.module.css';
import { useTabStop } from './use-tab-stop.ts';
import { useThreadPending } from './use-thread-pending.ts';

interface ThreadMessagesProps {
  readonly ref: RefObject<HTMLElement | null>;
  readonly room: Room;
  readonly thread: RoomThread;
  readonly threadId: number;
  /** Null: not loaded. What the user has written meanwhile is shown. */
  readonly state: ThreadState | null;
  readonly user: User;
  /** Takes the text of a reply that was refused, to edit it. */
  readonly onEdit: (content: string) => void;
  /** Where the address leads: it is shown with the focus. */
  readonly replyId: number | null;
}

/** A group begins anew after this long. */
const GROUP_MS = 5 * 60_000;
/** This near to the end, a new reply is scrolled to. */
const NEAR_PX = 120;

/** The root and its replies. It stays at the end while the reader is there. */
export function ThreadMessages({ ref: box, room, thread, threadId, state, ...props }: ThreadMessagesProps) {
  const { user, onEdit, replyId } = props;
  const { thread: texts } = useScreenTexts();
  const isAtEnd = useRef(true);
  /** `scrollTop` after the last scroll to the end. */
  const endTop = useRef(0);
  const { busy, run } = useRequest();
  const blocked = useOwnRooms((store) => store.blocked);
  const pending = useThreadPending(room, threadId, state);
  const messages = state?.messages;
  const rows = useMemo(() => rowsOf(messages ?? [], user.id), [messages, user]);
  // One list: what is confirmed stays the row that it is, and keeps the focus.
  const all = useMemo(() => [...rows, ...pending.map(toPendingRow)], [rows, pending]);
  const actions: PendingActions = useMemo(() => {
    function edit({ cid, content }: PendingMessage): void {
      onEdit(content);
      room.discard(cid);
    }
    return { user, room, onEdit: edit };
  }, [user, room, onEdit]);
  const held = state?.root ?? null;
  const root = useMemo(() => (held === null ? [] : rowsOf([withoutThread(held)], user.id)), [held, user]);
  const { stop, onFocus, onKeyDown } = useTabStop([...root, ...all].map(({ key }) => key));
  const replies = held?.thread?.replies ?? 0;

  useShownReply(box, isAtEnd, { thread, replyId, rows });

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the list.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !isAtEnd.current) return;
    element.scrollTop = element.scrollHeight;
    endTop.current = element.scrollTop;
  }, [all]);

  return (
    <section
      ref={box}
      className={`${scroller.scroller} ${styles.messages}`}
      aria-label={texts.replies(replies)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without a pointer it is scrolled with the keyboard.
      tabIndex={0}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        // The event of the last scroll to the end may come after another reply has.
        if (isAtEnd.current && scrollTop === endTop.current) return;
        isAtEnd.current = scrollHeight - clientHeight - scrollTop < NEAR_PX;
      }}
    >
      <ol className={styles.list}>
        {root.map((row) => (
          <MessageItem key={row.key} row={row} active={row.key === stop} actions={actions} />
        ))}
      </ol>
      {replies > 0 && (
        <p className={styles.count}>
          <span>{texts.replies(replies)}</span>
        </p>
      )}
      {state?.hasOlder && (
        <Button look="quiet" aria-disabled={busy} onClick={() => void run(() => thread.loadOlder())}>
          {texts.older}
        </Button>
      )}
      <ol className={styles.list} data-testid="thread-replies">
        {all.map((row) => (
          <MessageItem
            key={row.key}
            row={row}
            active={row.key === stop}
            actions={actions}
            isBlocked={row.kind === 'message' && blocked.has(row.message.user_id)}
          />
        ))}
      </ol>
    </section>
  );
}

/** Shows the reply that the address leads to, once for each address. */
function useShownReply(
  box: RefObject<HTMLElement | null>,
  isAtEnd: RefObject<boolean>,
  { thread, replyId, rows }: ShownReply,
): void {
  const [reached, setReached] = useState<number | null>(null);
  const isShown = useRef(false);

  useEffect(() => {
    isShown.current = false;
    if (replyId === null) return;
    let isStale = false;
    const reach = () => isStale || setReached(replyId);
    void thread.reach(replyId).then(reach, reach);
    return () => {
      isStale = true;
    };
  }, [thread, replyId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the reply may be among the next rows only.
  useEffect(() => {
    if (replyId === null || reached !== replyId || isShown.current) return;
    const reply = box.current?.querySelector<HTMLElement>(`[data-message-id="${replyId}"]`);
    if (!reply) return;
    isShown.current = true;
    isAtEnd.current = false;
    reply.scrollIntoView({ block: 'center' });
    reply.dataset.target = '';
    reply.addEventListener('animationend', () => delete reply.dataset.target, { once: true });
    reply.focus({ preventScroll: true });
  }, [box, isAtEnd, reached, replyId, rows]);
}

interface ShownReply {
  readonly thread: RoomThread;
  readonly replyId: number | null;
  readonly rows: readonly MessageRow[];
}

/** The line that opens the thread is not shown within it. */
function withoutThread({ thread: _, ...root }: Message): Message {
  return root;
}

function rowsOf(messages: readonly Message[], me: number): MessageRow[] {
  return messages.map((message, index) => {
    const at = Date.parse(message.created_at);
    const before = messages[index - 1];
    const isSame = before?.user_id === message.user_id && at - Date.parse(before.created_at) < GROUP_MS;
    return { kind: 'message', key: keyOf(message, me), message, at, first: !isSame };
  });
}

function toPendingRow(entry: PendingMessage): PendingRow {
  return { kind: 'pending', key: pendingKeyOf(entry), entry, at: entry.createdAt, first: true };
}
