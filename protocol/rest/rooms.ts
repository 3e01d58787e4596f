/** Rooms, their members and invitations: requests and responses. */
import { z } from 'zod';
import { count, emoji, id, seq, time } from '../fields.ts';
import {
  DM_PEOPLE_MAX,
  INVITATION_PEOPLE,
  INVITE_TTL_S,
  INVITE_USES_MAX,
  MAX_ID,
  MEMBERS_PAGE,
  ROOM_DESCRIPTION_MAX,
  ROOM_TOPIC_MAX,
  ROOMS_PAGE,
} from '../limits.ts';
import { manyLines, normalizeRoomName, oneLine } from '../names.ts';
import {
  memberSchema,
  notifyLevel,
  roomEntry,
  roomHue,
  roomRole,
  roomSchema,
  roomSettings,
  threadsLevel,
} from '../rooms.ts';
import { queryInteger, querySearch, textOf } from './fields.ts';

const topic = textOf((raw) => oneLine(raw, ROOM_TOPIC_MAX));
const description = textOf((raw) => manyLines(raw, ROOM_DESCRIPTION_MAX));

export const createRoomBody = z.object({
  name: textOf(normalizeRoomName),
  kind: z.enum(['public', 'private']).optional(),
  topic: topic.optional(),
  emoji: emoji.optional(),
  hue: roomHue.optional(),
});
/** The others; the caller is always included. Empty: the caller's notes. */
export const createDmBody = z.object({ user_ids: z.array(id).max(DM_PEOPLE_MAX) });
export const patchRoomBody = z.object({
  name: textOf(normalizeRoomName).optional(),
  topic: topic.optional(),
  description: description.optional(),
  emoji: emoji.nullable().optional(),
  hue: roomHue.nullable().optional(),
  /** A room changes from public to private only. */
  kind: z.literal('private').optional(),
  archived: z.boolean().optional(),
  is_default: z.boolean().optional(),
  settings: roomSettings.optional(),
});
export const putMemberBody = z.object({ role: roomRole.optional() });
export const prefsBody = z.object({
  notify: notifyLevel.nullable().optional(),
  notify_muted_until: time.nullable().optional(),
  threads: threadsLevel.nullable().optional(),
  starred: z.boolean().optional(),
  hidden: z.boolean().optional(),
});
export const createInviteBody = z.object({
  expires_in: z.int().min(INVITE_TTL_S.min).max(INVITE_TTL_S.max).optional(),
  max_uses: z.int().min(1).max(INVITE_USES_MAX).optional(),
});

export const roomsQuery = z.object({
  limit: queryInteger('invalid_limit', ROOMS_PAGE.max),
  before_id: queryInteger('invalid_before_id', MAX_ID),
  q: querySearch,
});
export const membersQuery = z.object({
  limit: queryInteger('invalid_limit', MEMBERS_PAGE.max),
  after_id: queryInteger('invalid_after_id', MAX_ID),
  q: querySearch,
});

/** The size of a response has a bound: the list goes on after its last room. */
const isCut = z.literal(true).optional();
export const roomsResponse = z.object({ rooms: z.array(roomSchema), has_more: isCut });
export const myRoomsQuery = z.object({ after_id: queryInteger('invalid_after_id', MAX_ID) });
/** The rooms of a user, with the head of the user's log and the database's epoch. */
export const myRoomsResponse = z.object({
  rooms: z.array(roomEntry),
  has_more: isCut,
  user_seq: seq,
  epoch: z.string(),
});
export const membersResponse = z.object({ members: z.array(memberSchema), has_more: z.boolean() });
export const inviteSchema = z.object({
  id,
  created_by: z.object({ user_id: id, username: z.string() }),
  expires_at: time,
  max_uses: count.nullable(),
  uses: count,
});
/** The code is returned this once: the database keeps its hash. */
export const createdInvite = inviteSchema.extend({ code: z.string(), url: z.string() });
export const invitesResponse = z.object({ invites: z.array(inviteSchema) });
/**
 * What the holder of a code sees. `members`: how many. `people`: the first of them. `hue`: the chosen one, or that of
 * the room's id. What may be absent is absent from older servers.
 */
const invitedRoom = z.object({
  name: z.string(),
  members: count,
  emoji: emoji.nullable(),
  hue: roomHue.optional(),
  topic: z.string().optional(),
  people: z
    .array(z.object({ username: z.string(), display_name: z.string() }))
    .max(INVITATION_PEOPLE)
    .optional(),
});
/** `room` null: the invitation is to the server. `inviter`: a username; empty: the operator has made it. */
export const invitationResponse = z.object({
  room: invitedRoom.nullable(),
  inviter: z.string(),
  inviter_display_name: z.string().optional(),
});

export type RoomPatch = z.infer<typeof patchRoomBody>;
export type Prefs = z.infer<typeof prefsBody>;
export type RoomsPage = z.infer<typeof roomsResponse>;
export type MyRooms = z.infer<typeof myRoomsResponse>;
export type MembersPage = z.infer<typeof membersResponse>;
export type Invite = z.infer<typeof inviteSchema>;
export type CreatedInvite = z.infer<typeof createdInvite>;
export type Invitation = z.infer<typeof invitationResponse>;
