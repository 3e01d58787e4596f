/** Signing up, in and out: what the two forms say, and what the browser keeps. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { post } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, PASSWORD, signUp, uniqueName } from '../support/users.ts';
import { REFUSED } from './console-watch.ts';
import { onStage, soon } from './stage.ts';

onStage('accounts', (stage) => {
  test('signing up leads straight into the client', async () => {
    const ann = await stage.seat();
    const name = uniqueName('ann');
    await ann.signUp(name, PASSWORD);
    await ann.rooms.waitFor();
    expect(await ann.me.textContent()).toContain(name);
  });

  test('a new account lands in the room that every new user joins', async () => {
    await using server = await ServerProcess.start();
    await createRoom(server, await signUp(server, uniqueName('owner')), 'Everybody');
    const ann = await stage.seat({ origin: server.url });
    await ann.signUp(uniqueName('ann'), PASSWORD);
    await ann.isIn('Everybody');
  });

  test('the browser keeps the pair under chat_access and chat_refresh, the user under chat_user', async () => {
    const ann = await stage.seat();
    const name = uniqueName('ann');
    await ann.signUp(name, PASSWORD);
    await ann.rooms.waitFor();
    expect(await ann.stored('chat_access')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(await ann.stored('chat_refresh')).not.toBeNull();
    expect(JSON.parse((await ann.stored('chat_user')) ?? '')).toEqual({
      id: expect.any(Number),
      username: name,
    });
  });

  test('a user signs in with an account, and stays signed in after a reload', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat();
    await ann.signIn(login.username, login.password);
    await ann.rooms.waitFor();
    await ann.page.reload();
    await ann.rooms.waitFor();
    expect(await ann.me.textContent()).toContain(login.username);
  });

  test('a wrong password is reported beside the field, and the input stays', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat();
    ann.console.expect(REFUSED);
    await ann.signIn(login.username, 'not the password');
    await soon(() => describedBy(ann.password)).toBe('Wrong username or password.');
    expect(await ann.password.getAttribute('aria-invalid')).toBe('true');
    expect(await ann.username.inputValue()).toBe(login.username);
    await ann.signIn(login.username, login.password);
    await ann.rooms.waitFor();
  });

  test('a taken name is reported beside the field, in any spelling', async () => {
    const login = await stage.account('ann');
    const other = await stage.seat();
    other.console.expect(REFUSED);
    await other.signUp(login.username.toUpperCase(), PASSWORD);
    await soon(() => describedBy(other.username)).toMatch(/That name, or one too similar, is taken/);
    expect(await other.username.getAttribute('aria-invalid')).toBe('true');
  });

  test('a taken name offers to sign in instead, with the same input', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat();
    ann.console.expect(REFUSED);
    await ann.signUp(login.username, login.password);
    await ann.button('Sign in instead').click();
    expect(await ann.username.inputValue()).toBe(login.username);
    await soon(() => ann.password.evaluate((field) => field === document.activeElement)).toBe(true);
    await ann.password.press('Enter');
    await ann.rooms.waitFor();
  });

  test('the rules are shown before they are broken, and input that breaks them is not sent', async () => {
    const ann = await stage.seat();
    await ann.choose('Sign up');
    expect(await describedBy(ann.username)).toMatch(/2–64 characters/);
    expect(await describedBy(ann.password)).toMatch(/8–128 characters/);
    const requests: string[] = [];
    ann.page.on('request', (request) => requests.push(request.url()));
    await ann.signUp('a', 'short');
    await soon(() => describedBy(ann.username)).toMatch(/Use 2–64/);
    expect(await describedBy(ann.password)).toMatch(/Use 8–128/);
    expect(requests).toEqual([]);
  });

  test('signing out forgets the tokens and everything kept for the user', async () => {
    const ann = await stage.seat({ login: await stage.account('ann') });
    await ann.createRoom(uniqueName('room'));
    await ann.composer.fill('half a thought');
    await soon(() => ann.stored('chat_last_room')).not.toBeNull();
    await ann.signOut();
    const left = await ann.page.evaluate(() => Object.values({ ...localStorage }).join());
    expect(left).not.toContain('half a thought');
    for (const key of ['chat_access', 'chat_refresh', 'chat_user', 'chat_last_room']) {
      expect(await ann.stored(key)).toBeNull();
    }
  });

  test('after too many attempts the form says why and counts down the wait; then it works again', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat();
    ann.console.expect(REFUSED);
    await ann.page.clock.install();
    await ann.page.reload();
    await ann.choose('Sign in');
    const { submit } = ann;
    // At once: tries that are slow, as by hand on a busy machine, are never too many.
    const wrong = { username: login.username, password: 'wrong password' };
    await Promise.all(Array.from({ length: 12 }, () => post(stage.server, '/api/v1/auth/login', wrong)));
    // From here on time stands still until the test lets it pass.
    await ann.page.clock.pauseAt(Date.now() + 60_000);
    for (let tries = 0; tries < 11; tries++) {
      const answered = ann.page.waitForResponse(/\/auth\/login$/);
      await ann.password.fill(`wrong password ${tries}`);
      await ann.username.fill(login.username);
      await submit.click();
      if ((await answered).status() === 429) break;
    }
    const message = ann.page.getByTestId('too-many').locator('p[aria-hidden]');
    await soon(() => message.textContent()).toMatch(/^Too many tries\. Try again in \d+ s\.$/);
    expect(await submit.isDisabled()).toBe(true);
    const secondsLeft = async () => Number(/\d+/.exec((await message.textContent()) ?? '')?.[0]);
    const before = await secondsLeft();
    const passes = () => ann.page.clock.runFor(250);
    await soon(() => passes().then(secondsLeft)).toBe(before - 1);
    expect(await ann.username.inputValue()).toBe(login.username);
    await soon(() => passes().then(() => submit.isEnabled())).toBe(true);
    expect(await message.count()).toBe(0);
  });

  test('a first visitor joins the server by its name; a returning one is welcomed back', async () => {
    const ann = await stage.seat();
    await ann.page.getByRole('heading', { level: 1, name: 'Join Roomful' }).waitFor();
    expect(await ann.page.getByText('Welcome back').count()).toBe(0);
    await ann.signUp(uniqueName('ann'), PASSWORD);
    await ann.rooms.waitFor();
    await ann.signOut();
    await ann.page.getByText('Welcome back').waitFor();
    await ann.page.reload();
    await ann.page.getByRole('heading', { level: 1, name: 'Sign in to Roomful' }).waitFor();
    await ann.page.getByText('Welcome back').waitFor();
  });

  test('password managers know which fields are which, and a password can be shown', async () => {
    const ann = await stage.seat();
    await ann.isOutside();
    expect(await ann.username.getAttribute('autocomplete')).toBe('username');
    expect(await ann.password.getAttribute('autocomplete')).toBe('new-password');
    await ann.choose('Sign in');
    await soon(() => ann.password.getAttribute('autocomplete')).toBe('current-password');
    await ann.password.fill('correct horse');
    await ann.button('Show password').click();
    expect(await ann.password.getAttribute('type')).toBe('text');
    await ann.button('Hide password').click();
    expect(await ann.password.getAttribute('type')).toBe('password');
  });

  test('Caps Lock is reported while a password is typed', async () => {
    const ann = await stage.seat();
    await ann.isOutside();
    await ann.password.focus();
    const press = (capsLock: boolean) =>
      ann.password.evaluate((field, on) => {
        const event = { key: 'A', bubbles: true, modifierCapsLock: on };
        field.dispatchEvent(new KeyboardEvent('keydown', event));
      }, capsLock);
    await press(true);
    await ann.page.getByText('Caps Lock is on').waitFor();
    await press(false);
    await soon(() => ann.page.getByText('Caps Lock is on').count()).toBe(0);
  });
});

/** The text beneath a field, as a screen reader finds it. */
async function describedBy(field: Locator): Promise<string | null> {
  return await field.evaluate((input) => {
    const id = input.getAttribute('aria-describedby');
    return id === null ? null : (document.getElementById(id)?.textContent ?? null);
  });
}
