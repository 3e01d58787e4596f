/** Files of all shapes: many pictures in one message, films, what waits in the tray, and the lists of a room. */
import { DUNES, drawLandscape, FOREST, type Landscape, PIER } from '../../../demo/picture.ts';
import { PASSWORD } from '../../../demo/seed.ts';
import { sendFiles } from '../../support/sent-files.ts';
import { createRoom, logIn } from '../../support/users.ts';
import type { Person } from '../person.ts';
import { PLAN, picturesAreThere, SOUND } from './file-screens.ts';
import type { Screen, Studio } from './studio.ts';
import type { World } from './world.ts';

const rooms = new WeakMap<World, Promise<number>>();

export const GALLERY_SCREENS: Readonly<Record<string, Screen>> = {
  gallery: async (studio) => {
    const person = await inGallery(studio);
    const shots = studio.device.width > 2000 ? 3 : 5;
    for (let shot = 0; shot < shots; shot++) {
      await person.log.evaluate(
        (box, part) => box.scrollTo({ top: part * (box.scrollHeight - box.clientHeight) }),
        shot / (shots - 1),
      );
      await person.still();
      await picturesAreThere(person);
      await studio.shoot(person, `gallery-${shot + 1}`);
    }
  },

  'gallery-viewer': async (studio) => {
    const person = await inGallery(studio);
    const message = person.message('Seven from the walk');
    await message.scrollIntoViewIfNeeded();
    await message.getByTestId('picture').nth(1).click();
    const viewer = person.page.getByRole('dialog');
    await viewer.getByTestId('viewed').waitFor();
    await picturesAreThere(person);
    await studio.shoot(person, 'gallery-viewer');
    for (let times = 0; times < 3; times++) await person.page.keyboard.press('+');
    await studio.shoot(person, 'gallery-viewer-zoomed');
  },

  // On paper, which has one width.
  'gallery-paper': async (studio) => {
    if (!studio.isNarrow) await studio.shootPaper(await inGallery(studio), 'gallery');
  },

  'files-tray-states': async (studio) => {
    const person = await inGallery(studio);
    const { page } = person;
    let asked = 0;
    // The first is refused, the others hang.
    await page.route('**/api/v1/uploads/**', (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      if (asked++ > 0) return undefined;
      const body = JSON.stringify({ error: { code: 'no_space', message: 'no space for files' } });
      return route.fulfill({ status: 507, contentType: 'application/json', body });
    });
    const input = page.getByTestId('file-input').first();
    const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: drawLandscape(DUNES) });
    await input.setInputFiles([{ ...picture('refused-by-the-server.png') }]);
    await page.getByTestId('tray-item').first().waitFor();
    await input.setInputFiles([
      picture('described.png'),
      { name: PLAN.name, mimeType: PLAN.type, buffer: PLAN.bytes },
      { name: 'a', mimeType: 'text/plain', buffer: Buffer.from('a') },
    ]);
    await page.getByTestId('tray-item').nth(3).waitFor();
    await page.getByRole('button', { name: /^Describe .*described/ }).click();
    await page.getByLabel('Description').fill('Dunes in the evening');
    await studio.shoot(person, 'files-describe');
    await page.keyboard.press('Enter');
    await page.getByLabel('Description').waitFor({ state: 'detached' });
    await studio.shoot(person, 'files-tray-states');
    await page.context().setOffline(true);
    await person.button('Retry now').waitFor();
    await studio.shoot(person, 'files-tray-offline');
    await person.composer.fill('These go when I am back.');
    for (const remove of await page.getByRole('button', { name: /^Remove .*refused/ }).all())
      await remove.click();
    await person.button('Send').click();
    await page.getByTestId('upload-state').first().waitFor();
    await studio.shoot(person, 'files-waiting');
    await page.context().setOffline(false);
  },

  'room-files-kinds': async (studio) => {
    const person = await inGallery(studio, '/files');
    for (const [index, label] of ['All', 'Pictures', 'Videos', 'Sounds', 'Others'].entries()) {
      await person.page.locator('select').last().selectOption({ index });
      await person.page.getByTestId('room-file').first().waitFor();
      await picturesAreThere(person);
      await studio.shoot(person, `room-files-${label.toLowerCase()}`);
    }
    const empty = await studio.seat({ login: studio.world.me, path: `${studio.world.path('quiet')}/files` });
    await empty.page.getByText('No files yet').waitFor();
    await studio.shoot(empty, 'room-files-none');
  },

  'room-file-keeping': async (studio) => {
    const path = `${studio.world.path('quiet')}/about`;
    const person = await studio.seat({ login: studio.world.me, path });
    const select = person.page.locator('select').last();
    await select.scrollIntoViewIfNeeded();
    await studio.shoot(person, 'room-file-keeping');
    await select.selectOption({ index: 0 });
    await person.page.getByRole('alertdialog').waitFor();
    await studio.shoot(person, 'room-file-keeping-question');
  },
};

async function inGallery(studio: Studio, part = ''): Promise<Person> {
  const { world } = studio;
  const built = rooms.get(world) ?? build(studio);
  rooms.set(world, built);
  const path = `/rooms/${await built}`;
  const person = await studio.seat({ login: world.me, path: `${path}${part}` });
  await person.page
    .getByTestId(part === '' ? 'picture' : 'room-file')
    .first()
    .waitFor();
  if (part === '') await person.button('Attach files').first().waitFor({ state: 'attached' });
  await picturesAreThere(person);
  return person;
}

/** A landscape of these measures. */
function picture(of: Landscape, width: number, height: number, seed: number) {
  const bytes = drawLandscape({ ...of, width, height, seed });
  return { name: `walk-${seed}.png`, bytes, type: 'image/png' };
}

async function build(studio: Studio): Promise<number> {
  const { server } = studio.world;
  await studio.world.turnTo('2026-11-19T08:40:00Z');
  const ines = await logIn(server, 'Ines Moreau', PASSWORD);
  const noor = await logIn(server, 'Noor Haddad', PASSWORD);
  const { id } = await createRoom(server, ines, 'Pictures of the walk');
  const send = (who: typeof ines, files: Parameters<typeof sendFiles>[3], content?: string) =>
    sendFiles(server, who, id, files, content);
  await send(ines, [picture(PIER, 960, 640, 1)], 'One');
  await send(ines, [picture(FOREST, 400, 1000, 2)], 'One that is tall');
  await send(noor, [picture(DUNES, 1600, 360, 3)], 'One that is wide');
  await send(noor, [picture(PIER, 60, 40, 4)], 'One that is small');
  await send(ines, [picture(DUNES, 900, 600, 5), picture(FOREST, 640, 860, 6)], 'Two');
  await send(
    noor,
    [picture(PIER, 900, 600, 7), picture(FOREST, 640, 860, 8), picture(DUNES, 900, 600, 9)],
    'Three',
  );
  const four = [10, 11, 12, 13].map((seed) => picture(seed % 2 ? DUNES : PIER, 600, 400, seed));
  await send(ines, four, 'Four');
  const seven = [14, 15, 16, 17, 18, 19, 20].map((seed) =>
    picture(seed % 2 ? FOREST : PIER, 500, 400 + 20 * (seed % 5), seed),
  );
  await send(noor, seven, 'Seven from the walk');
  await sendFilm(studio, id);
  await send(noor, [SOUND], 'And a sound');
  await send(ines, [PLAN, picture(DUNES, 900, 600, 21)]);
  const [gone] = await send(
    noor,
    [{ name: 'wrong-file.txt', bytes: Buffer.from('oh'), type: 'text/plain' }],
    'The notes are here.',
  );
  if (gone !== undefined)
    await fetch(`${server.url}/api/v1/rooms/${id}/messages/${gone.messageId}/files/${gone.key}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${noor.accessToken}` },
    });
  await studio.clear();
  return id;
}

/** Somebody records a film and sends it: the client makes its picture. */
async function sendFilm(studio: Studio, id: number): Promise<void> {
  const login = await logIn(studio.world.server, 'Jonas Weber', PASSWORD);
  const jonas = await studio.seat({ login, path: `/rooms/${id}` });
  const join = jonas.button('Join');
  await join.click();
  await join.waitFor({ state: 'detached' });
  const film = await jonas.page.evaluate(record);
  const buffer = Buffer.from(film, 'base64');
  await jonas.page
    .getByTestId('file-input')
    .first()
    .setInputFiles([{ name: 'boats.webm', mimeType: 'video/webm', buffer }]);
  await jonas.page.getByTestId('tray-item').waitFor();
  await jonas.page.getByRole('progressbar').waitFor({ state: 'detached' });
  await jonas.composer.fill('A film of the boats');
  await jonas.button('Send').click();
  await jonas.page.locator('video').waitFor();
  await jonas.page.getByTestId('upload-state').waitFor({ state: 'detached' });
}

/** In the page: a second of a boat that moves, as Base64. */
async function record(): Promise<string> {
  const canvas = document.createElement('canvas');
  canvas.width = 640;
  canvas.height = 360;
  const context = canvas.getContext('2d');
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise((resolve) => {
    recorder.onstop = resolve;
  });
  recorder.start();
  for (let frame = 0; frame < 30; frame++) {
    if (context !== null) {
      context.fillStyle = '#9cc4e4';
      context.fillRect(0, 0, 640, 200);
      context.fillStyle = '#2f5d86';
      context.fillRect(0, 200, 640, 160);
      context.fillStyle = '#f4ede0';
      context.fillRect(100 + frame * 8, 170, 120, 44);
    }
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  recorder.stop();
  await ended;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
