import { type ReactNode, useRef, useState } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { fullTime, listTime } from '../../i18n/time.ts';
import { useRooms } from '../../stores/rooms.ts';
import { navigate } from '../../stores/route.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { Door } from '../../ui/Door.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { inThisTab } from '../../ui/in-this-tab.ts';
import { SwipeMark } from '../../ui/SwipeMark.tsx';
import { watchSwipe } from '../../ui/swipe.ts';
import styles from './ActivityRow.module.css';
import { CalledLine } from './CalledLine.tsx';

/** What ends the row's call on the user: with its button, the key E, or a swipe. */
export interface DoneAction {
  readonly label: string;
  readonly icon?: ReactNode;
  run(): void;
}

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
  /** `new`: it calls the user. `done`: it has. `kept`: neither, as what they keep for later. */
  readonly state: 'new' | 'done' | 'kept';
  readonly testId: string;
  /** Before the user goes there. */
  readonly onOpen?: () => void;
  /** More lines beneath the words, within the link. */
  readonly foot?: ReactNode;
  /** A button with an icon: in place of the time while the pointer or the focus is here, always for a finger. */
  readonly actions?: ReactNode;
  /** The last button. Undefined: there is nothing to be done with. */
  readonly done?: DoneAction | undefined;
  /** Beneath the link. */
  readonly children?: ReactNode;
}

/** One row of the inbox, the followed threads, or the saved messages: a door, who did what, the words, the time. */
export function ActivityRow(props: ActivityRowProps) {
  const { roomId, person, lead, words, at, path, state, testId, onOpen, foot, actions, done, children } =
    props;
  const text = useText();
  const swipe = useSwipe(done);
  const buttons = Number(actions !== undefined) + Number(done !== undefined);
  const room = useRooms(({ rooms }) => rooms.find(({ id }) => id === roomId));

  /** The button goes with what it ends: the focus stays in its row. */
  function end(): void {
    const link = swipe.row.current?.querySelector('a');
    if (document.activeElement?.matches('[data-done]')) link?.focus();
    done?.run();
  }

  const open = inThisTab(() => {
    onOpen?.();
    navigate(path);
  });

  return (
    <li
      ref={swipe.row}
      className={styles.item}
      data-actions={buttons || undefined}
      onPointerDown={({ nativeEvent }) => swipe.watch(nativeEvent)}
    >
      <a href={path} className={styles.row} data-state={state} data-testid={testId} onClick={open}>
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
              isAjar={state === 'new'}
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
              <CalledLine line={words} />
            </span>
          )}
          {foot !== undefined && <span className={styles.foot}>{foot}</span>}
        </span>
      </a>
      {buttons > 0 && (
        <span className={styles.actions}>
          {actions}
          {done !== undefined && (
            <IconButton label={done.label} data-done="" onClick={end}>
              {done.icon ?? <CheckIcon size={18} />}
            </IconButton>
          )}
        </span>
      )}
      {children}
      {swipe.phase !== 'still' && (
        <SwipeMark isFar={swipe.phase === 'far'} testId="swiped">
          {done?.icon ?? <CheckIcon size={18} />}
        </SwipeMark>
      )}
    </li>
  );
}

/** A finger that draws the row to the left is done with it. */
function useSwipe(done: DoneAction | undefined) {
  const row = useRef<HTMLLIElement>(null);
  const [phase, setPhase] = useState<'still' | 'near' | 'far'>('still');
  function watch(down: PointerEvent): void {
    if (done === undefined || row.current === null) return;
    watchSwipe(down, row.current, {
      onStart: () => setPhase('near'),
      onFar: (isFar) => setPhase(isFar ? 'far' : 'near'),
      onEnd: (isDone) => {
        setPhase('still');
        if (isDone) done.run();
      },
    });
  }
  return { row, phase, watch };
}
