/**
 * How a socket comes to hear a room: what it missed is read from the log until the room's recent messages reach back
 * to it; then, in one turn of the event loop, the last of it is sent and the socket goes live. Nothing is missed, as it
 * goes live at exactly the message that it has been sent; nothing comes twice; and nothing is buffered for it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RESUME_MAX_BEHIND } from '../../../protocol/limits.ts';
import type { Connection } from '../connection/connection.ts';
import type { Channel } from './channel.ts';
import { firstBatch } from './missed.ts';

/** Where a client left off. */
export interface Place {
  since: number;
  epoch: string | undefined;
}

/** Whether the room's events after `place` are there to be sent: same database life, not ahead, not too far behind. */
export function canResume({ since, epoch }: Place, head: number, currentEpoch: string): boolean {
  if (since > 0 && epoch !== currentEpoch) return false;
  return since <= head && head - since <= RESUME_MAX_BEHIND;
}

/** Sends what came after `since`, then `sync`, then lets the connection go live. Ends early when it closes. */
export async function resume(connection: Connection, channel: Channel, since: number): Promise<void> {
  let sent = since;
  while (connection.isOpen()) {
    const rest = channel.recentAfter(sent);
    const batch = rest ? firstBatch(rest, sent) : await channel.missedAfter(sent);
    if (batch) {
      connection.sendJson(batch.frame);
      sent = batch.last;
    }
    if (rest && sent >= channel.head) {
      connection.send({ type: 'sync', seq: sent });
      channel.goLive(connection);
      return;
    }
    // Nothing is held meanwhile but what the socket owes.
    if (batch) await connection.drained();
    else await nextTurn();
  }
}
