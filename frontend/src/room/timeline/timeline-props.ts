import type { Ref } from 'react';
import type { Room, RoomState, User } from '../../../../client/index.ts';

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
