/** The picture of the server, which an admin sets: in the sidebar, in the tab, and before anybody is signed in. */
import { expect, test } from 'vitest';
import { png } from '../../demo/picture.ts';
import { runCommand } from '../support/command.ts';
import { checkScreen } from './check-screen.ts';
import type { Person } from './person.ts';
import { onStage, soon } from './stage.ts';

const PICTURE = png(300, 300, (x, y) => [x / 2, 90, y / 2]);

onStage('the picture of the server', (stage) => {
  test('an admin chooses it, and it stands in place of the mark; without it the mark is back', async () => {
    const login = await stage.account('root');
    await runCommand(stage.server, ['admin', 'grant', login.username]);
    const root = await stage.seat({ login, path: '/admin/registration' });
    await root.page
      .getByTestId('picture-input')
      .setInputFiles([{ name: 'icon.png', mimeType: 'image/png', buffer: PICTURE }]);
    await root.button('Use picture').click();
    await root.page.getByText('The picture is saved.').waitFor();
    await checkScreen(root);
    await soon(() => markOf(root)).toMatch(/\/files\/[\w-]{22}\/icon/);
    await soon(() => tabIcon(root)).toMatch(/\/files\/[\w-]{22}\/icon$/);

    const stranger = await stage.seat();
    const door = stranger.page.locator('img[src$="/icon"]');
    await soon(() => door.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300);
    await checkScreen(stranger);

    await root.button('Remove').click();
    await root.page.getByText('The picture is removed.').waitFor();
    await soon(() => markOf(root)).toBe('none');
    await soon(() => tabIcon(root)).toMatch(/favicon\.svg$/);
    expect(await root.page.getByTestId('picture-field').locator('svg').count()).toBe(1);
  });
});

function markOf({ page }: Person): Promise<string> {
  const mark = page.locator('[data-region=rooms] svg').first();
  return mark.evaluate((element) => getComputedStyle(element).backgroundImage);
}

function tabIcon({ page }: Person): Promise<string> {
  return page.evaluate(() => document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? '');
}
