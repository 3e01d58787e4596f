/** Rooms, and the roster that is kept over a planned restart. */
import type { RoomHue } from '../../../../protocol/hues.ts';
import type { RoomPatch } from '../../../../protocol/rest/rooms.ts';
import type { RoomKind, RoomRole } from '../../../../protocol/rooms.ts';
import type { RoomRow } from '../../../rules/rows.ts';
import type { RoomChange } from './room-changes.ts';
import type { UserChange } from './user-change.ts';

/** The forms of a name by which it is unique. */
export interface RoomNames {
  name: string;
  key: string;
  looks: readonly string[];
  isDisguised: boolean;
}

export interface NewRoom extends RoomNames {
  kind: 'public' | 'private';
  topic: string;
  emoji: string | null;
  hue?: RoomHue | null | undefined;
  ownerId: number;
  now: number;
  /** New rooms of this user in the last 24 hours, this one included; 0: no limit. */
  maxPerDay: number;
}

export type CreateRoomOutcome =
  | { outcome: 'created'; room: RoomRow; userSeq: number }
  | { outcome: 'taken' }
  | { outcome: 'too_many' }
  /** The user is a guest. */
  | { outcome: 'not_allowed' }
  | { outcome: 'user_not_found' };

export interface NewDm {
  /** The maker and the others, each once. */
  userIds: readonly number[];
  makerId: number;
  now: number;
  /** New direct conversations of this user in the last 24 hours, this one included; 0: no limit. */
  maxPerDay: number;
}

export type CreateDmOutcome =
  /** `changes`: new rows in the maker's log. One that was found has none, unless it comes back from hiding. */
  | { outcome: 'created' | 'found'; room: RoomRow; changes: UserChange[] }
  | { outcome: 'too_many' }
  | { outcome: 'not_allowed' }
  | { outcome: 'user_not_found' };

export interface RoomsQuery {
  limit: number;
  beforeId?: number | undefined;
  /** A part of the name's key, matched literally. */
  keyPart?: string | undefined;
  /** Public rooms, and the private ones that this user is a member of. */
  userId: number;
}

/** `role`: the user's own; null: the user is not a member. */
export type ListedRoom = RoomRow & { role: RoomRole | null };

export interface SavedRoster {
  savedAt: number;
  roster: { roomId: number; userId: number; username: string }[];
}

export interface RoomWrites {
  /** The owner is its first member. Taken: by the same rules as a user's name, among public rooms. */
  createRoom(room: NewRoom): CreateRoomOutcome;
  /** The one conversation of these people: found, or made. Of any number of racers one makes it. */
  createDm(dm: NewDm): CreateDmOutcome;
  /** Changes what `patch` names, with a notice for each thing that is different. `names`: when it names a name. */
  changeRoom(change: {
    roomId: number;
    /** Null: the operator. */
    actorId: number | null;
    patch: Omit<RoomPatch, 'name'>;
    names?: RoomNames | undefined;
    now: number;
  }): RoomChange | { outcome: 'taken' };
  /**
   * The room is hidden from everybody, and its name is free. It keeps its messages, and can be restored for 30 days.
   */
  deleteRoom(of: { roomId: number; actorId: number | null; now: number }): RoomChange;
  /** Its members come back with it. `names`: of the room from now on. Taken: the name of a public room is. */
  restoreRoom(restore: {
    roomId: number;
    actorId: number | null;
    names: RoomNames;
    now: number;
  }): RoomChange | { outcome: 'taken' } | { outcome: 'not_found' };
  /** Keeps the users who are online over a planned restart. */
  saveRoster(roster: SavedRoster): void;
  /** The roster that was saved, once: the next call gets none. */
  takeRoster(): SavedRoster | undefined;
}

/** A room as the operator sees it. */
export interface RoomAccount {
  id: number;
  kind: RoomKind;
  name: string;
  members: number;
  /** The texts of its main flow. */
  messages: number;
  /** The number of its last event. */
  seq: number;
  createdAt: number;
  archivedAt: number | null;
  deletedAt: number | null;
}

/** A room that can still be restored. */
export interface DeletedRoomRow {
  id: number;
  kind: RoomKind;
  name: string;
  /** Who come back with it. */
  members: number;
  /** The texts of its main flow. */
  messages: number;
  deletedAt: number;
  purgedAt: number;
}

export interface RoomReads {
  findRoom(id: number): RoomRow | undefined;
  /** Every room there is, by id, direct conversations too. */
  everyRoom(of: { afterId: number; limit: number }): RoomAccount[];
  /** The latest deleted first. Undefined: the actor is no admin. */
  deletedRooms(of: { actorId: number | null; now: number }): DeletedRoomRow[] | undefined;
  /** With `keyPart`, may see several snapshots. Newest first; no direct conversations. */
  listRooms(query: RoomsQuery): ListedRoom[];
}
