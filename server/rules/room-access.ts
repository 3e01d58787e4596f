/**
 * The access table: what a user may do in a room. A write consults it within its own transaction, so a removal that was
 * committed first makes a later message fail.
 *
 * `hidden`: the user may not see the room, and the response is the same as for a room that does not exist. `forbidden`:
 * the user sees the room and may not do this.
 */
import { ROOM_CALL_FREE_TO } from '../../protocol/limits.ts';
import type { UserRole } from '../../protocol/people.ts';
import type { RoomKind, RoomRole, RoomSettings } from '../../protocol/rooms.ts';

export type Action =
  /** See that the room exists, its facts and its size. */
  | 'see'
  /** Read its history, open it, get a ticket for it, see its members. */
  | 'read'
  /** Post, and send typing. */
  | 'post'
  /** Edit one's own text. */
  | 'edit_own_text'
  /** Delete one's own text, also where one may not post any more. */
  | 'delete_own_text'
  /** Delete a text of somebody else. */
  | 'delete_text'
  | 'react'
  /** Call everybody in the room with `@room` or `@here`. Where one may not, the text is posted and calls nobody. */
  | 'mention_room'
  | 'pin'
  | 'join'
  | 'leave'
  /** Take it off the user's own list until its next message. */
  | 'hide'
  | 'add_member'
  /** Remove a member of a lower role. */
  | 'remove_member'
  | 'set_role'
  /** Mute and ban people of a lower role, judge reports, and read the room's part of the audit log. */
  | 'moderate'
  /** Make invitations, list and revoke them. */
  | 'invite'
  /** Its name, topic, description, emoji, hue and settings. */
  | 'edit'
  /** Make it private, archive it and take it out of the archive, delete it. */
  | 'own'
  /** Make it a room that every new user joins. */
  | 'make_default';

export interface Actor {
  role: UserRole;
}

export interface RoomState {
  kind: RoomKind;
  isArchived: boolean;
  settings: RoomSettings;
  /** How many members it has. */
  members: number;
}

/** The actor's membership, as stored. */
export interface MemberState {
  role: RoomRole;
  /** The row of a former member stays, with any ban or silence. */
  hasLeft: boolean;
  isBanned: boolean;
  isSilenced: boolean;
}

export type Verdict = 'allowed' | 'forbidden' | 'hidden';

const RANK: Readonly<Record<RoomRole, number>> = { member: 1, moderator: 2, owner: 3 };

/** Whether one role is above another. */
export function outranks(one: RoomRole, other: RoomRole): boolean {
  return RANK[one] > RANK[other];
}

/** Server admins count as owners in public rooms; in private rooms they have only their own membership. */
export function effectiveRole(actor: Actor, room: RoomState, member: MemberState | null): RoomRole | null {
  if (actor.role === 'admin' && room.kind === 'public') return 'owner';
  return member && !member.hasLeft && !member.isBanned ? member.role : null;
}

/** The table. room-access.test.ts states each of its cells once more. */
export function may(action: Action, actor: Actor, room: RoomState, member: MemberState | null): Verdict {
  const role = effectiveRole(actor, room, member);
  const isMember = member !== null && !member.hasLeft && !member.isBanned;
  const isOpenToAll = room.kind === 'public' && actor.role !== 'guest';
  if (!isMember && !isOpenToAll) {
    // Admins see names and sizes of private rooms, and may join them, which leaves a notice.
    const isOutline = actor.role === 'admin' && room.kind === 'private' && member?.isBanned !== true;
    if (!isOutline || (action !== 'see' && action !== 'join')) return 'hidden';
    return action === 'join' && room.isArchived ? 'forbidden' : 'allowed';
  }
  return isAllowed(action, { actor, room, member, role, isMember }) ? 'allowed' : 'forbidden';
}

interface Case {
  actor: Actor;
  room: RoomState;
  member: MemberState | null;
  role: RoomRole | null;
  isMember: boolean;
}

function isAllowed(action: Action, { actor, room, member, role, isMember }: Case): boolean {
  const isDm = room.kind === 'dm';
  const isBanned = member?.isBanned === true;
  const hasAtLeast = (least: RoomRole) => role !== null && RANK[role] >= RANK[least];
  switch (action) {
    case 'see':
    case 'read':
      return true;
    case 'post':
    case 'edit_own_text':
    case 'react':
      return !room.isArchived && !isBanned && member?.isSilenced !== true;
    case 'delete_own_text':
      return true;
    case 'delete_text':
      return !isDm && hasAtLeast('moderator');
    case 'mention_room':
      return !room.isArchived && !isBanned && member?.isSilenced !== true && hasAtLeast(leastToCall(room));
    case 'pin':
      return !room.isArchived && hasAtLeast(room.settings.pin ?? 'member');
    case 'join':
      return !isDm && !isBanned && (isMember || !room.isArchived);
    case 'leave':
      return !isDm && isMember;
    case 'hide':
      return isDm && isMember;
    case 'add_member':
      return !isDm && !room.isArchived && hasAtLeast('member');
    case 'moderate':
    case 'remove_member':
      return !isDm && hasAtLeast('moderator');
    case 'set_role':
      return !isDm && hasAtLeast('owner');
    case 'invite':
      return !isDm && !room.isArchived && hasAtLeast(room.settings.invite ?? 'member');
    case 'edit':
      return !isDm && !room.isArchived && hasAtLeast('moderator');
    case 'own':
      return !isDm && hasAtLeast('owner');
    case 'make_default':
      return room.kind === 'public' && actor.role === 'admin';
  }
}

function leastToCall({ settings, members }: RoomState): RoomRole {
  return settings.mention_room ?? (members > ROOM_CALL_FREE_TO ? 'moderator' : 'member');
}
