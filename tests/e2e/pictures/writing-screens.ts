/** What helps one to write. */
import { addMember, createRoom, signUpCrowd } from '../../support/users.ts';
import { NOW } from './script.ts';
import type { Screen } from './studio.ts';
import { me } from './user.ts';

export const WRITING_SCREENS: Readonly<Record<string, Screen>> = {
  'emoji-picker': async (studio) => {
    const person = await me(studio, 'release');
    await person.button('Emoji').click();
    await person.page.getByRole('gridcell').first().waitFor();
    if (!studio.isNarrow) await person.page.keyboard.press('ArrowDown');
    await studio.shoot(person, 'emoji-picker');
  },

  completion: async (studio) => {
    const person = await me(studio, 'release');
    await person.composer.fill('Good idea. @');
    await person.page.getByTestId('completion').waitFor();
    await studio.shoot(person, 'completion');
    await person.composer.fill('Good idea. :hea');
    await person.page.getByRole('option').filter({ hasText: ':heart:' }).waitFor();
    await studio.shoot(person, 'completion-emoji');
  },

  mentions: async (studio) => {
    const person = await me(studio, 'release');
    const says = 'Thanks @"Ines Moreau", and @"Maya Lindqvist": please tag it. We start at `15:00`.';
    await studio.world.say({ at: NOW, room: 'release', who: 'Jonas Weber', says });
    await person.message('please tag it').waitFor();
    await person.page.locator('[data-me]').first().waitFor();
    await studio.shoot(person, 'mentions');
  },

  'mention-question': async (studio) => {
    const { server, me: login } = studio.world;
    const room = await createRoom(server, login, `Offsite ${Math.trunc(performance.now())}`, 'private');
    for (const { userId } of await signUpCrowd(server, 23)) await addMember(server, login, room.id, userId);
    const person = await studio.seat({ login, path: `/rooms/${room.id}` });
    await person.isIn(room.name);
    await person.composer.pressSequentially('The plan is ready, @Ines');
    await person.page.getByRole('option').filter({ hasText: 'not in this room' }).click();
    await person.page.getByTestId('mention-notes').waitFor();
    await studio.shoot(person, 'mention-outsider');
    await person.composer.fill('@room the plan is ready.');
    await person.button('Send').click();
    await person.page.getByRole('alertdialog').waitFor();
    await studio.shoot(person, 'mention-question');
  },

  'emoji-found': async (studio) => {
    const person = await me(studio, 'release');
    await person.button('Emoji').click();
    await person.page.getByRole('combobox', { name: 'Search emoji' }).fill('hand');
    await studio.shoot(person, 'emoji-found');
  },
};
