/** Invitations by link. The database keeps the hash of a code of 128 random bits, never the code. */
import type { RoomRow } from '../../../rules/rows.ts';
import type { RoomChange } from './room-changes.ts';

export interface InviteRow {
  id: number;
  roomId: number;
  createdBy: { userId: number; username: string };
  expiresAt: number;
  maxUses: number | null;
  uses: number;
}

export interface NewInvite {
  codeHash: string;
  roomId: number;
  createdBy: number;
  expiresAt: number;
  maxUses: number | null;
  now: number;
}

export type CreateInviteOutcome =
  | { outcome: 'created'; invite: InviteRow }
  | { outcome: 'room_not_found' | 'not_allowed' | 'too_many' };

/** What an invitation shows to anybody who has its code. */
export interface Invitation {
  /** Null: of the server, without a room. */
  room: InvitedRoom | null;
  /** Null: the operator, who has no account. */
  inviter: ShownPerson | null;
}

/** `people`: the first members, at most `INVITATION_PEOPLE`, without those who are suspended. */
export interface InvitedRoom extends Pick<RoomRow, 'id' | 'name' | 'emoji' | 'hue' | 'topic' | 'members'> {
  people: ShownPerson[];
}

export interface ShownPerson {
  username: string;
  displayName: string;
}

export interface InviteWrites {
  createInvite(invite: NewInvite): CreateInviteOutcome;
  /**
   * Joins the room. Of any number of racers for the last use, one gets it. A member's accept uses none.
   * `hasTakenUse`: the user has taken one by registering.
   */
  acceptInvite(accept: {
    codeHash: string;
    userId: number;
    hasTakenUse?: boolean;
    now: number;
  }): RoomChange | { outcome: 'invite_not_found' };
  /** True when the invitation was live and the actor may revoke it. */
  revokeInvite(revoke: { roomId: number; inviteId: number; actorId: number; now: number }): boolean;
}

export interface InviteReads {
  /** The live invitations of a room, newest first. */
  liveInvites(of: { roomId: number; now: number }): InviteRow[];
  /** What the code is for, whether it is live or not. */
  inviteScope(codeHash: string): 'server' | 'room' | undefined;
  /** Undefined for a code that is unknown, expired, spent or revoked, or whose maker may no longer invite. */
  findInvitation(of: { codeHash: string; now: number }): Invitation | undefined;
}
