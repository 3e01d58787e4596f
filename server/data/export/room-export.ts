/** What an export of one room needs to know of its people before it is written. */
import type { Notice } from '../../../protocol/notices.ts';
import type { Row } from '../storage/copy/source.ts';
import { NOTICE } from '../storage/queries/message-rows.ts';
import { REMOVED } from '../storage/queries/removed-names.ts';
import { peopleIn } from './room-ids.ts';
import { pagesOf, type Snapshot } from './snapshot.ts';

interface RoomPeople {
  /** The ids that the room's texts and notices have in JSON. */
  named: number[];
  /** What removed accounts are called now, by id. */
  removed: ReadonlyMap<number, string>;
}

export async function readPeople(snapshot: Snapshot, roomId: number): Promise<RoomPeople> {
  const inRoom = { where: `room_id = ${roomId} AND extra IS NOT NULL`, columns: ['id', 'kind', 'extra'] };
  const named = new Set<number>();
  for await (const rows of pagesOf(snapshot, { name: 'messages', key: ['id'], ...inRoom }))
    for (const { kind, extra } of rows) for (const id of peopleIn(Number(kind), String(extra))) named.add(id);
  const isRemoved = { where: `kind = '${REMOVED}'`, columns: ['id', 'username'] };
  const removed = new Map<number, string>();
  for await (const rows of pagesOf(snapshot, { name: 'users', key: ['id'], ...isRemoved }))
    for (const { id, username } of rows) removed.set(Number(id), String(username));
  return { named: [...named], removed };
}

/** A notice as readers see it: removed accounts have the names of now. Other messages stay as they are. */
export function withNames(row: Row, removed: ReadonlyMap<number, string>): Row {
  if (row.kind !== NOTICE || removed.size === 0) return row;
  const ids = peopleIn(NOTICE, String(row.extra));
  if (!ids.some((id) => removed.has(id))) return row;
  const notice = JSON.parse(String(row.extra)) as Notice;
  for (const person of 'member' in notice ? [notice.by, notice.member] : [notice.by])
    person.username = removed.get(person.user_id) ?? person.username;
  return { ...row, extra: JSON.stringify(notice) };
}
