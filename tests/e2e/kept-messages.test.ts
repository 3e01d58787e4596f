/** Pinned and saved messages, changes made offline, and the sheet of a phone. */
import { expect, test } from 'vitest';
import { createRoom, type Login } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { UNREACHABLE } from './console-watch.ts';
import { keptMessages } from './last-seen-page.ts';
import type { Person } from './person.ts';
import { expectReachable, PHONE } from './phone.ts';
import type { Seat } from './seat.ts';
import { onStageWithWorker, type Stage, soon } from './stage.ts';

onStageWithWorker('kept messages', (stage) => {
  test('the panel of a room lists its pins, and the page Saved what one keeps', async () => {
    const { ann, room } = await alone(stage);
    await ann.say('the address is 5 Main St');
    await ann.message('the address').hover();
    await ann.button('More').click();
    await ann.button('Pin to room P').click();
    await ann.page.getByText('Pinned', { exact: true }).waitFor();
    await ann.message('the address').hover();
    await ann.button('More').click();
    await ann.button('Save for later S').click();
    await ann.page.getByText('Saved for later', { exact: true }).waitFor();

    await ann.page.getByRole('heading', { level: 1 }).getByRole('button', { name: room.name }).click();
    await ann.goToRoomPart('Pins');
    const card = ann.page.getByTestId('message-card');
    await soon(() => card.getByTestId('message-content').allTextContents()).toEqual([
      'the address is 5 Main St',
    ]);
    await checkScreen(ann);
    await ann.button('Unpin').click();
    await ann.page.getByText('Nothing is pinned').waitFor();

    await ann.page.getByTestId('saved-place').click();
    await card.getByText('the address is 5 Main St', { exact: true }).waitFor();
    await pressOnSaved(ann, 'Add a note');
    await ann.page.getByLabel('Note', { exact: true }).fill('for the taxi');
    await checkScreen(ann);
    await ann.page.keyboard.press('Enter');
    const note = ann.page.getByTestId('saved-note');
    await soon(() => note.allTextContents()).toEqual(['for the taxi']);
    expect(await ann.button('Edit the note').evaluate((button) => button === document.activeElement)).toBe(
      true,
    );
    await ann.page.reload();
    await soon(() => note.allTextContents()).toEqual(['for the taxi']);
    await checkScreen(ann);
    await pressOnSaved(ann, 'Remove');
    await ann.page.getByText('Nothing saved yet').waitFor();
    await ann.button('Undo').click();
    await soon(() => note.allTextContents()).toEqual(['for the taxi']);
    await ann.page.reload();
    await soon(() => note.allTextContents()).toEqual(['for the taxi']);
    await pressOnSaved(ann, 'Remove');
    await ann.page.getByText('Nothing saved yet').waitFor();
    await ann.page.reload();
    await ann.page.getByText('Nothing saved yet').waitFor();
  });

  test('what is saved while the page Saved loads is on it, and its note stays', async () => {
    const { ann, room } = await alone(stage);
    await ann.say('the address is 5 Main St');
    await ann.message('the address').hover();
    await ann.button('More').click();
    await ann.button('Save for later S').click();
    await ann.page.getByText('Saved for later', { exact: true }).waitFor();
    await ann.page.getByTestId('saved-place').click();
    const note = ann.page.getByTestId('saved-note');
    // The server gets no change until the page has loaded the list.
    const isSaving = (url: URL) =>
      url.pathname.endsWith('/saved') && url.pathname.includes(`/rooms/${room.id}/`);
    await ann.page.route(isSaving, (route) => route.abort());
    ann.console.expect(/ERR_FAILED/);
    await pressOnSaved(ann, 'Add a note');
    await ann.page.getByLabel('Note', { exact: true }).fill('for the taxi');
    await ann.page.keyboard.press('Enter');
    await ann.page.reload();
    await soon(() => note.allTextContents()).toEqual(['for the taxi']);
    const kept = ann.page.waitForResponse((response) => isSaving(new URL(response.url())) && response.ok());
    await ann.page.unroute(isSaving);
    await kept;
    await pressOnSaved(ann, 'Remove');
    await ann.page.getByText('Nothing saved yet').waitFor();
    await ann.page.route(isSaving, (route) => route.abort());
    await ann.button('Undo').click();
    await soon(() => note.allTextContents()).toEqual(['for the taxi']);
    await ann.page.reload();
    await ann.page.unroute(isSaving);
    await soon(() => note.allTextContents()).toEqual(['for the taxi']);
  });

  test('changes made offline are shown at once with a clock, survive a reload, and arrive later', async () => {
    const { ann, room, login } = await alone(stage);
    await ann.say('first');
    await ann.message('first').waitFor();
    const id = await ann.message('first').getAttribute('data-message-id');
    await keptMessages(ann, login.userId, room.id, ['first']);
    ann.console.expect(UNREACHABLE);
    await stage.stopServer();
    await ann.message('first').hover();
    await ann.button('React with 👍').click();
    await soon(() => ann.page.getByTestId('reaction').allTextContents()).toEqual(['👍1']);
    await ann.page.getByTestId('clock').waitFor();
    await ann.page.reload();
    await soon(() => ann.page.getByTestId('reaction').allTextContents()).toEqual(['👍1']);
    await stage.server.restart();
    await ann.isIn(room.name);
    await soon(() => reactionsOf(stage, login, `/rooms/${room.id}/messages/${id}`)).toEqual(['👍']);
    await soon(() => ann.page.getByTestId('clock').count()).toBe(0);
    expect(await ann.page.getByTestId('reaction').allTextContents()).toEqual(['👍1']);
  });

  test('on a phone a long press opens a sheet with reactions and everything else', async () => {
    const { ann } = await alone(stage, { context: PHONE });
    await ann.composer.fill('hold me');
    await ann.button('Send').click();
    await ann.message('hold me').waitFor();
    await ann.message('hold me').dispatchEvent('pointerdown', { pointerType: 'touch', bubbles: true });
    const sheet = ann.page.getByTestId('action-menu');
    await sheet.waitFor();
    // It comes up from below.
    await soon(async () => {
      const box = await sheet.boundingBox();
      return [box?.width, Math.round((box?.y ?? 0) + (box?.height ?? 0))];
    }).toEqual([390, 844]);
    await checkScreen(ann);
    await ann.page.setViewportSize({ width: 390, height: 844 });
    await sheet.getByRole('button', { name: 'React with 🎉' }).click();
    await soon(() => ann.page.getByTestId('reaction').allTextContents()).toEqual(['🎉1']);
    await expectReachable(ann);
  });
});

async function alone(stage: Stage, seat: Seat = {}) {
  const login = await stage.account('ann');
  const room = await createRoom(stage.server, login);
  const ann = await stage.seat({ login, path: `/rooms/${room.id}`, ...seat });
  await ann.isIn(room.name);
  return { ann, room, login };
}

/** Presses a button of the only message on the page Saved: it is there while the pointer is at the message. */
async function pressOnSaved(person: Person, name: string): Promise<void> {
  await person.page.getByTestId('message-card').hover();
  await person.button(name).click();
}

/** The emoji at a message, as the server has them. */
async function reactionsOf(stage: Stage, login: Login, path: string): Promise<string[]> {
  const response = await fetch(`${stage.server.url}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${login.accessToken}` },
  });
  const { reactions = [] } = (await response.json()) as { reactions?: { emoji: string }[] };
  return reactions.map(({ emoji }) => emoji);
}
