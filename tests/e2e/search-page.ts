/** The search for messages, as a person uses it. */
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { createRoom, type Login, uniqueName } from '../support/users.ts';
import type { Person } from './person.ts';
import type { Seat } from './seat.ts';
import type { Stage } from './stage.ts';

export const searchOf = ({ page }: Person) => page.getByRole('search', { name: 'Search messages' });
export const fieldOf = (person: Person) =>
  searchOf(person).getByRole('combobox', { name: 'Search messages' });
export const hitsOf = (person: Person) => searchOf(person).getByTestId('hit');

/** What its chips say. */
export const chipsOf = (person: Person) => searchOf(person).locator('[data-chip]').allTextContents();

/** The words of the hits, from the first. */
export const wordsOf = (person: Person) => hitsOf(person).locator('[data-words]').allTextContents();

/** Opens the search by its keys. What is typed from now on is in its field. */
export async function openSearch(person: Person): Promise<void> {
  await person.page.keyboard.press('Control+Shift+F');
  await fieldOf(person).and(person.page.locator(':focus')).waitFor();
}

/** Says this in a room. Returns the id of each message. */
export async function say(
  stage: Stage,
  login: Login,
  roomId: number,
  texts: readonly string[],
): Promise<number[]> {
  const line = await LineClient.start(stage.server, login);
  const ids: number[] = [];
  for (const content of texts) ids.push((await line.post(roomId, content)).id);
  await line.close();
  return ids;
}

/** Waits until the index finds so many messages. */
export async function indexed(stage: Stage, login: Login, query: string, count: number): Promise<void> {
  await eventually(`${count} messages with ${query}`, async () => {
    const { json } = await send(stage.server, `/api/v1/search?limit=50&q=${encodeURIComponent(query)}`, {
      token: login.accessToken,
    });
    return (json as { results?: unknown[] }).results?.length === count || undefined;
  });
}

/** Ann is in a room where two messages are about zeppelins, and one is not. */
export async function furnished(stage: Stage, seat: Seat = {}) {
  const login = await stage.account('ann');
  const room = await createRoom(stage.server, login, uniqueName('hangar'));
  await makePrivate(stage, login, room.id);
  const ids = await say(stage, login, room.id, [
    'The zeppelin lands at noon',
    '**Zeppelins** never land',
    'An airship, then',
  ]);
  await indexed(stage, login, 'zeppelin', 2);
  const ann = await stage.seat({ login, path: `/rooms/${room.id}`, ...seat });
  if (seat.path === undefined) await ann.isIn(room.name);
  return { ann, login, room, ids };
}

/** The first public room of a server has everybody in it. */
export async function makePrivate(stage: Stage, login: Login, roomId: number): Promise<void> {
  await send(stage.server, `/api/v1/rooms/${roomId}`, {
    method: 'PATCH',
    token: login.accessToken,
    json: { kind: 'private' },
  });
}
