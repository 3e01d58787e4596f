/** Compares a page's list of rooms, its read marks and its counts with the database. */
import type { RoomsState } from '../../client/rooms/rooms-state.ts';
import { UNREAD_MAX } from '../../protocol/limits.ts';
import type { MessageRow } from '../../server/data/storage/store.ts';
import type { Disk } from './disk.ts';

export interface ListCheck {
  disk: Disk;
  roomIds: readonly number[];
  userId: number;
  list: RoomsState | null;
}

/** The list has exactly the user's rooms, and every count is what a naive count gives. */
export function checkList({ disk, roomIds, userId, list }: ListCheck, wrong: (text: string) => void): void {
  for (const roomId of list?.rooms.keys() ?? [])
    if (!roomIds.includes(roomId)) wrong(`room ${roomId} is on the list, and does not exist`);
  for (const roomId of roomIds) {
    const member = disk.member(roomId, userId);
    if ((member !== null) !== isExpected(disk, roomId, userId))
      wrong(`room ${roomId} is ${member === null ? 'not ' : ''}the user\u2019s in the database`);
    const listed = list?.rooms.get(roomId);
    if ((member === null) !== (listed === undefined)) {
      wrong(
        `room ${roomId} is ${member === null ? 'not the user\u2019s, but' : 'the user\u2019s, but not'} on the list`,
      );
      continue;
    }
    if (member === null || listed === undefined) continue;
    const { rows, head } = disk.log(roomId);
    if (listed.seq !== head) wrong(`the list has ${listed.seq} of ${head} in room ${roomId}`);
    if (listed.readSeq !== member.readSeq)
      wrong(`room ${roomId} is read up to ${member.readSeq}, and the list has ${listed.readSeq}`);
    const unread = countUnread(rows, userId, member.readSeq);
    if (listed.unread !== unread)
      wrong(`room ${roomId} has ${unread} unread, and the list has ${listed.unread}`);
    const last = rows.findLast(({ notice }) => notice === null);
    if (listed.last?.seq !== last?.seq)
      wrong(`the last text of room ${roomId} is ${last?.seq}, not ${listed.last?.seq}`);
    if (last && (listed.last?.excerpt === '') !== isDeleted(last))
      wrong(
        `the last text of room ${roomId} reads ${JSON.stringify(listed.last)}, not ${JSON.stringify(last)}`,
      );
  }
}

/** Whether every count of the list is final, as far as the database goes. */
export function isCounted({ disk, roomIds, userId, list }: ListCheck): boolean {
  if (list === null || list.phase !== 'live' || list.epoch !== disk.epoch || list.marks.size > 0)
    return false;
  return roomIds.every((roomId) => {
    const listed = list.rooms.get(roomId);
    const isListed = listed !== undefined;
    if (!isExpected(disk, roomId, userId) || !isListed) return isExpected(disk, roomId, userId) === isListed;
    // The user's other tabs may have moved the mark, too.
    const isRead = listed.readSeq === disk.member(roomId, userId)?.readSeq;
    const isWhole = listed.seq === disk.log(roomId).head;
    return isWhole && isRead && listed.unread !== null && listed.count !== 'estimate';
  });
}

/** Whether the log has a removal of the user: from then on messages of the user may be refused. */
export function wasShutOut(rows: readonly MessageRow[], userId: number): boolean {
  return rows.some(({ notice }) => {
    const { kind, member } = JSON.parse(notice ?? '{}');
    return (kind === 'removed' || kind === 'left') && member.user_id === userId;
  });
}

export function isMember(disk: Disk, roomId: number, userId: number): boolean {
  return disk.member(roomId, userId) !== null;
}

/**
 * Whether the room is to be on the user's list. A direct conversation is on the lists of its people: of those who asked
 * for it, and with its first text of all.
 */
function isExpected(disk: Disk, roomId: number, userId: number): boolean {
  const dm = disk.dms.get(roomId);
  if (dm === undefined) return isMember(disk, roomId, userId);
  return dm.people.includes(userId) && (dm.askedBy.has(userId) || disk.log(roomId).rows.length > 0);
}

function isDeleted({ facts }: MessageRow): boolean {
  return facts !== null && facts.deletedAt !== null;
}

function countUnread(rows: readonly MessageRow[], userId: number, readSeq: number): number {
  const unread = rows.filter(
    (row) => row.notice === null && !isDeleted(row) && row.seq > readSeq && row.userId !== userId,
  );
  return Math.min(unread.length, UNREAD_MAX);
}

/** The numbers of a list, for a report. */
export function describeList(list: RoomsState | null): Record<string, string> {
  const rooms = [...(list?.rooms ?? [])].map(([id, { seq, readSeq, unread, count }]) => {
    return [`room ${id}`, `${seq}, read ${readSeq}, unread ${unread} (${count})`] as const;
  });
  return Object.fromEntries(rooms);
}
