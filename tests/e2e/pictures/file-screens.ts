/** Files: in a room, about to be sent, dropped, looked at, and listed. */
import { DUNES, drawLandscape, FOREST, PIER } from '../../../demo/picture.ts';
import { PASSWORD } from '../../../demo/seed.ts';
import { sendFiles } from '../../support/sent-files.ts';
import { createRoom, logIn } from '../../support/users.ts';
import type { Person } from '../person.ts';
import type { Screen, Studio } from './studio.ts';
import type { World } from './world.ts';

const ROOM = 'Launch pictures';
const rooms = new WeakMap<World, Promise<number>>();

const PICTURES = [
  { name: 'pier-at-dusk.png', bytes: drawLandscape(PIER), type: 'image/png' },
  { name: 'forest.png', bytes: drawLandscape(FOREST), type: 'image/png' },
  { name: 'dunes.png', bytes: drawLandscape(DUNES), type: 'image/png' },
] as const;
export const PLAN = {
  name: 'Launch plan 2.4 (final).pdf',
  bytes: Buffer.alloc(482_000, 'plan'),
  type: 'application/pdf',
};
export const SOUND = { name: 'jingle-second-take.wav', bytes: wav(), type: 'audio/wav' };

export const FILE_SCREENS: Readonly<Record<string, Screen>> = {
  files: async (studio) => {
    const person = await inRoom(studio);
    await studio.shoot(person, 'files');
    await person.page.getByTestId('picture').nth(1).click();
    const viewer = person.page.getByRole('dialog');
    await viewer.getByTestId('viewed').waitFor();
    await studio.shoot(person, 'picture-viewer');
    await person.page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
  },

  'files-tray': async (studio) => {
    const person = await inRoom(studio);
    const chosen = [PICTURES[0], PLAN].map(({ name, type, bytes }) => ({
      name,
      mimeType: type,
      buffer: bytes,
    }));
    await person.page.getByTestId('file-input').first().setInputFiles(chosen);
    await person.page.getByTestId('tray-item').nth(1).waitFor();
    await person.page.getByRole('progressbar').first().waitFor({ state: 'detached' });
    await person.composer.fill('These are the last two.');
    await studio.shoot(person, 'files-tray');
  },

  'files-drop': async (studio) => {
    const person = await inRoom(studio);
    await person.composer.evaluate((box) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['…'], 'plan.pdf'));
      box.dispatchEvent(new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer }));
    });
    await person.page.getByTestId('drop-area').waitFor();
    await studio.shoot(person, 'files-drop');
  },

  'room-files': async (studio) => {
    const person = await inRoom(studio, '/files');
    await person.page.getByTestId('room-file').nth(3).waitFor();
    await studio.shoot(person, 'room-files');
  },
};

/** Makes a room with files, once. Returns its name. */
export async function filesRoom({ world }: Studio): Promise<string> {
  await roomOf(world);
  return ROOM;
}

async function roomOf(world: World): Promise<number> {
  const built = rooms.get(world) ?? build(world);
  rooms.set(world, built);
  return await built;
}

async function inRoom(studio: Studio, part = ''): Promise<Person> {
  const { world } = studio;
  const id = await roomOf(world);
  const person = await studio.seat({ login: world.me, stored: world.device, path: `/rooms/${id}${part}` });
  await person.page
    .getByTestId(part === '' ? 'picture' : 'room-file')
    .nth(3)
    .waitFor();
  await picturesAreThere(person);
  return person;
}

async function build(world: World): Promise<number> {
  const { server } = world;
  await world.turnTo('2026-11-19T09:40:00Z');
  const ines = await logIn(server, 'Ines Moreau', PASSWORD);
  const { id } = await createRoom(server, ines, ROOM);
  const noor = await logIn(server, 'Noor Haddad', PASSWORD);
  await sendFiles(server, ines, id, [PLAN]);
  await sendFiles(server, noor, id, [SOUND], 'The jingle, second take. Is the end too long?');
  await sendFiles(server, ines, id, PICTURES, 'Three for the top of the page. Which one shall it be?');
  await sendFiles(server, noor, id, [PICTURES[0]]);
  return id;
}

/** Those in sight: the others come when one gets there. */
export async function picturesAreThere({ page }: Person): Promise<void> {
  await page.waitForFunction(() =>
    [
      ...document.querySelectorAll<HTMLImageElement>(
        ':is([data-testid=picture], [data-testid=room-file]) img',
      ),
    ].every((image) => {
      const { top, bottom, width } = image.getBoundingClientRect();
      const isInSight = width > 0 && bottom > 0 && top < window.innerHeight && image.checkVisibility();
      return !isInSight || (image.complete && image.naturalWidth > 0);
    }),
  );
}

/** A second of a tone. */
function wav(): Buffer {
  const rate = 8000;
  const sound = Buffer.alloc(44 + rate);
  sound.write('RIFF', 0);
  sound.writeUInt32LE(36 + rate, 4);
  sound.write('WAVEfmt ', 8);
  sound.writeUInt32LE(16, 16);
  sound.writeUInt16LE(1, 20);
  sound.writeUInt16LE(1, 22);
  sound.writeUInt32LE(rate, 24);
  sound.writeUInt32LE(rate, 28);
  sound.writeUInt16LE(1, 32);
  sound.writeUInt16LE(8, 34);
  sound.write('data', 36);
  sound.writeUInt32LE(rate, 40);
  for (let at = 0; at < rate; at++) sound[44 + at] = 128 + Math.round(60 * Math.sin(at / 3));
  return sound;
}
