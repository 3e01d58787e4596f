/** One's own status: set beside one's own avatar, on a phone on the page You, and seen by others. */
import { expect, test } from 'vitest';
import { send } from '../support/http.ts';
import type { Login } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { tabTo } from './focus.ts';
import type { Person } from './person.ts';
import { expectReachable, PHONE } from './phone.ts';
import { onStage, type Stage, soon } from './stage.ts';

onStage('the status', (stage) => {
  test('a preset is set with one press, ends by itself, and is cleared', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat({ login, context: { timezoneId: 'Asia/Kathmandu' } });
    await openByMenu(ann);
    await checkScreen(ann);
    await popover(ann).getByRole('button', { name: 'Working from home Today' }).click();
    await popover(ann).waitFor({ state: 'detached' });
    await ann.me.getByText('🏡 Working from home').waitFor();
    const set = await statusOf(stage, login);
    expect(set).toMatchObject({ emoji: '🏡', text: 'Working from home' });
    // The day of the user ends at 18:15 UTC.
    expect(set?.until).toMatch(/T18:15:00/);
    await openByMenu(ann);
    await soon(() => popover(ann).getByLabel('Status').inputValue()).toBe('Working from home');
    await popover(ann).getByRole('button', { name: 'Clear status' }).click();
    await popover(ann).waitFor({ state: 'detached' });
    await soon(() => statusOf(stage, login)).toBe(null);
    await ann.me.getByText('Working from home').waitFor({ state: 'detached' });
  });

  test('by keyboard: own words with an emoji and an end; the focus goes back to the avatar', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat({ login });
    const { keyboard } = ann.page;
    await ann.me.focus();
    await keyboard.press('Enter');
    await tabTo(ann, 'Set a status');
    await keyboard.press('Enter');
    await popover(ann).waitFor();
    await soon(() => isFocused(ann, 'Status')).toBe(true);
    await keyboard.type('In the garden');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await ann.page.getByRole('combobox', { name: 'Search emoji' }).waitFor();
    await keyboard.type('tulip');
    await soon(() => ann.page.getByTestId('emoji-picker').getByRole('gridcell').count()).toBe(1);
    await keyboard.press('Enter');
    await popover(ann).getByRole('button', { name: 'Emoji 🌷' }).waitFor();
    await tabTo(ann, /^Don't clear/);
    await keyboard.press('4');
    await soon(() => popover(ann).getByLabel('Clear after').inputValue()).toBe('four_hours');
    await tabTo(ann, 'Set');
    await keyboard.press('Enter');
    await popover(ann).waitFor({ state: 'detached' });
    await soon(() => ann.me.evaluate((button) => button === document.activeElement)).toBe(true);
    await ann.me.getByText('🌷 In the garden').waitFor();
    expect((await statusOf(stage, login))?.until).not.toBe(undefined);
    // Escape changes nothing. The end stays what it was.
    await openByMenu(ann);
    await soon(() => popover(ann).getByLabel('Clear after').inputValue()).toBe('kept');
    await keyboard.press('Escape');
    await popover(ann).waitFor({ state: 'detached' });
    await ann.me.getByText('🌷 In the garden').waitFor();
  });

  test('a character that nobody can see is refused beside the field, and nothing is sent', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat({ login });
    await openByMenu(ann);
    await popover(ann).getByLabel('Status').fill('At\u202E home');
    await ann.page.keyboard.press('Enter');
    await popover(ann).getByText('This contains a character that nobody can see.').waitFor();
    await checkScreen(ann);
    expect(await statusOf(stage, login)).toBe(null);
  });

  test('on a phone it is a sheet over the page You, where it is shown afterwards', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat({ login, context: PHONE });
    await ann.you.tap();
    await ann.button('Set a status').tap();
    await popover(ann).locator('[data-grip]').waitFor();
    await expectReachable(ann);
    await popover(ann).getByRole('button', { name: 'Commuting 30 minutes' }).tap();
    await popover(ann).waitFor({ state: 'detached' });
    await ann.page.getByRole('button', { name: 'Set a status: 🚆 Commuting' }).waitFor();
    await expectReachable(ann);
  });

  test('the search leads to it, and a status that is over is not offered again', async () => {
    const login = await stage.account('ann');
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await send(stage.server, '/api/v1/me', {
      ...{ method: 'PATCH', token: login.accessToken },
      json: { status: { text: 'Out for lunch', until } },
    });
    const ann = await stage.seat({ login });
    await ann.me.getByText('Out for lunch').waitFor();
    await ann.page.clock.setFixedTime(Date.now() + 2 * 3_600_000);
    await ann.searchFor('set a status');
    await ann.page.keyboard.press('Enter');
    await popover(ann).waitFor();
    expect(await popover(ann).getByLabel('Status').inputValue()).toBe('');
    expect(await popover(ann).getByRole('button', { name: 'Clear status' }).count()).toBe(0);
  });
});

const popover = ({ page }: Person) => page.getByTestId('status');

async function openByMenu(ann: Person): Promise<void> {
  await ann.me.click();
  await ann.page.getByRole('button', { name: /^Set a status/ }).click();
  await popover(ann).waitFor();
}

async function isFocused(ann: Person, label: string): Promise<boolean> {
  return await popover(ann)
    .getByLabel(label)
    .evaluate((field) => field === document.activeElement);
}

async function statusOf(stage: Stage, login: Login) {
  const { json } = await send(stage.server, '/api/v1/me', { token: login.accessToken });
  return (json as { status: { emoji?: string; text: string; until?: string } | null }).status;
}
