/**
 * Changes of messages. They are room commands: each takes the next number of the room's log, the message keeps it as
 * its `changedSeq`, and a change that is there already takes none. `may` (server/rules/room-access.ts) decides about
 * each within the transaction of the write.
 */
import type { MessageDraft } from '../../../rules/message-draft.ts';
import type { MessageRow } from '../../../rules/rows.ts';
import type { AppendOutcome, NewMessage } from './messages.ts';
import type { RoomChange } from './room-changes.ts';
import type { UserChange } from './user-change.ts';

/**
 * The mentions of a text (protocol/mentions.ts). `names`: for each mention of a person the keys of the names that it
 * may mean, the best first. `room`: everybody in the room, or everybody online; it counts where the author may call
 * them.
 */
export interface MentionsOf {
  names: readonly (readonly string[])[];
  room: 'room' | 'here' | null;
}

/** A text that is more than plain: it answers a message, is a reply in a thread, mentions people, or has files. */
export interface NewPost extends NewMessage, MessageDraft {
  mentions?: MentionsOf | undefined;
}

export type PostOutcome =
  /**
   * As by `append`, and the message as it was stored. A reply in a thread repeats the room's `number`, and its `root`
   * changes with the number after the reply's.
   */
  | (Extract<AppendOutcome, { outcome: 'stored' }> & { message: MessageRow; root?: MessageRow | undefined })
  | Exclude<AppendOutcome, { outcome: 'stored' }>
  /** What it answers is not there, or the root of its thread is not. */
  | { outcome: 'message_not_found' }
  /** One of its files is not the author's, not complete, refused, of another room, or attached already. */
  | { outcome: 'invalid_files' };

/** The message that a change is about, and the user who makes it. */
export interface MessageTarget {
  roomId: number;
  messageId: number;
  actorId: number;
  now: number;
}

/** A change of a message, or why there is none. */
export type MessageChange =
  /** The message as it is now. `root`: of the thread that has one reply less, changed with the next number. */
  | { outcome: 'changed'; message: MessageRow; root?: MessageRow | undefined }
  | { outcome: 'unchanged'; message: MessageRow }
  | Extract<RoomChange, { outcome: 'room_not_found' | 'not_allowed' | 'user_not_found' }>
  /** There is no such text in the room, or it was deleted. */
  | { outcome: 'message_not_found' }
  /** The other person of the direct conversation has blocked the actor. */
  | { outcome: 'not_delivered' }
  /** The message has no such file. */
  | { outcome: 'file_not_found' }
  /** The server has no emoji of this name. */
  | { outcome: 'emoji_not_found' }
  /** A text without files would be empty. */
  | { outcome: 'invalid_content' }
  /** The edit is of an earlier revision, or the text was deleted. */
  | { outcome: 'message_changed' }
  /** The cap of reactions at a message, of pins in a room, or of saved messages is reached. */
  | { outcome: 'too_many' };

export interface RevisionRow {
  revision: number;
  content: string;
  /** When this text was written. */
  editedAt: number;
}

/** Everybody who reacted with one emoji; `people`: the first of them, at most 200. */
export interface ReactionsRow {
  emoji: string;
  count: number;
  people: { userId: number; username: string }[];
}

export interface SavedRow {
  message: MessageRow;
  note: string;
  savedAt: number;
  userSeq: number;
}

export interface MessageChangeWrites {
  /**
   * A text with a quote, with mentions or with files: slower than `append`, which does the same for a plain one. Its
   * files, and their previews, are its own from then on.
   */
  post(post: NewPost): PostOutcome;
  /** Its author's. `mentions`: of the new text. */
  editMessage(
    edit: MessageTarget & { content: string; baseRevision: number; mentions?: MentionsOf | undefined },
  ): MessageChange;
  /**
   * Its text, its earlier texts, its reactions, its mentions and its files are gone with this write. Its place, its
   * author and its thread remain.
   */
  deleteMessage(target: MessageTarget): MessageChange;
  /** Its author's. An empty `alt`: none. */
  describeFile(file: MessageTarget & { key: string; alt: string }): MessageChange;
  /**
   * Its author's, or of somebody else as `deleteMessage`. The file and its small picture are gone with this write; with
   * the last file of a message without a text, the message is.
   */
  deleteFile(file: MessageTarget & { key: string }): MessageChange;
  /** The changed row has `reaction`. At most 20 emoji a message. One of the server must be there, unless it is taken back. */
  react(reaction: MessageTarget & { emoji: string; on: boolean }): MessageChange;
  /** At most 100 a room. */
  pin(pin: MessageTarget & { on: boolean }): MessageChange;
  /**
   * Personal: a bookmark with a note of the user's own; at most 1000 a user. Without `note`, the bookmark keeps the one
   * that it has, also when it was removed less than 30 days ago. Undefined: nothing has changed.
   */
  save(
    bookmark: MessageTarget & { on: boolean; note?: string | undefined },
  ): Exclude<MessageChange, { message: MessageRow }> | { outcome: 'saved'; change: UserChange | undefined };
}

export interface MessageChangeReads {
  /** The texts before the present one, the oldest first; at most 50 are kept. */
  revisions(of: { roomId: number; messageId: number }): RevisionRow[];
  /**
   * In the order of their first use. Of those of an emoji, `userId` comes first, so that they are never beyond the
   * last.
   */
  reactionsOf(of: { roomId: number; messageId: number; userId?: number | undefined }): ReactionsRow[];
  /** The latest pinned first. */
  pins(of: { roomId: number }): MessageRow[];
  /**
   * Bookmarks, the latest saved or changed first, without those of rooms that the user may not see any more. `before`:
   * a `userSeq`.
   */
  saved(of: { userId: number; limit: number; before?: number | undefined; now: number }): {
    bookmarks: SavedRow[];
    hasMore: boolean;
  };
}
