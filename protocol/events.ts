/** What happens in a room, as both protocols and the history send it. */
import { z } from 'zod';
import { count, id, seq } from './fields.ts';
import { noticeSchema } from './notices.ts';

/** A durable event: it has a place in the room's log. A text, or a notice, whose `content` is empty. */
export const messageSchema = z.object({
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
export type Person = z.infer<typeof personSchema>;
