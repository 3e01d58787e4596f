/** The search for messages: how it opens, what it shows, and the ways from there. */
import { expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { createRoom, type Login, uniqueName } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { UNREACHABLE } from './console-watch.ts';
import { focused } from './focus.ts';
import type { Person } from './person.ts';
import {
  chipsOf,
  fieldOf,
  furnished,
  hitsOf,
  indexed,
  makePrivate,
  openSearch,
  say,
  searchOf,
  wordsOf,
} from './search-page.ts';
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
      expect(await searchOf(ann).getByTestId('search-status').textContent()).toBe('2 results');
      await checkScreen(ann, 'search-found');
      await hitsOf(ann).last().click();
      await soon(() => new URL(ann.page.url()).pathname).toMatch(new RegExp(`^/rooms/${room.id}/m/`));
      await soon(() => ann.page.evaluate(() => document.activeElement?.textContent ?? '')).toContain(
        'lands at noon',
      );
      expect(await hitsOf(ann).count()).toBe(2);
    });

    test('the oldest come first where one asks for that, also while the server cannot be reached', async () => {
      const { ann } = await furnished(stage);
      await openSearch(ann);
      await ann.page.keyboard.type('zeppelin');
      await soon(() => wordsOf(ann)).toEqual(['Zeppelins never land', 'The zeppelin lands at noon']);
      const order = searchOf(ann).getByRole('combobox', { name: 'Order of the results' });
      await order.selectOption('Oldest first');
      const oldest = ['The zeppelin lands at noon', 'Zeppelins never land'];
      await soon(() => wordsOf(ann)).toEqual(oldest);
      ann.console.expect(UNREACHABLE);
      await ann.page.context().setOffline(true);
      await fieldOf(ann).fill('zeppelins');
      await searchOf(ann).getByRole('note').getByText('No connection.').waitFor();
      await fieldOf(ann).fill('zeppelin');
      await soon(() => wordsOf(ann)).toEqual(oldest);
      await ann.page.context().setOffline(false);
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
      expect(await searchOf(ann).getByTestId('search-status').textContent()).toBe('1 result');
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

    test('filters are completed by keyboard alone and become chips; Backspace and the arrows lead back to them', async () => {
      const { ann, login, room } = await furnished(stage);
      const bo = await stage.account('bo');
      await addMember(stage, login, room.id, bo.userId);
      await say(stage, bo, room.id, ['My zeppelin']);
      await indexed(stage, login, 'zeppelin', 3);
      const { keyboard } = ann.page;
      await openSearch(ann);
      await keyboard.type(`zeppelin from:${bo.username.slice(0, 9)}`);
      await soon(() => activeOption(ann)).toContain(bo.username);
      await checkScreen(ann, 'search-options');
      await keyboard.press('Enter');
      await soon(() => wordsOf(ann)).toEqual(['My zeppelin']);
      expect(await chipsOf(ann)).toEqual([`From ${bo.username}`]);
      await keyboard.type('in:');
      await soon(() => activeOption(ann)).toContain(room.name);
      await keyboard.press('Tab');
      await soon(() => chipsOf(ann)).toEqual([`From ${bo.username}`, `In ${room.name}`]);
      await keyboard.type('has:');
      await soon(() => activeOption(ann)).toBe('a file');
      await keyboard.press('ArrowDown');
      await soon(() => activeOption(ann)).toBe('a picture');
      await keyboard.press('Escape');
      await soon(() => activeOption(ann)).toBe('');
      await searchOf(ann).waitFor();
      for (let letters = 0; letters < 4; letters++) await keyboard.press('Backspace');
      await keyboard.type('on:today ');
      await soon(() => chipsOf(ann)).toEqual([`From ${bo.username}`, `In ${room.name}`, 'On today']);
      await soon(() => wordsOf(ann)).toEqual(['My zeppelin']);
      await checkScreen(ann, 'search-chips');
      await keyboard.press('Home');
      await keyboard.press('ArrowLeft');
      await soon(() => focused(ann)).toBe('Remove filter: On today');
      await keyboard.press('ArrowLeft');
      await keyboard.press('ArrowLeft');
      await soon(() => focused(ann)).toBe(`Remove filter: From ${bo.username}`);
      await keyboard.press('Delete');
      await soon(() => hitsOf(ann).count()).toBe(3);
      await soon(() => focused(ann)).toBe('Search messages');
      await keyboard.press('Home');
      await keyboard.press('Backspace');
      await soon(() => chipsOf(ann)).toEqual([`In ${room.name}`]);
    });

    test('the head of a room and the menu of its row open the search in that room', async () => {
      const { ann, login, room } = await furnished(stage);
      const other = await createRoom(stage.server, login, uniqueName('other'));
      await makePrivate(stage, login, other.id);
      await say(stage, login, other.id, ['A zeppelin elsewhere']);
      await indexed(stage, login, 'zeppelin', 3);
      await ann.button('Search in this room').click();
      await soon(() => chipsOf(ann)).toEqual([`In ${room.name}`]);
      await ann.page.keyboard.type('zeppelin');
      await soon(() => wordsOf(ann)).toEqual(['Zeppelins never land', 'The zeppelin lands at noon']);
      await ann.roomRow(other.name).click({ button: 'right' });
      await ann.page
        .getByRole('dialog', { name: other.name })
        .getByRole('button', { name: 'Search in this room' })
        .click();
      await soon(() => chipsOf(ann)).toEqual([`In ${other.name}`]);
      await soon(() => wordsOf(ann)).toEqual(['A zeppelin elsewhere']);
    });

    test('before anything is typed, the filters are offered: by pointer and by arrow keys', async () => {
      const { ann } = await furnished(stage);
      await openSearch(ann);
      await checkScreen(ann, 'search-start');
      await searchOf(ann).getByRole('button', { name: 'On a day' }).click();
      await soon(() => activeOption(ann)).toBe('today');
      await searchOf(ann).getByLabel('Another day').fill('2026-01-31');
      await checkScreen(ann, 'search-days');
      await searchOf(ann).getByRole('button', { name: 'Choose' }).click();
      await soon(() => chipsOf(ann)).toEqual(['On 31 Jan']);
      await searchOf(ann).getByRole('button', { name: 'Clear search' }).click();
      await ann.page.keyboard.press('ArrowDown');
      await soon(() => focused(ann)).toContain('From a person');
      await ann.page.keyboard.press('ArrowDown');
      await ann.page.keyboard.press('Enter');
      await soon(() => activeOption(ann)).toContain('hangar');
    });
  },
  { MESSAGES_PER_SECOND: '0' },
);

/** What Enter would take. */
const activeOption = ({ page }: Person) =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant') ?? '';
    const words = [...(document.getElementById(id)?.querySelectorAll('span:not([aria-hidden])') ?? [])];
    return words.map(({ textContent }) => textContent).join(' ');
  });

async function addMember(stage: Stage, login: Login, roomId: number, userId: number): Promise<void> {
  await send(stage.server, `/api/v1/rooms/${roomId}/members/${userId}`, {
    method: 'PUT',
    token: login.accessToken,
    json: {},
  });
}
