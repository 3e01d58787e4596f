/**
 * Changes the text of a message. The server has no such command yet, but its log and its protocol are made for it: the
 * message keeps its `seq`, and takes the room's next number as its `changed_seq`.
 */
import { READS, WRITES } from '../../server/storage/queries/queries.ts';
import { sql } from '../../server/storage/queries/sql.ts';
import { first, run, type Steps } from '../../server/storage/queries/steps.ts';
import type { WriteCommand } from '../../server/storage/sqlite/worker-messages.ts';
import type { MessageRow } from '../../server/storage/store.ts';

const NAME = 'reviseText';

export interface Revision {
  roomId: number;
  seq: number;
  content: string;
}

/** The command, for the store of a simulation. */
export function revisionOf(revision: Revision): WriteCommand {
  return { name: NAME, args: revision } as unknown as WriteCommand;
}

export function isRevision(name: string): boolean {
  return name === NAME;
}

/** The message as it is afterwards; undefined when it is not there. */
function* reviseText({ roomId, seq, content }: Revision): Steps<MessageRow | undefined> {
  const text = yield* first(
    sql`SELECT id FROM messages WHERE room_id = ${roomId} AND seq = ${seq} AND kind = 0`,
  );
  if (!text) return undefined;
  const room = yield* first<{ seq: number }>(
    sql`UPDATE rooms SET seq = seq + 1 WHERE id = ${roomId} RETURNING seq`,
  );
  const changedSeq = room?.seq ?? 0;
  yield* run(sql`
    UPDATE messages SET content = ${content}, changed_seq = ${changedSeq}, revision = revision + 1
    WHERE room_id = ${roomId} AND seq = ${seq}`);
  const [row] = yield* READS.messagesAfter({ roomId, seq: changedSeq - 1, limit: 1 });
  return row;
}

Object.assign(WRITES, { [NAME]: reviseText });
