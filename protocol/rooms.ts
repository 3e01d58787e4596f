/** A room, a membership, and the facts of a room that its notices contain. */
import { z } from 'zod';
import { count, emoji, id, seq, time } from './fields.ts';
import { ROOM_HUE_NAMES } from './hues.ts';
import { FILES_KEEP_DAYS_MAX } from './limits.ts';

export const roomKind = z.enum(['public', 'private', 'dm']);
export const roomHue = z.enum(ROOM_HUE_NAMES);
export const roomRole = z.enum(['owner', 'moderator', 'member']);

const leastRole = z.enum(['member', 'moderator']).optional();

/**
 * The lowest roles that may make invitations, pin messages, and mention the whole room. Absent: every member; for the
 * last one, moderators in a room with many members. `files_keep_days`: the age at which files are deleted; absent: never.
 * `link_previews`: links of new messages get previews, where the server makes any.
 */
export const roomSettings = z.object({
  invite: leastRole,
  pin: leastRole,
  mention_room: leastRole,
  files_keep_days: z.int().min(1).max(FILES_KEEP_DAYS_MAX).optional(),
  link_previews: z.literal(true).optional(),
});

/** What moderators and owners decide about a room. */
export const roomFacts = z.object({
  kind: roomKind,
  /** Empty in a direct conversation. */
  name: z.string(),
  topic: z.string(),
  description: z.string(),
  emoji: emoji.nullable(),
  /** Null: nobody has chosen one (`hueOf`). Absent on servers and in notices from before hues. */
  hue: roomHue.nullable().optional(),
  archived: z.boolean(),
  settings: roomSettings,
});

/**
 * `online`: users in the room now. `seq`: the number of the room's last event. `number`: how many texts its main flow
 * has had. `members`: how many users are members. `people`: the others in a direct conversation; in notes, the user.
 * `is_default`: every new user joins it.
 */
export const roomSchema = roomFacts.extend({
  id,
  online: count,
  seq: count,
  number: count,
  members: count,
  me_role: roomRole.optional(),
  is_default: z.literal(true).optional(),
  people: z.array(z.object({ user_id: id, username: z.string(), display_name: z.string() })).optional(),
});

export const notifyLevel = z.enum(['all', 'mentions', 'none']);
/** Which threads of a room a member follows: all, or none but those that the member asked to follow. */
export const threadsLevel = z.enum(['all', 'none']);

/**
 * The user's own membership. `read_set`: the `user_seq` of the last time that the mark was set with `unread`, or of the
 * return to a room that the user had left. `silenced_until`: a moderator has muted the user until then, which may have
 * passed; `9999-12-31T23:59:59.999Z`: until it is lifted. Absent: nobody has, or the mute was lifted.
 */
export const membershipSchema = z.object({
  role: roomRole,
  notify: notifyLevel.nullable(),
  notify_muted_until: time.nullable(),
  threads: threadsLevel.nullable(),
  starred: z.boolean(),
  hidden: z.boolean(),
  read_seq: seq,
  read_set: seq,
  silenced_until: time.optional(),
});

export const memberSchema = z.object({
  user_id: id,
  username: z.string(),
  display_name: z.string(),
  role: roomRole,
  joined_at: time,
});

/** The latest text of a room's main flow, for a list of rooms. */
export const lastSchema = z.object({
  seq,
  user_id: id,
  username: z.string(),
  /** Its first characters, as plain text; empty: it has nothing but files, or it was deleted. */
  excerpt: z.string(),
  /** How many files it has; absent: none. */
  files: z.int().min(1).optional(),
  created_at: z.string(),
});

/**
 * A room of the user, with its counts. `unread`: texts of others after the read mark, 100 at most; absent when they
 * were not counted. `inexact`: there are at least this many. `mentions`: unread entries of the inbox in the main flow.
 * `thread_mentions`: those in threads, each with its thread and its number; absent: none were found, or none were
 * counted.
 */
export const roomEntry = z.object({
  room: roomSchema,
  me: membershipSchema,
  seq,
  number: count,
  unread: count.optional(),
  mentions: count.optional(),
  thread_mentions: z.array(z.tuple([id, seq])).optional(),
  inexact: z.literal(true).optional(),
  last: lastSchema.nullable(),
});

export type RoomKind = z.infer<typeof roomKind>;
export type RoomRole = z.infer<typeof roomRole>;
export type RoomSettings = z.infer<typeof roomSettings>;
export type RoomFacts = z.infer<typeof roomFacts>;
export type Room = z.infer<typeof roomSchema>;
export type NotifyLevel = z.infer<typeof notifyLevel>;
export type ThreadsLevel = z.infer<typeof threadsLevel>;
export type Membership = z.infer<typeof membershipSchema>;
export type Member = z.infer<typeof memberSchema>;
export type RoomEntry = z.infer<typeof roomEntry>;
export type LastText = z.infer<typeof lastSchema>;
