import { memo, type RefObject, use, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Change, Message, OutboxFile, PendingMessage } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useMessageParts } from '../../parts/markdown/use-message-parts.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { ClockIcon } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { roomParts } from '../load-parts.ts';
import { FoldsContext } from './folds.ts';
import { MessageFiles } from './MessageFiles.tsx';
import { MessageFold } from './MessageFold.tsx';
import { Edited, MessageHead, MessageTime } from './MessageHead.tsx';
import styles from './MessageItem.module.css';
import { MessageText } from './MessageText.tsx';
import type { MessageRow, PendingActions, PendingRow } from './message-row.ts';
import { useShownMessage } from './use-shown-message.ts';

/** Needed with the first message that has the pointer or the focus. */
const LinkPreviews = lazyPart(async () => (await roomParts()).LinkPreviews);
const MessageActions = lazyPart(async () => (await roomParts()).MessageActions);
const BlockedLine = lazyPart(async () => (await roomParts()).BlockedLine);
const MessageEditor = lazyPart(async () => (await roomParts()).MessageEditor);
const MessageFoot = lazyPart(async () => (await roomParts()).MessageFoot);
const Quote = lazyPart(async () => (await roomParts()).Quote);
const Tombstone = lazyPart(async () => (await roomParts()).Tombstone);
const NotSent = lazyPart(async () => (await roomParts()).NotSent);

interface MessageItemProps {
  readonly row: MessageRow | PendingRow;
  /** The one Tab stop among the messages. */
  readonly active: boolean;
  readonly actions: PendingActions;
  /** Its author is blocked, so it is folded to a line. */
  readonly isBlocked?: boolean;
  /** Shows beneath it when it will be sent. */
  readonly promise?: boolean;
}

/**
 * A message. The first of a group shows its author and time; the others show their time to the pointer and the focus.
 * An own message keeps its element from the moment it is sent.
 */
export const MessageItem = memo(
  function MessageItem({ row, active, actions, isBlocked = false, promise = false }: MessageItemProps) {
    const { opened } = use(FoldsContext);
    const blockedKey = `b${row.key}`;
    const [isShown, setShown] = useState(() => opened.has(blockedKey));
    const { first } = row;
    const content = useRef<HTMLDivElement>(null);
    const headId = useId();
    const wasThere = useWasThere();
    const [isPointedAt, setPointedAt] = useState(false);
    const shown = useShownMessage(row, actions.user);
    const { message, changes, deleting, author, text, files, attributes, answered } = shown;
    const { isChanging, isWaiting, isGone, isEdited } = shown;
    const time = <MessageTime row={row} />;
    useTabStops(content, active);
    return (
      <li
        className={styles.message}
        tabIndex={active ? 0 : -1}
        data-row="message"
        data-key={row.key}
        data-first={first}
        onPointerEnter={({ pointerType }) => setPointedAt(pointerType === 'mouse')}
        onPointerLeave={() => setPointedAt(false)}
        {...attributes}
      >
        {isBlocked && !isShown ? (
          <BlockedLine
            active={active}
            onShow={() => {
              opened.add(blockedKey);
              setShown(true);
            }}
          />
        ) : (
          <>
            {answered !== undefined && <Answered messageId={answered} active={active} />}
            {first ? (
              <Avatar userId={author.id} username={author.username} />
            ) : (
              <span className={styles.gutter}>{time}</span>
            )}
            <div className={styles.body}>
              {first ? (
                <MessageHead id={headId} author={author}>
                  {time}
                </MessageHead>
              ) : (
                <span id={headId} className="visually-hidden">
                  {author.username}
                </span>
              )}
              <div
                ref={content}
                data-landmark
                className={isWaiting && !isChanging ? styles.dim : styles.text}
                data-edited={message?.revision !== undefined && !isGone && !isEdited}
              >
                {isGone && <Tombstone waiting={deleting?.confirmed ? undefined : deleting} active={active} />}
                {/* Deleted meanwhile, the text that is being typed stays. */}
                {isEdited && message !== null ? (
                  <MessageEditor key={message.id} message={message} isGone={isGone} />
                ) : (
                  !isGone && <Said rowKey={row.key} {...{ text, files, message, headId, active }} />
                )}
                {message?.revision !== undefined && !isGone && !isEdited && <Edited message={message} />}
              </div>
              {!isGone && message?.previews && <Previewed message={message} active={active} />}
              {message !== null && (isGone ? hasReplies(message.thread) : hasFoot(message, changes)) && (
                <div className={styles.foot}>
                  <MessageFoot message={message} changes={changes} active={active} isNew={wasThere()} />
                </div>
              )}
              {row.kind === 'pending' && (
                <PendingState entry={row.entry} actions={actions} promise={promise} />
              )}
            </div>
            {isWaiting && (
              <span className={styles.clock} data-testid="clock">
                <ClockIcon size={14} />
              </span>
            )}
            {message !== null && !isEdited && (active || isPointedAt) && (
              <MessageActions message={message} active={active} />
            )}
          </>
        )}
      </li>
    );
  },
  (before, after) =>
    isSame(before.row, after.row) &&
    before.row.first === after.row.first &&
    before.active === after.active &&
    before.isBlocked === after.isBlocked &&
    before.promise === after.promise &&
    before.actions === after.actions,
);

interface SaidProps {
  readonly rowKey: string;
  readonly text: string;
  readonly files: readonly OutboxFile[] | undefined;
  readonly message: Message | null;
  readonly headId: string;
  readonly active: boolean;
}

/** The text of a message, and its files. */
function Said({ rowKey, text, files, message, headId, active }: SaidProps) {
  return (
    <>
      {(text !== '' || files === undefined) && (
        <MessageFold rowKey={rowKey} content={text} headId={headId} active={active}>
          <MessageText content={text} message={message ?? undefined} />
        </MessageFold>
      )}
      {files !== undefined && (
        <MessageFiles files={files} messageId={message?.id ?? null} of={message} active={active} />
      )}
    </>
  );
}

/** What its links lead to. Each takes the same space, which is there before the words and pictures. */
function Previewed(props: { readonly message: Message; readonly active: boolean }) {
  return (
    <div style={{ minHeight: 112 * (props.message.previews?.length ?? 0) }}>
      <LinkPreviews {...props} />
    </div>
  );
}

/** What it answers, above the name. Its space is there before the words. */
function Answered(props: { readonly messageId: number; readonly active: boolean }) {
  return (
    <div className={styles.quote}>
      <Quote {...props} />
    </div>
  );
}

/** Whether it was rendered before. */
function useWasThere(): () => boolean {
  const wasThere = useRef(false);
  useEffect(() => {
    wasThere.current = true;
  }, []);
  return () => wasThere.current;
}

/** Whether something stands beneath the text. */
function hasFoot({ reactions, pinned_at, thread }: Message, changes: readonly Change[]): boolean {
  const hasReactions = reactions !== undefined && reactions.length > 0;
  return (
    hasReactions ||
    pinned_at !== undefined ||
    hasReplies(thread) ||
    changes.some(({ conflict }) => conflict !== null)
  );
}

function hasReplies(thread: Message['thread']): boolean {
  return thread !== undefined && thread.replies > 0;
}

interface PendingStateProps {
  readonly entry: PendingMessage;
  readonly actions: PendingActions;
  readonly promise: boolean;
}

function PendingState({ entry, actions, promise }: PendingStateProps) {
  const text = useText();
  if (entry.status === 'failed') return <NotSent entry={entry} actions={actions} />;
  return promise && <p className={styles.waiting}>{text.room.whenBack}</p>;
}

function isSame(a: MessageRow | PendingRow, b: MessageRow | PendingRow): boolean {
  if (a.kind === 'pending') return b.kind === 'pending' && a.entry === b.entry;
  return b.kind === 'message' && a.message === b.message;
}

/**
 * Makes links and buttons Tab stops only in the message that is one itself. Otherwise a long conversation would have
 * hundreds of stops.
 */
function useTabStops(content: RefObject<HTMLElement | null>, active: boolean): void {
  // Links appear once the parser has loaded.
  useMessageParts();
  useLayoutEffect(() => {
    const stops = content.current?.querySelectorAll<HTMLElement>('a[href], button') ?? [];
    for (const stop of stops) stop.tabIndex = active ? 0 : -1;
  });
}
