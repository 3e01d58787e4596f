/** Emoji of the server: written, seen and reacted with. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { png } from '../../demo/picture.ts';
import { bearer } from '../support/sent-files.ts';
import type { Login } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { REFUSED } from './console-watch.ts';
import { onStage, type Stage, soon } from './stage.ts';
import { two } from './two-people.ts';

onStage('emoji of the server', (stage) => {
  test('one that ann adds is a picture in her message, which bo sees and reacts with, without a reload', async () => {
    const { ann, bo, login } = await two(stage);
    await add(stage, login, 'party-parrot');
    await ann.say('well done :party-parrot: `:party-parrot:` https://a.example/:party-parrot:/ :nothing:');
    const [sent, seen] = [ann.message('well done'), bo.message('well done')];
    for (const message of [sent, seen]) {
      await message.getByTestId('server-emoji').waitFor();
      expect(await message.getByTestId('server-emoji').count()).toBe(1);
      expect(await message.getByRole('img', { name: ':party-parrot:' }).count()).toBe(1);
      await soon(() => widthOf(message)).toBe(64);
    }
    await seen.hover();
    await bo.page.getByRole('button', { name: 'Add reaction' }).last().click();
    const search = bo.page.getByRole('combobox', { name: 'Search emoji' });
    const group = bo.page.getByRole('rowgroup', { name: 'Of this server' });
    await soon(() => group.getByRole('gridcell', { name: 'party-parrot' }).count()).toBe(1);
    await search.pressSequentially('party-p');
    await soon(() => bo.page.getByRole('gridcell').first().getAttribute('aria-label')).toBe('party-parrot');
    await checkScreen(bo, 'picker');
    await bo.page.keyboard.press('Enter');
    for (const { page } of [ann, bo]) {
      await page.getByTestId('reaction').getByTestId('server-emoji').waitFor();
      expect(await page.getByTestId('reaction').getAttribute('aria-label')).toContain('party-parrot');
    }
    await checkScreen(ann, 'reacted');
    await checkScreen(bo, 'reacted');
  });

  test('by the settings: a picture, then a name; a name that is taken is refused; whoever added it deletes it', async () => {
    const { ann, bo, login } = await two(stage);
    ann.console.expect(REFUSED);
    await ann.composer.waitFor();
    await ann.button('Emoji').click();
    await ann.page.getByRole('link', { name: 'Add emoji to this server' }).click();
    await ann.page.getByText('There are none yet.').or(ann.page.getByTestId('own-emoji').first()).waitFor();
    const name = `blue-${Date.now() % 1_000_000}`;
    const choose = async () => {
      const buffer = png(200, 200, () => [30, 90, 220]);
      await ann.page
        .getByTestId('picture-input')
        .setInputFiles([{ name: 'blue.png', mimeType: 'image/png', buffer }]);
      await ann.button('Use picture').click();
      await ann.page.getByText('Now give it a name.').waitFor();
      await ann.page.getByLabel('Name', { exact: true }).fill(`:${name}:`);
      await ann.page.keyboard.press('Enter');
    };
    await choose();
    await ann.page.getByText(`:${name}: is added.`).waitFor();
    const row = ann.page.getByTestId('own-emoji').filter({ hasText: name });
    await soon(() => row.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(128);
    await checkScreen(ann, 'settings');
    await choose();
    await ann.page.getByText('There is an emoji of this name. Choose another name.').waitFor();

    await bo.page.goto('/settings/emoji');
    const seen = bo.page.getByTestId('own-emoji').filter({ hasText: name });
    await seen.getByText(`added by ${login.username}`).waitFor();
    expect(await seen.getByRole('button').count()).toBe(0);

    await row.getByRole('button', { name: `Delete :${name}:` }).click();
    await ann.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
  });

  test('`:na` offers it in the composer; alone it is larger, and a copy has its name', async () => {
    const context = { permissions: ['clipboard-read', 'clipboard-write'] };
    const { ann, bo, login } = await two(stage, {}, { context });
    await add(stage, login, 'ourlogo');
    await ann.say('first :ourlogo:');
    await ann.message('first').getByTestId('server-emoji').waitFor();
    await ann.composer.pressSequentially(':ourl');
    await ann.page.getByRole('option', { name: 'ourlogo' }).waitFor();
    await checkScreen(ann, 'completion');
    await ann.page.keyboard.press('Enter');
    await soon(async () => (await ann.composer.inputValue()).trim()).toBe(':ourlogo:');
    await ann.page.keyboard.press('Enter');
    const pictures = bo.log.getByTestId('server-emoji');
    await soon(() => pictures.count()).toBe(2);
    const heights = await pictures.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(heights[1]).toBeGreaterThan(1.5 * (heights[0] ?? 0));
    await bo
      .message('first')
      .getByTestId('message-content')
      .evaluate((text) => getSelection()?.selectAllChildren(text));
    await bo.page.keyboard.press('Control+c');
    await soon(() => bo.page.evaluate(() => navigator.clipboard.readText())).toBe('first :ourlogo:');
  });

  test('a picture that does not load stays text', async () => {
    const { ann, bo, login } = await two(stage, {}, { worker: false });
    await bo.page.route('**/files/**', (route) => route.fulfill({ status: 404 }));
    bo.console.expect(REFUSED);
    await add(stage, login, 'lost-one');
    await ann.say('see :lost-one: here');
    await ann.message('see').getByTestId('server-emoji').waitFor();
    await soon(() => bo.message('see :lost-one: here').getByTestId('server-emoji').count()).toBe(0);
  });
});

/** A red square of 64 × 64. */
async function add(stage: Stage, login: Login, name: string): Promise<void> {
  const body = Uint8Array.from(png(64, 64, () => [220, 40, 60] as const));
  const path = `${stage.server.url}/api/v1/emoji/${name}`;
  const { status } = await fetch(path, { method: 'PUT', headers: bearer(login), body });
  expect(status).toBe(201);
}

/** Of the picture itself, once it is decoded. */
function widthOf(message: Locator): Promise<number> {
  return message.getByTestId('server-emoji').evaluate((image) => (image as HTMLImageElement).naturalWidth);
}
