import { memo } from 'react';
import type { PendingMessage, User } from '../../../client/index.ts';
import { useText } from '../i18n/catalogue.ts';
import { bareTime, clockTime, fullTime } from '../i18n/time.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { AlertIcon } from '../ui/icons.tsx';
import styles from './MessageItem.module.css';
import { MessageText } from './MessageText.tsx';
import type { MessageRow } from './timeline-items.ts';

/** A stored message; the first of a group shows who and when, the others when one points at them. */
export const MessageItem = memo(
  function MessageItem({ row }: { readonly row: MessageRow }) {
    const text = useText();
    const { message, at, first } = row;
    const time = (
      <time className={styles.time} dateTime={message.created_at} title={fullTime(text, at)}>
        {first ? clockTime(text, at) : bareTime(text, at)}
      </time>
    );
    return (
      <li
        className={styles.message}
        data-first={first}
        data-testid="message"
        data-message-id={message.id}
        data-seq={message.seq}
      >
        {first ? (
          <Avatar userId={message.user_id} username={message.username} />
        ) : (
          <span className={styles.gutter}>{time}</span>
        )}
        <div className={styles.body}>
          {first ? (
            <p className={styles.head}>
              <span className={styles.author}>{message.username}</span>
              {time}
            </p>
          ) : (
            <span className="visually-hidden">{message.username}</span>
          )}
          <MessageText content={message.content} />
        </div>
      </li>
    );
  },
  (before, after) => before.row.message === after.row.message && before.row.first === after.row.first,
);

interface PendingItemProps {
  readonly entry: PendingMessage;
  readonly user: User;
  readonly first: boolean;
  /** Says beneath it that it will be sent. */
  readonly promise: boolean;
  readonly onRetry: () => void;
  readonly onEdit: () => void;
  readonly onDiscard: () => void;
}

/** An own message that the server has not confirmed, where it will stand once it is. */
export function PendingItem({ entry, user, first, promise, onRetry, onEdit, onDiscard }: PendingItemProps) {
  const text = useText();
  const failed = entry.status === 'failed';
  return (
    <li className={styles.message} data-first={first} data-testid="pending-message" data-state={entry.status}>
      {first ? <Avatar userId={user.id} username={user.username} /> : <span className={styles.gutter} />}
      <div className={styles.body}>
        {first && (
          <p className={styles.head}>
            <span className={styles.author}>{user.username}</span>
            <span className={styles.time}>{clockTime(text, entry.createdAt)}</span>
          </p>
        )}
        <div className={failed ? undefined : styles.dim}>
          <MessageText content={entry.content} />
        </div>
        {failed ? (
          <p className={styles.failed}>
            <AlertIcon size={16} />
            {text.room.notSent}
            <button type="button" onClick={onRetry}>
              {text.room.retry}
            </button>
            <button type="button" onClick={onEdit}>
              {text.room.edit}
            </button>
            <button type="button" onClick={onDiscard}>
              {text.room.discard}
            </button>
          </p>
        ) : (
          promise && <p className={styles.waiting}>{text.room.whenBack}</p>
        )}
      </div>
    </li>
  );
}
