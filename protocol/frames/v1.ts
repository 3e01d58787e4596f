/** The frames of `chatroom.v1`, one JSON object each: the base protocol that any simple client speaks. */
import { z } from 'zod';
import { joinSchema, leaveSchema, messageSchema, typingSchema } from '../events.ts';
import { messageContent } from '../fields.ts';

export const clientFrameV1 = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), content: messageContent }),
  z.object({ type: z.literal('typing'), is_typing: z.boolean() }),
  z.object({ type: z.literal('ping') }),
]);

export const serverFrameV1 = z.discriminatedUnion('type', [
  messageSchema,
  typingSchema,
  joinSchema,
  leaveSchema,
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('error'), content: z.string() }),
]);

export type ClientFrameV1 = z.infer<typeof clientFrameV1>;
export type ServerFrameV1 = z.infer<typeof serverFrameV1>;
