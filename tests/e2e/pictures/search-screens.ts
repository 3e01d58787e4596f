/** The search for messages: what it offers, what it finds, and what it says where it finds nothing. */
import type { Person } from '../person.ts';
import { fieldOf, hitsOf, openSearch, searchOf } from '../search-page.ts';
import { filesRoom } from './file-screens.ts';
import type { Screen, Studio } from './studio.ts';
import { me } from './user.ts';

export const SEARCH_SCREENS: Readonly<Record<string, Screen>> = {
  'search-start': async (studio) => {
    const person = await inSearch(studio);
    await person.store(
      `chat_searches:${studio.world.me.userId}`,
      JSON.stringify(['soak test', 'from:"Ines Moreau" screenshots', 'in:Backend has:link', '发布']),
    );
    await person.page.reload();
    await person.page.getByRole('navigation').first().waitFor({ state: 'attached' });
    await openSearch(person);
    await searchOf(person).getByText('soak test').waitFor();
    await studio.shoot(person, 'search-start');
  },

  'search-found': async (studio) => {
    const person = await inSearch(studio);
    await fieldOf(person).fill('release');
    await hitsOf(person).nth(3).waitFor();
    // Walked to, on a wide screen.
    if (!studio.isNarrow) {
      await person.page.keyboard.press('ArrowDown');
      await person.page.keyboard.press('ArrowDown');
      await searchOf(person).locator('[aria-current=true]').waitFor();
      await person.still();
    }
    await studio.shoot(person, 'search-found');
  },

  'search-options': async (studio) => {
    const person = await inSearch(studio);
    await fieldOf(person).fill('in:"Release 2.4" ');
    await fieldOf(person).pressSequentially('from:');
    await searchOf(person).getByRole('option').nth(2).waitFor();
    await studio.shoot(person, 'search-options');
  },

  'search-days': async (studio) => {
    const person = await inSearch(studio);
    await fieldOf(person).fill('release before:');
    await searchOf(person).getByRole('option').first().waitFor();
    await studio.shoot(person, 'search-days');
  },

  'search-nothing': async (studio) => {
    const person = await inSearch(studio);
    await fieldOf(person).fill('soak test from:"Ines Moreau" on:today ');
    await searchOf(person)
      .getByRole('button', { name: /^Without/ })
      .first()
      .waitFor();
    await searchOf(person).getByText('There are messages:').waitFor();
    await studio.shoot(person, 'search-nothing');
  },

  'search-files': async (studio) => {
    const room = await filesRoom(studio);
    const person = await inSearch(studio);
    await fieldOf(person).fill(`in:"${room}" has:file `);
    await searchOf(person).getByTestId('hit-file').first().waitFor();
    await searchOf(person).locator('img').first().waitFor();
    await studio.shoot(person, 'search-files');
  },
};

async function inSearch(studio: Studio): Promise<Person> {
  const person = await me(studio, 'release');
  await openSearch(person);
  return person;
}
