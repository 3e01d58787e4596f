/** Requests about rooms, their members and invitations. Not part of `ChatApi`, so that a page loads it when needed. */
import type { RoomHue } from '../../protocol/hues.ts';
import type {
  CreatedInvite,
  Invitation,
  Invite,
  MembersPage,
  MyRooms,
  Prefs,
  RoomPatch,
} from '../../protocol/rest/rooms.ts';
import type { Member, RoomEntry, Room as RoomInfo, RoomRole } from '../../protocol/rooms.ts';
import { checkedPaths } from './checked-paths.ts';
import { isFlag, isNatural, isText, listOf, some } from './checks.ts';
import { queryString } from './http.ts';
import { readAll } from './read-all.ts';
import type { Requests } from './requests.ts';
import { isRoom } from './responses.ts';

/** The user's rooms, as `GET /me/rooms` lists them. */
export interface OwnRooms {
  readonly rooms: readonly RoomEntry[];
  readonly user_seq: number;
  readonly epoch: string;
}

/** A new room. A private one is known to its members only. */
export interface NewRoom {
  readonly name: string;
  readonly kind?: 'public' | 'private';
  readonly topic?: string;
  readonly emoji?: string;
  readonly hue?: RoomHue;
}

/** Every method rejects with an `ApiError`: 404 for what one may not see, 403 for what one may see and not do. */
export interface RoomsApi {
  own(): Promise<OwnRooms>;
  create(room: NewRoom): Promise<RoomInfo>;
  /** The direct conversation of the user with exactly these people; created unless it exists. */
  createDm(userIds: readonly number[]): Promise<RoomInfo>;
  update(roomId: number, patch: RoomPatch): Promise<RoomInfo>;
  /** Hides the room from everybody; for 30 days an admin can restore it. */
  delete(roomId: number): Promise<void>;
  join(roomId: number): Promise<RoomInfo>;
  leave(roomId: number): Promise<void>;
  /** By id, after `afterId`. `q`: how a word of a name begins. */
  members(roomId: number, query?: { q?: string; afterId?: number; limit?: number }): Promise<MembersPage>;
  /** Adds somebody, or changes their role. */
  setMember(roomId: number, userId: number, role?: RoomRole): Promise<void>;
  removeMember(roomId: number, userId: number): Promise<void>;
  setPrefs(roomId: number, prefs: Prefs): Promise<void>;
  invites(roomId: number): Promise<Invite[]>;
  /** `expiresIn`: in seconds, 7 days by default. */
  invite(roomId: number, options?: { expiresIn?: number; maxUses?: number }): Promise<CreatedInvite>;
  revokeInvite(roomId: number, inviteId: number): Promise<void>;
  /** What an invitation is to; 404 when it is unknown, expired, spent or revoked. */
  invitation(code: string): Promise<Invitation>;
  accept(code: string): Promise<RoomInfo>;
}

const invite = { id: isNatural, expires_at: isText };
const isOwnRooms = some<MyRooms>({
  rooms: listOf(some<RoomEntry>({ room: isRoom, seq: isNatural })),
  user_seq: isNatural,
  epoch: isText,
});
const isMembers = some<MembersPage>({
  members: listOf(some<Member>({ user_id: isNatural, username: isText })),
  has_more: isFlag,
});

/** `requests`: those of `ChatClient.api`. */
export function roomsApi(requests: Requests): RoomsApi {
  const { ask, tell } = checkedPaths(requests);
  return {
    own: async () => {
      let [user_seq, epoch] = [0, ''];
      const rooms = await readAll<MyRooms, RoomEntry>(
        async (last) => {
          const page = await ask('GET', `/me/rooms${queryString({ after_id: last?.room.id })}`, isOwnRooms);
          // Of the first page: what changed since then comes once more.
          if (!last) ({ user_seq, epoch } = page);
          return page;
        },
        (page) => page.rooms,
      );
      return { rooms, user_seq, epoch };
    },
    create: (room) => ask('POST', '/rooms', isRoom, room),
    createDm: (user_ids) => ask('POST', '/dms', isRoom, { user_ids }),
    update: (roomId, patch) => ask('PATCH', `/rooms/${roomId}`, isRoom, patch),
    delete: (roomId) => tell('DELETE', `/rooms/${roomId}`),
    join: (roomId) => ask('PUT', `/rooms/${roomId}/members/me`, isRoom),
    leave: (roomId) => tell('DELETE', `/rooms/${roomId}/members/me`),
    members: (roomId, { q, afterId, limit } = {}) =>
      ask('GET', `/rooms/${roomId}/members${queryString({ q, after_id: afterId, limit })}`, isMembers),
    setMember: (roomId, userId, role) => tell('PUT', `/rooms/${roomId}/members/${userId}`, { role }),
    removeMember: (roomId, userId) => tell('DELETE', `/rooms/${roomId}/members/${userId}`),
    setPrefs: (roomId, prefs) => tell('PUT', `/rooms/${roomId}/prefs`, prefs),
    invites: async (roomId) => {
      const check = some<{ invites: Invite[] }>({ invites: listOf(some<Invite>(invite)) });
      return (await ask('GET', `/rooms/${roomId}/invites`, check)).invites;
    },
    invite: (roomId, { expiresIn, maxUses } = {}) => {
      const check = some<CreatedInvite>({ ...invite, code: isText, url: isText });
      return ask('POST', `/rooms/${roomId}/invites`, check, { expires_in: expiresIn, max_uses: maxUses });
    },
    revokeInvite: (roomId, inviteId) => tell('DELETE', `/rooms/${roomId}/invites/${inviteId}`),
    invitation: (code) =>
      ask('GET', `/invites/${encodeURIComponent(code)}`, some<Invitation>({ inviter: isText })),
    accept: (code) => ask('POST', `/invites/${encodeURIComponent(code)}/accept`, isRoom),
  };
}
