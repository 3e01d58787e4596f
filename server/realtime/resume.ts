/**
 * How a socket comes to hear a room: what it missed is read from the log until the room's recent messages reach back
 * to it; then, in one turn of the event loop, the rest is sent and the socket goes live. Nothing is missed, as it
 * goes live at exactly the message that it has been sent; nothing comes twice; and nothing is buffered for it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BATCH_MAX_EVENTS, RESUME_MAX_BEHIND } from '../../protocol/limits.ts';
import { toMessage } from '../messages.ts';
import type { Store } from '../storage/store.ts';
import type { Channel } from './channel.ts';
import type { Connection } from './connection.ts';

/** Where a client left off. */
export interface Place {
  since: number;
  epoch: string | undefined;
}

/** A batch is cut at so many characters, so that none is larger than what a slow socket may owe. */
const BATCH_MAX_CHARACTERS = 64 * 1024;

/** Whether the room's events after `place` are there to be sent: same database life, not ahead, not too far behind. */
export function canResume({ since, epoch }: Place, head: number, currentEpoch: string): boolean {
  if (since > 0 && epoch !== currentEpoch) return false;
  return since <= head && head - since <= RESUME_MAX_BEHIND;
}

/** Sends what came after `since`, then `sync`, then lets the connection go live. Ends early when it closes. */
export async function resume(
  connection: Connection,
  channel: Channel,
  store: Store,
  since: number,
): Promise<void> {
  let sent = since;
  while (connection.isOpen()) {
    const rest = channel.recentAfter(sent);
    if (rest) {
      for (const batch of toBatches(rest)) connection.sendJson(batch);
      connection.send({ type: 'sync', seq: Math.max(sent, channel.head) });
      channel.goLive(connection);
      return;
    }
    const rows = await store.messagesAfter({ roomId: channel.roomId, seq: sent, limit: BATCH_MAX_EVENTS });
    // What the room has not been told of yet will be told when it is live.
    const missed = rows.filter(({ seq }) => seq <= channel.head);
    for (const batch of toBatches(missed.map((row) => JSON.stringify(toMessage(row))))) {
      connection.sendJson(batch);
      await connection.drained();
    }
    sent = missed.at(-1)?.seq ?? sent;
    if (missed.length === 0) await nextTurn();
  }
}

/** The events as `batch` frames. */
function* toBatches(events: string[]): Generator<string> {
  let batch: string[] = [];
  let characters = 0;
  for (const event of events) {
    const isFull = batch.length >= BATCH_MAX_EVENTS || characters + event.length > BATCH_MAX_CHARACTERS;
    if (isFull && batch.length > 0) {
      yield toFrame(batch);
      batch = [];
      characters = 0;
    }
    batch.push(event);
    characters += event.length;
  }
  if (batch.length > 0) yield toFrame(batch);
}

function toFrame(events: string[]): string {
  return `{"type":"batch","events":[${events.join(',')}]}`;
}
