/** The user of the pictures, in front of the device. */
import type { Person } from '../person.ts';
import { ROOMS, type RoomKey } from './script.ts';
import type { Studio } from './studio.ts';

/** At home or in a room. */
export async function me(studio: Studio, room?: RoomKey, origin = studio.world.server.url): Promise<Person> {
  const { me: login, device: stored } = studio.world;
  if (room === undefined) {
    const person = await studio.seat({ login, stored, origin });
    await person.roomRow(ROOMS.general).waitFor();
    return person;
  }
  const person = await studio.seat({ login, stored, origin, path: studio.world.path(room) });
  await person.isIn(ROOMS[room]);
  await person.page.locator('[data-testid=room]').first().waitFor({ state: 'attached' });
  return person;
}

/** On a phone, back to the list of rooms. */
export async function leaveNarrowRoom(studio: Studio, person: Person): Promise<void> {
  if (!studio.isNarrow) return;
  await person.button('Back to rooms').click();
  await person.rooms.waitFor();
}
