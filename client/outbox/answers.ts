/** What a text answers: as the outbox keeps it, and as the frame has it. */
import type { ClientFrameV2 } from '../../protocol/frames/v2.ts';
import { isNatural, optional } from '../api/checks.ts';

export interface Answers {
  /** A message of the same room, which the text quotes. */
  readonly replyTo?: number | undefined;
  /** The root of the thread that the text is a reply in. */
  readonly threadId?: number | undefined;
}

/** The checks of an item that an earlier page has stored. */
export const answersChecks = { replyTo: optional(isNatural), threadId: optional(isNatural) };

/** The fields of the frame. */
export function answersFrame({
  replyTo,
  threadId,
}: Answers): Pick<Extract<ClientFrameV2, { type: 'message' }>, 'reply_to' | 'thread_id'> {
  return {
    ...(replyTo !== undefined && { reply_to: replyTo }),
    ...(threadId !== undefined && { thread_id: threadId }),
  };
}
