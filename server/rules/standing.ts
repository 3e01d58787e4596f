/** What the access table says about a user and a room as they are stored. */
import type { RoomSettings } from '../../protocol/rooms.ts';
import { type Action, type MemberState, may, type RoomState, type Verdict } from './room-access.ts';
import type { MembershipRow, RoomRow, Standing } from './rows.ts';

/** Whether the user may do this in the room at `now` (Unix milliseconds). */
export function verdictOn(action: Action, standing: Standing, now: number): Verdict {
  const { room, member, userRole, isAbsent } = standing;
  const verdict = may(action, { role: userRole }, roomStateOf(room), member && memberStateOf(member, now));
  return isAbsent ? 'hidden' : verdict;
}

/** The settings that were read last: one act judges a room several times, and many acts are in one room. */
let last: { text: string; settings: Readonly<RoomSettings> } = { text: '{}', settings: {} };

/** They were validated when they were stored: the threads of the database, which need them, load no schemas. */
export function settingsOf({ settings: text }: RoomRow): Readonly<RoomSettings> {
  if (text !== last.text) last = { text, settings: Object.freeze(JSON.parse(text) as RoomSettings) };
  return last.settings;
}

export function roomStateOf(room: RoomRow): RoomState {
  const isArchived = room.archivedAt !== null;
  return { kind: room.kind, isArchived, settings: settingsOf(room), members: room.members };
}

export function memberStateOf(member: MembershipRow, now: number): MemberState {
  return {
    role: member.role,
    hasLeft: member.leftAt !== null,
    isBanned: isAhead(member.bannedUntil, now),
    isSilenced: isAhead(member.silencedUntil, now),
  };
}

function isAhead(until: number | null, now: number): boolean {
  return until !== null && until > now;
}
