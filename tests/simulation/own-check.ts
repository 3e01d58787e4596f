import type { RoomState } from '../../client/room/room-state.ts';

/** Checks that an own message is shown once: pending, acked, or in its place. */
export function checkOwn({ me, messages, acked, pending }: RoomState, wrong: (text: string) => void): void {
  if (acked.length === 0 && pending.length === 0) return;
  const seen = new Set<string>();
  const own = messages.filter(({ user_id }) => user_id === me.id);
  for (const { cid } of [...own, ...acked, ...pending]) {
    if (cid === undefined) continue;
    if (seen.has(cid)) wrong(`shows ${cid} twice`);
    seen.add(cid);
  }
}
