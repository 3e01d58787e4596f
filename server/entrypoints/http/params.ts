/** Ids in paths. */
import { z } from 'zod';
import { AppError } from '../../../protocol/errors.ts';
import { reaction } from '../../../protocol/fields.ts';
import type { queryAfter } from '../../../protocol/rest/fields.ts';
import { parseId } from '../../../protocol/text.ts';

export const roomParams = z.object({ id: z.string() });
export const memberParams = roomParams.extend({ user_id: z.string() });
export const messageParams = roomParams.extend({ message_id: z.string() });
export const reactionParams = messageParams.extend({ emoji: z.string() });
export const threadParams = roomParams.extend({ thread_id: z.string() });
export const inviteParams = roomParams.extend({ invite_id: z.string() });
export const serverInviteParams = z.object({ invite_id: z.string() });
export const reportParams = z.object({ report_id: z.string() });
export const userParams = z.object({ user_id: z.string() });
export const sessionParams = z.object({ id: z.string() });
export const codeParams = z.object({ code: z.string().max(128) });

/** Throws `invalid_room_id`. */
export function roomIdOf({ id }: z.infer<typeof roomParams>): number {
  const roomId = parseId(id);
  if (roomId === null) throw new AppError('invalid_room_id');
  return roomId;
}

/** Any other id. Throws `bad_request`. */
export function idOf(text: string): number {
  const id = parseId(text);
  if (id === null) throw new AppError('bad_request');
  return id;
}

/** The last row of the page before. */
export function placeOf({ before_id: id, before_time: time }: z.infer<typeof queryAfter>) {
  return id === undefined || time === undefined ? undefined : { id, time };
}

/** In its fully-qualified form. Throws `bad_request`. */
export function emojiOf(text: string): string {
  const emoji = reaction.safeParse(text);
  if (!emoji.success) throw new AppError('bad_request');
  return emoji.data;
}
