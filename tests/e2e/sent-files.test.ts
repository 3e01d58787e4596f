/** Files that were sent are described and deleted: by keyboard alone, on a phone, and seen by everybody at once. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { png } from '../../demo/picture.ts';
import { sendFiles } from '../support/sent-files.ts';
import { createRoom } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import type { Person } from './person.ts';
import { expectReachable, PHONE } from './phone.ts';
import { onStage, soon } from './stage.ts';
import { two } from './two-people.ts';

const PIER = { name: 'pier.png', bytes: gradient(320, 240), type: 'image/png' };
const BOAT = { name: 'boat.png', bytes: gradient(240, 320), type: 'image/png' };
const PLAN = { name: 'plan.pdf', bytes: Buffer.from('%PDF-1.4 plan'), type: 'application/pdf' };

onStage('files that were sent', (stage) => {
  test('by keyboard alone the author describes a picture and deletes it; on a phone, the other sees both', async () => {
    const { ann, bo, room, login } = await two(stage, {}, { context: PHONE });
    await sendFiles(stage.server, login, room.id, [PIER, PLAN], 'The pier at noon');
    await picture(bo, 'pier.png').waitFor();
    await reach(ann, actions(ann, 'pier.png'));
    await ann.page.keyboard.press('Enter');
    const menu = ann.page.getByTestId('action-menu');
    await soon(() => menu.getByRole('button').allInnerTexts()).toEqual(['Description…', 'Delete file…']);
    await checkScreen(ann, 'file-menu');
    await ann.page.keyboard.press('Enter');
    const field = ann.page.getByLabel('Description');
    await soon(() => isFocused(field)).toBe(true);
    await ann.page.keyboard.type('A pier in the fog');
    await ann.page.getByText('17 of 500 characters').waitFor();
    await checkScreen(ann, 'file-description');
    await ann.page.keyboard.press('Enter');
    await bo.button('Open A pier in the fog').waitFor();
    await soon(() => isFocused(actions(ann, 'pier.png'))).toBe(true);
    await ann.page.keyboard.press('Enter');
    await ann.page.keyboard.press('ArrowDown');
    await ann.page.keyboard.press('Enter');
    const question = ann.page.getByRole('alertdialog', { name: /Delete .*pier\.png/ });
    await question.getByText('the rest of the message stays').waitFor();
    await checkScreen(ann, 'file-deletion');
    await ann.page.keyboard.press('Tab');
    await ann.page.keyboard.press('Enter');
    await bo.page.getByTestId('picture').waitFor({ state: 'detached' });
    await ann.page.getByTestId('picture').waitFor({ state: 'detached' });
    expect(await bo.contents()).toEqual(['The pier at noon']);
    await bo.page.getByTestId('file').waitFor();
    await soon(() => isFocused(ann.page.locator('[data-row=message]').last())).toBe(true);
  });

  test('on a phone, in the viewer: a description is added, and the last file takes a message without a text with it', async () => {
    const { ann, bo, room, login } = await two(stage, { context: PHONE });
    await sendFiles(stage.server, login, room.id, [PIER, BOAT]);
    await bo.page.getByTestId('picture').nth(1).click();
    const seen = bo.page.getByRole('dialog', { name: 'Pictures' });
    await soon(() => seen.getByRole('status').innerText()).toBe('2 of 2');
    await ann.page.getByTestId('picture').first().tap();
    const viewer = ann.page.getByRole('dialog', { name: 'Pictures' });
    await viewer.getByRole('button', { name: 'Add a description' }).tap();
    await ann.page.getByLabel('Description').fill('A pier in the fog');
    await ann.button('Save').tap();
    await viewer.getByText('A pier in the fog').waitFor();
    await checkScreen(ann, 'viewer-described');
    await ann.page.setViewportSize(PHONE.viewport);
    await expectReachable(ann);
    await remove(ann, 'pier.png', 'the rest of the message stays');
    await soon(() => viewer.getByRole('heading').innerText()).toBe('boat.png');
    await soon(() => seen.getByRole('status').innerText()).toBe('');
    expect(await seen.getByRole('heading').innerText()).toBe('boat.png');
    await remove(ann, 'boat.png', 'The message has nothing else, so it is deleted, too.');
    for (const dialog of [viewer, seen]) await dialog.waitFor({ state: 'detached' });
    for (const { page } of [ann, bo]) await page.getByTestId('deleted-message').waitFor();
  });

  test('a moderator deletes the file of another and cannot describe it; a member can do neither', async () => {
    const { ann, bo, room, login, other } = await two(stage);
    await sendFiles(stage.server, other, room.id, [PLAN], 'mine');
    await sendFiles(stage.server, login, room.id, [BOAT], 'hers');
    await picture(bo, 'boat.png').waitFor();
    expect(await actions(bo, 'boat.png').count()).toBe(0);
    await actions(ann, 'plan.pdf').click();
    await soon(() => ann.page.getByTestId('action-menu').getByRole('button').allInnerTexts()).toEqual([
      'Delete file…',
    ]);
    await ann.page.keyboard.press('Escape');
    await ann.page.emulateMedia({ forcedColors: 'active' });
    await soon(() => actions(ann, 'plan.pdf').evaluate((one) => getComputedStyle(one).borderTopWidth)).toBe(
      '1px',
    );
    await ann.page.emulateMedia({ forcedColors: 'none' });
    await actions(ann, 'plan.pdf').click();
    await ann.button('Delete file…').click();
    await ann.button('Delete file').click();
    await bo.page.getByTestId('file').waitFor({ state: 'detached' });
    expect(await bo.contents()).toEqual(['mine', 'hers']);
  });

  test('in Chinese, from the list of the files of a room', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    await sendFiles(stage.server, login, room.id, [PIER], 'pier');
    const path = `/rooms/${room.id}/files`;
    const ann = await stage.seat({ login, path, context: { locale: 'zh-CN' } });
    await ann.page.getByTestId('room-file').getByRole('button').click();
    const viewer = ann.page.getByRole('dialog', { name: '图片' });
    await viewer.getByRole('button', { name: /pier\.png.*的操作/ }).click();
    await ann.button('删除文件…').click();
    await ann.page.getByRole('alertdialog').waitFor();
    await checkScreen(ann, 'file-deletion-zh');
    await ann.button('删除文件').click();
    await ann.page.getByTestId('room-file').waitFor({ state: 'detached' });
  });
});

/** The button with what may be done with a file. */
function actions({ page }: Pick<Person, 'page'>, name: string): Locator {
  return page.getByRole('button', { name: new RegExp(`^Actions for .*${name}`) });
}

function picture({ page }: Person, name: string): Locator {
  return page.getByRole('button', { name: new RegExp(`^Open Picture: .*${name}`) });
}

/** Deletes the file that the viewer shows, on a phone. */
async function remove({ page }: Person, name: string, hint: string): Promise<void> {
  await actions({ page }, name).last().tap();
  await page.getByRole('button', { name: 'Delete file…' }).tap();
  await page.getByRole('alertdialog').getByText(hint).waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete file' }).tap();
}

/** Goes to a button of the last message with the Tab key. */
async function reach({ page, composer }: Person, button: Locator): Promise<void> {
  await button.waitFor();
  await composer.focus();
  for (let tabs = 0; tabs < 14; tabs++) {
    if (await isFocused(button)) return;
    await page.keyboard.press('Shift+Tab');
  }
  throw new Error('the button does not take the focus');
}

async function isFocused(element: Locator): Promise<boolean> {
  return await element.evaluate((one) => one === document.activeElement);
}

function gradient(width: number, height: number): Buffer {
  return png(width, height, (x, y) => [(255 * x) / width, (255 * y) / height, 128]);
}
