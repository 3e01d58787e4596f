import type { Message } from '../../protocol/events.ts';
import { attachedOf, type OutboxFile } from '../outbox/outbox-files.ts';

/** What the author has written. A new field of a message that its author sets is named here. */
interface Written {
  readonly content: string;
  readonly cid?: string;
  /** The message that it answers, as far as it is held. */
  readonly quoted?: Message | undefined;
  readonly threadId?: number;
  readonly files?: readonly OutboxFile[] | undefined;
}

/** The place that the server has given it, and the author. */
type Place = Pick<Message, 'id' | 'room_id' | 'seq' | 'created_at'> & {
  readonly me: { id: number; username: string };
};

/** The user's own message as it is shown from its ack on, until the log brings it. */
export function ownMessage(
  { content, cid, quoted, threadId, files }: Written,
  { me, ...place }: Place,
): Message {
  return {
    ...{ type: 'message', ...place, user_id: me.id, username: me.username, content },
    ...(cid !== undefined && { cid }),
    ...(quoted && { reply_to: { id: quoted.id, user_id: quoted.user_id } }),
    ...(threadId !== undefined && { thread_id: threadId }),
    ...(files && files.length > 0 && { files: attachedOf(files) }),
  };
}
