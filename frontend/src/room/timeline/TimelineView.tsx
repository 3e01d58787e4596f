import { useEffect, useImperativeHandle, useMemo } from 'react';
import type { PendingMessage, Room, User } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { endOf } from '../../stores/end-of.ts';
import { othersSince } from '../../stores/others-since.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { roomParts } from '../load-parts.ts';
import { FoldsContext } from '../message/folds.ts';
import type { PendingActions } from '../message/message-row.ts';
import styles from './Timeline.module.css';
import { TimelineBox } from './TimelineBox.tsx';
import { TimelineCommits } from './TimelineCommits.ts';
import { TimelineRows } from './TimelineRows.tsx';
import { TimelineStart } from './TimelineStart.tsx';
import type { TimelineViewProps } from './timeline-props.ts';
import { useReadMark } from './use-read-mark.ts';
import { useTimelineContent } from './use-timeline-content.ts';
import { useTimelineJumps } from './use-timeline-jumps.ts';

/** Not part of the first paint. */
const TimelineOlder = lazyPart(async () => (await roomParts()).TimelineOlder);
const TimelineAnnouncer = lazyPart(async () => (await roomParts()).TimelineAnnouncer);
const TimelinePill = lazyPart(async () => (await roomParts()).TimelinePill);
const TimelineUnreadBar = lazyPart(async () => (await roomParts()).TimelineUnreadBar);

/** The timeline, once it is known where it opens. */
export function TimelineView(props: TimelineViewProps) {
  const { ref, state, room, name, user, onEdit, unread, onSeek, onReach, onSkip, opened } = props;
  const text = useText();
  const { loaded, jump, detached } = state;
  const isDetached = detached !== null;
  const content = useTimelineContent(props);
  const { messages, older, newer, window, range, atEnd, controller, input, seenSeq, rows } = content;
  const folds = useMemo(() => ({ opened, keep: controller.keep.bind(controller) }), [opened, controller]);
  const actions = usePendingActions(user, room, onEdit);

  useImperativeHandle(ref, () => ({ page: (step) => controller.page(step) }), [controller]);
  const isFar = unread.status === 'far';
  // Reading is by place: a reader of what a jump has led to has not seen the end of the room.
  const seesEnd = atEnd && !isDetached && !isFar && unread.status !== 'late';
  useReadMark(room.id, loaded ? endOf(state) : null, seesEnd);

  useTimelineJumps({ controller, room, jump, unread, onReach });

  // Everything on the way to the first unread message is needed while the search may go on.
  const isSearched = isFar && unread.search !== 'unasked';
  const holdFrom = isSearched ? 0 : atEnd ? null : window.firstSeq;
  useEffect(() => {
    room.hold(holdFrom);
    return () => room.hold(null);
  }, [room, holdFrom]);

  return (
    <div className={styles.frame}>
      <TimelineBox
        controller={controller}
        label={text.room.timeline(name)}
        isBusy={!loaded}
        isTabStop={rows.activeKey === null}
      >
        <TimelineCommits controller={controller} input={input}>
          <TimelineStart
            room={room}
            state={state}
            name={name}
            messages={messages}
            isInSight={range.from === 0}
            status={older.status}
            onLoad={() => {
              controller.expectOlder();
              older.load();
            }}
          />
          <FoldsContext value={folds}>
            <TimelineRows {...rows} actions={actions} />
          </FoldsContext>
          {isDetached && window.lastSeq === null && (
            <div className={styles.older}>
              <TimelineOlder status={newer.status} isNewer onLoad={newer.load} />
            </div>
          )}
        </TimelineCommits>
      </TimelineBox>
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

/** What the author can do about a message that was not sent. */
function usePendingActions(user: User, room: Room, onEdit: (content: string) => void): PendingActions {
  return useMemo(() => {
    const edit = ({ cid, content }: PendingMessage) => {
      onEdit(content);
      room.discard(cid);
    };
    return { user, room, onEdit: edit };
  }, [user, room, onEdit]);
}
