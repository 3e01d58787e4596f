/** A page whose session is watched. */
import { createRoom, uniqueName } from '../support/users.ts';
import { REFUSED } from './console-watch.ts';
import type { Person } from './person.ts';
import type { Stage } from './stage.ts';

export async function inRoom(stage: Stage) {
  const owner = await stage.account('ann');
  const room = await createRoom(stage.server, owner, uniqueName('room'));
  const ann = await stage.seat({ login: owner, path: `/rooms/${room.id}` });
  ann.console.expect(REFUSED);
  await ann.isIn(room.name);
  return { ann, owner, room };
}

/** Every exchange with the API from now on, by its outcome. */
export function watchApi(person: Person) {
  const seen = { refused: [] as string[], succeeded: [] as string[], refreshes: [] as number[] };
  person.page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    const request = `${response.request().method()} ${pathname}`;
    if (pathname.endsWith('/auth/refresh')) seen.refreshes.push(response.status());
    else if (response.status() === 401) seen.refused.push(request);
    else if (response.ok()) seen.succeeded.push(request);
  });
  return seen;
}
