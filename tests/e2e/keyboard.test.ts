/** Without a pointer: everything that the first form can do, by keys alone. */
import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { createRoom, uniqueName } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { checkScreen } from './check-screen.ts';
import { focused, region, tabTo } from './focus.ts';
import { onStage, soon } from './stage.ts';

onStage('keyboard alone', (stage) => {
  test('sign in, make a room, write, change the theme, sign out', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat();
    const { keyboard } = ann.page;
    await ann.isOutside();
    await soon(() => focused(ann)).toBe('Username');
    await tabTo(ann, 'Sign in');
    await keyboard.press('Enter');
    await ann.form('Sign in').waitFor();
    expect(await focused(ann)).toBe('Username');
    await keyboard.type(login.username);
    await keyboard.press('Tab');
    expect(await focused(ann)).toBe('Password');
    await keyboard.type(login.password);
    await keyboard.press('Enter');
    await ann.rooms.waitFor();

    const room = uniqueName('room');
    await tabTo(ann, 'New');
    await keyboard.press('Enter');
    await soon(() => focused(ann)).toBe('New message');
    await keyboard.press('ArrowDown');
    expect(await focused(ann)).toBe('New room');
    await keyboard.press('Enter');
    await soon(() => focused(ann)).toBe('Room name');
    await keyboard.type(room);
    await keyboard.press('Enter');
    await ann.isIn(room);
    await soon(() => focused(ann)).toBe('Message');
    await keyboard.type('written without a mouse');
    await keyboard.press('Enter');
    await ann.message('written without a mouse').waitFor();
    expect(await focused(ann)).toBe('Message');

    await tabTo(ann, /Account menu/);
    await keyboard.press('Enter');
    await ann.button('Sign out').waitFor();
    await tabTo(ann, 'Auto');
    await keyboard.press('ArrowRight');
    expect(await ann.page.getByRole('radio', { name: 'Light' }).isChecked()).toBe(true);
    await tabTo(ann, 'Sign out');
    await keyboard.press('Enter');
    await ann.isOutside();
  });

  test('sign up: there and back from the other form, and every field and button is reachable', async () => {
    const ann = await stage.seat();
    const { keyboard } = ann.page;
    await ann.isOutside();
    await soon(() => focused(ann)).toBe('Username');
    const name = uniqueName('ann');
    await keyboard.type(name);
    await tabTo(ann, 'Sign in');
    await keyboard.press('Enter');
    await ann.form('Sign in').waitFor();
    // What was typed stays, and one goes on at what is missing.
    expect(await ann.username.inputValue()).toBe(name);
    expect(await focused(ann)).toBe('Password');
    await tabTo(ann, 'Create account');
    await keyboard.press('Enter');
    await ann.form('Sign up').waitFor();
    expect(await focused(ann)).toBe('Password');
    await keyboard.type('correct horse battery');
    await keyboard.press('Tab');
    expect(await focused(ann)).toBe('Show password');
    await keyboard.press('Enter');
    expect(await ann.password.getAttribute('type')).toBe('text');
    await tabTo(ann, 'Create account');
    await keyboard.press('Enter');
    await ann.rooms.waitFor();
    expect(await ann.me.textContent()).toContain(name);
  });

  test('rooms are reached by Tab and opened by Enter; the timeline can be scrolled', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login });
    const { keyboard } = ann.page;
    await ann.roomRow(room.name).waitFor();
    await tabTo(ann, new RegExp(room.name));
    await keyboard.press('Enter');
    await ann.isIn(room.name);
    // Empty, it is a stop itself.
    await tabTo(ann, `Messages in ${room.name}`);

    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    for (let n = 1; n <= 60; n++) bo.send({ type: 'message', content: `message ${n}` });
    await ann.message('message 60').waitFor();
    const scrolled = () => ann.log.evaluate((box) => box.scrollTop);
    // It follows its end. A message that gets the focus on the way would hold it.
    await soon(() => ann.log.evaluate((box) => box.scrollTop + box.clientHeight > box.scrollHeight - 2)).toBe(
      true,
    );
    await tabTo(ann, /message 60/);
    const end = await scrolled();
    await keyboard.press('Home');
    await soon(scrolled).toBe(0);
    await keyboard.press('End');
    await soon(scrolled).toBe(end);
    // Last, as the browser takes its time for it and is not to be interrupted.
    await keyboard.press('PageUp');
    await soon(scrolled).toBeLessThan(end);
  });

  test('"New" opens its menu even if its items are not loaded yet, and their first takes the focus', async () => {
    const ann = await stage.seat({ login: await stage.account('ann'), worker: false });
    const held: Route[] = [];
    await ann.page.route(/NewMenuItems[^/]*\.js$/, (route) => void held.push(route));
    await ann.page.reload();
    await ann.rooms.waitFor();
    await soon(async () => held.length).toBe(1);
    await ann.new.click();
    const menu = ann.page.getByRole('menu', { name: 'New' });
    await soon(() => menu.evaluate((element) => element.matches(':popover-open'))).toBe(true);
    for (const route of held) await route.continue();
    await soon(() => focused(ann)).toBe('New message');
  });

  test('Escape closes the dialog and the menu, and returns the focus', async () => {
    const ann = await stage.seat({ login: await stage.account('ann') });
    await ann.rooms.waitFor();
    await tabTo(ann, 'New');
    await ann.page.keyboard.press('Enter');
    await soon(() => focused(ann)).toBe('New message');
    await ann.page.keyboard.press('End');
    await ann.page.keyboard.press('ArrowUp');
    await ann.page.keyboard.press('Enter');
    await ann.dialog.waitFor();
    await ann.page.keyboard.press('Escape');
    await ann.dialog.waitFor({ state: 'hidden' });
    expect(await focused(ann)).toBe('New');
    await ann.page.keyboard.press('Enter');
    await soon(() => focused(ann)).toBe('New message');
    await ann.page.keyboard.press('Escape');
    expect(await focused(ann)).toBe('New');

    await tabTo(ann, /Account menu/);
    await ann.page.keyboard.press('Enter');
    await ann.button('Sign out').waitFor();
    await ann.page.keyboard.press('Escape');
    await ann.button('Sign out').waitFor({ state: 'hidden' });
    expect(await focused(ann)).toMatch(/Account menu/);
  });

  test('Alt and arrows move between rooms, with Shift between unread rooms', async () => {
    const login = await stage.account('ann');
    const made: RoomAt[] = [];
    for (const name of ['low', 'quiet', 'middle', 'top']) {
      made.push(await createRoom(stage.server, login, uniqueName(name)));
    }
    const [low, , middle, top] = made as unknown as [RoomAt, RoomAt, RoomAt, RoomAt];
    const ann = await stage.seat({ login });
    await ann.rooms.waitFor();
    await ann.page.goto(`/rooms/${top.id}`);
    await ann.isIn(top.name);
    const { keyboard } = ann.page;
    await keyboard.press('Alt+ArrowDown');
    await ann.isIn(middle.name);
    await soon(() => focused(ann)).toBe('Message');
    await keyboard.press('Alt+ArrowUp');
    await ann.isIn(top.name);

    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), low.id);
    bo.send({ type: 'message', content: 'unread' });
    await bo.waitFor('message');
    await ann.refreshRooms();
    await ann.roomRow(low.name).getByTestId('room-unread').waitFor();
    await keyboard.press('Alt+Shift+ArrowDown');
    await ann.isIn(low.name);
  });

  test('F6 moves through the panes, Shift F6 back, Escape to the composer', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: `/rooms/${room.id}/people` });
    await ann.isIn(room.name);
    const { keyboard } = ann.page;
    await soon(() => focused(ann)).toBe('Message');
    const stops = [];
    for (let index = 0; index < 5; index++) {
      await keyboard.press('F6');
      stops.push(await region(ann));
    }
    expect(stops).toEqual(['people', 'rooms', 'header', 'timeline', 'composer']);
    await keyboard.press('Shift+F6');
    expect(await region(ann)).toBe('timeline');
    await keyboard.press('Escape');
    expect(await focused(ann)).toBe('Message');
  });

  test('Ctrl / lists the shortcuts, those on a message too; Escape closes the list and returns the focus', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: `/rooms/${room.id}` });
    await ann.isIn(room.name);
    await soon(() => focused(ann)).toBe('Message');
    await ann.page.keyboard.press('Control+/');
    const help = ann.page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const everywhere = ['Next unread room', 'Bold', 'Italic', 'Code', 'Previous or next entry of the inbox'];
    const onMessages = [
      'Edit your last message, from an empty box',
      'Reply',
      'Thread',
      'Pin to room',
      'Delete',
    ];
    for (const name of [...everywhere, ...onMessages]) {
      await help.getByText(name, { exact: true }).waitFor();
    }
    await checkScreen(ann);
    await ann.page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
    expect(await focused(ann)).toBe('Message');
  });

  test('joining a room leads to its message box', async () => {
    const owner = await stage.account('bo');
    await createRoom(stage.server, owner);
    const room = await createRoom(stage.server, owner);
    const ann = await stage.seat({ login: await stage.account('ann'), path: `/rooms/${room.id}` });
    await ann.isIn(room.name);
    await tabTo(ann, 'Join');
    await ann.page.keyboard.press('Enter');
    await ann.page.getByTestId('not-member').waitFor({ state: 'detached' });
    await soon(() => focused(ann)).toBe('Message');
  });

  test('a dialog opened from the menu returns the focus to the button of the menu', async () => {
    const ann = await stage.seat({ login: await stage.account('ann') });
    await ann.rooms.waitFor();
    const { keyboard } = ann.page;
    const help = ann.page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const menuItem = ann.page.getByRole('button', { name: /^Keyboard shortcuts/ });
    for (const open of [() => keyboard.press('Enter'), () => menuItem.click()]) {
      await tabTo(ann, /Account menu/);
      await keyboard.press('Enter');
      await menuItem.waitFor();
      await tabTo(ann, /^Keyboard shortcuts/);
      await open();
      await help.waitFor();
      await keyboard.press('Escape');
      await help.waitFor({ state: 'hidden' });
      await soon(() => focused(ann)).toMatch(/Account menu/);
    }
    await keyboard.press('Enter');
    await menuItem.waitFor();
    await tabTo(ann, 'Sign out');
    await keyboard.press('Control+k');
    await soon(() => focused(ann)).toBe('Jump to a room or run a command');
    await keyboard.press('Escape');
    await soon(() => focused(ann)).toMatch(/Account menu/);
  });

  test('typing is never lost: a key that writes goes to the composer, wherever the focus is', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: `/rooms/${room.id}` });
    await ann.isIn(room.name);
    const { keyboard } = ann.page;
    await ann.say('a message');
    await ann.message('a message').getByTestId('message-content').click();
    await keyboard.type('after a click');
    await soon(() => ann.composer.inputValue()).toBe('after a click');
    await ann.page.getByRole('heading', { level: 1 }).getByRole('button').click();
    await ann.button('Copy invite link').last().click();
    await keyboard.type(', after a button');
    await soon(() => ann.composer.inputValue()).toBe('after a click, after a button');
    // A field, a menu and a dialog keep their keys.
    await ann.search.focus();
    await keyboard.type('x');
    await soon(() => ann.switcher.getByRole('combobox').inputValue()).toBe('x');
    await keyboard.press('Escape');
    await ann.me.click();
    await ann.page.getByRole('radio', { name: 'Auto' }).focus();
    await keyboard.type('y');
    await keyboard.press('Escape');
    expect(await ann.composer.inputValue()).toBe('after a click, after a button');
  });

  test('after signing in, the search field has the focus where no room is open', async () => {
    const login = await stage.account('ann');
    await createRoom(stage.server, login);
    const ann = await stage.seat();
    await ann.signIn(login.username, login.password);
    await ann.rooms.waitFor();
    await soon(() => focused(ann)).toBe('Search or jump');
  });

  test('Tab out of the account menu closes it', async () => {
    const ann = await stage.seat({ login: await stage.account('ann') });
    await ann.rooms.waitFor();
    await tabTo(ann, /Account menu/);
    await ann.page.keyboard.press('Enter');
    await ann.button('Sign out').waitFor();
    await tabTo(ann, 'Sign out');
    await ann.page.keyboard.press('Tab');
    await ann.button('Sign out').waitFor({ state: 'hidden' });
    expect(await focused(ann)).not.toBe('');
  });

  test('an input method that is composing keeps its Enter', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: `/rooms/${room.id}` });
    await ann.isIn(room.name);
    const devtools = await ann.page.context().newCDPSession(ann.page);
    await ann.composer.focus();
    await devtools.send('Input.imeSetComposition', { text: 'ni hao', selectionStart: 6, selectionEnd: 6 });
    // The Enter that picks a word never reaches the text.
    await devtools.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: 'Enter',
      code: 'Enter',
      windowsVirtualKeyCode: 229,
    });
    expect(await ann.pending.count()).toBe(0);
    expect(await ann.composer.inputValue()).toBe('ni hao');
    await devtools.send('Input.insertText', { text: '你好' });
    await ann.page.keyboard.press('Enter');
    await soon(() => ann.contents()).toEqual(['你好']);
  });
});

interface RoomAt {
  readonly id: number;
  readonly name: string;
}
