import type { ReactNode } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { fullTime, listTime } from '../../i18n/time.ts';
import { useRooms } from '../../stores/rooms.ts';
import { navigate } from '../../stores/route.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Door } from '../../ui/Door.tsx';
import { inThisTab } from '../../ui/in-this-tab.ts';
import styles from './ActivityRow.module.css';

interface ActivityRowProps {
  readonly roomId: number;
  /** Stands for a direct conversation, which has no door. */
  readonly person: { readonly id: number; readonly username: string };
  /** A sentence: a person, what they did, and the room. */
  readonly lead: ReactNode;
  /** What was said, as plain text. */
  readonly words: string;
  /** In milliseconds. */
  readonly at: number;
  readonly path: string;
  readonly isRead: boolean;
  readonly testId: string;
  /** Before the user goes there. */
  readonly onOpen?: () => void;
  /** More lines beneath the words, within the link. */
  readonly foot?: ReactNode;
  /** Buttons with icons: in place of the time while the pointer or the focus is here, always for a finger. */
  readonly actions?: ReactNode;
  /** Beneath the link. */
  readonly children?: ReactNode;
}

/** One row of the inbox, the followed threads, or the saved messages: a door, who did what, the words, the time. */
export function ActivityRow(props: ActivityRowProps) {
  const { roomId, person, lead, words, at, path, isRead, testId, onOpen, foot, actions, children } = props;
  const text = useText();
  const room = useRooms(({ rooms }) => rooms.find(({ id }) => id === roomId));

  const open = inThisTab(() => {
    onOpen?.();
    navigate(path);
  });

  return (
    <li className={styles.item} data-actions={actions !== undefined}>
      <a href={path} className={styles.row} data-read={isRead} data-testid={testId} onClick={open}>
        <span className={styles.figure}>
          {room === undefined || room.kind === 'dm' ? (
            <Avatar userId={person.id} username={person.username} size="small" />
          ) : (
            <Door
              size="item"
              roomId={roomId}
              name={room.name}
              emoji={room.emoji}
              hue={room.hue}
              isAjar={!isRead}
            />
          )}
        </span>
        <span className={styles.text}>
          <span className={styles.head}>
            <span className={styles.lead}>{lead}</span>
            <time className={styles.time} dateTime={new Date(at).toISOString()} title={fullTime(text, at)}>
              {listTime(text, at, Date.now())}
            </time>
          </span>
          {words !== '' && (
            <span className={styles.words} dir="auto">
              {words}
            </span>
          )}
          {foot !== undefined && <span className={styles.foot}>{foot}</span>}
        </span>
      </a>
      {actions !== undefined && <span className={styles.actions}>{actions}</span>}
      {children}
    </li>
  );
}
