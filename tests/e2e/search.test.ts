/** The search for messages: how it opens, what it shows, and the ways from there. */
import { expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { createRoom, uniqueName } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { focused } from './focus.ts';
import { fieldOf, hitsOf, indexed, openSearch, say, searchOf, wordsOf } from './search-page.ts';
import { onStage, type Stage, soon } from './stage.ts';

onStage(
  'the search for messages',
  (stage) => {
    test('Ctrl Shift F opens it, and what is typed is found with its words marked; a hit leads to its message', async () => {
      const { ann, room } = await furnished(stage);
      await openSearch(ann);
      await soon(() => focused(ann)).toBe('Search messages');
      await ann.page.keyboard.type('zeppelin');
      await soon(() => wordsOf(ann)).toEqual(['Zeppelins never land', 'The zeppelin lands at noon']);
      expect(await hitsOf(ann).locator('mark').allTextContents()).toEqual(['Zeppelins', 'zeppelin']);
      expect(await searchOf(ann).getByRole('status').textContent()).toBe('2 results');
      await checkScreen(ann, 'search-found');
      await hitsOf(ann).last().click();
      await soon(() => new URL(ann.page.url()).pathname).toMatch(new RegExp(`^/rooms/${room.id}/m/`));
      await soon(() => ann.page.evaluate(() => document.activeElement?.textContent ?? '')).toContain(
        'lands at noon',
      );
      expect(await hitsOf(ann).count()).toBe(2);
    });

    test('Ctrl K, a text and Tab lead to the search with that text', async () => {
      const { ann } = await furnished(stage);
      await ann.page.keyboard.press('Control+k');
      await ann.switcher.waitFor();
      await ann.page.keyboard.type('zeppelin noon');
      await ann.page.keyboard.press('Tab');
      await soon(() => wordsOf(ann)).toEqual(['The zeppelin lands at noon']);
      await soon(() => focused(ann)).toBe('Search messages');
      expect(await fieldOf(ann).inputValue()).toBe('zeppelin noon');
    });

    test('by pointer: from the search that opens rooms, and from the head of a room', async () => {
      const { ann } = await furnished(stage);
      await ann.searchFor('zeppelin');
      await ann.switcher.getByRole('button', { name: 'Search messages for “zeppelin”' }).click();
      await soon(() => hitsOf(ann).count()).toBe(2);
      await searchOf(ann).getByRole('button', { name: 'Close' }).click();
      await searchOf(ann).waitFor({ state: 'detached' });
      await ann.button('Search in this room').click();
      await soon(() => focused(ann)).toBe('Search messages');
    });

    test('a message that is deleted while it is shown disappears, in the open room and in another', async () => {
      const { ann, login, room, ids } = await furnished(stage);
      const other = await createRoom(stage.server, login, uniqueName('other'));
      const [elsewhere = 0] = await say(stage, login, other.id, ['A zeppelin elsewhere']);
      await indexed(stage, login, 'zeppelin elsewhere', 1);
      await openSearch(ann);
      await ann.page.keyboard.type('zeppelin');
      await soon(() => hitsOf(ann).count()).toBe(3);
      const remove = (roomId: number, id: number | undefined) =>
        send(stage.server, `/api/v1/rooms/${roomId}/messages/${id}`, {
          method: 'DELETE',
          token: login.accessToken,
        });
      await remove(room.id, ids[0]);
      await soon(() => wordsOf(ann)).toEqual(['A zeppelin elsewhere', 'Zeppelins never land']);
      await remove(other.id, elsewhere);
      await soon(() => wordsOf(ann)).toEqual(['Zeppelins never land']);
      expect(await searchOf(ann).getByRole('status').textContent()).toBe('1 result');
    });

    test('further results come as one scrolls, each once', async () => {
      const { ann, login, room } = await furnished(stage);
      const texts = Array.from({ length: 65 }, (_, at) => `a dirigible ${at}`);
      await say(stage, login, room.id, texts);
      await indexed(stage, login, 'dirigible', 50);
      await openSearch(ann);
      await ann.page.keyboard.type('dirigible');
      await soon(() => hitsOf(ann).count()).toBeGreaterThan(0);
      await soon(async () => {
        await hitsOf(ann).last().scrollIntoViewIfNeeded();
        return await hitsOf(ann).count();
      }).toBe(65);
      expect(await wordsOf(ann)).toEqual(texts.toReversed());
    });
  },
  { MESSAGES_PER_SECOND: '0' },
);

/** Ann is in a room where two messages are about zeppelins, and one is not. */
async function furnished(stage: Stage) {
  const login = await stage.account('ann');
  const room = await createRoom(stage.server, login, uniqueName('hangar'));
  // The first public room of a server has everybody in it.
  await send(stage.server, `/api/v1/rooms/${room.id}`, {
    method: 'PATCH',
    token: login.accessToken,
    json: { kind: 'private' },
  });
  const ids = await say(stage, login, room.id, [
    'The zeppelin lands at noon',
    '**Zeppelins** never land',
    'An airship, then',
  ]);
  await indexed(stage, login, 'zeppelin', 2);
  const ann = await stage.seat({ login, path: `/rooms/${room.id}` });
  await ann.isIn(room.name);
  return { ann, login, room, ids };
}
