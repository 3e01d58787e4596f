import type { ReactNode } from 'react';
import type { Message, User } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { clockTime, fullTime } from '../../i18n/time.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { useDisplayName } from '../../stores/people.ts';
import styles from './MessageItem.module.css';
import type { MessageRow, PendingRow } from './message-row.ts';

interface MessageHeadProps {
  readonly id: string;
  readonly author: User;
  /** The time. */
  readonly children: ReactNode;
}

/** What the first of a group begins with. */
export function MessageHead({ id, author, children }: MessageHeadProps) {
  return (
    <p id={id} className={styles.head}>
      <button
        type="button"
        className={styles.author}
        tabIndex={-1}
        onClick={({ currentTarget: anchor }) =>
          useDialogs.getState().show({ kind: 'profile', userId: author.id, anchor })
        }
      >
        <AuthorName {...author} />
      </button>
      {children}
    </p>
  );
}

/** The name that its author goes by, with the username beside it. */
function AuthorName({ id, username }: User) {
  const name = useDisplayName(id);
  return name === null ? (
    username
  ) : (
    <>
      {name} <span className={styles.username}>{username}</span>
    </>
  );
}

/** Leads to the earlier texts. */
export function Edited({ message: { id, room_id } }: { readonly message: Message }) {
  const text = useText();
  return (
    <button
      type="button"
      className={styles.edited}
      tabIndex={-1}
      onClick={() => useDialogs.getState().show({ kind: 'revisions', roomId: room_id, messageId: id })}
    >
      {text.room.edited}
    </button>
  );
}

/** The time. The style sheet shows all of it to the pointer and the focus. */
export function MessageTime({ row: { at } }: { readonly row: MessageRow | PendingRow }) {
  const text = useText();
  return (
    <time className={styles.time} dateTime={new Date(at).toISOString()} data-full={fullTime(text, at)}>
      {clockTime(text, at)}
    </time>
  );
}
