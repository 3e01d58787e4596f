/** Checks direct conversations and invitations: what one connection may receive, and what the database has at the end. */
import type { Disk } from './disk.ts';

/**
 * Whether a frame tells the user of a direct conversation of others. One in which nobody has written is of those who asked
 * for it: the others may open it, if they know its id, but the server says nothing of it unasked.
 */
export function isOfOthers(
  disk: Disk | undefined,
  { type, roomId }: { type: string; roomId: number },
  userId: number,
): boolean {
  const dm = disk?.dms.get(roomId);
  // An error repeats the id that the client sent.
  if (dm === undefined || disk === undefined || type === 'error') return false;
  if (!dm.people.includes(userId)) return true;
  return type === 'gone' && !dm.askedBy.has(userId) && disk.log(roomId).rows.length === 0;
}

/** The same people have one direct conversation. */
export function checkDms(disk: Disk, wrong: (text: string) => void): void {
  const known = new Map<string, number>();
  for (const [roomId, { people }] of disk.dms) {
    const key = [...new Set(people)].sort((one, other) => one - other).join();
    const first = known.get(key);
    if (first !== undefined) wrong(`rooms ${first} and ${roomId} are both the conversation of ${key}`);
    known.set(key, roomId);
  }
}

/** Users come into a private room by themselves only with its invitation: no more of them than it lets in. */
export function checkInvite(
  { disk, roomId, uses }: { disk: Disk; roomId: number; uses: number },
  wrong: (text: string) => void,
): void {
  const { rows } = disk.log(roomId);
  const joined = rows.filter(({ notice }) => JSON.parse(notice ?? '{}').kind === 'joined').length;
  if (joined > uses) wrong(`${joined} users joined room ${roomId} by an invitation for ${uses}`);
}
