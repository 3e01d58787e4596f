import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import type { PendingMessage } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { endOf } from '../../stores/end-of.ts';
import { othersSince } from '../../stores/others-since.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { roomParts } from '../load-parts.ts';
import { FoldsContext } from '../message/folds.ts';
import { placeIn, type ReaderPlace } from './reader-place.ts';
import { showScrolling } from './show-scrolling.ts';
import { shownState } from './shown-state.ts';
import styles from './Timeline.module.css';
import { TimelineCommits } from './TimelineCommits.ts';
import { TimelineLoading } from './TimelineLoading.tsx';
import { TimelineRows } from './TimelineRows.tsx';
import type { TimelineProps } from './timeline-props.ts';
import { usePages } from './use-pages.ts';
import { useReadMark } from './use-read-mark.ts';
import { useTimelineController } from './use-timeline-controller.ts';
import { useTimelineRows } from './use-timeline-rows.ts';
import type { Unread } from './use-timeline-unread.ts';
import { useTimelineWindow } from './use-timeline-window.ts';

/** Not part of the first paint. */
const TimelineEmpty = lazyPart(async () => (await roomParts()).TimelineEmpty);
const TimelineOlder = lazyPart(async () => (await roomParts()).TimelineOlder);
const TimelineBeginning = lazyPart(async () => (await roomParts()).TimelineBeginning);
const TimelineAnnouncer = lazyPart(async () => (await roomParts()).TimelineAnnouncer);
const TimelinePill = lazyPart(async () => (await roomParts()).TimelinePill);
const TimelineUnreadBar = lazyPart(async () => (await roomParts()).TimelineUnreadBar);

interface TimelineViewProps extends TimelineProps {
  readonly unread: Exclude<Unread, { status: 'finding' }>;
  readonly onSeek: () => void;
  /** The reader has come to the message with this seq. */
  readonly onReach: (seq: number) => void;
  readonly onSkip: () => void;
  /** The reader is back from a jump. */
  readonly isBack: boolean;
  /** The keys of the long messages that are shown whole. */
  readonly opened: Set<string>;
  /** Where the reader is. It outlives this view, and the next one begins there. */
  readonly readerAt: RefObject<ReaderPlace | null>;
}

/** The timeline, once it is known where it opens. */
export function TimelineView(props: TimelineViewProps) {
  const { ref, state, room, name, user, onEdit, onLeave, unread, onSeek, onReach, onSkip } = props;
  const { opened, readerAt, isBack } = props;
  const text = useText();
  const { acked, pending, loaded, hasOlder } = state;
  const newAfterSeq = unread.status === 'divider' ? unread.afterSeq : null;
  const messages = useMemo(
    () => (acked.length === 0 ? state.messages : state.messages.concat(acked)),
    [state.messages, acked],
  );
  const { jump, connections } = state;
  const isDetached = state.detached !== null;
  const [place] = useState(() => placeIn(state, readerAt.current));
  const opening = newAfterSeq === null || isBack ? 'end' : 'new';
  const older = usePages({
    read: () => (isDetached ? room.loadDetached('older') : room.loadOlder()),
    mayRead: () => {
      const { messages: held, hasOlder: hasMore } = shownState(room.state);
      return hasMore && held[0]?.id === state.messages[0]?.id;
    },
    connections,
  });
  const newer = usePages({
    read: () => room.loadDetached('newer'),
    mayRead: () => room.state.detached?.messages.at(-1)?.id === messages.at(-1)?.id,
    connections,
  });
  const { window, range, setWindow, atEnd, setAtEnd } = useTimelineWindow(
    messages,
    opening === 'new' ? newAfterSeq : null,
    place,
  );
  const { controller, input, seenSeq } = useTimelineController({
    messages,
    window,
    newAfterSeq,
    place,
    opening,
    endSeq: endOf(room.state),
    isDetached,
    onPlace: (now) => {
      readerAt.current = now && { ...now, epoch: state.epoch, jumps: jump.count };
      if (now !== null && !isDetached) onReach(now.seq);
    },
    onWindow: setWindow,
    onAtEnd: setAtEnd,
    onNearStart: older.loadAhead,
    onNearEnd: newer.loadAhead,
    onLatest: () => room.toLatest(),
    onLeave,
  });
  const { activeKey } = input;
  const rows = useTimelineRows({ state, messages, window, range, newAfterSeq, activeKey });
  const folds = useMemo(() => ({ opened, keep: controller.keep.bind(controller) }), [opened, controller]);
  const actions = useMemo(() => {
    const edit = ({ cid, content }: PendingMessage) => {
      onEdit(content);
      room.discard(cid);
    };
    return { user, room, onEdit: edit };
  }, [user, room, onEdit]);

  useImperativeHandle(ref, () => ({ page: (step) => controller.page(step) }), [controller]);
  const isFar = unread.status === 'far';
  // Reading is by place: a reader of what a jump has led to has not seen the end of the room.
  const seesEnd = atEnd && !isDetached && !isFar && unread.status !== 'late';
  useReadMark(room.id, loaded ? endOf(state) : null, seesEnd);

  const showTarget = useEffectEvent(() => {
    if (jump.target !== null) controller.showTarget(jump.target.id);
  });
  useEffect(() => showTarget(), []);

  // The author wants to see their own message, wherever they have read until now.
  useEffect(() => room.on('sending', () => controller.jump('end')), [room, controller]);

  const isSought = unread.status === 'divider' && unread.isSought;
  const showDivider = useEffectEvent(() => controller.jumpToNew());
  // Before the hold of the search ends, so that nothing of what it found is forgotten in between.
  useLayoutEffect(() => {
    if (isSought) showDivider();
  }, [isSought]);

  // The first unread message is in sight already when it became known late and there are only a few.
  const showFar = useEffectEvent(() => {
    const seq = controller.seqInSight();
    if (seq !== null) onReach(seq);
  });
  useLayoutEffect(() => {
    if (isFar) showFar();
  }, [isFar]);

  // Everything on the way to the first unread message is needed while the search may go on.
  const isSearched = isFar && unread.search !== 'unasked';
  const holdFrom = isSearched ? 0 : atEnd ? null : window.firstSeq;
  useEffect(() => {
    room.hold(holdFrom);
    return () => room.hold(null);
  }, [room, holdFrom]);

  return (
    <div className={styles.frame}>
      <div
        ref={controller.attach}
        className={styles.scroller}
        onScroll={({ currentTarget }) => {
          showScrolling(currentTarget);
          controller.onScroll();
        }}
        onWheel={() => controller.onHand()}
        onTouchMove={() => controller.onHand()}
        onPointerDown={(event) => event.target === event.currentTarget && controller.onHand()}
        onKeyDown={(event) => controller.onKeyDown(event)}
        onFocus={() => controller.onFocus()}
        tabIndex={rows.activeKey === null ? 0 : -1}
        role="log"
        aria-live="off"
        aria-label={text.room.timeline(name)}
        aria-busy={!loaded}
      >
        <div className={styles.content}>
          <TimelineCommits controller={controller} input={input}>
            {!loaded && messages.length === 0 && <TimelineLoading connection={state.connection} />}
            {loaded && messages.length === 0 && pending.length === 0 && (
              <TimelineEmpty roomId={room.id} name={name} />
            )}
            {range.from === 0 && hasOlder && (
              <div className={styles.older}>
                <TimelineOlder
                  status={older.status}
                  onLoad={() => {
                    controller.expectOlder();
                    older.load();
                  }}
                />
              </div>
            )}
            {range.from === 0 && !hasOlder && messages.length > 0 && (
              <p className={styles.beginning}>
                <TimelineBeginning roomId={room.id} name={name} />
              </p>
            )}
            <FoldsContext value={folds}>
              <TimelineRows {...rows} actions={actions} />
            </FoldsContext>
            {isDetached && window.lastSeq === null && (
              <div className={styles.older}>
                <TimelineOlder status={newer.status} isNewer onLoad={newer.load} />
              </div>
            )}
          </TimelineCommits>
        </div>
      </div>
      {isFar && !isDetached && (
        <TimelineUnreadBar
          roomId={room.id}
          isSeeking={unread.search === 'running'}
          onSeek={onSeek}
          onRead={onSkip}
        />
      )}
      {!atEnd && (
        <TimelinePill
          roomId={room.id}
          unseen={isDetached ? null : othersSince(messages, seenSeq, user.id)}
          onClick={() => controller.jump('end')}
        />
      )}
      {/* In the document from the start: a live region that comes with its text is not announced. */}
      <div className="visually-hidden" aria-live="polite" data-testid="announcer">
        <TimelineAnnouncer room={room} me={user.id} />
      </div>
    </div>
  );
}
