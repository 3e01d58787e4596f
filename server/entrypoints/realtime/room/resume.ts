/**
 * How a seat catches up with a room: batches of what it missed, then, within one turn of the event loop, the last of
 * it and going live. Nothing is missed, as the seat goes live at exactly the event that it was sent; nothing comes
 * twice; and nothing is buffered for it but one batch.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RESUME_MAX_BEHIND } from '../../../../protocol/limits.ts';
import { encodeV2 } from '../wire/v2.ts';
import type { Feed } from './feed.ts';

/** Where a client left off. */
export interface Cursor {
  since: number;
  epoch: string | undefined;
}

/** Whether the events after `cursor` can be sent: same epoch, not ahead of the room, not too far behind. */
export function canResume({ since, epoch }: Cursor, head: number, currentEpoch: string): boolean {
  if (since > 0 && epoch !== currentEpoch) return false;
  return since <= head && head - since <= RESUME_MAX_BEHIND;
}

/** The seat of a client that catches up. */
export interface Resuming {
  isOpen(): boolean;
  send(json: string): void;
  sendFramed(bytes: Buffer): void;
  /** What was sent counts against what the user may be sent of this kind. */
  countMissed(bytes: number): void;
  /** Resolves when the user may be sent more, or when the socket is closed; undefined: at once. */
  mayBeSentMore(): Promise<void> | undefined;
  /** Resolves when the operating system has accepted what was sent, or when the socket is closed. */
  drained(): Promise<void>;
}

export interface Resume {
  seat: Resuming;
  roomId: number;
  feed: Feed;
  since: number;
  /** From this call on the seat gets the room's frames. */
  goLive: () => void;
}

/** Sends the events after `since`, then `sync`, then goes live. Ends early when the seat closes. */
export async function resume({ seat, roomId, feed, since, goLive }: Resume): Promise<void> {
  let sent = since;
  while (seat.isOpen()) {
    if (sent >= feed.head) {
      seat.send(encodeV2({ type: 'sync', room_id: roomId, seq: sent }));
      goLive();
      return;
    }
    const waits = seat.mayBeSentMore();
    if (waits) {
      await waits;
      continue;
    }
    const batch = await feed.hold(sent);
    if (!batch) {
      await nextTurn();
      continue;
    }
    try {
      seat.sendFramed(batch.frame);
      seat.countMissed(batch.frame.length);
      sent = batch.last;
      if (sent < feed.head) await seat.drained();
    } finally {
      feed.release(batch);
    }
  }
}
