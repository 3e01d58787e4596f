/** What the client shows of people: presence, display names, and blocks. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { post, send } from '../support/http.ts';
import { createRoom, type Login } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { checkScreen } from './check-screen.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';

onStage('profiles', (stage) => {
  test('a direct conversation and a profile card say whether the other person is online', async () => {
    const login = await stage.account('ann');
    const bosLogin = await stage.account('bo');
    const token = login.accessToken;
    const { status } = await post(stage.server, '/api/v1/dms', { user_ids: [bosLogin.userId] }, { token });
    expect(status).toBeLessThan(300);
    const ann = await stage.seat({ login });
    const dot = ann.roomRow(bosLogin.username).locator('[data-online]');
    await soon(() => dot.getAttribute('data-online')).toBe('false');
    const bo = await stage.seat({ login: bosLogin });
    await bo.rooms.waitFor();
    await soon(() => dot.getAttribute('data-online')).toBe('true');
    await ann.roomRow(bosLogin.username).getByText('Online').waitFor({ state: 'attached' });
    await ann.openRoom(bosLogin.username);
    const presence = ann.page.getByTestId('presence');
    await soon(() => presence.textContent()).toBe('Online');
    expect(await ann.onlineCount.count()).toBe(0);

    const { room } = await talk(stage, bosLogin, ['hello']);
    await ann.page.goto(`/rooms/${room.id}`);
    await ann.isIn(room.name);
    await card(ann, bosLogin.username).click();
    await ann.page.getByRole('dialog').getByText('Online').waitFor();
    await checkScreen(ann);
    await bo.page.close();
    await ann.page.getByRole('dialog').getByText('Online').waitFor({ state: 'detached' });
    await ann.page.keyboard.press('Escape');
    await ann.openRoom(bosLogin.username);
    await soon(() => presence.textContent()).toBe('Offline');
  });

  test('a direct conversation tells of nobody who comes and goes', async () => {
    const login = await stage.account('ann');
    const bosLogin = await stage.account('bo');
    const json = { user_ids: [bosLogin.userId] };
    const dm = await post(stage.server, '/api/v1/dms', json, { token: login.accessToken });
    const { id } = dm.json as { id: number };
    const ann = await stage.seat({ login, path: `/rooms/${id}` });
    await ann.isIn(bosLogin.username);
    // From the first message on it is in the list of both.
    await ann.say('hi');
    await ann.message('hi').waitFor();
    const bo = await stage.seat({ login: bosLogin, path: `/rooms/${id}` });
    await bo.isIn(login.username);
    await bo.say('hello');
    await ann.message('hello').waitFor();
    await bo.page.close();
    await soon(() => ann.page.getByTestId('presence').textContent()).toBe('Offline');
    await ann.say('bye');
    await ann.message('bye').waitFor();
    expect(await ann.page.getByTestId('notice').count()).toBe(0);
  });

  test('notes to oneself say nothing of presence', async () => {
    const login = await stage.account('ann');
    const notes = await post(stage.server, '/api/v1/dms', { user_ids: [] }, { token: login.accessToken });
    const { id } = notes.json as { id: number };
    const ann = await stage.seat({ login, path: `/rooms/${id}` });
    await ann.isIn(login.username);
    await ann.say('a note');
    await ann.message('a note').waitFor();
    expect(await ann.page.getByTestId('presence').count()).toBe(0);
    expect(await ann.onlineCount.count()).toBe(0);
  });

  test('the card has the status and the time where the person is; Message opens the conversation', async () => {
    const zone = 'Asia/Kathmandu';
    const bo = await stage.account('bo');
    await send(stage.server, '/api/v1/me', {
      ...{ method: 'PATCH', token: bo.accessToken },
      json: { time_zone: zone, status: { text: 'In a train', emoji: '🚆' } },
    });
    const { room } = await talk(stage, bo, ['hello']);
    const ann = await stage.seat({
      login: await stage.account('ann'),
      path: `/rooms/${room.id}`,
      context: { timezoneId: 'America/New_York' },
    });
    const timeThere = () =>
      ann.page.evaluate(
        (timeZone) =>
          new Intl.DateTimeFormat(navigator.language, {
            hour: 'numeric',
            minute: '2-digit',
            timeZone,
          }).format(),
        zone,
      );
    await card(ann, bo.username).waitFor();
    const before = await timeThere();
    await card(ann, bo.username).click();
    const dialog = ann.page.getByRole('dialog');
    const shown = await dialog.getByText(/ local time$/).textContent();
    // A minute may begin meanwhile.
    const times = [before, await timeThere()].map((time) => `${time} local time`);
    expect(times).toContain(shown);
    await dialog.getByText('🚆 In a train').waitFor();
    await dialog.getByRole('button', { name: 'Message', exact: true }).click();
    await ann.isIn(bo.username);
  });

  test('the card opens from the people in the room, too', async () => {
    const bo = await stage.account('bo');
    const { room } = await talk(stage, bo, ['hello']);
    const client = await ChatClient.enter(stage.server, bo, room.id);
    const ann = await stage.seat({ login: await stage.account('ann'), path: `/rooms/${room.id}/people` });
    const name = ann.page.getByTestId('person').getByRole('button', { name: bo.username });
    await name.press('Enter');
    await ann.page.getByRole('dialog').getByRole('heading', { name: bo.username }).waitFor();
    await ann.page.keyboard.press('Escape');
    await ann.page.getByRole('dialog').waitFor({ state: 'detached' });
    await soon(() => name.evaluate((button) => button === document.activeElement)).toBe(true);
    await client.close();
  });

  test('the card opens beside the name that was pressed, and a press elsewhere closes it', async () => {
    const bo = await stage.account('bo');
    const { room } = await talk(stage, bo, ['hello']);
    const ann = await stage.seat({ login: await stage.account('ann'), path: `/rooms/${room.id}` });
    const name = card(ann, bo.username);
    await name.click();
    const profile = ann.page.getByTestId('profile');
    await profile.getByRole('heading', { name: bo.username }).waitFor();
    const beside = async () => {
      const [from, box] = [await name.boundingBox(), await profile.boundingBox()];
      if (from === null || box === null) throw new Error('one of them is not in sight');
      const gap = box.y > from.y ? box.y - (from.y + from.height) : from.y - (box.y + box.height);
      return { gap: Math.round(gap), left: box.x - from.x };
    };
    // It moves into its place.
    await soon(beside).toEqual({ gap: 4, left: 0 });
    await ann.page.mouse.click(1000, 600);
    await profile.waitFor({ state: 'detached' });
    await soon(() => isFocused(name)).toBe(true);
    // The picture leads there, too.
    await ann.message('hello').locator('> [data-hue]').click();
    await profile.getByRole('heading', { name: bo.username }).waitFor();
    await ann.page.keyboard.press('Escape');
    await profile.waitFor({ state: 'detached' });
  });

  test('by keyboard: Message is reached first, the menu has what is rarer, and Escape leads back step by step', async () => {
    const bo = await stage.account('bo');
    const { room } = await talk(stage, bo, ['hello']);
    const client = await ChatClient.enter(stage.server, bo, room.id);
    const ann = await stage.seat({ login: await stage.account('ann'), path: `/rooms/${room.id}/people` });
    const { page } = ann;
    const opener = page.getByTestId('person').getByRole('button', { name: bo.username });
    await opener.press('Enter');
    const profile = page.getByRole('dialog', { name: `Profile of ${bo.username}` });
    const [message, more] = ['Message', 'More'].map((name) =>
      profile.getByRole('button', { name, exact: true }),
    ) as [Locator, Locator];
    await soon(() => isFocused(message)).toBe(true);
    await page.keyboard.press('Tab');
    await soon(() => isFocused(more)).toBe(true);
    await page.keyboard.press('Enter');
    const menu = page.getByTestId('action-menu');
    await menu.waitFor();
    for (const name of ['Copy username', 'Block']) {
      await soon(() => isFocused(menu.getByRole('button', { name }))).toBe(true);
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await soon(() => isFocused(more)).toBe(true);
    await page.keyboard.press('Escape');
    await profile.waitFor({ state: 'detached' });
    await soon(() => isFocused(opener)).toBe(true);
    await client.close();
  });

  test('a block is undone in the notice that tells of it; Message is larger than what leads to it', async () => {
    const bo = await stage.account('bo');
    const { room } = await talk(stage, bo, ['hello']);
    const ann = await stage.seat({ login: await stage.account('ann'), path: `/rooms/${room.id}` });
    await ann.message('hello').waitFor();
    await card(ann, bo.username).click();
    const profile = ann.page.getByTestId('profile');
    await profile.getByRole('button', { name: 'More' }).waitFor();
    const widths = await profile
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().width));
    expect(widths[0]).toBeGreaterThan(4 * (widths[1] ?? 0));
    await profile.getByRole('button', { name: 'More' }).click();
    await checkScreen(ann);
    await ann.page.getByTestId('action-menu').getByRole('button', { name: 'Block' }).click();
    await soon(() => ann.contents()).toEqual([]);
    await ann.button('Undo').click();
    await soon(() => ann.contents()).toEqual(['hello']);
  });

  test('a message shows the name that its author goes by, with the username beside it', async () => {
    const bo = await stage.account('bo');
    const { room } = await talk(stage, bo, ['hello']);
    const ann = await stage.seat({ login: await stage.account('ann'), path: `/rooms/${room.id}` });
    await card(ann, bo.username).waitFor();
    await send(stage.server, '/api/v1/me', {
      ...{ method: 'PATCH', token: bo.accessToken },
      json: { display_name: 'Bo of the Hills' },
    });
    await soon(() => card(ann, bo.username).textContent()).toBe(`Bo of the Hills ${bo.username}`);
    await checkScreen(ann);
  });

  test('the panel, the typing line and the header go by the names of people, and leave blocked people out', async () => {
    const bo = await stage.account('bo');
    const cy = await stage.account('cy');
    await send(stage.server, '/api/v1/me', {
      ...{ method: 'PATCH', token: bo.accessToken },
      json: { display_name: 'Bo of the Hills' },
    });
    const { room } = await talk(stage, bo, ['hello']);
    const ann = await stage.seat({ login: await stage.account('ann'), path: `/rooms/${room.id}/people` });
    const people = ann.page.getByTestId('person');
    const clients = await Promise.all([bo, cy].map((one) => ChatClient.enter(stage.server, one, room.id)));
    const typing = setInterval(() => {
      for (const client of clients) client.send({ type: 'typing', is_typing: true });
    }, 1000);
    await people.filter({ hasText: `Bo of the Hills ${bo.username}` }).waitFor();
    await people.filter({ hasText: cy.username }).waitFor();
    await ann.typing.getByText('Bo of the Hills').waitFor();
    await checkScreen(ann);
    await send(stage.server, `/api/v1/me/blocks/${bo.userId}`, {
      ...{ method: 'PUT', token: (await ann.stored('chat_access')) ?? '' },
    });
    await ann.page.reload();
    await ann.isIn(room.name);
    await people.filter({ hasText: cy.username }).waitFor();
    expect(await people.filter({ hasText: bo.username }).count()).toBe(0);
    // Beside it stand the letters of her avatar.
    await soon(() => ann.typing.textContent()).toMatch(
      new RegExp(`^[\\p{Lu}\\d]{2}${cy.username} is typing$`, 'u'),
    );
    clearInterval(typing);
  });

  test('a direct conversation has the avatar of its person, and says who reads it', async () => {
    const login = await stage.account('ann');
    const bo = await stage.account('bo');
    const json = { user_ids: [bo.userId] };
    const dm = await post(stage.server, '/api/v1/dms', json, { token: login.accessToken });
    const { id } = dm.json as { id: number };
    const ann = await stage.seat({ login, path: `/rooms/${id}` });
    await ann.isIn(bo.username);
    await ann.log.getByText(`Only you and ${bo.username} can read what is written here.`).waitFor();
    expect(await ann.page.locator('[data-region=header] [data-online]').first().count()).toBe(1);
    expect(await ann.log.getByRole('button').count()).toBe(0);
    await checkScreen(ann);
    await ann.say('hello');
    await ann.log.getByText(`This is the beginning of your conversation with ${bo.username}.`).waitFor();
  });

  test('by keyboard, the card of an author is opened from the actions of a message', async () => {
    const bo = await stage.account('bo');
    const { room } = await talk(stage, bo, ['hello']);
    const ann = await stage.seat({ login: await stage.account('ann'), path: `/rooms/${room.id}` });
    await ann.message('hello').focus();
    await ann.page.getByTestId('message-actions').waitFor();
    for (const key of ['Tab', 'ArrowLeft', 'Enter']) await ann.page.keyboard.press(key);
    await ann.page.getByTestId('action-menu').getByRole('button', { name: 'Profile' }).press('Enter');
    await ann.page.getByRole('dialog').getByText(bo.username).first().waitFor();
  });

  test('each message of a blocked person is folded to a line, also after a reload', async () => {
    const bo = await stage.account('bo');
    const { room } = await talk(stage, bo, ['first words', 'second words']);
    const ann = await stage.seat({ login: await stage.account('ann'), path: `/rooms/${room.id}` });
    await ann.message('second words').waitFor();
    await card(ann, bo.username).click();
    await ann.page.getByTestId('profile').getByRole('button', { name: 'More' }).click();
    await ann.page.getByTestId('action-menu').getByRole('button', { name: 'Block' }).click();
    await ann.page.getByText(`You blocked ${bo.username}.`).waitFor();
    await ann.page.getByTestId('profile').waitFor({ state: 'detached' });
    const folded = ann.page.getByTestId('blocked-message');
    await soon(() => folded.count()).toBe(2);
    expect(await ann.contents()).toEqual([]);
    await checkScreen(ann);
    await ann.page.reload();
    await ann.isIn(room.name);
    await soon(() => folded.count()).toBe(2);
    await folded.last().getByRole('button', { name: 'Show' }).press('Enter');
    await soon(() => ann.contents()).toEqual(['second words']);
    const focused = () => ann.page.evaluate(() => document.activeElement?.getAttribute('data-row'));
    await soon(focused).toBe('message');
    const other = await stage.seat({ login: await stage.account('cy'), path: `/rooms/${room.id}` });
    await soon(() => other.contents()).toEqual(['first words', 'second words']);
  });
});

/** A room of this person, in which they have said these. */
async function talk(stage: Stage, login: Login, contents: readonly string[]) {
  const room = await createRoom(stage.server, login);
  const client = await ChatClient.enter(stage.server, login, room.id);
  for (const content of contents) client.send({ type: 'message', content });
  await client.waitForCount('message', contents.length);
  await client.close();
  return { room };
}

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** The name above a message, which opens the card of its author. */
function card(person: Person, username: string) {
  return person.log.getByRole('button', { name: username });
}
