import { memo, useEffect } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { clockTime, fullTime, listTime, shortDay, startOfDay } from '../../i18n/time.ts';
import { useDisplayName } from '../../stores/people.ts';
import { useRooms } from '../../stores/rooms.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Door } from '../../ui/Door.tsx';
import { inThisTab } from '../../ui/in-this-tab.ts';
import { HitFiles } from './HitFiles.tsx';
import styles from './HitRow.module.css';
import { hitPath } from './hit-path.ts';
import { hitPieces } from './hit-text.ts';
import { Pieces } from './Pieces.tsx';
import type { Result } from './search-state.ts';

interface HitRowProps {
  readonly result: Result;
  /** It is the one that Tab leads to. */
  readonly isStop: boolean;
  /** The timeline shows it. */
  readonly isShown: boolean;
  readonly onOpen: (result: Result) => void;
}

/** A message that was found: who wrote it, where and when, its words around what was found, and its files. */
export const HitRow = memo(function HitRow({ result, isStop, isShown, onOpen }: HitRowProps) {
  const text = useText();
  const { id, user_id: userId, username, content, created_at: createdAt, files } = result.message;
  const name = useDisplayName(userId) ?? username;
  const at = Date.parse(createdAt);
  const open = inThisTab(() => onOpen(result));
  return (
    <li>
      <a
        href={hitPath(result.message)}
        className={styles.hit}
        data-hit={id}
        data-testid="hit"
        tabIndex={isStop ? 0 : -1}
        aria-current={isShown}
        onClick={open}
      >
        <Avatar userId={userId} username={username} size="small" />
        <span className={styles.body}>
          <span className={styles.head}>
            <b className={styles.name}>{name}</b>{' '}
            <time className={styles.time} dateTime={createdAt} title={fullTime(text, at)}>
              {when(text, at)}
            </time>
          </span>
          <Place result={result} />
          {content !== '' && (
            <span className={styles.words} dir="auto" data-words="">
              <Pieces pieces={hitPieces(content, result.hits)} />
            </span>
          )}
          {files !== undefined && <HitFiles files={files} hits={result.file_hits} />}
        </span>
      </a>
    </li>
  );
});

/** The room, and whether it was said in a thread. */
function Place({ result: { message } }: { readonly result: Result }) {
  const text = useText();
  const { search: texts } = useScreenTexts();
  const { room_id: roomId, thread_id: threadId } = message;
  const room = useRooms(({ rooms }) => rooms.find(({ id }) => id === roomId));
  const isKnown = room !== undefined;

  useEffect(() => {
    if (!isKnown) void useRooms.getState().ensure(roomId);
  }, [roomId, isKnown]);

  const [person, ...others] = (room?.kind === 'dm' && room.people) || [];
  const name = room?.name ?? text.room.unnamed(roomId);
  return (
    <span className={styles.place}>
      {person !== undefined && others.length === 0 ? (
        <Avatar userId={person.user_id} username={person.username} size="tiny" />
      ) : (
        <Door size="row" roomId={roomId} name={name} emoji={room?.emoji ?? null} hue={room?.hue} />
      )}
      <bdi className={styles.room}>{name}</bdi>
      {threadId !== undefined && <span className={styles.thread}>{` · ${texts.thread}`}</span>}
    </span>
  );
}

const WEEK_DAYS = 7;

/** The time today, the weekday and the time within a week, else the day. */
function when(text: Parameters<typeof clockTime>[0], at: number): string {
  const now = Date.now();
  const days = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000);
  if (days <= 0) return clockTime(text, at);
  return days < WEEK_DAYS ? `${listTime(text, at, now)} ${clockTime(text, at)}` : shortDay(text, at, now);
}
