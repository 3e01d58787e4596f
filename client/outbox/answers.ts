/** What a text answers, and its files: as the outbox keeps it, and as the frame has it. */
import type { ClientFrameV2 } from '../../protocol/frames/v2.ts';
import { isNatural, optional } from '../api/checks.ts';
import { areFiles, type OutboxFile } from './outbox-files.ts';

export interface Answers {
  /** A message of the same room, which the text quotes. */
  readonly replyTo?: number | undefined;
  /** The root of the thread that the text is a reply in. */
  readonly threadId?: number | undefined;
  /**
   * Uploads of the user to the same room, as the message shows them until the server says what it has: at most 10. It is
   * sent once they are uploaded. With files, the text may be empty.
   */
  readonly files?: readonly OutboxFile[] | undefined;
}

/** The checks of an item that an earlier page has stored. */
export const answersChecks = {
  replyTo: optional(isNatural),
  threadId: optional(isNatural),
  files: optional(areFiles),
};

/** The fields of the frame. */
export function answersFrame({
  replyTo,
  threadId,
  files,
}: Answers): Pick<Extract<ClientFrameV2, { type: 'message' }>, 'reply_to' | 'thread_id' | 'files'> {
  return {
    ...(replyTo !== undefined && { reply_to: replyTo }),
    ...(threadId !== undefined && { thread_id: threadId }),
    ...(files !== undefined && files.length > 0 && { files: files.flatMap(({ key }) => key ?? []) }),
  };
}
