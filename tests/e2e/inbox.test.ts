/** The inbox: what notified the user, on all devices. */
import { expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { RoomLine } from '../support/room-line.ts';
import { addMember, createRoom, type Login } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { Finger } from './finger.ts';
import { tabTo } from './focus.ts';
import type { Person } from './person.ts';
import { expectReachable, PHONE } from './phone.ts';
import { onStage, type Stage, soon } from './stage.ts';

onStage('the inbox', (stage) => {
  test('a mention is an entry with its reason and the badge; reading the room elsewhere clears both', async () => {
    const { login, room, says } = await conversation(stage);
    const ann = await stage.seat({ login: login.ann });
    await link(ann).click();
    await ann.page.getByText("You're all caught up").waitFor();
    await checkScreen(ann);
    await says(`@${login.ann.username} **lunch**?`);
    await soon(() => entries(ann)).toEqual([
      `Unread: ${login.bo.username} mentioned you in ${room.name}: @${login.ann.username} lunch?`,
    ]);
    await soon(() => badge(ann)).toEqual(['1']);
    await checkScreen(ann);
    const elsewhere = await stage.seat({ login: login.ann, path: `/rooms/${room.id}` });
    await elsewhere.isIn(room.name);
    await soon(() => badge(ann)).toEqual([]);
    await soon(() => entries(ann)).toEqual([
      `${login.bo.username} mentioned you in ${room.name}: @${login.ann.username} lunch?`,
    ]);
  });

  test('the latest comes first; j, k and the arrows move, Enter opens the message', async () => {
    const { login, room, says } = await conversation(stage);
    for (const content of ['one', 'two', 'three']) await says(`@${login.ann.username} ${content}`);
    const ann = await stage.seat({ login: login.ann, path: '/inbox' });
    await soon(async () => (await entries(ann)).map((text) => text.split(' ').at(-1))).toEqual([
      'three',
      'two',
      'one',
    ]);
    const { keyboard } = ann.page;
    const focused = () => ann.page.evaluate(() => document.activeElement?.textContent?.split(' ').at(-1));
    // The inbox was opened by its link in the sidebar, which still has the focus.
    await link(ann).focus();
    await keyboard.press('j');
    expect(await focused()).toBe('three');
    await ann.page.getByRole('heading', { level: 1 }).click();
    for (const [key, lands] of [
      ['j', 'three'],
      ['ArrowDown', 'two'],
      ['j', 'one'],
      ['j', 'one'],
      ['k', 'two'],
      ['ArrowUp', 'three'],
    ] as const) {
      await keyboard.press(key);
      expect(await focused(), key).toBe(lands);
    }
    await keyboard.press('j');
    await keyboard.press('Enter');
    await soon(() => new URL(ann.page.url()).pathname.startsWith(`/rooms/${room.id}`)).toBe(true);
  });

  test('a mention in a public room that one is not in is read once it was opened', async () => {
    const { login, room, says } = await conversation(stage);
    const cleo = await stage.account('cleo');
    await says(`@${cleo.username} join us?`);
    const reader = await stage.seat({ login: cleo, path: '/inbox' });
    const text = `${login.bo.username} mentioned you in ${room.name}: @${cleo.username} join us?`;
    await soon(() => entries(reader)).toEqual([`Unread: ${text}`]);
    await reader.page.getByTestId('inbox-entry').click();
    await soon(() => new URL(reader.page.url()).pathname.startsWith(`/rooms/${room.id}`)).toBe(true);
    await link(reader).click();
    await soon(() => entries(reader)).toEqual([text]);
  });

  test('an entry leaves with its message', async () => {
    const { login, room, says } = await conversation(stage);
    const { id } = await says(`@${login.ann.username} oops`);
    const ann = await stage.seat({ login: login.ann, path: '/inbox' });
    await soon(async () => (await entries(ann)).length).toBe(1);
    const path = `/api/v1/rooms/${room.id}/messages/${id}`;
    await send(stage.server, path, { method: 'DELETE', token: login.bo.accessToken });
    await ann.page.getByText("You're all caught up").waitFor();
    await soon(() => badge(ann)).toEqual([]);
  });

  test('without a server it says so, and what was read before stays', async () => {
    const { login, says } = await conversation(stage);
    await says(`@${login.ann.username} hello`);
    const ann = await stage.seat({ login: login.ann, path: '/inbox' });
    await soon(async () => (await entries(ann)).length).toBe(1);
    await ann.page.route('**/api/v1/me/inbox*', (route) => route.fulfill({ status: 503, body: '{}' }));
    await says(`@${login.ann.username} again`);
    await ann.page.getByText('This is what was here before.').waitFor();
    expect(await entries(ann)).toHaveLength(1);
    await ann.page.unroute('**/api/v1/me/inbox*');
    await ann.button('Try again').click();
    await soon(async () => (await entries(ann)).length).toBe(2);
    ann.console.expect(/503/);
  });

  test('on a phone it is a page of its own, with targets of 44 pixels', async () => {
    const { login, says } = await conversation(stage);
    await says(`@${login.ann.username} hello`);
    const ann = await stage.seat({ login: login.ann, context: PHONE });
    await expectReachable(ann);
    await link(ann).tap();
    await soon(async () => (await entries(ann)).length).toBe(1);
    await ann.rooms.waitFor({ state: 'hidden' });
    await expectReachable(ann);
    await ann.page.getByTestId('home-place').tap();
    await ann.rooms.waitFor();
  });

  test('E is done with the entry that has the focus, and Undo takes it back; the header is done with all', async () => {
    const { login, says } = await conversation(stage);
    for (const content of ['one', 'two']) await says(`@${login.ann.username} ${content}`);
    const ann = await stage.seat({ login: login.ann, path: '/inbox' });
    await soon(async () => (await entries(ann)).length).toBe(2);
    const unread = async () => (await entries(ann)).filter((entry) => entry.startsWith('Unread')).length;
    const { keyboard } = ann.page;
    await ann.page.getByRole('heading', { level: 1 }).click();
    await keyboard.press('j');
    await keyboard.press('j');
    await keyboard.press('e');
    await soon(unread).toBe(1);
    await soon(() => badge(ann)).toEqual(['1']);
    await ann.button('Undo').click();
    await soon(unread).toBe(2);
    await ann.page.locator('[data-region=header]').getByRole('button', { name: 'Mark all read' }).click();
    await soon(unread).toBe(0);
    await ann.page.getByText('Marked 2 entries as read').waitFor();
    await soon(() => badge(ann)).toEqual([]);
  });

  test('the button of an entry leaves the focus in its row', async () => {
    const { login, says } = await conversation(stage);
    await says(`@${login.ann.username} hello`);
    const ann = await stage.seat({ login: login.ann, path: '/inbox' });
    await tabTo(ann, 'Mark as read');
    await ann.page.keyboard.press('Enter');
    await soon(async () => (await entries(ann))[0]).not.toContain('Unread');
    expect(await ann.page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe(
      'inbox-entry',
    );
  });

  test('a finger that draws an entry far to the left is done with it, and one that comes back is not', async () => {
    const { login, says } = await conversation(stage);
    await says(`@${login.ann.username} hello`);
    const ann = await stage.seat({ login: login.ann, path: '/inbox', context: PHONE });
    const entry = ann.page.getByTestId('inbox-entry');
    await entry.waitFor();
    const finger = await Finger.of(ann);
    const draw = async (...steps: number[]) => {
      await finger.down(entry, { x: 200, y: 0.3 });
      for (const x of steps) await finger.move(0, x);
    };
    const swiped = ann.page.getByTestId('swiped');
    // A finger that comes late counts as held, on a busy machine: it is put down again.
    await soon(async () => {
      await draw(-20, -15);
      if ((await swiped.count()) === 0) await finger.up();
      return await swiped.count();
    }).toBe(1);
    await finger.move(0, -50);
    await soon(() => swiped.getAttribute('data-far')).toBe('true');
    await finger.move(0, 70);
    await finger.up();
    await soon(() => swiped.count()).toBe(0);
    expect((await entries(ann))[0]).toContain('Unread');
    await soon(async () => {
      await draw(-20, -30, -30);
      await finger.up();
      return (await entries(ann))[0];
    }).not.toContain('Unread');
    expect(new URL(ann.page.url()).pathname).toBe('/inbox');
  });

  test('the filters show mentions, replies or invitations alone', async () => {
    const { login, says } = await conversation(stage);
    await says(`@${login.ann.username} hello`);
    const ann = await stage.seat({ login: login.ann, path: '/inbox' });
    await soon(async () => (await entries(ann)).length).toBe(1);
    await ann.button('Replies').click();
    await soon(async () => (await entries(ann)).length).toBe(0);
    await checkScreen(ann);
    await ann.button('Mentions').click();
    await soon(async () => (await entries(ann)).length).toBe(1);
  });
});

const link = ({ page }: Person) => page.getByTestId('inbox-place');

function badge({ page }: Person): Promise<string[]> {
  return page.getByTestId('inbox-count').allTextContents();
}

/** "ann mentioned you in lobby: hello", the latest first. */
async function entries({ page }: Person): Promise<string[]> {
  return await page.getByTestId('inbox-entry').evaluateAll((rows) =>
    rows.map((row) => {
      const [head, excerpt] = row.querySelectorAll('[dir=auto], span > span:has(time)');
      const sentence = head?.firstElementChild?.textContent;
      return `${sentence}: ${excerpt?.textContent}`;
    }),
  );
}

/** Ann and bo are in a room, where bo speaks. */
async function conversation(stage: Stage) {
  const login: Record<'ann' | 'bo', Login> = {
    ann: await stage.account('ann'),
    bo: await stage.account('bo'),
  };
  const room = await createRoom(stage.server, login.ann);
  await addMember(stage.server, login.ann, room.id, login.bo.userId);
  const says = async (content: string) => {
    const line = await RoomLine.enter(stage.server, login.bo, room.id);
    const ack = await line.post(content, content);
    await line.close();
    return ack;
  };
  return { login, room, says };
}
