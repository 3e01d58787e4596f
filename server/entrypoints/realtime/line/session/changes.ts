/** Changes of messages over a line: another door to the commands of the requests that change a message. */
import { AppError } from '../../../../../protocol/errors.ts';
import type { ClientFrameV2 } from '../../../../../protocol/frames/v2.ts';
import type { MessageRow } from '../../../../data/storage/store.ts';
import type { Changes } from '../../../../features/messages/changes.ts';
import type { CommandParts, PostSocket } from '../../connection/commands.ts';
import { encodeChanged } from '../../wire/v2.ts';

/** A person makes a few at once. */
const IN_FLIGHT_MAX = 100;

export interface ChangeParts extends CommandParts {
  changes: Changes;
}

/** The line that a change came from. */
export interface ChangeSocket extends PostSocket {
  readonly userId: number;
  /** Changes of messages that have no response yet. */
  changesInFlight: number;
}

type ChangeFrame = Extract<ClientFrameV2, { type: 'edit' | 'delete' | 'react' }>;

/** Changes a message for the user of this line, and responds. */
export function changeMessage(
  frame: ChangeFrame,
  bytes: number,
  line: ChangeSocket,
  parts: ChangeParts,
): void {
  const about = { roomId: frame.room_id, ref: frame.ref };
  const decision = line.budgets.takeChange(bytes);
  if (!decision.allowed)
    return line.refuse({ code: 'too_fast', ...about, retryAfterMs: decision.retryAfterMs });
  if (line.changesInFlight >= IN_FLIGHT_MAX) return line.refuse({ code: 'too_fast', ...about });
  const refusal = parts.lifecycle.frameRefusal;
  if (refusal !== undefined) {
    const { code, retryAfterMs } = refusal;
    return line.sendError({ code, ...about, retryAfterMs });
  }
  void change(frame, line, parts);
}

async function change(frame: ChangeFrame, line: ChangeSocket, { changes, log }: ChangeParts): Promise<void> {
  const { room_id: roomId, id, ref } = frame;
  line.changesInFlight++;
  try {
    const { changedSeq } = await perform(frame, line.userId, changes);
    line.send(encodeChanged({ roomId, id, ref, changedSeq }));
  } catch (error) {
    if (!(error instanceof AppError)) log.error({ err: error, roomId }, 'a message could not be changed');
    const { code, retryAfterMs } = error instanceof AppError ? error : new AppError('internal_error');
    line.sendError({ code, roomId, ref, retryAfterMs });
  } finally {
    line.changesInFlight--;
  }
}

function perform(frame: ChangeFrame, userId: number, changes: Changes): Promise<MessageRow> {
  const of = { roomId: frame.room_id, messageId: frame.id, userId };
  switch (frame.type) {
    case 'edit':
      return changes.edit({ ...of, content: frame.content, baseRevision: frame.base_revision });
    case 'delete':
      return changes.delete(of);
    case 'react':
      return changes.react(of, frame.emoji, frame.on);
  }
}
