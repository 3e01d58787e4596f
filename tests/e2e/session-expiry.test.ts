/** Access tokens that run out while somebody uses the page. */
import { expect, test } from 'vitest';
import { decodeClaims } from '../support/jwt.ts';
import { createRoom, logIn } from '../support/users.ts';
import { REFUSED } from './console-watch.ts';
import type { Person } from './person.ts';
import { inRoom, watchApi } from './session-page.ts';
import { onStage, soon } from './stage.ts';

onStage(
  'access tokens of 2 s',
  (stage) => {
    test('a 401 is followed by a refresh and the same request; nobody notices', async () => {
      const { ann, owner } = await inRoom(stage);
      const aside = await createRoom(stage.server, await logIn(stage.server, owner.username));
      await ann.refreshRooms();
      await ann.roomRow(aside.name).waitFor();
      const firstToken = await expiredToken(ann);
      const exchanges = watchApi(ann);

      await ann.openRoom(aside.name);
      // The line may open the room before the first request for its history is refused.
      await soon(() => exchanges.refused.length).toBeGreaterThan(0);
      // On a slow machine the next token may have run out meanwhile, too.
      await soon(() => [...new Set(exchanges.refreshes)]).toEqual([200]);
      await soon(() => exchanges.refused.filter((request) => !exchanges.succeeded.includes(request))).toEqual(
        [],
      );
      expect(await ann.stored('chat_access')).not.toBe(firstToken);
      expect(await ann.page.getByRole('alert').count()).toBe(0);
      await ann.say('as if nothing had been');
      await ann.message('as if nothing had been').waitFor();
    });

    test('the connection stays open when the access token expires', async () => {
      const { ann } = await inRoom(stage);
      await expiredToken(ann);
      await ann.say('still on the same line');
      await ann.message('still on the same line').waitFor();
      expect(await ann.page.getByTestId('notice').count()).toBe(0);
    });

    test('two tabs whose token has expired both stay signed in', async () => {
      const { ann, room } = await inRoom(stage);
      const tab = await ann.openTab(`/rooms/${room.id}`);
      tab.console.expect(REFUSED);
      await tab.isIn(room.name);
      await expiredToken(ann);
      await Promise.all([ann.refreshRooms(), tab.refreshRooms()]);
      await Promise.all([ann.page.reload(), tab.page.reload()]);
      await ann.isIn(room.name);
      await tab.isIn(room.name);
      await tab.say('from the other tab');
      await ann.message('from the other tab').waitFor();
    });
  },
  { ACCESS_TOKEN_TTL_S: '2' },
);

/** Waits until the access token that the browser holds has run out, and returns it. */
async function expiredToken(person: Person): Promise<string> {
  const token = (await person.stored('chat_access')) ?? '';
  const expiresAt = Number(decodeClaims(token).exp) * 1000;
  await soon(() => Date.now() - expiresAt).toBeGreaterThan(0);
  return token;
}
