/** What the list shows of a room. The list knows nothing else of where rooms come from. */
import type { User } from '../../../../client/index.ts';

export interface RoomEntry {
  readonly id: number;
  readonly kind: 'public' | 'private' | 'dm';
  readonly name: string;
  readonly emoji: string | null;
  readonly hue: string | null;
  /** The user is a member. Other rooms are found by search and on the page that has them all. */
  readonly isOwn: boolean;
  /** The other person of a direct conversation between two: their avatar stands for it. Null for all else. */
  readonly person: User | null;
  /** Of a conversation of several people: those others than the reader. Else null. */
  readonly people: readonly User[] | null;
  /** Whether that person is online. */
  readonly online: boolean;
  readonly unread: number;
  /** How many of the unread messages mention the reader. */
  readonly mentions: number;
  readonly isMuted: boolean;
  readonly hasDraft: boolean;
  readonly starred: boolean;
  readonly last: LastMessage | null;
}

export interface LastMessage {
  readonly at: number;
  /** Null: the reader. */
  readonly author: string | null;
  /** One line of plain text; empty: the message has nothing but files, or it was deleted. */
  readonly excerpt: string;
  readonly files: number;
}

/** It is meant for the reader: its number stands in the warm accent, and it comes first. */
export function isPersonal({ kind, unread, mentions }: RoomEntry): boolean {
  return mentions > 0 || (kind === 'dm' && unread > 0);
}

/** Whether the list highlights it. A muted room does so only for a mention. */
export function isUnread({ unread, mentions, isMuted }: RoomEntry): boolean {
  return mentions > 0 || (unread > 0 && !isMuted);
}
