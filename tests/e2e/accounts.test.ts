/** Signing up, in and out: what the two forms say, and what the browser keeps. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD, uniqueName } from '../support/users.ts';
import { REFUSED } from './console-watch.ts';
import { onStage, soon } from './stage.ts';

onStage('accounts', (stage) => {
  test('after signing up you are in', async () => {
    const ann = await stage.seat();
    const name = uniqueName('ann');
    await ann.signUp(name, PASSWORD);
    await ann.rooms.waitFor();
    expect(await ann.me.textContent()).toContain(name);
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

  test('who has an account signs in with it, and a reload asks for nothing again', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat();
    await ann.signIn(login.username, login.password);
    await ann.rooms.waitFor();
    await ann.page.reload();
    await ann.rooms.waitFor();
    expect(await ann.me.textContent()).toContain(login.username);
  });

  test('a wrong password is told beside the field, and what was typed stays', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat();
    ann.console.expect(REFUSED);
    await ann.signIn(login.username, 'not the password');
    await soon(() => describedBy(ann.password)).toBe('This username and password do not match.');
    expect(await ann.password.getAttribute('aria-invalid')).toBe('true');
    expect(await ann.username.inputValue()).toBe(login.username);
    await ann.signIn(login.username, login.password);
    await ann.rooms.waitFor();
  });

  test('a taken name is told beside the field, in any spelling', async () => {
    const login = await stage.account('ann');
    const other = await stage.seat();
    other.console.expect(REFUSED);
    await other.signUp(login.username.toUpperCase(), PASSWORD);
    await soon(() => describedBy(other.username)).toMatch(/already has this name/);
    expect(await other.username.getAttribute('aria-invalid')).toBe('true');
  });

  test('the rules are shown before they are broken, and what breaks them is not sent', async () => {
    const ann = await stage.seat();
    await ann.page.getByRole('tab', { name: 'Sign up' }).click();
    expect(await describedBy(ann.username)).toMatch(/2–64 characters/);
    expect(await describedBy(ann.password)).toMatch(/8–128 characters/);
    const requests: string[] = [];
    ann.page.on('request', (request) => requests.push(request.url()));
    await ann.signUp('a', 'short');
    await soon(() => describedBy(ann.username)).toMatch(/2 to 64/);
    expect(await describedBy(ann.password)).toMatch(/8 to 128/);
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

  test('too many tries count down to the next one', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat();
    ann.console.expect(REFUSED);
    const submit = ann.page.locator('button[type=submit]');
    for (let tries = 0; tries < 11; tries++) {
      const answered = ann.page.waitForResponse(/\/auth\/login$/);
      await ann.password.fill(`wrong password ${tries}`);
      await ann.username.fill(login.username);
      await submit.click();
      if ((await answered).status() === 429) break;
    }
    await soon(() => submit.textContent()).toMatch(/^Try again in \d+ s$/);
    expect(await submit.isDisabled()).toBe(true);
  });
});

/** The text beneath a field, as a screen reader finds it. */
async function describedBy(field: Locator): Promise<string | null> {
  return await field.evaluate((input) => {
    const id = input.getAttribute('aria-describedby');
    return id === null ? null : (document.getElementById(id)?.textContent ?? null);
  });
}
