/** The search for messages on a phone, where it is a page of its own. */
import { expect, test } from 'vitest';
import type { Person } from './person.ts';
import { expectReachable, PHONE } from './phone.ts';
import { chipsOf, fieldOf, furnished, hitsOf, indexed, say, searchOf, wordsOf } from './search-page.ts';
import { onStage, soon } from './stage.ts';

onStage(
  'the search on a phone',
  (stage) => {
    test('from the list of rooms: it fills the screen, a hit opens its room, and the way back leads to the other hits', async () => {
      const { ann, login, room } = await furnished(stage, { context: PHONE, path: '/' });
      await say(
        stage,
        login,
        room.id,
        Array.from({ length: 30 }, (_, at) => `dirigible ${at}`),
      );
      await indexed(stage, login, 'dirigible', 30);
      await ann.button('Search or jump').click();
      await ann.switcher.getByRole('combobox').fill('dirigible');
      await ann.switcher.getByRole('button', { name: 'Search messages for “dirigible”' }).click();
      await soon(() => hitsOf(ann).count()).toBeGreaterThan(10);
      expect(pathOf(ann)).toBe('/search');
      await expectReachable(ann);
      const hit = hitsOf(ann).filter({ hasText: /dirigible 14$/ });
      await hit.scrollIntoViewIfNeeded();
      const before = await topOf(ann);
      await hit.click();
      await soon(() => pathOf(ann)).toMatch(new RegExp(`^/rooms/${room.id}/m/`));
      await ann.message('dirigible 14').waitFor();
      await ann.page.goBack();
      await soon(() => fieldOf(ann).inputValue()).toBe('dirigible');
      await soon(() => topOf(ann)).toBe(before);
      await ann.button('Back').click();
      await soon(() => pathOf(ann)).toBe('/');
    });

    test("from a room's settings, in that room; chips and what is offered can be touched", async () => {
      const { ann, room } = await furnished(stage, { context: PHONE });
      await ann.button('Room settings').click();
      await ann.button('Search in this room').click();
      await soon(() => chipsOf(ann)).toEqual([`In ${room.name}`]);
      await fieldOf(ann).fill('zeppelin');
      await soon(() => wordsOf(ann)).toEqual(['Zeppelins never land', 'The zeppelin lands at noon']);
      await expectReachable(ann);
      await fieldOf(ann).fill('zeppelin on:');
      await searchOf(ann).getByRole('option', { name: 'today' }).click();
      await soon(() => chipsOf(ann)).toEqual([`In ${room.name}`, 'On today']);
      await expectReachable(ann);
      await ann.page.goBack();
      await soon(() => pathOf(ann)).toBe(`/rooms/${room.id}/settings`);
    });
  },
  { MESSAGES_PER_SECOND: '0' },
);

const pathOf = ({ page }: Person) => new URL(page.url()).pathname;
const topOf = (person: Person) =>
  searchOf(person)
    .locator('[data-scroller]')
    .evaluate((box) => Math.round(box.scrollTop));
