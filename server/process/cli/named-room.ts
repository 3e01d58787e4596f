/** How a room is named at the command line. */
import { nameKey } from '../../../protocol/text.ts';
import type { CommandResult } from '../../features/administration/operator.ts';
import { CommandError } from './report.ts';

export type OperatorRoom = CommandResult<'listRooms'>['rooms'][number];

/** By its number, or by its name with or without `#`. Throws a sentence when there is none, or more than one. */
export function namedRoom<Room extends Pick<OperatorRoom, 'id' | 'name'>>(
  rooms: readonly Room[],
  name: string,
): Room {
  const key = nameKey(name.replace(/^#/, ''));
  const found = /^[1-9][0-9]*$/.test(name)
    ? rooms.filter(({ id }) => id === Number(name))
    : rooms.filter((room) => room.name !== '' && nameKey(room.name) === key);
  const [room] = found;
  if (!room) throw new CommandError(`There is no room ${JSON.stringify(name)}.`);
  if (found.length > 1)
    throw new CommandError(
      `Several rooms have this name. Name one by its number: ${found.map(({ id }) => id).join(', ')}.`,
    );
  return room;
}
