import type { Message } from '../../../../client/index.ts';
import type { Place } from './reading-position.ts';
import type { TimelineWindow } from './timeline-window.ts';

/** What the document shows, as of its last commit, and where the controller reports to. */
export interface TimelineInput {
  /** All that is loaded, ascending by seq. */
  readonly messages: readonly Message[];
  readonly window: TimelineWindow;
  /** The "New" divider stands after this message; null: there is none. */
  readonly newAfterSeq: number | null;
  /** The key of the message that Tab leads to; null: the last one. */
  readonly activeKey: string | null;
  /** Where the reader is; null: at the end. */
  readonly onPlace: (place: Place | null) => void;
  readonly onWindow: (window: TimelineWindow) => void;
  readonly onAtEnd: (atEnd: boolean) => void;
  /** The reader leaves the end and has seen everything up to this seq. */
  readonly onSeen: (seq: number) => void;
  readonly onActive: (key: string | null) => void;
  /** The messages are apart from the end of the room: a jump has led to them. */
  readonly isDetached: boolean;
  /** The reader scrolls near the oldest message that is loaded. */
  readonly onNearStart: () => void;
  /** The same with the newest, while the messages are apart from the end of the room. */
  readonly onNearEnd: () => void;
  /** The reader goes back to the end of the room. */
  readonly onLatest: () => void;
  /** Escape: back to the composer. */
  readonly onLeave: () => void;
  /** Asks for a commit, even when nothing else has changed. */
  readonly redraw: () => void;
}
