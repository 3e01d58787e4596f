/** Commands about rooms. */
import { z } from 'zod';
import type { RoomAccount } from '../storage/store.ts';
import { command } from './operator-command.ts';

const ROOMS_AT_ONCE = 500;

export const ROOM_COMMANDS = {
  /** Every room, by id, direct conversations too. */
  listRooms: command(z.object({}), async ({ store }) => {
    const rooms: RoomAccount[] = [];
    let page: RoomAccount[];
    do {
      page = await store.everyRoom({ afterId: rooms.at(-1)?.id ?? 0, limit: ROOMS_AT_ONCE });
      rooms.push(...page);
    } while (page.length === ROOMS_AT_ONCE);
    return { rooms: rooms.map(toOperatorRoom) };
  }),
} as const;

function toOperatorRoom({
  id,
  kind,
  name,
  members,
  messages,
  seq,
  createdAt,
  archivedAt,
  deletedAt,
}: RoomAccount) {
  return {
    ...{ id, kind, name, members, messages, seq },
    created_at: toTime(createdAt),
    archived_at: archivedAt === null ? null : toTime(archivedAt),
    deleted_at: deletedAt === null ? null : toTime(deletedAt),
  };
}

/** RFC 3339, UTC, milliseconds. */
function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
