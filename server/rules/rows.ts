/** Rows of the database, as rules judge them and as the store gives them. */
import type { RoomHue } from '../../protocol/hues.ts';
import type { UserRole } from '../../protocol/people.ts';
import type { NotifyLevel, RoomKind, RoomRole, ThreadsLevel } from '../../protocol/rooms.ts';

export interface RoomRow {
  id: number;
  kind: RoomKind;
  /** Empty in a direct conversation. */
  name: string;
  topic: string;
  description: string;
  emoji: string | null;
  /** Null: nobody has chosen one. */
  hue: RoomHue | null;
  isDefault: boolean;
  /** JSON (protocol/rooms.ts). */
  settings: string;
  archivedAt: number | null;
  /** The number of the room's last durable event; 0 in a new room. */
  seq: number;
  /** How many texts its main flow has had. */
  number: number;
  members: number;
}

/** A user's row for a room. It stays when the user leaves. */
export interface MembershipRow {
  roomId: number;
  userId: number;
  role: RoomRole;
  joinedAt: number;
  leftAt: number | null;
  notify: NotifyLevel | null;
  notifyMutedUntil: number | null;
  threads: ThreadsLevel | null;
  starred: boolean;
  hidden: boolean;
  readSeq: number;
  readSet: number;
  silencedUntil: number | null;
  bannedUntil: number | null;
  /** The number of its latest change in the user's log. */
  userSeq: number;
}

/** Everything that access depends on. */
export interface Standing {
  room: RoomRow;
  member: MembershipRow | null;
  userRole: UserRole;
  /** There is no such room, and `room` stands for one that is hidden. */
  isAbsent?: boolean;
}

export interface MessageRow {
  id: number;
  roomId: number;
  /** Its place in the room's log. */
  seq: number;
  /** The number of its latest change. */
  changedSeq: number;
  userId: number;
  username: string;
  cid: string | null;
  /** Empty in a notice. */
  content: string;
  createdAt: number;
  /** A notice as JSON (protocol/notices.ts); null: a text. */
  notice: string | null;
  /** What it has beyond a plain text; null: nothing, or it is a notice. */
  facts: TextFacts | null;
  /** The latest change is this reaction. Only in a row that was announced and not read. */
  reaction?: ReactionChange;
  /** The latest change is one of the thread below it. Only in a row that was announced and not read. */
  threadChanged?: true;
}

/** What a text has when it is not plain: it was changed or deleted, it is a reply, or people reacted to it. */
export interface TextFacts {
  /** How often it was edited. */
  revision: number;
  editedAt: number | null;
  deletedAt: number | null;
  deletedBy: number | null;
  pinnedAt: number | null;
  /** The root of its thread. */
  threadId: number | null;
  /** JSON that is never queried (`extraSchema` of protocol/events.ts); null: none. */
  extra: string | null;
}

/** `count`: of this emoji at the message, after the change. */
export interface ReactionChange {
  emoji: string;
  userId: number;
  on: boolean;
  count: number;
}
