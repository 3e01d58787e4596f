import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { Room, RoomThread, ThreadState, User } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { threadDraftKey } from '../../stores/device.ts';
import { useRoom } from '../../stores/room.ts';
import { useRooms } from '../../stores/rooms.ts';
import { hidePanel } from '../../stores/route.ts';
import { refreshThreads } from '../../stores/threads.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import frame from '../../ui/Panel.module.css';
import { whileSeen } from '../../ui/while-seen.ts';
import type { ComposerHandle } from '../composer/ComposerBox.tsx';
import { KeptDraft } from '../KeptDraft.tsx';
import { MutedBar } from '../MutedBar.tsx';
import { useSilence } from '../use-silence.ts';
import { ThreadComposer } from './ThreadComposer.tsx';
import { ThreadHead } from './ThreadHead.tsx';
import { ThreadMessages } from './ThreadMessages.tsx';
import styles from './ThreadPanel.module.css';
import { useThread } from './use-thread.ts';

interface ThreadPanelProps {
  readonly roomId: number;
  readonly threadId: number;
  /** The reply that the address leads to. */
  readonly replyId: number | null;
  readonly user: User;
  /** The user opened it just now. */
  readonly takesFocus: boolean;
}

/** A page key leaves this much of the page before in sight. */
const OVERLAP_PX = 48;

/** A thread beside its room; on a narrow screen in its place. */
export function ThreadPanel({ roomId, threadId, replyId, user, takesFocus }: ThreadPanelProps) {
  const texts = useScreenTexts();
  const room = useRoom((store) => (store.room?.id === roomId ? store.room : null));
  const { thread, state, hasFailed } = useThread(room, threadId);
  const info = useRooms((store) => store.rooms.find(({ id }) => id === roomId));
  const { isMuted, until, look } = useSilence(roomId);
  const messages = useRef<HTMLElement>(null);
  const composer = useRef<ComposerHandle>(null);
  const edit = useCallback((content: string) => composer.current?.edit(content), []);
  const isBehind = useRootBehind(room, threadId, takesFocus);
  useThreadRead(thread, state);
  useFocusBack(threadId);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.defaultPrevented || isInDialog(event.target)) return;
    event.preventDefault();
    close();
  }

  function close(): void {
    hidePanel(roomId);
    focusRoot(threadId);
  }

  function page(step: -1 | 1): void {
    const box = messages.current;
    box?.scrollBy({ top: step * (box.clientHeight - OVERLAP_PX) });
  }

  return (
    <section
      className={`${frame.panel} ${styles.panel}`}
      aria-label={texts.thread.title}
      data-enters={takesFocus}
      data-region="people"
      data-testid="thread-panel"
      onKeyDown={onKeyDown}
    >
      <ThreadHead thread={thread} state={state} roomName={info?.name ?? ''} onClose={close} />
      {thread !== null && hasFailed && (
        <Empty title={texts.failed}>
          <Button onClick={() => void thread.load()}>{texts.again}</Button>
        </Empty>
      )}
      {thread === null || room === null ? (
        <div className={styles.rest} />
      ) : (
        <ThreadMessages
          ref={messages}
          room={room}
          thread={thread}
          threadId={threadId}
          state={state}
          user={user}
          onEdit={edit}
          replyId={isBehind && state !== null ? replyId : null}
        />
      )}
      {isMuted && <MutedBar roomId={roomId} until={until} onOver={look} />}
      {(isMuted || info?.archived === true) && <KeptDraft draftKey={threadDraftKey(user.id, threadId)} />}
      {thread !== null && room !== null && !isMuted && info?.archived !== true && (
        <ThreadComposer
          ref={composer}
          room={room}
          thread={thread}
          threadId={threadId}
          userId={user.id}
          takesFocus={replyId === null}
          onPage={page}
        />
      )}
    </section>
  );
}

/** In place of the room, the root can take the focus only once the room is back. */
function useFocusBack(threadId: number): void {
  useEffect(
    () => () => {
      if (document.activeElement === document.body) focusRoot(threadId);
    },
    [threadId],
  );
}

/** A dialog closes itself. */
function isInDialog(target: EventTarget): boolean {
  return target instanceof Element && target.closest('dialog') !== null;
}

function focusRoot(threadId: number): void {
  document.querySelector<HTMLElement>(`[role=log] [data-message-id="${threadId}"]`)?.focus();
}

/**
 * At a link to a thread, the room behind it shows its root. True once that is over: the jump there takes the focus
 * first.
 */
function useRootBehind(room: Room | null, threadId: number, isOpenedByUser: boolean): boolean {
  const [isBehind, setBehind] = useState(isOpenedByUser);
  useEffect(() => {
    if (isOpenedByUser || room === null) return;
    void room
      .jump({ id: threadId })
      .catch(() => undefined)
      .then(() => setBehind(true));
  }, [isOpenedByUser, room, threadId]);
  return isBehind;
}

/** Marks the replies as read while the user sees them. */
function useThreadRead(thread: RoomThread | null, state: ThreadState | null): void {
  const last = state?.messages.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new reply is read.
  useEffect(() => {
    if (thread === null) return;
    return whileSeen(() => void thread.read().then(refreshThreads, () => undefined));
  }, [thread, last, state?.following]);
}
