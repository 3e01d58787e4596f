/**
 * How a socket catches up with a room: batches of what it missed, then, within one turn of the event loop, the last of
 * it and going live. Nothing is missed, as the socket goes live at exactly the event that it was sent; nothing comes
 * twice; and nothing is buffered for it but one batch.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RESUME_MAX_BEHIND } from '../../../protocol/limits.ts';
import type { ResumeWire } from '../wire/wire.ts';
import type { Feed } from './feed.ts';
import type { RoomSocket } from './room-socket.ts';

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

export interface Resume {
  socket: RoomSocket;
  wire: ResumeWire;
  feed: Feed;
  since: number;
  /** From this call on the socket gets the room's frames. */
  goLive: () => void;
}

/** Sends the events after `since`, then `sync`, then goes live. Ends early when the socket closes. */
export async function resume({ socket, wire, feed, since, goLive }: Resume): Promise<void> {
  let sent = since;
  while (socket.isOpen()) {
    if (sent >= feed.head) {
      socket.send(wire.sync(sent));
      goLive();
      return;
    }
    const batch = await feed.hold(sent);
    if (!batch) {
      await nextTurn();
      continue;
    }
    try {
      socket.sendFramed(batch.frame);
      sent = batch.last;
      if (sent < feed.head) await socket.drained();
    } finally {
      feed.release(batch);
    }
  }
}
