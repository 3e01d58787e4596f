import type { ReactNode } from 'react';
import type { Message } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { fullTime, listTime } from '../../i18n/time.ts';
import { useDisplayName } from '../../stores/people.ts';
import { messagePath, navigate } from '../../stores/route.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { inThisTab } from '../../ui/in-this-tab.ts';
import styles from './MessageCard.module.css';
import { MessageFiles } from './MessageFiles.tsx';
import { MessageText } from './MessageText.tsx';

interface MessageCardProps {
  readonly message: Message;
  /** Where it was written, on a page that has messages of several rooms. */
  readonly room?: string | undefined;
  /** What the user has noted about it. */
  readonly note?: ReactNode;
  /** Buttons at its end. */
  readonly children?: ReactNode;
}

/** A message in a list: who wrote it and when, which leads to it, and its text. */
export function MessageCard({ message, room, note, children }: MessageCardProps) {
  const text = useText();
  const { id, room_id, user_id, username, content, files, created_at } = message;
  const name = useDisplayName(user_id) ?? username;
  const at = Date.parse(created_at);
  const path = messagePath(room_id, id);

  return (
    <li className={styles.card} data-testid="message-card">
      <Avatar userId={user_id} username={username} size="small" />
      <div className={styles.body}>
        <p className={styles.head}>
          <a href={path} onClick={inThisTab(() => navigate(path))}>
            <b>{name}</b>
            {room !== undefined && <span className={styles.room}>{` · ${room}`}</span>}
          </a>
          <time dateTime={created_at} title={fullTime(text, at)}>
            {listTime(text, at, Date.now())}
          </time>
        </p>
        <div className={styles.text}>
          {content !== '' && <MessageText content={content} message={message} />}
          {files !== undefined && <MessageFiles files={files} messageId={id} active />}
        </div>
        {note}
        {children !== undefined && <p className={styles.actions}>{children}</p>}
      </div>
    </li>
  );
}
