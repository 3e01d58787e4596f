/** Two people in a room: one edits, reacts, deletes and pins, and the other sees it. */
import { expect, test } from 'vitest';
import { send } from '../support/http.ts';
import type { Login } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { holder, pressOn } from './message-focus.ts';
import type { Person } from './person.ts';
import { onStage, soon } from './stage.ts';
import { focusLast, two } from './two-people.ts';

onStage('changes of messages', (stage) => {
  test('an edit replaces the text for both, says so, and shows what was changed', async () => {
    const { ann, bo } = await two(stage);
    await ann.say('the meating is at ten');
    await bo.message('meating').waitFor();
    await ann.composer.press('ArrowUp');
    const editor = ann.page.getByRole('textbox', { name: 'Edit message' });
    await editor.waitFor();
    await editor.fill('the meeting is at ten');
    await checkScreen(ann);
    await editor.press('Enter');
    await soon(() => bo.contents()).toEqual(['the meeting is at ten']);
    await soon(() => ann.contents()).toEqual(['the meeting is at ten']);
    await bo.button('(edited)').click();
    const revisions = bo.page.getByTestId('revisions');
    await soon(() => revisions.locator('del').allTextContents()).toEqual(['meating']);
    expect(await revisions.locator('ins').allTextContents()).toEqual(['meeting']);
    await checkScreen(bo);
  });

  test('Escape leaves the editor; what was typed survives a reload and is continued', async () => {
    const { ann, room } = await two(stage);
    await ann.say('first');
    await ann.message('first').waitFor();
    await ann.composer.press('ArrowUp');
    const editor = ann.page.getByRole('textbox', { name: 'Edit message' });
    await editor.fill('first, half of a second');
    await ann.page.reload();
    await ann.isIn(room.name);
    await editor.waitFor();
    expect(await editor.inputValue()).toBe('first, half of a second');
    await editor.press('Escape');
    await soon(() => ann.contents()).toEqual(['first']);
    await ann.composer.press('ArrowUp');
    expect(await editor.inputValue()).toBe('first');
  });

  test('of more people than a message names, one is still known to be among them', async () => {
    const { ann, bo, room, other } = await two(stage);
    await ann.say('who comes?');
    const id = Number(await bo.message('who comes?').getAttribute('data-message-id'));
    const react = async ({ accessToken: token }: Login) => {
      const path = `/api/v1/rooms/${room.id}/messages/${id}/reactions/${encodeURIComponent('🎉')}`;
      expect((await send(stage.server, path, { method: 'PUT', token })).status).toBe(204);
    };
    for (let person = 0; person < 20; person++) await react(await stage.account('guest'));
    await react(other);
    const chip = (who: Person) => who.page.getByTestId('reaction');
    await soon(() => chip(bo).allTextContents()).toEqual(['🎉21']);
    await bo.page.reload();
    await soon(() => chip(bo).getAttribute('aria-pressed')).toBe('true');
    expect(await chip(ann).getAttribute('aria-pressed')).toBe('false');
    await chip(bo).click();
    await soon(() => chip(ann).allTextContents()).toEqual(['🎉20']);
    await soon(() => chip(bo).getAttribute('aria-pressed')).toBe('false');
    await chip(bo).click();
    await soon(() => chip(ann).allTextContents()).toEqual(['🎉21']);
    await soon(() => chip(bo).getAttribute('aria-pressed')).toBe('true');
  });

  test('a reaction is seen by both with who gave it, joined by a press, and taken back by another', async () => {
    const { ann, bo } = await two(stage);
    await ann.say('ship it?');
    await bo.message('ship it?').hover();
    await bo.button('React with 👍').click();
    const chip = (who: Person) => who.page.getByTestId('reaction');
    await soon(() => chip(ann).allTextContents()).toEqual(['👍1']);
    expect(await chip(ann).getAttribute('aria-pressed')).toBe('false');
    expect(await chip(bo).getAttribute('aria-pressed')).toBe('true');
    await chip(ann).click();
    await soon(() => chip(bo).allTextContents()).toEqual(['👍2']);
    await chip(bo).hover();
    await soon(() => bo.page.getByRole('tooltip').textContent()).toMatch(/^You and ann\S* reacted with 👍$/);
    await checkScreen(bo);
    await chip(ann).click();
    await chip(bo).click();
    await soon(() => chip(bo).count()).toBe(0);
    await soon(() => chip(ann).count()).toBe(0);
  });

  test('who reacted is said within the message, however narrow it is', async () => {
    const { ann, bo } = await two(stage);
    await ann.say('ship it?');
    await bo.message('ship it?').hover();
    for (const emoji of ['👍', '❤️', '😂']) await bo.button(`React with ${emoji}`).click();
    await soon(() => bo.page.getByTestId('reaction').count()).toBe(3);
    await bo.page.setViewportSize({ width: 320, height: 700 });
    await bo.page.getByTestId('reaction').last().hover();
    const tooltip = bo.page.getByRole('tooltip');
    await tooltip.waitFor();
    const [box, message] = await Promise.all([tooltip.boundingBox(), bo.message('ship it?').boundingBox()]);
    const end = (one: typeof box) => (one?.x ?? 0) + (one?.width ?? 0);
    expect(end(box)).toBeLessThanOrEqual(end(message));
  });

  test('the bar stays while its menu is open; the emoji open beside it, and it gets the focus back', async () => {
    const { ann, bo } = await two(stage);
    await ann.say('lunch');
    const more = bo.message('lunch').getByRole('button', { name: 'More' });
    const isFocused = () => more.evaluate((button) => button === document.activeElement);
    await bo.message('lunch').hover();
    await more.click();
    await bo.page.getByTestId('action-menu').hover();
    expect(await more.isVisible()).toBe(true);
    await bo.page.keyboard.press('Escape');
    await soon(isFocused).toBe(true);
    await more.click();
    await bo.page.getByRole('button', { name: 'Add reaction' }).last().click();
    const picker = bo.page.getByTestId('emoji-picker');
    await picker.waitFor();
    const [box, button] = await Promise.all([picker.boundingBox(), more.boundingBox()]);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeCloseTo((button?.x ?? 0) + (button?.width ?? 0), 0);
    await bo.page.keyboard.press('Escape');
    await soon(isFocused).toBe(true);
  });

  test('any emoji can be picked, and pressing one key opens the picker', async () => {
    const { ann, bo } = await two(stage);
    await ann.say('lunch');
    await ann.message('lunch').waitFor();
    await focusLast(bo);
    await bo.page.keyboard.press('+');
    await bo.page.getByTestId('emoji-picker').getByRole('gridcell').first().waitFor();
    await bo.page.keyboard.type('pizza');
    await soon(() => bo.page.getByRole('gridcell').count()).toBe(1);
    await bo.page.keyboard.press('Enter');
    await soon(() => ann.page.getByTestId('reaction').allTextContents()).toEqual(['🍕1']);
  });

  test('a deletion leaves a tombstone; Undo within its time brings the text back for good', async () => {
    // Her clock stands still, so the time to take it back does not run out.
    const { ann, bo } = await two(stage, { now: '2026-03-02T10:00:00Z' });
    await ann.say('a secret');
    await bo.message('a secret').waitFor();
    await focusLast(ann);
    await ann.page.keyboard.press('Delete');
    await ann.page.getByTestId('deleted-message').waitFor();
    expect(await bo.contents()).toEqual(['a secret']);
    // The toast covers neither the message nor the composer: a click reaches the tombstone's own Undo.
    await ann.page
      .getByTestId('deleted-message')
      .getByRole('button', { name: 'Undo' })
      .click({ trial: true });
    await ann.composer.click({ trial: true });
    await ann.page.getByTestId('toasts').getByRole('button', { name: 'Undo' }).click();
    await soon(() => ann.contents()).toEqual(['a secret']);
    await focusLast(ann);
    await ann.page.keyboard.press('Delete');
    // It is not due yet, and the page goes away.
    await ann.page.goto('about:blank');
    await bo.page.getByTestId('deleted-message').waitFor();
    await soon(() => bo.contents()).toEqual([]);
    await checkScreen(bo);
  });

  test('what had the focus before Undo has it again', async () => {
    const { ann } = await two(stage);
    await ann.say('oops');
    await ann.message('oops').waitFor();
    await pressOn(ann, 'oops', 'Delete');
    const undo = ann.page.getByTestId('toasts').getByRole('button', { name: 'Undo' });
    await undo.focus();
    await ann.page.keyboard.press('Enter');
    await soon(() => ann.contents()).toEqual(['oops']);
    await soon(() => holder(ann)).toBe('oops');
  });

  test('a pinned message says so to both, until it is unpinned', async () => {
    const { ann, bo } = await two(stage);
    await ann.say('the address is 5 Main St');
    await ann.message('the address').waitFor();
    await focusLast(ann);
    await ann.page.keyboard.press('p');
    await bo.page.getByText('Pinned', { exact: true }).waitFor();
    await bo.message('the address').hover();
    await bo.button('More').click();
    await checkScreen(bo);
    await bo.button('Unpin P').click();
    await soon(() => ann.page.getByText('Pinned', { exact: true }).count()).toBe(0);
  });

  test('keys copy the text and the link, save, and mark as unread', async () => {
    const { ann, bo, room } = await two(stage);
    await bo.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = () => bo.page.evaluate(() => navigator.clipboard.readText());
    await ann.say('one');
    await ann.say('two');
    await bo.message('two').waitFor();
    await focusLast(bo);
    await bo.page.keyboard.press('c');
    await soon(copied).toBe('two');
    await bo.page.keyboard.press('l');
    const id = await bo.message('two').getAttribute('data-message-id');
    await soon(copied).toBe(`${new URL(bo.page.url()).origin}/rooms/${room.id}/m/${id}`);
    await bo.page.keyboard.press('s');
    await bo.page.getByText('Saved for later').waitFor();
    await bo.page.keyboard.press('u');
    await soon(() => bo.roomRow(room.name).getByTestId('room-unread').textContent()).toContain('1');
    // What is typed elsewhere still goes to the composer.
    await bo.page.keyboard.press('x');
    expect(await bo.composer.inputValue()).toBe('x');
  });

  test('others cannot edit or delete it, and keys that would do nothing go to the composer', async () => {
    const { ann, bo } = await two(stage);
    await ann.say('mine');
    await bo.message('mine').hover();
    expect(await bo.button('Edit').count()).toBe(0);
    await focusLast(bo);
    await bo.page.keyboard.press('e');
    expect(await bo.composer.inputValue()).toBe('e');
  });
});
