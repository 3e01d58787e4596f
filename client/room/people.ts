/** The users of a room, and those who are typing. Pure functions. */
import type { Person } from '../../protocol/events.ts';
import { TYPING_TTL_MS } from '../../protocol/limits.ts';
import type { Frame } from '../connection/frames.ts';

/** A user entered or left while this client was connected. Notices are not stored on the server. */
export interface Notice {
  readonly key: number;
  readonly kind: 'join' | 'leave';
  readonly userId: number;
  readonly username: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Its place is after the message with this seq. */
  readonly afterSeq: number;
}

/** A user who is typing. */
export interface Typist {
  readonly userId: number;
  readonly username: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The people of a room. */
export interface People {
  /** The number of users in the room; null while there is no connection. */
  readonly online: number | null;
  /** Those users, by name: all of them in a room of up to 200. */
  readonly users: readonly Person[];
  readonly notices: readonly Notice[];
  readonly typing: readonly Typist[];
}

/** Older notices are dropped. */
const MAX_NOTICES = 200;

/** A change of who is in a room. */
export interface PresenceChange {
  readonly online: number;
  readonly joined: readonly Person[];
  readonly left: readonly Person[];
  /** The users who are present now, at most 200. Replaces the known list. */
  readonly users?: readonly Person[] | undefined;
}

/** `place`: the time and position of new notices, and the user whose own changes create none. */
export function changePresence<P extends People>(
  people: P,
  { online, joined, left, users }: PresenceChange,
  place: { readonly at: number; readonly afterSeq: number; readonly me: number },
): P {
  const known = new Set(people.users.map((user) => user.user_id));
  const gone = new Set(left.map((user) => user.user_id));
  const came = joined.filter((user) => !known.has(user.user_id));
  const news = [
    ...came.map((user) => ({ ...user, kind: 'join' as const })),
    ...left.map((user) => ({ ...user, kind: 'leave' as const })),
  ].filter((user) => user.user_id !== place.me);
  const firstKey = (people.notices.at(-1)?.key ?? 0) + 1;
  const notices = news.slice(-MAX_NOTICES).map(({ kind, user_id: userId, username }, index) => {
    return { key: firstKey + index, kind, userId, username, at: place.at, afterSeq: place.afterSeq };
  });
  return {
    ...people,
    online,
    users: users ?? [...people.users, ...came].filter((user) => !gone.has(user.user_id)),
    notices: [...people.notices, ...notices].slice(-MAX_NOTICES),
    typing: people.typing.filter((typist) => !gone.has(typist.userId)),
  };
}

/** A user started or stopped typing. `now`: milliseconds since the epoch. */
export function changeTyping<P extends People>(
  people: P,
  { user_id: userId, username, is_typing }: Frame<'typing'>,
  now: number,
): P {
  const others = people.typing.filter((typist) => typist.userId !== userId);
  return withTyping(
    people,
    is_typing ? [...others, { userId, username, expiresAt: now + TYPING_TTL_MS }] : others,
  );
}

export function withTyping<P extends People>(people: P, typing: readonly Typist[]): P {
  return typing.length === 0 && people.typing.length === 0 ? people : { ...people, typing };
}

/** When the next typing notice expires, in milliseconds since the epoch, or null. */
export function nextTypingExpiry({ typing }: People): number | null {
  return typing.length === 0 ? null : Math.min(...typing.map((typist) => typist.expiresAt));
}
