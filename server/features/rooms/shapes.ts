/** Rooms, members and memberships as both REST and `chatroom.v2` send them. */

import type { LastText, Member, Membership, Room, RoomEntry, RoomRole } from '../../../protocol/rooms.ts';
import type { EntryRow, LastTextRow, MemberRow, MembershipRow, RoomRow } from '../../data/storage/store.ts';
import { keptExcerptOf } from '../../rules/excerpts.ts';
import { settingsOf } from '../../rules/standing.ts';

/** What a room's shape has that its row has not. */
export interface RoomExtras {
  /** Users who are in the room now. */
  online: number;
  /** The user's own role; absent when the user is not a member. */
  role?: RoomRole | undefined;
  /** The people of a direct conversation. */
  people?: EntryRow['people'] | undefined;
}

export function toRoom(row: RoomRow, { online, role, people }: RoomExtras): Room {
  const { id, kind, name, topic, description, emoji, hue, seq, number, members } = row;
  return {
    id,
    kind,
    name,
    topic,
    description,
    emoji,
    hue,
    members,
    online,
    seq,
    number,
    archived: row.archivedAt !== null,
    settings: settingsOf(row),
    ...(row.isDefault && { is_default: true as const }),
    ...(role && { me_role: role }),
    ...(people && { people: people.map(toPerson) }),
  };
}

/** What an admin sees of a private room of others: its name and its size. */
export function toOutline({ id, kind, name, members, archivedAt }: RoomRow): Room {
  const unknown = { topic: '', description: '', emoji: null, hue: null, settings: {} };
  return { ...unknown, online: 0, seq: 0, number: 0, id, kind, name, members, archived: archivedAt !== null };
}

/** Undefined for a former member. */
export function roleOf(member: MembershipRow | null): RoomRole | undefined {
  return member && member.leftAt === null ? member.role : undefined;
}

export function toMembership(row: MembershipRow): Membership {
  const { role, notify, notifyMutedUntil, threads, starred, hidden, readSeq, readSet, silencedUntil } = row;
  return {
    role,
    notify,
    threads,
    starred,
    hidden,
    notify_muted_until: notifyMutedUntil === null ? null : toTime(notifyMutedUntil),
    read_seq: readSeq,
    read_set: readSet,
    ...(silencedUntil !== null && { silenced_until: toTime(silencedUntil) }),
  };
}

export function toMember({ userId, username, displayName, role, joinedAt }: MemberRow): Member {
  return { user_id: userId, username, display_name: displayName, role, joined_at: toTime(joinedAt) };
}

export function toEntry(row: EntryRow, online: number): RoomEntry {
  const { room, member, last } = row;
  return {
    room: toRoom(room, { online, role: roleOf(member), people: room.kind === 'dm' ? row.people : undefined }),
    ...toOwn(row),
    last: last && toLast(last),
  };
}

/** What an entry has beside the room and its latest text. The counts are absent when they were not counted. */
export function toOwn({ room, member, count }: EntryRow): Omit<RoomEntry, 'room' | 'last'> {
  return {
    me: toMembership(member),
    seq: room.seq,
    number: room.number,
    ...(count && { unread: count.unread, mentions: count.mentions }),
    ...(count && count.threadMentions.length > 0 && { thread_mentions: count.threadMentions.map(toPlace) }),
    ...(count?.isInexact && { inexact: true }),
  };
}

export function toLast({ seq, userId, username, start, files, createdAt }: LastTextRow): LastText {
  return {
    seq,
    user_id: userId,
    username,
    excerpt: keptExcerptOf(start),
    ...(files > 0 && { files }),
    created_at: toTime(createdAt),
  };
}

function toPlace({ threadId, seq }: { threadId: number; seq: number }): [threadId: number, seq: number] {
  return [threadId, seq];
}

function toPerson({ userId, username, displayName }: EntryRow['people'][number]) {
  return { user_id: userId, username, display_name: displayName };
}

/** RFC 3339, UTC, milliseconds. */
export function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
