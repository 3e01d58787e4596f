/** Emoji of the server: in messages and reactions, where they are found, and where they are added. */
import { PASSWORD } from '../../../demo/seed.ts';
import { bearer } from '../../support/sent-files.ts';
import { createRoom, type Login, logIn } from '../../support/users.ts';
import type { Person } from '../person.ts';
import { drawEmoji } from './drawn-faces.ts';
import { ME, NOW } from './script.ts';
import type { Screen, Studio } from './studio.ts';
import { Talkers } from './talkers.ts';
import type { World } from './world.ts';

const EMOJI = {
  shipit: drawEmoji('disc', [34, 120, 210]),
  'ring-of-trust': drawEmoji('ring', [214, 60, 90]),
  northwind: drawEmoji('banner', [20, 130, 110]),
};
const rooms = new WeakMap<World, Promise<number>>();

export const OWN_EMOJI_SCREENS: Readonly<Record<string, Screen>> = {
  'own-emoji-settings': async (studio) => {
    const person = await studio.seat({ login: studio.world.me, path: '/settings/emoji' });
    await person.page.getByText('There are none yet.').waitFor();
    await studio.shoot(person, 'own-emoji-none');
    await person.page.getByLabel('Name', { exact: true }).fill('x');
    await person.button('Add emoji').click();
    await person.page.getByText('Choose a picture first.').waitFor();
    await studio.shoot(person, 'own-emoji-error');
    const files = [{ name: 'a.png', mimeType: 'image/png', buffer: EMOJI.shipit }];
    await person.page.getByTestId('picture-input').setInputFiles(files);
    await person.page.getByTestId('crop').waitFor();
    await studio.shoot(person, 'own-emoji-cut');
    await person.button('Use picture').click();
    await person.page.getByText('Now give it a name.').waitFor();
    await person.button('Add emoji').click();
    await person.page.getByText('A name has 2 to 32').waitFor();
    await studio.shoot(person, 'own-emoji-bad-name');
    await inRoom(studio);
    const again = await studio.seat({ login: studio.world.me, path: '/settings/emoji' });
    await again.page.getByTestId('own-emoji').nth(2).waitFor();
    await again.page.waitForLoadState('networkidle');
    await studio.shoot(again, 'own-emoji-three');
    await again.page.getByRole('button', { name: 'Delete :shipit:' }).click();
    await again.page.getByRole('alertdialog').waitFor();
    await studio.shoot(again, 'own-emoji-delete');
  },

  'own-emoji': async (studio) => {
    const person = await inRoom(studio);
    await studio.shoot(person, 'own-emoji');
    await person.composer.fill('Shall we :ship');
    await person.composer.press('i');
    await person.page.getByRole('option', { name: 'shipit' }).waitFor();
    await studio.shoot(person, 'own-emoji-completion');
    await person.composer.fill('');
    await person.button('Emoji').click();
    await person.page.getByRole('gridcell', { name: 'shipit' }).first().waitFor();
    await person.page.waitForLoadState('networkidle');
    if (!studio.isNarrow) await person.page.keyboard.press('ArrowDown');
    await studio.shoot(person, 'own-emoji-picker');
  },
};

/** The user in a room where emoji of the server were used. */
async function inRoom(studio: Studio): Promise<Person> {
  const { world } = studio;
  const built = rooms.get(world) ?? build(world);
  rooms.set(world, built);
  const person = await studio.seat({ login: world.me, path: `/rooms/${await built}` });
  await person.message('All green').getByTestId('server-emoji').first().waitFor();
  await person.page.getByTestId('reaction').getByTestId('server-emoji').first().waitFor();
  await person.page.waitForLoadState('networkidle');
  return person;
}

async function build(world: World): Promise<number> {
  await world.turnTo('2026-11-19T09:45:00Z');
  const ines = await logIn(world.server, 'Ines Moreau', PASSWORD);
  for (const [name, bytes] of Object.entries(EMOJI)) {
    await add(world, name === 'shipit' ? world.me : ines, name, bytes);
  }
  const { id } = await createRoom(world.server, ines, 'Emoji of ours');
  const talkers = await Talkers.join(world, id, [ME, 'Ines Moreau', 'Jonas Weber']);
  await talkers.say('Ines Moreau', '09:50', 'All green :shipit: and the banner is new, too: :northwind: 🎉');
  const alone = await talkers.say('Jonas Weber', '09:52', ':shipit:');
  await talkers.say('Jonas Weber', '09:53', ':shipit: 🚀 :ring-of-trust:');
  const long = await talkers.say(
    'Ines Moreau',
    '09:58',
    'A long one, so that it wraps on a phone: :ring-of-trust: stands in the line, :northwind: is wider than it is ' +
      'high, and **:shipit: in bold** is as large as the words beside it. `:shipit:` in code is text.\n\n- :shipit: in a list\n- and 🚀',
  );
  await talkers.react(alone, ':shipit:', ['Ines Moreau', ME]);
  await talkers.react(long, ':shipit:', ['Jonas Weber']);
  await talkers.react(long, '🎉', ['Jonas Weber', ME]);
  await talkers.react(long, ':northwind:', ['Ines Moreau']);
  await talkers.leave();
  await world.turnTo(NOW);
  return id;
}

async function add(world: World, login: Login, name: string, bytes: Buffer): Promise<void> {
  const url = `${world.server.url}/api/v1/emoji/${name}`;
  const body = Uint8Array.from(bytes);
  const { status } = await fetch(url, { method: 'PUT', headers: bearer(login), body });
  if (status !== 201) throw new Error(`the emoji ${name}: ${status}`);
}
