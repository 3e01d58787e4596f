/** Commands about rooms. */
import { z } from 'zod';
import { id } from '../../../protocol/fields.ts';
import { normalizeRoomName } from '../../../protocol/names.ts';
import { textOf } from '../../../protocol/rest/fields.ts';
import type { RoomAccount } from '../../data/storage/store.ts';
import { announce } from '../rooms/announce.ts';
import { namesOf } from '../rooms/rooms.ts';
import { toTime } from '../rooms/shapes.ts';
import { command, OperatorError } from './operator-command.ts';

const ROOMS_AT_ONCE = 500;

const name = textOf(normalizeRoomName);
const TAKEN = 'There is a public room with this name, or with one that looks like it.';

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
  changeRoom: command(
    z.object({ id, name: name.optional(), archived: z.boolean().optional() }),
    async ({ store, bus }, { id: roomId, name: newName, archived }) => {
      const change = await store.changeRoom({
        roomId,
        actorId: null,
        now: Date.now(),
        patch: archived === undefined ? {} : { archived },
        names: newName === undefined ? undefined : namesOf(newName),
      });
      if (change.outcome === 'taken') throw new OperatorError(TAKEN);
      const { name } = announce(bus, change);
      return { name, changed: change.outcome === 'changed' };
    },
  ),
  deleteRoom: command(z.object({ id }), async ({ store, bus }, { id: roomId }) => {
    const { name } = announce(bus, await store.deleteRoom({ roomId, actorId: null, now: Date.now() }));
    return { name };
  }),
  /** `name`: a new one, where the old one is taken. */
  restoreRoom: command(
    z.object({ id, name: name.optional() }),
    async ({ store, bus }, { id: roomId, name }) => {
      const now = Date.now();
      const deleted = await store.deletedRooms({ actorId: null, now });
      const room = deleted?.find((one) => one.id === roomId);
      if (!room) throw new OperatorError('This room is not deleted, or its 30 days are over.');
      const names = namesOf(name ?? room.name);
      const restored = await store.restoreRoom({ roomId, actorId: null, names, now });
      if (restored.outcome === 'taken') throw new OperatorError(`${TAKEN} Give it another one with --name.`);
      if (restored.outcome === 'not_found') throw new Error('the operator was refused');
      return { name: announce(bus, restored).name };
    },
  ),
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
    id,
    kind,
    name,
    members,
    messages,
    seq,
    created_at: toTime(createdAt),
    archived_at: archivedAt === null ? null : toTime(archivedAt),
    deleted_at: deletedAt === null ? null : toTime(deletedAt),
  };
}
