/** Who is in a room and who types, as far as the server tells. Pure. */
import type { Person } from '../../protocol/events.ts';
import { TYPING_TTL_MS } from '../../protocol/limits.ts';
import type { Frame } from '../connection/frames.ts';

/** Somebody entered or left, as seen by this client: it is nowhere stored. */
export interface Notice {
  readonly key: number;
  readonly kind: 'join' | 'leave';
  readonly userId: number;
  readonly username: string;
  readonly at: number;
  /** It stands after the message with this seq. */
  readonly afterSeq: number;
}

export interface Typist {
  readonly userId: number;
  readonly username: string;
  readonly expiresAt: number;
}

export interface People {
  /** Distinct users in the room; null while the server has not said. */
  readonly online: number | null;
  /** Those of them who are known by name: all in a room of up to 200. */
  readonly users: readonly Person[];
  readonly notices: readonly Notice[];
  readonly typing: readonly Typist[];
}

/** Notices are small talk: the newest are enough. */
const MAX_NOTICES = 200;

/** Who came and went, and how many are there now. */
export interface PresenceChange {
  readonly online: number;
  readonly joined: readonly Person[];
  readonly left: readonly Person[];
  /** Those who are there now, 200 at most, in place of all that was known. */
  readonly users?: readonly Person[] | undefined;
}

/** The change that a frame tells, or null when it tells none. */
export function presenceChange(frame: Frame<'join' | 'leave' | 'presence'>): PresenceChange {
  if (frame.type === 'presence') return frame;
  const who = [{ user_id: frame.user_id, username: frame.username }];
  const [joined, left] = frame.type === 'join' ? [who, []] : [[], who];
  return { online: frame.online, joined, left };
}

/** `place`: now, and after which message; `me`: whose comings and goings are no news. */
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

/** Somebody types, or does no more. */
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

/** When the next typing hint runs out, or null. */
export function nextTypingExpiry({ typing }: People): number | null {
  return typing.length === 0 ? null : Math.min(...typing.map((typist) => typist.expiresAt));
}
