import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { lastSeq, type PendingMessage } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { othersSince } from '../../stores/others-since.ts';
import { Empty } from '../../ui/Empty.tsx';
import { BubbleIcon } from '../../ui/icons.tsx';
import { FoldsContext, useFolds } from '../message/folds.ts';
import { CommitWatch } from './CommitWatch.ts';
import { placeIn, type ReaderPlace } from './reader-place.ts';
import styles from './Timeline.module.css';
import type { TimelineProps } from './Timeline.tsx';
import { TimelineAnnouncer } from './TimelineAnnouncer.tsx';
import { TimelineOlder } from './TimelineOlder.tsx';
import { TimelinePill } from './TimelinePill.tsx';
import { TimelineRows } from './TimelineRows.tsx';
import { TimelineSkeleton } from './TimelineSkeleton.tsx';
import { TimelineUnreadBar } from './TimelineUnreadBar.tsx';
import { useOlderMessages } from './use-older-messages.ts';
import { useReadMark } from './use-read-mark.ts';
import { useTimelineKeys } from './use-timeline-keys.ts';
import { useTimelineRows } from './use-timeline-rows.ts';
import { useTimelineScroll } from './use-timeline-scroll.ts';
import type { Unread } from './use-timeline-unread.ts';
import { useTimelineWindow } from './use-timeline-window.ts';

interface TimelineViewProps extends TimelineProps {
  readonly unread: Exclude<Unread, { status: 'finding' }>;
  readonly onSeek: () => void;
  /** The reader has come to the message with this seq. */
  readonly onReach: (seq: number) => void;
  readonly onSkip: () => void;
  /** The long messages that are shown whole. */
  readonly opened: Set<string>;
  /** Where the reader was when another view took the place of this one, and is. */
  readonly readerAt: RefObject<ReaderPlace | null>;
}

/** The timeline once it is known where it opens. */
export function TimelineView(props: TimelineViewProps) {
  const { state, room, name, user, onEdit, onLeave, unread, onSeek, onReach, onSkip, opened, readerAt } =
    props;
  const text = useText();
  const { acked, pending, loaded, hasOlder } = state;
  const newAfterSeq = unread.status === 'line' ? unread.afterSeq : null;
  const messages = useMemo(
    () => (acked.length === 0 ? state.messages : state.messages.concat(acked)),
    [state.messages, acked],
  );
  const [place] = useState(() => placeIn(messages, state.epoch, readerAt.current));
  const older = useOlderMessages(room, state.messages[0], state.connections);
  const { window, range, setWindow, atEnd, setAtEnd } = useTimelineWindow(messages, newAfterSeq, place);
  const { box, content, seenSeq, jump, ...scroll } = useTimelineScroll({
    messages,
    window,
    newAfterSeq,
    opening: newAfterSeq === null ? 'end' : 'new',
    place,
    onPlace: (now) => {
      readerAt.current = now && { ...now, epoch: state.epoch };
      if (now !== null) onReach(now.seq);
    },
    onWindow: setWindow,
    onAtEnd: setAtEnd,
    onNearStart: older.loadAhead,
  });
  const frame = useRef<HTMLDivElement>(null);
  const folds = useFolds(opened, scroll.keep);
  const keys = useTimelineKeys({ frame, box, jump, onLeave });
  const rows = useTimelineRows({ state, messages, window, range, newAfterSeq, activeKey: keys.activeKey });
  const actions = useMemo(() => {
    const edit = ({ cid, content: written }: PendingMessage) => {
      onEdit(written);
      room.discard(cid);
    };
    return { user, room, onEdit: edit };
  }, [user, room, onEdit]);

  useReadMark(room.id, loaded ? (state.head ?? lastSeq(state)) : null, atEnd && unread.status !== 'far');

  // Whoever says something wants to see it, wherever they have read until now.
  const showEnd = useEffectEvent(() => jump('end'));
  useEffect(() => room.on('sending', () => showEnd()), [room]);

  const isSought = unread.status === 'line' && unread.isSought;
  const showLine = useEffectEvent(() => {
    keys.followToNew();
    jump('new');
  });
  // Before the hold of the search ends: nothing of what it found is forgotten in between.
  useLayoutEffect(() => {
    if (isSought) showLine();
  }, [isSought]);

  // What is on the way to the first unread is needed as long as that may go on.
  const isSearched = unread.status === 'far' && unread.search !== 'unasked';
  const holdFrom = isSearched ? 0 : atEnd ? null : window.firstSeq;
  useEffect(() => {
    room.hold(holdFrom);
    return () => room.hold(null);
  }, [room, holdFrom]);

  return (
    <div ref={frame} className={styles.frame}>
      <div
        ref={box}
        className={styles.scroller}
        onScroll={() => {
          scroll.onScroll();
          keys.onScroll();
        }}
        onWheel={scroll.onHand}
        onTouchMove={scroll.onHand}
        onPointerDown={(event) => event.target === event.currentTarget && scroll.onHand()}
        onKeyDown={(event) => {
          scroll.onHand();
          keys.onKeyDown(event);
        }}
        onFocus={keys.onFocus}
        tabIndex={rows.activeKey === null ? 0 : -1}
        role="log"
        aria-live="off"
        aria-label={text.room.timeline(name)}
        aria-busy={!loaded}
      >
        <div ref={content} className={styles.content}>
          <CommitWatch
            before={() => {
              scroll.beforeCommit();
              keys.noteFocus();
            }}
            after={() => {
              scroll.afterCommit();
              keys.placeFocus();
            }}
          >
            {!loaded && messages.length === 0 && <TimelineSkeleton />}
            {loaded && messages.length === 0 && pending.length === 0 && (
              <Empty
                icon={<BubbleIcon size={28} />}
                title={text.room.empty}
                hint={text.room.emptyHint(name)}
              />
            )}
            {range.from === 0 && hasOlder && (
              <TimelineOlder
                status={older.status}
                onLoad={() => {
                  scroll.expectOlder();
                  older.load();
                }}
              />
            )}
            {range.from === 0 && !hasOlder && messages.length > 0 && (
              <p className={styles.beginning}>{text.room.beginning(name)}</p>
            )}
            <FoldsContext value={folds}>
              <TimelineRows {...rows} actions={actions} />
            </FoldsContext>
          </CommitWatch>
        </div>
      </div>
      {unread.status === 'far' && (
        <TimelineUnreadBar
          roomId={room.id}
          isSeeking={unread.search === 'running'}
          onSeek={onSeek}
          onRead={onSkip}
        />
      )}
      {!atEnd && (
        <TimelinePill unseen={othersSince(messages, seenSeq, user.id)} onClick={() => jump('end')} />
      )}
      <TimelineAnnouncer room={room} me={user.id} />
    </div>
  );
}
