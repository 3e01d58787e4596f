/** Previews of links: turned on in the room, seen by everybody, removed by keyboard; readers never contact the site. */
import type { Locator } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { drawLandscape, PIER } from '../../demo/picture.ts';
import { send } from '../support/http.ts';
import type { Login } from '../support/users.ts';
import { pageOf, WebSite } from '../support/web-site.ts';
import { checkScreen } from './check-screen.ts';
import type { Person } from './person.ts';
import { PHONE } from './phone.ts';
import { onStage, type Stage, soon } from './stage.ts';
import { two } from './two-people.ts';

const site = await WebSite.start();
site.pages.set('/pier.png', drawLandscape(PIER));
site.pages.set(
  '/pier',
  pageOf(
    {
      ...{ 'og:title': 'The pier at noon', 'og:site_name': 'Harbour news', 'og:image': '/pier.png' },
      ...{
        'og:image:alt': 'A pier in the fog',
        'og:description': 'From Monday on the ferries leave from the new pier.',
      },
    },
    'Window',
  ),
);
site.pages.set('/plain', pageOf({}, 'A page that says nothing but its name'));
site.pages.set('/hostile', pageOf({}, '&lt;img src=x onerror=alert(1)&gt; \u202egpj.exe'));
afterAll(() => site.stop());

const cards = ({ page }: Person) => page.getByTestId('link-preview');

onStage(
  'link previews',
  (stage) => {
    test('a moderator turns them on in the room, and the next link has a card for everybody, from the server alone', async () => {
      const { ann, bo, room, login } = await two(stage);
      await ann.page.goto(`${stage.server.url}/rooms/${room.id}/about`);
      const choice = ann.page.getByLabel('Show previews of links');
      await choice.check();
      await soon(() => choice.isChecked()).toBe(true);
      await soon(async () => (await roomOf(stage, login, room.id)).settings).toEqual({ link_previews: true });
      await checkScreen(ann, 'room-link-previews');
      const urls: string[] = [];
      for (const { page } of [ann, bo]) page.on('request', (request) => urls.push(request.url()));
      await say(ann, `Have you seen ${site.url('/pier')}?`);
      for (const person of [ann, bo]) {
        const card = cards(person);
        await card.getByText('The pier at noon').waitFor();
        await card.getByText('From Monday on the ferries leave').waitFor();
        expect(await card.getByText(site.host).count()).toBe(1);
        await soon(() => isLoaded(card.getByAltText('A pier in the fog'))).toBe(true);
        const link = card.getByRole('link');
        expect(await link.getAttribute('href')).toBe(site.url('/pier'));
        expect(await link.getAttribute('rel')).toContain('noopener');
      }
      expect(urls.filter((url) => !url.startsWith(stage.server.url))).toEqual([]);
      await checkScreen(bo, 'link-preview');
    });

    test('a card moves nothing when it loads, and a preview that comes keeps the last message in sight', async () => {
      const { ann, bo, room, login } = await two(stage);
      await turnOn(stage, login, room.id);
      await say(ann, `${site.url('/pier')} and ${site.url('/plain')}`);
      await soon(() => cards(bo).count()).toBe(2);
      const last = await say(ann, 'the last one');
      await bo.page.getByText(last).waitFor();
      const heights = await cards(bo).evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect().height),
      );
      expect(new Set(heights).size).toBe(1);
      await bo.page.reload();
      await bo.page.getByText(last).waitFor();
      const place = () => bo.page.getByText(last).evaluate((one) => one.getBoundingClientRect().bottom);
      const before = await place();
      await soon(() => isLoaded(cards(bo).first().locator('img'))).toBe(true);
      expect(await place()).toBe(before);
    });

    test('what a page says is text: no mark of it is HTML, and its letters turn nothing', async () => {
      const { ann, bo, room, login } = await two(stage);
      await turnOn(stage, login, room.id);
      await say(ann, site.url('/hostile'));
      await cards(bo).getByText('<img src=x onerror=alert(1)> gpj.exe').waitFor();
      expect(await cards(bo).locator('img').count()).toBe(0);
    });

    test('the author removes it by keyboard alone, and it does not come back', async () => {
      const { ann, bo, room, login } = await two(stage);
      await turnOn(stage, login, room.id);
      await say(ann, site.url('/pier'));
      await cards(bo).waitFor();
      expect(await menuOf(bo).count()).toBe(0);
      await reach(ann, menuOf(ann));
      await ann.page.keyboard.press('Enter');
      await soon(() => ann.page.getByTestId('action-menu').getByRole('button').allInnerTexts()).toEqual([
        'Remove preview…',
      ]);
      await checkScreen(ann, 'link-preview-menu');
      await ann.page.keyboard.press('Enter');
      await ann.page.getByRole('alertdialog', { name: 'Remove the preview?' }).waitFor();
      await checkScreen(ann, 'link-preview-removal');
      await ann.page.keyboard.press('Tab');
      await ann.page.keyboard.press('Enter');
      for (const person of [ann, bo]) await cards(person).waitFor({ state: 'detached' });
      await soon(() => isFocused(ann.page.locator('[data-row=message]').last())).toBe(true);
      expect(await bo.contents()).toEqual([site.url('/pier')]);
    });

    test('a moderator removes that of a member, on a phone, in Chinese', async () => {
      const { ann, bo, room, login } = await two(stage, { context: { ...PHONE, locale: 'zh-CN' } });
      await turnOn(stage, login, room.id);
      await say(bo, `${site.url('/pier')} ${site.url('/plain')}`);
      await soon(() => cards(ann).count()).toBe(2);
      await checkScreen(ann, 'link-preview-zh');
      await ann.page.setViewportSize(PHONE.viewport);
      await ann.page
        .getByRole('button', { name: /预览的操作$/ })
        .first()
        .tap();
      await ann.button('移除 2 个预览…').tap();
      await ann.page.getByRole('alertdialog').getByRole('button', { name: '移除' }).tap();
      await ann.page.getByText('已移除 2 个预览').waitFor();
      await cards(bo).first().waitFor({ state: 'detached' });
    });

    test('an edit that drops the link drops the card for everybody', async () => {
      const { ann, bo, room, login } = await two(stage);
      await turnOn(stage, login, room.id);
      await say(ann, site.url('/plain'));
      await cards(bo).waitFor();
      await ann.composer.press('ArrowUp');
      await ann.page.keyboard.press('ControlOrMeta+a');
      await ann.page.keyboard.type('nothing any more');
      await ann.page.keyboard.press('Enter');
      await bo.page.getByText('nothing any more').waitFor();
      for (const person of [ann, bo]) await cards(person).waitFor({ state: 'detached' });
    });
  },
  { LINK_PREVIEWS: 'on', OUTGOING_ALLOW: site.host },
);

onStage('without link previews', (stage) => {
  test('where the operator wants none, the room has no such setting', async () => {
    const { ann, room } = await two(stage);
    await ann.page.goto(`${stage.server.url}/rooms/${room.id}/about`);
    await ann.page.getByText('Messages stay when their files are deleted.').waitFor();
    expect(await ann.page.getByLabel('Show previews of links').count()).toBe(0);
  });
});

async function say(person: Person, text: string): Promise<string> {
  await person.composer.fill(text);
  await person.composer.press('Enter');
  return text;
}

async function turnOn({ server }: Stage, { accessToken: token }: Login, roomId: number): Promise<void> {
  const json = { settings: { link_previews: true } };
  const { status } = await send(server, `/api/v1/rooms/${roomId}`, { method: 'PATCH', token, json });
  expect(status).toBe(200);
}

async function roomOf(
  { server }: Stage,
  { accessToken: token }: Login,
  roomId: number,
): Promise<{ settings: object }> {
  const { json } = await send(server, `/api/v1/rooms/${roomId}`, { token });
  return json as { settings: object };
}

/** The button with what may be done with a preview. */
function menuOf({ page }: Person): Locator {
  return page.getByRole('button', { name: /^Actions for the preview of / });
}

/** Goes to a button of the last message with the Tab key. */
async function reach({ page, composer }: Person, button: Locator): Promise<void> {
  await button.waitFor({ state: 'attached' });
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

async function isLoaded(image: Locator): Promise<boolean> {
  return await image.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth > 0);
}
