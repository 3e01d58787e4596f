/** What can be done with messages, what it leaves behind, and how they are found. */
import type { Person } from '../person.ts';
import { LAUNCH, type Launch, launchRoom } from './launch-room.ts';
import { ME, NOW } from './script.ts';
import { SEARCH_SCREENS } from './search-screens.ts';
import type { Screen, Studio } from './studio.ts';

export const MESSAGE_SCREENS: Readonly<Record<string, Screen>> = {
  ...SEARCH_SCREENS,

  messages: async (studio) => {
    const { person } = await inLaunch(studio);
    await studio.shoot(person, 'messages');
    await person.log.evaluate((box) => box.scrollTo({ top: 0 }));
    await person.still();
    await studio.shoot(person, 'messages-top');
  },

  'message-bar': async (studio) => {
    // A phone has the sheet in its place.
    if (studio.isNarrow) return;
    const { person } = await inLaunch(studio);
    await person.message('Above. People').hover();
    await person.button('More').waitFor();
    await studio.shoot(person, 'message-bar');
    await person.message('The page loads').getByTestId('reaction').first().hover();
    await person.page.getByRole('tooltip').waitFor();
    await studio.shoot(person, 'message-reactions');
  },

  'action-menu': async (studio) => {
    const { person } = await inLaunch(studio);
    await openMenu(studio, person, 'and tell us here');
    await studio.shoot(person, 'action-menu');
  },

  'message-react': async (studio) => {
    const { person } = await inLaunch(studio);
    await openMenu(studio, person, 'and tell us here');
    await choose(person, 'Add reaction');
    await person.page.getByRole('gridcell').first().waitFor();
    await studio.shoot(person, 'message-react');
  },

  'message-editing': async (studio) => {
    const { person } = await inLaunch(studio);
    await openMenu(studio, person, 'and tell us here');
    await choose(person, 'Edit');
    await person.page.getByRole('textbox', { name: 'Edit message' }).waitFor();
    await studio.shoot(person, 'message-editing');
  },

  'message-revisions': async (studio) => {
    const { person } = await inLaunch(studio);
    await person.message('I shortened').getByRole('button', { name: '(edited)' }).click();
    await person.page.getByTestId('revisions').waitFor();
    await studio.shoot(person, 'message-revisions');
  },

  'message-deleted': async (studio) => {
    const { person } = await inLaunch(studio);
    await openMenu(studio, person, 'and tell us here');
    await choose(person, 'Delete');
    const undo = person.page.getByTestId('toasts').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await studio.shoot(person, 'message-deleted');
    await undo.click();
    await person.message('and tell us here').waitFor();
  },

  'message-why': async (studio) => {
    const { person } = await inLaunch(studio);
    await openMenu(studio, person, 'may I switch');
    await choose(person, 'Why was I notified, or not?');
    await person.page.getByTestId('why').waitFor();
    await studio.shoot(person, 'message-why');
  },

  'message-reply': async (studio) => {
    const { person } = await inLaunch(studio);
    await openMenu(studio, person, 'The page loads');
    await choose(person, 'Reply');
    await person.page.getByTestId('reply-bar').waitFor();
    await person.composer.fill('With the pictures?');
    await studio.shoot(person, 'message-reply');
  },

  thread: async (studio) => {
    const { person, launch } = await inLaunch(studio);
    await person.page.getByTestId('thread-line').filter({ hasText: 'Status page' }).click();
    await person.page.getByTestId('thread-panel').getByText('soak test').waitFor();
    await studio.shoot(person, 'thread');
    await person.page.goto(`${launch.path}/t/${launch.threadId}`);
    await person.page.getByTestId('thread-panel').getByText('soak test').waitFor();
    await studio.shoot(person, 'thread-by-address');
  },

  pins: async (studio) => {
    const { person, launch } = await inLaunch(studio);
    await person.page.goto(`${launch.path}/pins`);
    await person.page.getByTestId('message-card').waitFor();
    await studio.shoot(person, 'pins');
  },

  'jump-date': async (studio) => {
    const { person } = await inLaunch(studio);
    await person.log.evaluate((box) => box.scrollTo({ top: 0 }));
    await person.log.getByRole('heading').getByRole('button').last().click();
    await person.page.getByRole('dialog').getByLabel('Date').waitFor();
    await studio.shoot(person, 'jump-date');
  },

  'jumped-to': async (studio) => {
    const { person } = await inLaunch(studio);
    await person.page.getByTestId('quote').click();
    await person.page.locator('[data-target]').waitFor();
    // The highlight fades, and a picture shows how an animation ends: this one does not run on.
    await person.page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.playbackRate = 0;
    });
    await studio.shoot(person, 'jumped-to');
  },

  'jump-failed': async (studio) => {
    const { person, launch } = await inLaunch(studio);
    await person.page.goto(`${launch.path}/m/4000000000`);
    await person.page.getByTestId('jump-failed').waitFor();
    await studio.shoot(person, 'jump-failed');
  },

  // The last one: the message is another one from now on.
  'message-conflict': async (studio) => {
    const { person, launch } = await inLaunch(studio);
    await openMenu(studio, person, 'Should the price');
    const message = person.message('Should the price').first();
    const id = await message.getAttribute('data-message-id');
    await choose(person, 'Edit');
    const editor = person.page.getByRole('textbox', { name: 'Edit message' });
    await editor.fill('Should the price stand above the pictures?');
    const content = 'Should the price stand at the top?';
    await launch.talkers.ask(ME, 'PUT', `/messages/${id}`, { content, base_revision: 0 });
    await person.button('Save').click();
    await person.page.getByTestId('edit-conflict').waitFor();
    await studio.shoot(person, 'message-conflict');
  },
};

/** The user in the room where everything has happened. */
async function inLaunch(studio: Studio): Promise<{ person: Person; launch: Launch }> {
  const launch = await launchRoom(studio.world);
  await studio.world.turnTo(NOW);
  const person = await studio.seat({ login: studio.world.me, path: launch.path });
  await person.isIn(LAUNCH);
  await person.message('and tell us here').waitFor();
  await person.page.getByTestId('thread-line').first().waitFor();
  await person.still();
  return { person, launch };
}

/** A pointer has the bar of the message, a finger holds it. */
async function openMenu(studio: Studio, person: Person, content: string): Promise<void> {
  const message = person.message(content).first();
  if (studio.isNarrow) {
    await message.dispatchEvent('pointerdown', { pointerType: 'touch', bubbles: true });
  } else {
    await message.hover();
    await message.getByRole('button', { name: 'More', exact: true }).click();
  }
  await person.page.getByTestId('action-menu').waitFor();
}

async function choose(person: Person, name: string): Promise<void> {
  await person.page
    .getByTestId('action-menu')
    .getByRole('button', { name: new RegExp(`^${name.replace(/[?]/g, '\\?')}( \\S+)?$`) })
    .click();
}
