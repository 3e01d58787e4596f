/** A room that changes, or is closed, while somebody has it open: what they see, and what they were writing. */
import { expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { createRoom, type Login } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { REFUSED } from './console-watch.ts';
import { holder, pressOn } from './message-focus.ts';
import type { Person } from './person.ts';
import { PHONE } from './phone.ts';
import { onStage, type Stage, soon } from './stage.ts';
import { two } from './two-people.ts';

const CLIPBOARD = { context: { permissions: ['clipboard-read', 'clipboard-write'] } };

onStage('a room that changes while it is open', (stage) => {
  test('its name, topic and archiving are in sight with their notice, for members and for others', async () => {
    const { ann, bo, room, login } = await two(stage);
    const visitor = await stage.account('guest');
    const left = `/api/v1/rooms/${room.id}/members/${visitor.userId}`;
    await send(stage.server, left, { method: 'DELETE', token: visitor.accessToken });
    const guest = await stage.seat({ login: visitor, path: `/rooms/${room.id}` });
    await guest.isIn(room.name);
    // The list of all rooms, which is fetched again and again, says nothing new.
    for (const { page } of [bo, guest]) await page.route('**/api/v1/rooms?*', (route) => route.abort());
    for (const each of [bo, guest]) each.console.expect(/Failed to load resource/);
    const name = `${room.name} renamed`;
    await patch(stage, login, room.id, { name, topic: 'What we do' });
    for (const person of [ann, bo, guest]) {
      await soon(() => person.page.title()).toBe(`${name} · Roomful`);
      expect(await person.page.getByRole('heading', { level: 1 }).textContent()).toContain(name);
      expect(await person.composer.getAttribute('placeholder')).toContain(name);
      await person.page.locator('[data-region=header]').getByText('What we do').waitFor();
    }
    for (const person of [ann, bo]) expect(await person.roomRow(name).count()).toBe(1);
    await bo.composer.fill('half a thought');
    await patch(stage, login, room.id, { archived: true });
    for (const person of [ann, bo, guest]) await soon(() => person.composer.count()).toBe(0);
    // The draft stays, to be copied.
    expect(await kept(bo)).toEqual(['half a thought']);
    expect(await kept(ann)).toEqual([]);
    await checkScreen(bo);
    await patch(stage, login, room.id, { archived: false });
    await soon(() => bo.composer.inputValue()).toBe('half a thought');
    expect(await kept(bo)).toEqual([]);
  });

  test('removed, deleted, left elsewhere, made private: it says which, without the name, with what one was writing', async () => {
    const { ann, bo, room, login, other } = await two(stage, {}, CLIPBOARD);
    for (const person of [ann, bo]) person.console.expect(REFUSED);
    const member = `/api/v1/rooms/${room.id}/members/${other.userId}`;
    await patch(stage, login, room.id, { kind: 'private' });
    await ann.say('the plan');
    await bo.message('the plan').waitFor();
    await bo.composer.fill('half a thought');
    await pressOn(bo, 'the plan', 't');
    await bo.page.getByRole('textbox', { name: 'Reply in this thread' }).fill('half a reply');

    expect((await send(stage.server, member, { method: 'DELETE', token: login.accessToken })).status).toBe(
      204,
    );
    await says(bo, 'You were removed from this room', room.name);
    expect(await bo.page.getByTestId('thread-panel').count()).toBe(0);
    expect(await kept(bo)).toEqual(['half a thought', 'half a reply']);
    await bo.page.getByTestId('kept-text').first().getByRole('button', { name: 'Copy text' }).click();
    await soon(() => bo.page.evaluate(() => navigator.clipboard.readText())).toBe('half a thought');
    await checkScreen(bo);

    // Let in again, one is back without a click.
    const put = () => send(stage.server, member, { method: 'PUT', token: login.accessToken, json: {} });
    expect((await put()).status).toBeLessThan(300);
    await bo.isIn(room.name);
    expect(await bo.composer.inputValue()).toBe('half a thought');
    expect((await send(stage.server, member, { method: 'DELETE', token: other.accessToken })).status).toBe(
      204,
    );
    await says(bo, 'You left this room', room.name);

    await bo.button('Go to your rooms').click();
    await soon(() => bo.page.getByTestId('room-gone').count()).toBe(0);
    expect((await put()).status).toBeLessThan(300);
    await bo.openRoom(room.name);
    await send(stage.server, `/api/v1/rooms/${room.id}`, { method: 'DELETE', token: login.accessToken });
    for (const person of [ann, bo]) await says(person, 'This room was deleted', room.name);

    // A user who signs up while there is a default room is a member of it.
    const visitor = await stage.account('guest');
    const open = await createRoom(stage.server, login);
    const guest = await stage.seat({ login: visitor, path: `/rooms/${open.id}`, context: PHONE });
    guest.console.expect(REFUSED);
    await guest.isIn(open.name);
    await guest.composer.fill('may I?');
    await patch(stage, login, open.id, { kind: 'private' });
    await says(guest, 'This room is private now', open.name);
    expect(await kept(guest)).toEqual(['may I?']);
    await checkScreen(guest);
    // It is what one who never saw it is told.
    await guest.page.reload();
    await says(guest, "This room doesn't exist", open.name);
  });
});

onStage('an edit that cannot be saved any more', (stage) => {
  test('deleted meanwhile, by whomever: what was typed stays, can be copied, and is not opened where nothing was typed', async () => {
    const { ann, bo, login, room } = await two(stage, CLIPBOARD);
    await ann.say('first');
    await ann.say('second');
    await bo.message('second').waitFor();
    await soon(() => ann.pending.count()).toBe(0);
    await ann.composer.press('ArrowUp');
    await editor(ann).press('End');
    await ann.page.keyboard.type(' LONG');
    await remove(stage, ann, room.id, login, 'second');
    await ann.page.getByTestId('deleted-message').waitFor();
    await ann.page.getByTestId('editor').getByText('This message was deleted meanwhile.').waitFor();
    // One types on, and Enter loses nothing.
    await ann.page.keyboard.type(' EDIT');
    await ann.page.keyboard.press('Enter');
    expect(await editor(ann).inputValue()).toBe('second LONG EDIT');
    await checkScreen(ann);
    await ann.page.reload();
    await soon(() => editor(ann).inputValue()).toBe('second LONG EDIT');
    await ann.page.getByTestId('editor').getByRole('button', { name: 'Copy text' }).click();
    await soon(() => ann.page.evaluate(() => navigator.clipboard.readText())).toBe('second LONG EDIT');
    await ann.button('Close').click();
    await soon(() => holder(ann)).toBe('Message');
    expect(await editor(ann).count()).toBe(0);

    // Nothing was typed: nothing of the deleted text stays in sight.
    await ann.composer.press('ArrowUp');
    await soon(() => editor(ann).inputValue()).toBe('first');
    await remove(stage, ann, room.id, login, 'first');
    await soon(() => editor(ann).count()).toBe(0);
    await soon(() => holder(ann)).toBe('Message');
    await soon(() => bo.contents()).toEqual([]);
  });

  test('archived, or removed from the room: what was typed stays', async () => {
    const { ann, bo, login, other, room } = await two(stage);
    bo.console.expect(REFUSED);
    await bo.say('mine');
    await ann.message('mine').waitFor();
    await soon(() => bo.pending.count()).toBe(0);
    await bo.composer.press('ArrowUp');
    await editor(bo).press('End');
    await bo.page.keyboard.type(' and more');
    await patch(stage, login, room.id, { archived: true });
    await bo.page.getByTestId('editor').getByText('This room is archived.').waitFor();
    await bo.page.keyboard.press('Enter');
    expect(await editor(bo).inputValue()).toBe('mine and more');
    await patch(stage, login, room.id, { archived: false });
    await bo.page.getByTestId('editor').getByText('Enter saves').waitFor();
    const member = `/api/v1/rooms/${room.id}/members/${other.userId}`;
    expect((await send(stage.server, member, { method: 'DELETE', token: login.accessToken })).status).toBe(
      204,
    );
    await says(bo, 'You were removed from this room', room.name);
    expect(await kept(bo)).toEqual(['mine and more']);
  });

  test('emptied: it says why it cannot be saved, and Enter twice deletes the message', async () => {
    const { ann, bo } = await two(stage);
    await ann.say('a word too much');
    await bo.message('a word').waitFor();
    await soon(() => ann.pending.count()).toBe(0);
    await ann.composer.press('ArrowUp');
    await editor(ann).fill(' ');
    await ann.page.getByTestId('editor').getByText("A message can't be empty.").waitFor();
    await checkScreen(ann);
    await ann.page.keyboard.press('Enter');
    expect(await holder(ann)).toBe('Delete message');
    await ann.page.keyboard.press('Escape');
    expect(await holder(ann)).toBe('Message');
    expect(await ann.contents()).toEqual(['a word too much']);
    await ann.composer.press('ArrowUp');
    await editor(ann).fill('');
    await ann.page.keyboard.press('Enter');
    await ann.page.keyboard.press('Enter');
    await ann.page.getByTestId('deleted-message').waitFor();
    await soon(() => holder(ann)).toBe('Message');
    await ann.page.getByTestId('toasts').getByRole('button', { name: 'Undo' }).click();
    await soon(() => ann.contents()).toEqual(['a word too much']);
  });
});

const editor = ({ page }: Person) => page.getByRole('textbox', { name: 'Edit message' });

/** What was being written, where it cannot be sent any more. */
const kept = ({ page }: Person) => page.getByTestId('kept-text').locator('blockquote').allTextContents();

async function says({ page }: Person, title: string, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await soon(() => page.title()).toMatch(/^(\(\d+\) )?Roomful$/);
  expect(await page.getByTestId('room-gone').textContent()).not.toContain(name);
}

async function patch(
  stage: Stage,
  { accessToken: token }: Login,
  roomId: number,
  json: object,
): Promise<void> {
  const { status } = await send(stage.server, `/api/v1/rooms/${roomId}`, { method: 'PATCH', token, json });
  expect(status).toBe(200);
}

/** Deletes the message with this text over the interface, as another device does. */
async function remove(
  stage: Stage,
  { page }: Person,
  roomId: number,
  { accessToken }: Login,
  content: string,
) {
  const id = await page
    .getByTestId('message')
    .filter({ has: page.getByText(content, { exact: true }).or(page.getByTestId('editor')) })
    .last()
    .getAttribute('data-message-id');
  const path = `/api/v1/rooms/${roomId}/messages/${id}`;
  expect((await send(stage.server, path, { method: 'DELETE', token: accessToken })).status).toBe(204);
}
