/** The rules: whether a message notifies somebody, why, and what keeps it from them. */

import type { MessageExtra } from '../../../protocol/events.ts';
import type { Notice } from '../../../protocol/notices.ts';
import type { NotificationSettings, NotifyReason } from '../../../protocol/notifications.ts';
import type { WhyDetail } from '../../../protocol/rest/notifications.ts';
import type { NotifyLevel, RoomKind } from '../../../protocol/rooms.ts';
import type { AudienceRow, MessageRow } from '../../data/storage/store.ts';
import { isQuiet } from './quiet.ts';

/** A text, or the notice that somebody was added to a room. */
export interface Occasion {
  message: MessageRow;
  roomKind: RoomKind;
  extra: MessageExtra;
  threadId: number | null;
  /** The person whom somebody else has added to the room. */
  invited: number | null;
}

/** How a user stands to the thread of the message. */
export interface ThreadStanding {
  /** Null: nobody has said. */
  isFollowing: boolean | null;
  readSeq: number;
}

export interface Person {
  row: AudienceRow;
  /** Null: not at all. */
  thread: ThreadStanding | null;
  isOnline: boolean;
}

/** `off`: why the user is not notified; null: they are. `isListed`: it comes into the inbox, notified or not. */
export interface Verdict {
  reason: NotifyReason | null;
  off: WhyDetail | null;
  isListed: boolean;
}

/** The reasons that have entries of their own in the inbox. The others are counted from read marks. */
const LISTED: ReadonlySet<NotifyReason> = new Set(['mention', 'reply', 'room', 'invite']);
/** What is meant for this one person comes into the inbox whatever the room's level. */
const PERSONAL: ReadonlySet<NotifyReason> = new Set(['mention', 'reply', 'invite']);

export function occasionOf(message: MessageRow, roomKind: RoomKind): Occasion {
  const { facts, notice, userId } = message;
  const extra = facts?.extra ? (JSON.parse(facts.extra) as MessageExtra) : {};
  const occasion = { message, roomKind, extra, threadId: facts?.threadId ?? null, invited: null };
  if (notice === null) return occasion;
  const parsed = JSON.parse(notice) as Notice;
  const isInvite = parsed.kind === 'added' && parsed.member.user_id !== userId;
  return { ...occasion, invited: isInvite ? parsed.member.user_id : null };
}

export function settingsOf({ settings }: AudienceRow): NotificationSettings {
  return (JSON.parse(settings) as { notifications?: NotificationSettings }).notifications ?? {};
}

/** The first filter that applies wins, then the first reason that fits; `now`: Unix milliseconds. */
export function decide(occasion: Occasion, person: Person, now: number): Verdict {
  const { message, roomKind } = occasion;
  const { row } = person;
  const isDeleted = message.facts?.deletedAt != null;
  const barred = barredBy(occasion, row, now);
  if (barred) return { reason: null, off: barred, isListed: false };
  const level = levelIn(row, roomKind);
  const reason = reasonOf(occasion, person, level);
  if (reason === null) return { reason, off: isDeleted ? 'deleted' : 'no_reason', isListed: false };
  if (isDeleted) return { reason, off: 'deleted', isListed: false };
  const isMuted = (row.member?.mutedUntil ?? 0) > now;
  const off = isMuted ? 'muted' : level === 'none' ? 'level' : null;
  if (off && !PERSONAL.has(reason)) return { reason, off, isListed: false };
  const isListed = LISTED.has(reason);
  const quiet = isQuiet(settingsOf(row).dnd, row.timeZone, now) ? 'dnd' : null;
  return { reason, off: off ?? quiet, isListed };
}

/** What keeps the message from this person, whatever it says. */
function barredBy({ message, roomKind, invited }: Occasion, row: AudienceRow, now: number): WhyDetail | null {
  const { member } = row;
  if (row.userId === message.userId) return 'own';
  if (row.blocked.includes(message.userId)) return 'blocked';
  if (member === null) return roomKind === 'public' && row.userRole !== 'guest' && !invited ? null : 'left';
  return member.hasLeft || (member.bannedUntil ?? 0) > now ? 'left' : null;
}

function levelIn(row: AudienceRow, roomKind: RoomKind): NotifyLevel {
  const byDefault = roomKind === 'dm' ? 'all' : (settingsOf(row).default ?? 'mentions');
  return row.member?.notify ?? byDefault;
}

function reasonOf(occasion: Occasion, person: Person, level: NotifyLevel): NotifyReason | null {
  const { message, extra, threadId, roomKind, invited } = occasion;
  const { userId, member } = person.row;
  if (message.notice !== null) return invited === userId ? 'invite' : null;
  if (roomKind === 'dm' && level !== 'mentions' && threadId === null) return 'dm';
  if (extra.mentions?.includes(userId)) return 'mention';
  if (extra.reply_to?.user_id === userId) return 'reply';
  if (member === null) return null;
  if (threadId !== null && followsThread(person)) return 'thread';
  if (extra.mention_room === 'room' || (extra.mention_room === 'here' && person.isOnline)) return 'room';
  return level === 'all' && threadId === null ? 'all' : null;
}

function followsThread({ row, thread }: Person): boolean {
  return thread?.isFollowing ?? row.member?.threads === 'all';
}

/** Whether the user has read the message in its own flow, on any device. */
export function hasRead({ message, threadId }: Occasion, { row, thread }: Person): boolean {
  const mark = threadId === null ? row.member : thread;
  return (mark?.readSeq ?? 0) >= message.seq;
}
