/** Two people in a room: replies that quote, and threads beside the room. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { createRoom } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import type { Person } from './person.ts';
import { PHONE } from './phone.ts';
import { onStage, type Stage, soon } from './stage.ts';
import { focusLast, two } from './two-people.ts';

onStage('replies and threads', (stage) => {
  test('a reply quotes its message as it is now: edited, then deleted', async () => {
    const { ann, bo } = await two(stage);
    await ann.say('lunch at noon?');
    await bo.message('lunch at noon?').hover();
    await bo.button('Reply').click();
    await soon(() => bo.page.getByTestId('reply-bar').textContent()).toContain('lunch at noon?');
    await checkScreen(bo);
    await bo.say('yes');
    const quote = ann.page.getByTestId('quote');
    await soon(() => quote.textContent()).toContain('lunch at noon?');
    expect(await bo.page.getByTestId('reply-bar').count()).toBe(0);
    await ann.composer.press('ArrowUp');
    const editor = ann.page.getByRole('textbox', { name: 'Edit message' });
    await editor.fill('lunch at one?');
    await editor.press('Enter');
    await soon(() => bo.page.getByTestId('quote').textContent()).toContain('lunch at one?');
    await checkScreen(bo);
    await bo.page.getByTestId('quote').click();
    await soon(() => new URL(bo.page.url()).pathname).toMatch(/\/m\/\d+$/);
    await ann.message('lunch at one?').first().hover();
    await ann.button('More').click();
    await ann.button('Delete Del').click();
    await ann.page.goto('about:blank');
    await soon(() => bo.page.getByTestId('quote').textContent()).toContain('This message was deleted.');
  });

  test('Escape leaves a reply; by keyboard R begins one and T opens the thread', async () => {
    const { ann, bo } = await two(stage);
    await ann.say('first');
    await bo.message('first').waitFor();
    await focusLast(bo);
    await bo.page.keyboard.press('r');
    await bo.page.getByTestId('reply-bar').waitFor();
    await bo.page.keyboard.press('Escape');
    await soon(() => bo.page.getByTestId('reply-bar').count()).toBe(0);
    await focusLast(bo);
    await bo.page.keyboard.press('t');
    await field(bo).waitFor();
    await soon(() => field(bo).evaluate((element) => element === document.activeElement)).toBe(true);
    await bo.page.keyboard.type('in the thread');
    await soon(() => field(bo).inputValue()).toBe('in the thread');
    await bo.page.keyboard.press('Enter');
    await ann.page.getByTestId('thread-line').waitFor();
    await bo.page.keyboard.press('Escape');
    await soon(() => panel(bo).count()).toBe(0);
  });

  test('a thread is read beside its room, and counts under its root what is new', async () => {
    const { ann, bo, room } = await two(stage);
    const cy = await stage.seat({ login: await stage.account('cy'), path: `/rooms/${room.id}` });
    await cy.isIn(room.name);
    await ann.say('where shall we meet?');
    await bo.message('where shall we meet?').hover();
    await bo.button('Thread').click();
    await field(bo).fill('at the station');
    await field(bo).press('Enter');
    await soon(() => replies(bo)).toEqual(['at the station']);
    await soon(() => cy.page.getByTestId('thread-line').textContent()).toContain('1 reply');
    expect(await cy.contents()).toEqual(['where shall we meet?']);
    await cy.page.getByTestId('thread-line').click();
    await soon(() => replies(cy)).toEqual(['at the station']);
    // Neither the author of the root nor of a reply, so cy does not follow it yet.
    await choose(cy, 'Follow');
    await panel(cy).getByText('2 people').waitFor();
    await panel(cy).getByRole('button', { name: 'More', exact: true }).first().click();
    await cy.button('Stop following').waitFor();
    await cy.page.keyboard.press('Escape');
    await checkScreen(cy);
    await panel(cy).getByRole('button', { name: 'Close' }).click();
    await field(bo).fill('or at the café');
    await field(bo).press('Enter');
    await soon(() => cy.page.getByTestId('thread-line').textContent()).toContain('1 new');
    await soon(() => cy.page.getByTestId('threads-count').textContent()).toBe('1');
    await cy.page.getByTestId('threads-place').click();
    await soon(() => cy.page.getByTestId('followed-thread').textContent()).toContain('where shall we meet?');
    await checkScreen(cy);
    await cy.page.getByTestId('followed-thread').click();
    await soon(() => replies(cy)).toEqual(['at the station', 'or at the café']);
    await soon(() => cy.page.getByTestId('threads-count').count()).toBe(0);
  });

  test('a thread gets a title and is resolved for both; what is said also in the room links to it', async () => {
    const { ann, bo } = await two(stage);
    await ann.say('the release');
    await bo.message('the release').hover();
    await bo.button('Thread').click();
    await panel(bo).getByLabel('Also in the room').check();
    await field(bo).fill('is out');
    await field(bo).press('Enter');
    await soon(() => ann.contents()).toEqual(['the release', 'is out']);
    await choose(bo, 'Add a title');
    await panel(bo).getByLabel('Title of the thread').fill('Version 2');
    await panel(bo).getByRole('button', { name: 'Save' }).click();
    await panel(bo).getByRole('button', { name: 'Resolve' }).click();
    const line = ann.page.getByTestId('thread-line');
    await soon(() => line.textContent()).toContain('Version 2');
    await soon(() => line.textContent()).toContain('Resolved');
    await checkScreen(ann);
    await ann.page.getByTestId('quote').click();
    await soon(() => replies(ann)).toEqual(['is out']);
  });

  test('a reply that came while the page was hidden is read when the user is back', async () => {
    const { ann, bo } = await two(stage);
    const show = (state: 'hidden' | 'visible') =>
      ann.page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await ann.say('a question');
    await ann.message('a question').hover();
    await ann.button('Thread').click();
    await field(ann).waitFor();
    await show('hidden');
    await bo.message('a question').hover();
    await bo.button('Thread').click();
    await field(bo).fill('an answer');
    await field(bo).press('Enter');
    await soon(() => replies(ann)).toEqual(['an answer']);
    await soon(() => ann.page.getByTestId('threads-count').allTextContents()).toEqual(['1']);
    await show('visible');
    await soon(() => ann.page.getByTestId('threads-count').count()).toBe(0);
  });

  test('on a phone the thread is a page, and a link to it opens it', async () => {
    const { ann, room } = await two(stage);
    await ann.say('a question');
    await ann.message('a question').hover();
    await ann.button('Thread').click();
    await field(ann).fill('an answer');
    await field(ann).press('Enter');
    await soon(() => replies(ann)).toEqual(['an answer']);
    const { pathname } = new URL(ann.page.url());
    const phone = await stage.seat({ login: await stage.account('cy'), path: pathname, context: PHONE });
    await soon(() => replies(phone)).toEqual(['an answer']);
    expect(await phone.log.isVisible()).toBe(false);
    await panel(phone).getByRole('button', { name: 'Back', exact: true }).click();
    await phone.isIn(room.name);
    await phone.page.getByTestId('thread-line').waitFor();
  });

  test('a link to a reply opens the thread at that reply, with the root in sight behind it', async () => {
    const { ann, login, room, rootId, replyIds } = await longThread(stage);
    await ann.page.goto(`/rooms/${room.id}/m/${replyIds[0]}`);
    const focused = () =>
      ann.page.evaluate(() => Number((document.activeElement as HTMLElement)?.dataset.messageId));
    await soon(focused).toBe(replyIds[0]);
    expect((await replies(ann)).length).toBe(replyIds.length);
    const reply = panel(ann).locator(`[data-message-id="${replyIds[0]}"]`);
    expect(await isInSight(reply, panel(ann).getByTestId('thread-replies').locator('..'))).toBe(true);
    expect(await isInSight(ann.log.locator(`[data-message-id="${rootId}"]`), ann.log)).toBe(true);
    await checkScreen(ann);
    // The address is that of the reply still, and survives a reload.
    await ann.page.reload();
    await soon(focused).toBe(replyIds[0]);
    const phone = await stage.seat({ login, path: `/rooms/${room.id}/m/${replyIds[0]}`, context: PHONE });
    await panel(phone).locator(`[data-message-id="${replyIds[0]}"]`).waitFor();
    expect(await phone.log.isVisible()).toBe(false);
  });

  test('the count of Threads rises and falls with replies in a room that is not open, read elsewhere', async () => {
    const { ann, bo, room, login } = await two(stage);
    const other = await createRoom(stage.server, login);
    await ann.say('the plan');
    await ann.message('the plan').waitFor();
    const rootId = await ann.message('the plan').getAttribute('data-message-id');
    await ann.page.goto(`/rooms/${other.id}`);
    await ann.isIn(other.name);
    await bo.message('the plan').hover();
    await bo.button('Thread').click();
    await field(bo).fill('a first answer');
    await field(bo).press('Enter');
    await soon(() => ann.page.getByTestId('threads-count').textContent()).toBe('1');
    // Another device reads it.
    const phone = await stage.seat({ login, path: `/rooms/${room.id}/t/${rootId}`, context: PHONE });
    await soon(() => replies(phone)).toEqual(['a first answer']);
    await soon(() => ann.page.getByTestId('threads-count').count()).toBe(0);
    await phone.page.close();
    // Without notifications of the room it counts, too.
    const prefs = { method: 'PUT', body: JSON.stringify({ notify: 'none' }), token: login.accessToken };
    await send(stage.server, `/api/v1/rooms/${room.id}/prefs`, prefs);
    await field(bo).fill('a second answer');
    await field(bo).press('Enter');
    await soon(() => ann.page.getByTestId('threads-count').textContent()).toBe('1');
    // In the list, E is done with the thread.
    await ann.page.getByTestId('threads-place').click();
    await ann.page.getByRole('heading', { level: 1, name: 'Threads' }).click();
    await ann.page.keyboard.press('j');
    await ann.page.keyboard.press('e');
    await soon(() => ann.page.getByTestId('threads-count').count()).toBe(0);
  });

  test('what is not sent in a thread, and which message a text will answer, survive a reload', async () => {
    const { ann, bo } = await two(stage);
    await ann.say('a question');
    await bo.message('a question').hover();
    await bo.button('Thread').click();
    await field(bo).fill('half an ans');
    const inRoom = bo.log.getByTestId('message');
    await inRoom.hover();
    await inRoom.getByRole('button', { name: 'Reply', exact: true }).click();
    await bo.page.getByTestId('reply-bar').waitFor();
    await bo.page.reload();
    await soon(() => field(bo).inputValue()).toBe('half an ans');
    await soon(() => bo.page.getByTestId('reply-bar').textContent()).toContain('a question');
    await field(bo).fill('half an answer');
    await field(bo).press('Enter');
    await soon(() => replies(bo)).toEqual(['half an answer']);
    await bo.say('yes');
    await soon(() => ann.page.getByTestId('quote').textContent()).toContain('a question');
    await bo.page.reload();
    await soon(() => replies(bo)).toEqual(['half an answer']);
    expect(await field(bo).inputValue()).toBe('');
    expect(await bo.page.getByTestId('reply-bar').count()).toBe(0);
  });
});

/** From the menu of the thread. */
async function choose(person: Person, action: string): Promise<void> {
  await panel(person).getByRole('button', { name: 'More', exact: true }).first().click();
  await person.page.locator('dialog[open]').getByRole('button', { name: action, exact: true }).click();
}

/** A room with a thread of more replies than a page has, and texts after it; the ids ascend. */
async function longThread(stage: Stage) {
  const { ann, room, login, other } = await two(stage);
  const line = await LineClient.start(stage.server, other);
  let count = 0;
  const said = async (content: string, thread_id?: number) => {
    const cid = `c-${++count}`;
    line.send({ type: 'message', room_id: room.id, content, cid, ...(thread_id && { thread_id }) });
    return (await line.waitFor('ack', (ack) => ack.cid === cid)).id;
  };
  const rootId = await said('the root');
  const replyIds: number[] = [];
  for (let reply = 0; reply < 55; reply++) replyIds.push(await said(`reply ${reply}`, rootId));
  for (let later = 0; later < 30; later++) await said(`later ${later}`);
  await line.close();
  return { ann, login, room, rootId, replyIds };
}

/** Whether all of it is within the box. */
async function isInSight(message: Locator, box: Locator): Promise<boolean> {
  const [inner, outer] = await Promise.all([message.boundingBox(), box.boundingBox()]);
  if (inner === null || outer === null) return false;
  return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
}

const panel = ({ page }: Person) => page.getByTestId('thread-panel');
const field = (person: Person) => panel(person).getByRole('textbox', { name: 'Reply in this thread' });
const replies = (person: Person) =>
  panel(person).getByTestId('thread-replies').getByTestId('message-content').allTextContents();
