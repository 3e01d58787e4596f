/** English and Simplified Chinese: who gets which, how it is changed, and what axe says to the Chinese screens. */
import { expect, test } from 'vitest';
import { createRoom } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { UNREACHABLE } from './console-watch.ts';
import { onStage, soon } from './stage.ts';

const CHINESE = { locale: 'zh-CN' };
/** The file that has all of it. */
const CATALOGUE = '**/zh-*.js';

onStage('the language', (stage) => {
  test('is the browser’s from the first word on, and is declared by the page', async () => {
    const ann = await stage.seat({ context: CHINESE });
    await ann.page.getByRole('heading', { name: '加入 Roomful' }).waitFor();
    expect(await ann.page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await checkScreen(ann);

    const bo = await stage.seat({ context: { locale: 'fr-FR' } });
    await bo.page.getByRole('heading', { name: 'Join Roomful' }).waitFor();
    expect(await bo.page.locator('html').getAttribute('lang')).toBe('en');
  });

  test('changes at once in every tab, and survives a reload', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat({ login });
    await ann.rooms.waitFor();
    const other = await ann.openTab();
    await other.rooms.waitFor();

    await ann.me.click();
    await ann.page.getByText('简体中文').click();
    await ann.page.getByRole('navigation', { name: '房间' }).waitFor();
    await other.page.getByRole('navigation', { name: '房间' }).waitFor();
    await other.page.close();
    expect(await ann.stored('chat_language')).toBe('zh');
    await checkScreen(ann);

    await ann.page.reload();
    await ann.page.getByRole('navigation', { name: '房间' }).waitFor();
    await ann.me.click();
    await ann.page.getByText('English').click();
    await ann.rooms.waitFor();
    expect(await ann.page.locator('html').getAttribute('lang')).toBe('en');
  });

  test('is English until a late or missing catalogue has loaded: never a blank page', async () => {
    let letPass = (): void => {};
    const released = new Promise<void>((resolve) => {
      letPass = resolve;
    });
    const ann = await stage.seat({ context: CHINESE, path: '/favicon.svg' });
    await ann.page.route(CATALOGUE, async (route) => {
      await released;
      await route.continue();
    });
    await ann.page.goto('/');
    await ann.page.getByRole('heading', { name: 'Join Roomful' }).waitFor();
    expect(await ann.page.locator('html').getAttribute('lang')).toBe('en');
    await ann.username.fill('half a name');
    letPass();
    await ann.page.getByRole('heading', { name: '加入 Roomful' }).waitFor();
    expect(await ann.page.locator('html').getAttribute('lang')).toBe('zh-CN');
    expect(await ann.page.getByLabel('用户名', { exact: true }).inputValue()).toBe('half a name');

    const bo = await stage.seat({ context: CHINESE, path: '/favicon.svg' });
    bo.console.expect(UNREACHABLE);
    await bo.page.route(CATALOGUE, (route) => route.abort());
    await bo.page.goto('/');
    await bo.page.getByRole('heading', { name: 'Join Roomful' }).waitFor();
  });

  test('a conversation in Chinese: days, times and counts are Chinese, too', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: `/rooms/${room.id}`, context: CHINESE });
    await ann.connection('open').waitFor();
    await ann.page.getByText('还没有人发言。').waitFor();
    await checkScreen(ann);
    const composer = ann.page.getByRole('textbox', { name: '消息' });
    await composer.fill('你好');
    await composer.press('Enter');
    await soon(() => ann.contents()).toEqual(['你好']);
    await ann.page.getByRole('heading', { name: '今天' }).waitFor();
    await soon(() => ann.onlineCount.textContent()).toBe('1 人在线');
    await checkScreen(ann);
  });

  test('the people, the quick switcher and the list of keys are Chinese, and axe finds nothing', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: `/rooms/${room.id}/people`, context: CHINESE });
    await ann.connection('open').waitFor();
    await ann.page.getByTestId('person').filter({ hasText: '（你）' }).waitFor();
    await checkScreen(ann);
    const { keyboard } = ann.page;
    const switcher = ann.page.getByRole('dialog', { name: '跳转到房间或执行命令' });
    await keyboard.press('Control+k');
    await switcher.getByText('主题：深色').waitFor();
    await checkScreen(ann);
    await keyboard.type('§');
    await switcher.getByText('没有匹配的房间、成员或命令。').waitFor();
    await checkScreen(ann);
    await keyboard.press('Escape');
    await switcher.waitFor({ state: 'hidden' });
    await keyboard.press('Control+/');
    await ann.page.getByRole('dialog', { name: '键盘快捷键' }).getByText('下一个未读房间').waitFor();
    await checkScreen(ann);
  });
});
