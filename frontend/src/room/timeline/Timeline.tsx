import { useRef, useState } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import type { ReaderPlace } from './reader-place.ts';
import styles from './Timeline.module.css';
import { TimelineLoading } from './TimelineLoading.tsx';
import { TimelineView } from './TimelineView.tsx';
import type { TimelineProps } from './timeline-props.ts';
import { useLastSeen } from './use-last-seen.ts';
import { useTimelineUnread } from './use-timeline-unread.ts';

/** The messages of a room, as far back as they have been loaded. It opens where the reader left off. */
export function Timeline(props: TimelineProps) {
  const text = useText();
  const { unread, seek, reach, skip } = useTimelineUnread(props.state, props.room);
  const [opened] = useState(() => new Set<string>());
  const readerAt = useRef<ReaderPlace | null>(null);
  const lastSeen = useLastSeen(props.state);
  const view = { ...props, onSeek: seek, onReach: reach, onSkip: skip, opened, readerAt };
  if (unread.status !== 'finding') return <TimelineView key="told" {...view} unread={unread} />;
  if (lastSeen !== null) {
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
