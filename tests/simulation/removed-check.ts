/** Checks that nothing of a removed account came back with a write that was on its way. */
import { REMOVED } from '../../server/data/storage/queries/removed-names.ts';
import { sql } from '../../server/data/storage/queries/sql.ts';
import { all } from '../../server/data/storage/queries/steps.ts';
import type { Disk } from './disk.ts';

/** No membership beside direct conversations, and no profile. */
export function checkRemoved(disk: Disk, wrong: (text: string) => void): void {
  const left = disk.run(
    all<{ id: number; status: string | null; rooms: number }>(sql`
      SELECT users.id, users.status, count(rooms.id) AS rooms FROM users
        LEFT JOIN members ON members.user_id = users.id AND members.left_at IS NULL
        LEFT JOIN rooms ON rooms.id = members.room_id AND rooms.kind <> 'dm'
      WHERE users.kind = ${REMOVED} GROUP BY users.id`),
  );
  for (const { id, status, rooms } of left)
    if (status !== null || rooms > 0)
      wrong(`the removed user ${id} is in ${rooms} rooms, with the status ${status}`);
}
