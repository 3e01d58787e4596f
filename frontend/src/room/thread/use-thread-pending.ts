import { useEffect, useState } from 'react';
import type { PendingMessage, Room, ThreadState } from '../../../../client/index.ts';

/** The user's own replies that the server has not confirmed. */
export function useThreadPending(
  room: Room,
  threadId: number,
  state: ThreadState | null,
): readonly PendingMessage[] {
  const [pending, setPending] = useState<readonly PendingMessage[]>(() => room.pendingIn(threadId));
  useEffect(() => {
    setPending(room.pendingIn(threadId));
    return room.on('outbox', () => setPending(room.pendingIn(threadId)));
  }, [room, threadId]);
  const stored = new Set(state?.messages.map(({ cid }) => cid));
  return pending.filter(({ cid }) => !stored.has(cid));
}
