import { useMemo, useRef, useState } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import type { ReaderPlace } from './reader-place.ts';
import { shownState } from './shown-state.ts';
import styles from './Timeline.module.css';
import { TimelineLoading } from './TimelineLoading.tsx';
import { TimelineView } from './TimelineView.tsx';
import type { TimelineProps } from './timeline-props.ts';
import { useLastSeen } from './use-last-seen.ts';
import { useTimelineUnread } from './use-timeline-unread.ts';

/** The messages of a room, as far back as they have been loaded. It opens where the reader left off. */
export function Timeline(props: TimelineProps) {
  const text = useText();
  const { state } = props;
  const { unread, seek, reach, skip } = useTimelineUnread(state, props.room);
  const [opened] = useState(() => new Set<string>());
  const readerAt = useRef<ReaderPlace | null>(null);
  const { count } = state.jump;
  const [firstCount] = useState(count);
  const lastSeen = useLastSeen(state);
  const shown = useMemo(() => shownState(state), [state]);
  const view = {
    ...props,
    state: shown,
    onSeek: seek,
    onReach: reach,
    onSkip: skip,
    opened,
    readerAt,
    isBack: count !== firstCount,
  };
  // What is unread is at the end of the room.
  if (state.detached !== null) return <TimelineView key={count} {...view} unread={{ status: 'none' }} />;
  if (unread.status !== 'finding' && !props.isJumping)
    return <TimelineView key={count} {...view} unread={unread} />;
  if (lastSeen !== null && !props.isJumping) {
    return <TimelineView key="last-seen" {...view} state={lastSeen} unread={{ status: 'none' }} />;
  }
  return (
    <div className={styles.frame}>
      <div className={styles.scroller} role="log" aria-label={text.room.timeline(props.name)} aria-busy>
        <div className={styles.content}>
          <TimelineLoading connection={props.state.connection} />
        </div>
      </div>
    </div>
  );
}
