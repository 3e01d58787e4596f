/** What happens in a room, as both protocols and the history send it. */
import { z } from 'zod';
import { attachedFile } from './attached-files.ts';
import { count, id, seq, shownReaction, time } from './fields.ts';
import { linkPreview } from './link-previews.ts';
import { noticeSchema } from './notices.ts';

/** The people who reacted with one emoji. `user_ids`: the first 20 of them. */
export const reactionsSchema = z.object({
  emoji: shownReaction,
  count: z.int().min(1),
  user_ids: z.array(id),
});

/** A thread, as its root shows it. `people`: the latest authors of replies, at most 3, the last one first. */
export const threadSchema = z.object({
  replies: count,
  /** The number of the latest reply; in a thread without replies, that of the root. */
  last_seq: seq,
  last_at: time,
  people: z.array(id),
  title: z.string().optional(),
  resolved: z.literal(true).optional(),
});

/** What is stored with a text and never queried; each absent when there is none. */
export const extraSchema = z.object({
  /** The message of this room that it answers. Its text is not copied: what is edited or deleted stays so. */
  reply_to: z.object({ id, user_id: id }).optional(),
  thread: threadSchema.optional(),
  /** In the order of their first use, at most 20. */
  reactions: z.array(reactionsSchema).optional(),
  /** The people whom it mentions. */
  mentions: z.array(id).optional(),
  /** It mentions everybody in the room, or everybody who is online. */
  mention_room: z.enum(['room', 'here']).optional(),
  /** In the order of its author, at most 10. */
  files: z.array(attachedFile).optional(),
  /** Of its first links, in their order. Empty: they were removed, and it gets none again. */
  previews: z.array(linkPreview).optional(),
});

/**
 * A durable event: it has a place in the room's log. A text, or a notice, whose `content` is empty, as that of a message
 * with nothing but files is. Of a text that was deleted only its place, its author and its thread remain.
 */
export const messageSchema = extraSchema.extend({
  type: z.literal('message'),
  id,
  room_id: id,
  user_id: id,
  username: z.string(),
  content: z.string(),
  created_at: z.string(),
  /** The room's number for this event: from 1, without gaps. */
  seq: z.int().min(1),
  cid: z.string().optional(),
  /** The number of its latest change, where that differs from `seq`. */
  changed_seq: seq.optional(),
  notice: noticeSchema.optional(),
  /** How often its text was edited. Absent: never. */
  revision: z.int().min(1).optional(),
  edited_at: time.optional(),
  deleted_at: time.optional(),
  deleted_by: id.optional(),
  pinned_at: time.optional(),
  /** The root of the thread that it is a reply in. */
  thread_id: id.optional(),
});

/**
 * Somebody has reacted to a message, or has taken a reaction back. It takes a number of the room's log; a client
 * that resumes receives the whole message instead. `count`: of this emoji, after the change.
 */
export const reactionSchema = z.object({
  type: z.literal('reaction'),
  room_id: id,
  id,
  changed_seq: seq,
  emoji: shownReaction,
  user_id: id,
  on: z.boolean(),
  count,
});

/**
 * A thread has changed: it has another reply or one less, another title, or it was resolved. It takes a number of the
 * room's log as a change of its root; a client that resumes receives the whole root instead.
 */
export const threadChangeSchema = z.object({
  type: z.literal('thread'),
  room_id: id,
  /** The id of the root. */
  id,
  changed_seq: seq,
  thread: threadSchema,
});

export const personSchema = z.object({ user_id: id, username: z.string() });

const presenceChange = { room_id: id, user_id: id, username: z.string(), online: count };
export const joinSchema = z.object({ type: z.literal('join'), ...presenceChange });
export const leaveSchema = z.object({ type: z.literal('leave'), ...presenceChange });
export const typingSchema = z.object({
  type: z.literal('typing'),
  room_id: id,
  user_id: id,
  username: z.string(),
  is_typing: z.boolean(),
});

export type Message = z.infer<typeof messageSchema>;
export type MessageExtra = z.infer<typeof extraSchema>;
export type Thread = z.infer<typeof threadSchema>;
export type Reactions = z.infer<typeof reactionsSchema>;
export type Person = z.infer<typeof personSchema>;
