/** Pictures of people in the web client: chosen, cut, dropped, pasted and removed by one, and seen by another. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { png } from '../../demo/picture.ts';
import { PICTURE_MAX } from '../../protocol/limits.ts';
import { meResponse } from '../../protocol/rest/people.ts';
import { expectReply } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { bearer } from '../support/sent-files.ts';
import type { Login } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { UNREACHABLE } from './console-watch.ts';
import { pagesWith } from './last-seen-page.ts';
import type { Person } from './person.ts';
import { onStage, onStageWithWorker, type Stage, soon } from './stage.ts';
import { two } from './two-people.ts';

const RED = [255, 0, 0] as const;
const BLUE = [0, 0, 255] as const;
/** Of names such as `ann-8fd269cf`. */
const INITIALS = /^A[A-Z0-9]$/;
/** Red on the left, blue on the right. */
const halves = (width = 800, height = 400) => png(width, height, (x) => (x < width / 2 ? RED : BLUE));
const picture = { name: 'me.png', mimeType: 'image/png', buffer: halves() };

onStage('pictures of people', (stage) => {
  test('a picture that ann chooses is seen by bo in the timeline, the list of rooms and the profile, without a reload', async () => {
    const { ann, bo, login } = await talking(stage);
    const [beside, inList] = [round(bo.message('hello')), round(bo.roomRow(login.username))];
    expect(await pictureIn(beside)).toBeNull();
    const size = await beside.boundingBox();
    await openProfile(ann);
    await choose(ann, picture);
    await ann.page.getByTestId('crop').waitFor();
    await checkScreen(ann, 'crop');
    await ann.button('Use picture').click();
    await ann.page.getByText('The picture is saved.').waitFor();
    await soon(() => pictureIn(round(field(ann)))).toBe(256);
    await checkScreen(ann, 'profile');
    for (const place of [beside, inList]) await soon(() => pictureIn(place)).toBe(256);
    // Nothing moved, and who reads aloud hears no picture.
    expect(await beside.boundingBox()).toEqual(size);
    expect(await bo.log.getByRole('img').count()).toBe(0);
    await bo.log.getByRole('button', { name: login.username }).click();
    await soon(() => pictureIn(round(bo.page.getByTestId('profile')))).toBe(256);
    await checkScreen(bo, 'card');
    await bo.page.keyboard.press('Escape');
    await bo.page.goto('/settings/profile');
    await field(bo).waitFor();
    expect(await pictureIn(round(field(bo)))).toBeNull();
  });

  test('a picture that is removed gives way to the initials, for both', async () => {
    const { ann, bo, login } = await talking(stage);
    await setPicture(stage, login);
    const beside = round(bo.message('hello'));
    await soon(() => pictureIn(beside)).toBe(400);
    await openProfile(ann);
    await ann.button('Remove').click();
    await ann.page.getByText('The picture is removed.').waitFor();
    await soon(() => isFocused(ann.button('Add a picture'))).toBe(true);
    for (const place of [beside, round(field(ann))]) await soon(() => pictureIn(place)).toBeNull();
    expect(await beside.textContent()).toMatch(INITIALS);
  });

  test('by keyboard alone: the picture is chosen, moved, zoomed and used; what was chosen is what is stored', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat({ login, path: '/settings/profile' });
    const { keyboard } = ann.page;
    const [chooser] = await Promise.all([
      ann.page.waitForEvent('filechooser'),
      ann.button('Add a picture').press('Enter'),
    ]);
    await chooser.setFiles([picture]);
    const crop = ann.page.getByTestId('crop');
    await soon(() => isFocused(crop)).toBe(true);
    // To the left half: it is moved to the right as far as it goes.
    for (let times = 0; times < 12; times++) await keyboard.press('ArrowRight');
    await keyboard.press('+');
    await keyboard.press('Tab');
    const zoom = ann.page.getByRole('slider', { name: 'Zoom' });
    await soon(() => isFocused(zoom)).toBe(true);
    const before = Number(await zoom.inputValue());
    expect(before).toBeGreaterThan(1);
    await keyboard.press('ArrowRight');
    await soon(async () => Number(await zoom.inputValue())).toBeGreaterThan(before);
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await crop.waitFor({ state: 'detached' });
    await soon(() => isFocused(ann.button('Change picture'))).toBe(true);
    const stored = await storedPicture(stage, login);
    expect(stored.type).toBe('image/webp');
    expect(stored.size).toBeLessThanOrEqual(PICTURE_MAX);
    await soon(() => pictureIn(round(field(ann)))).toBe(256);
    expect(await corners(round(field(ann)))).toEqual(['red', 'red', 'red', 'red']);
  });

  test('a pointer and a wheel move and zoom it, and it covers its shape always', async () => {
    const ann = await stage.seat({ login: await stage.account('ann'), path: '/settings/profile' });
    await choose(ann, picture);
    const crop = ann.page.getByTestId('crop');
    const box = await crop.boundingBox();
    if (box === null) throw new Error('it is not in sight');
    const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;
    await ann.page.mouse.move(...middle);
    await ann.page.mouse.wheel(0, -400);
    const zoom = ann.page.getByRole('slider', { name: 'Zoom' });
    await soon(async () => Number(await zoom.inputValue())).toBeGreaterThan(1.5);
    await ann.page.mouse.down();
    await ann.page.mouse.move(middle[0] + 2000, middle[1] + 2000, { steps: 4 });
    await ann.page.mouse.up();
    await soon(async () => {
      const [image, stage] = [await crop.locator('img').boundingBox(), await crop.boundingBox()];
      return image && stage && [Math.round(image.x - stage.x), Math.round(image.y - stage.y)];
    }).toEqual([0, 0]);
    await ann.page.keyboard.press('Escape');
    await crop.waitFor({ state: 'detached' });
    expect(await round(field(ann)).locator('img').count()).toBe(0);
  });

  test('a picture is taken from the clipboard and from a drop, and what is none is refused in words', async () => {
    const ann = await stage.seat({ login: await stage.account('ann'), path: '/settings/profile' });
    await field(ann).waitFor();
    const crop = ann.page.getByTestId('crop');
    for (const type of ['paste', 'drop'] as const) {
      expect(await give(field(ann), type, [...picture.buffer])).toBe('taken');
      await crop.waitFor();
      await ann.button('Cancel').click();
      await crop.waitFor({ state: 'detached' });
    }
    for (const bad of [
      { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
      { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') },
      {
        name: 'me.svg',
        mimeType: 'image/svg+xml',
        buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      },
    ]) {
      await choose(ann, bad);
      await field(ann).getByRole('alert').getByText("Your browser can't open this as a picture").waitFor();
      expect(await crop.count()).toBe(0);
    }
    await checkScreen(ann);
  });

  test('people of a list whom nobody has written to have their pictures, too: members, and those who can be found', async () => {
    const { ann, bo, room, login } = await talking(stage, { says: false });
    await setPicture(stage, login);
    await bo.page.goto(`/rooms/${room.id}/members`);
    await soon(() =>
      pictureIn(round(bo.page.getByTestId('member').filter({ hasText: login.username }))),
    ).toBe(400);
    await bo.searchFor(login.username);
    await soon(() => pictureIn(round(bo.found(login.username).first()))).toBe(400);
    await ann.page.close();
  });
});

onStage(
  'where the server takes no files',
  (stage) => {
    test('a profile has no button for a picture', async () => {
      const ann = await stage.seat({ login: await stage.account('ann'), path: '/settings/profile' });
      await field(ann).waitFor();
      expect(await field(ann).getByRole('button').count()).toBe(0);
    });
  },
  { FILE_MAX_MIB: '0' },
);

onStageWithWorker('pictures without a server', (stage) => {
  test('a picture that was seen is there, and one that cannot be loaded leaves the initials', async () => {
    const { ann, bo, login, other } = await talking(stage);
    const key = await setPicture(stage, login);
    const beside = round(bo.message('hello'));
    await soon(() => pictureIn(beside)).toBe(400);
    await pagesWith(bo, other.userId, key, ['people']);
    await ann.page.close();
    bo.console.expect(UNREACHABLE);
    await stage.killServer();
    await bo.page.reload();
    await bo.message('hello').waitFor();
    expect(await beside.textContent()).toMatch(INITIALS);
    await soon(() => pictureIn(beside)).toBe(400);
  });
});

/** Both are in a room, and in a direct conversation; ann has said hello in both. */
async function talking(stage: Stage, { says = true } = {}) {
  const all = await two(stage);
  const { ann, bo, login, other } = all;
  if (says) {
    const json = { user_ids: [other.userId] };
    const { json: dm } = await post(stage.server, '/api/v1/dms', json, { token: login.accessToken });
    await ann.say('hello');
    await bo.message('hello').waitFor();
    const { id } = dm as { id: number };
    await ann.page.goto(`/rooms/${id}`);
    await ann.isIn(other.username);
    await ann.say('hi');
    await ann.message('hi').waitFor();
    await bo.roomRow(login.username).waitFor();
  }
  return all;
}

async function openProfile({ page }: Person): Promise<void> {
  await page.goto('/settings/profile');
  await page.getByTestId('picture-field').waitFor();
}

const field = ({ page }: Person) => page.getByTestId('picture-field');
const round = (place: Locator) => place.locator('[data-hue][aria-hidden=true]').first();
const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);

async function choose(
  { page }: Person,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  await page.getByTestId('picture-input').setInputFiles([file]);
}

/** How wide the picture is that is seen there, in its own pixels; null: none. */
async function pictureIn(place: Locator): Promise<number | null> {
  return await place.evaluate((element) => {
    const image = element.querySelector('img');
    return image !== null && getComputedStyle(image).opacity === '1' ? image.naturalWidth : null;
  });
}

/** The colours at the four corners of the picture there. */
async function corners(place: Locator): Promise<string[]> {
  return await place.locator('img').evaluate((image: HTMLImageElement) => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 100;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context?.drawImage(image, 0, 0, 100, 100);
    return [
      [2, 2],
      [97, 2],
      [2, 97],
      [97, 97],
    ].map(([x = 0, y = 0]) => {
      const [red = 0, , blue = 0] = context?.getImageData(x, y, 1, 1).data ?? [];
      return red > 200 && blue < 60 ? 'red' : blue > 200 && red < 60 ? 'blue' : `${red} ${blue}`;
    });
  });
}

/** Without the client: a red square of 400 pixels. */
async function setPicture(stage: Stage, login: Login): Promise<string> {
  const body = Uint8Array.from(png(400, 400, () => RED));
  const url = `${stage.server.url}/api/v1/me/avatar`;
  const response = await fetch(url, { method: 'PUT', headers: bearer(login), body });
  return meResponse.parse(await response.json()).avatar ?? '';
}

async function storedPicture(stage: Stage, login: Login): Promise<Blob> {
  const me = await send(stage.server, '/api/v1/me', { token: login.accessToken });
  const { avatar } = expectReply(me, 200, meResponse);
  return await (await fetch(`${stage.server.url}/files/${avatar}/avatar`, { headers: bearer(login) })).blob();
}

/** Whether the page took the event. */
async function give(place: Locator, type: 'paste' | 'drop', bytes: number[]): Promise<'taken' | 'left'> {
  return await place.evaluate(
    (element, [type, bytes]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(bytes)], 'me.png', { type: 'image/png' }));
      const options = { bubbles: true, cancelable: true };
      const event =
        type === 'paste'
          ? new ClipboardEvent(type, { ...options, clipboardData: data })
          : new DragEvent(type, { ...options, dataTransfer: data });
      return element.dispatchEvent(event) ? 'left' : 'taken';
    },
    [type, bytes] as const,
  );
}
