/**
 * Previews of links. Messages whose links are to be looked at wait as tasks, which a consumer of the rooms' logs makes
 * with the step of its cursor. What comes of a task is a change of its message.
 */
import type { LinkPreview } from '../../../../protocol/link-previews.ts';
import type { MessageRow } from '../../../rules/rows.ts';
import type { CursorMove } from './consumers.ts';
import type { MessageChange, MessageTarget } from './message-changes.ts';

/** A message whose links are to be looked at. */
export interface PreviewTask {
  messageId: number;
  roomId: number;
  /** The author. */
  userId: number;
}

/** What a page has said, as it is kept. Whoever does not know its address can do nothing with it. */
export interface KeptLink {
  urlHash: string;
  data: string;
  fetchedAt: number;
}

export interface PreviewWrites {
  /**
   * Makes tasks, and moves the cursor with them. A message that waits already waits on. Beyond the limits a message gets
   * no previews. `lost`: the cursor was elsewhere, and nothing has changed.
   */
  queuePreviews(step: {
    /** Of the consumer. */
    name: string;
    move: CursorMove;
    tasks: readonly PreviewTask[];
    limits: { perAuthor: number; total: number };
  }): { outcome: 'lost' } | { outcome: 'queued'; tasks: PreviewTask[] };
  /**
   * The message has these previews from now on, and the task has ended. Their pictures are files of the purpose `link`
   * that are the author's and unattached, or the message's already; a picture that is not there is left out, and those
   * that the message had before are deleted. `stale`: the text is another one by now, and the task waits on.
   */
  settlePreviews(of: {
    roomId: number;
    messageId: number;
    /** Of the text whose links were looked at. */
    revision: number;
    previews: readonly LinkPreview[];
  }): { outcome: 'settled'; message?: MessageRow } | { outcome: 'stale' };
  /**
   * Its author's, or of somebody else as `deleteMessage`. The previews of the message and their pictures are gone with
   * this write, and it gets none again.
   */
  removePreviews(target: MessageTarget): MessageChange;
  /** Keeps what pages have said, in place of what was kept of them. */
  keepLinks(links: readonly KeptLink[]): void;
}

export interface PreviewReads {
  /** The oldest first. */
  previewTasks(of: { limit: number }): PreviewTask[];
  /** Of these pages, what was kept since. */
  keptLinks(of: { urlHashes: readonly string[]; since: number }): KeptLink[];
}
