/** What a search reads besides the index: where it may look, and what was proposed, as it is now. */
import type { MessageRow } from '../../../rules/rows.ts';
import type { Reader } from './reader.ts';

export interface ScopeQuery extends Reader {
  /** Keys of usernames, and of the names of rooms (`nameKey`). */
  usernames: readonly string[];
  roomNames: readonly string[];
  /** Also the public rooms of which the reader is no member. */
  withPublic: boolean;
}

export interface SearchScope {
  /** Rooms that the reader may read: those they are in, and of the public ones those that were asked for. */
  rooms: { roomId: number; name: string; isMember: boolean }[];
  /** The people with these usernames, and the direct conversations of the reader with each. */
  people: { userId: number; usernameKey: string; dmIds: number[] }[];
  timeZone: string | null;
}

/** A message and its room. */
export interface MessagePlace {
  messageId: number;
  roomId: number;
}

export interface FoundRow {
  message: MessageRow;
  isSaved: boolean;
}

export interface SearchReads {
  searchScope(query: ScopeQuery): SearchScope;
  /**
   * Texts that the reader may read now, of at most 200; without deleted ones, and without those of people whom the reader
   * blocks. The newest first.
   */
  foundMessages(of: Reader & { places: readonly MessagePlace[] }): FoundRow[];
  /** Bookmarks of messages that come after this one in the order, in that order. */
  savedPlaces(of: {
    userId: number;
    order: 'newest' | 'oldest';
    beyondId: number;
    limit: number;
  }): MessagePlace[];
  /** 0: there is none. */
  lastMessageId(): number;
  /** Texts and notices of a room, by id: from this one on, and before the other. */
  roomTexts(of: { roomId: number; fromId: number; beforeId: number; limit: number }): MessageRow[];
}
