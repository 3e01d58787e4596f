import { useEffect, useState } from 'react';
import type { PendingMessage, Room, ThreadState } from '../../../../client/index.ts';

interface OwnReplies {
  /** The server has not confirmed them. */
  readonly waiting: readonly PendingMessage[];
  /** It has, before the thread was loaded, and the page that is on its way brings them. */
  readonly stored: readonly PendingMessage[];
}

/** The user's own replies that the thread does not have: it is not loaded, or the server has not confirmed them. */
export function useThreadPending(
  room: Room,
  threadId: number,
  state: ThreadState | null,
): readonly PendingMessage[] {
  const isLoaded = state !== null;
  const [{ waiting, stored }, setOwn] = useState<OwnReplies>(() => ({
    waiting: room.pendingIn(threadId),
    stored: [],
  }));
  useEffect(() => {
    setOwn({ waiting: room.pendingIn(threadId), stored: [] });
    return room.on('outbox', () =>
      setOwn((before) => ownAfter(before, room.pendingIn(threadId), { keepsStored: !isLoaded })),
    );
  }, [room, threadId, isLoaded]);
  if (!isLoaded) return [...stored, ...waiting];
  const held = new Set(state.messages.map(({ cid }) => cid));
  return waiting.filter(({ cid }) => !held.has(cid));
}

function ownAfter(
  { waiting: before, stored }: OwnReplies,
  waiting: readonly PendingMessage[],
  { keepsStored }: { keepsStored: boolean },
): OwnReplies {
  if (!keepsStored) return { waiting, stored: [] };
  const cids = new Set(waiting.map(({ cid }) => cid));
  // What failed has left the outbox because the user has discarded it.
  const left = before.filter(({ cid, status }) => status !== 'failed' && !cids.has(cid));
  return { waiting, stored: [...stored, ...left] };
}
