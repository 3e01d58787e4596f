import type { Ref, RefObject } from 'react';
import type { Room, RoomState, User } from '../../../../client/index.ts';
import type { ReaderPlace } from './reader-place.ts';
import type { Unread } from './use-timeline-unread.ts';

export interface TimelineHandle {
  /** Scrolls by a page, as if the reader had pressed the key in the timeline. */
  page(step: -1 | 1): void;
}

export interface TimelineProps {
  readonly ref: Ref<TimelineHandle>;
  readonly state: RoomState;
  readonly room: Room;
  readonly name: string;
  readonly user: User;
  /** Puts a text back into the composer. */
  readonly onEdit: (content: string) => void;
  /** The room opens with a jump, which is under way. */
  readonly isJumping: boolean;
  /** Escape: back to the composer. */
  readonly onLeave: () => void;
}

/** Those of the view, which begins once it is known where it opens. */
export interface TimelineViewProps extends TimelineProps {
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
