/** Rooms, and the roster that is kept over a planned restart. */

export interface RoomRow {
  id: number;
  name: string;
  /** The number of the room's last durable event; 0 in a new room. */
  seq: number;
}

export interface NewRoom {
  name: string;
  key: string;
  looks: readonly string[];
  isDisguised: boolean;
  ownerId: number;
  now: number;
}

export type CreateRoomOutcome =
  | { outcome: 'created'; room: RoomRow }
  | { outcome: 'taken' }
  | { outcome: 'user_not_found' };

export interface RoomsQuery {
  limit: number;
  beforeId?: number | undefined;
  /** A part of the name's key, matched literally. */
  keyPart?: string | undefined;
}

export interface SavedRoster {
  savedAt: number;
  roster: { roomId: number; userId: number; username: string }[];
}

export interface RoomWrites {
  /** Taken: by the same rules as a user's name. */
  createRoom(room: NewRoom): CreateRoomOutcome;
  /** Keeps the users who are online over a planned restart. */
  saveRoster(roster: SavedRoster): void;
  /** The roster that was saved, once: the next call gets none. */
  takeRoster(): SavedRoster | undefined;
}

export interface RoomReads {
  findRoom(id: number): RoomRow | undefined;
  /** Newest first. */
  listRooms(query: RoomsQuery): RoomRow[];
}
