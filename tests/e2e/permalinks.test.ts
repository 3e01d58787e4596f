/** Addresses that lead to a message, and dates: what is shown, what has the focus, and the ways back. */
import { expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { createRoom, type Login } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { REFUSED } from './console-watch.ts';
import { plantPast } from './long-past.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';
import { distanceToEnd, gaps, lastShown, seqsInSight, visitPast } from './timeline-page.ts';

const GONE = 'This message is not here any more, or you may not see it.';

onStage('permalinks', (stage) => {
  test('lead to a message 100 000 back, which is in sight, has the focus, and leaves the rest unread', async () => {
    const { ann, annLogin, room } = await visitPast(stage, { count: 100_700, readUpTo: 100_700 });
    const { idOf } = await idsOf(stage, annLogin, room.id);
    await ann.page.goto(`/rooms/${room.id}/m/${idOf(700)}`);
    await soon(() => focusedId(ann)).toBe(idOf(700));
    expect(await seqsInSight(ann)).toContain(700);
    expect(await gaps(ann)).toEqual([]);
    expect(await ann.toEnd.textContent()).toBe('Jump to latest');
    await checkScreen(ann);
  });

  test('the way to the latest message needs no request, and the address is that of the room again', async () => {
    const { ann, annLogin, bo, room } = await visitPast(stage, { count: 1000, readUpTo: 1000 });
    const { idOf } = await idsOf(stage, annLogin, room.id);
    await ann.page.goto(`/rooms/${room.id}/m/${idOf(300)}`);
    await soon(() => focusedId(ann)).toBe(idOf(300));
    bo.send({ type: 'message', content: 'said meanwhile' });
    await soon(() => ann.toEnd.textContent()).toMatch(/^Jump to latest, 1 new/);
    const asked: string[] = [];
    ann.page.on('request', (request) => {
      if (request.url().includes('/messages?')) asked.push(request.url());
    });
    await ann.toEnd.click();
    await ann.message('said meanwhile').waitFor();
    await soon(() => distanceToEnd(ann)).toBeLessThan(2);
    expect(asked).toEqual([]);
    await soon(() => path(ann)).toBe(`/rooms/${room.id}`);
    await ann.page.reload();
    await ann.message('said meanwhile').waitFor();
  });

  test('reading on from there reaches the end of the room, and what comes then is followed', async () => {
    const { ann, annLogin, bo, room } = await visitPast(stage, { count: 300, readUpTo: 300 });
    const { idOf } = await idsOf(stage, annLogin, room.id);
    await ann.page.goto(`/rooms/${room.id}/m/${idOf(100)}`);
    await soon(() => focusedId(ann)).toBe(idOf(100));
    while ((await lastShown(ann)) < 300 || (await distanceToEnd(ann)) > 2) {
      await ann.wheel(2000);
      expect(await gaps(ann)).toEqual([]);
    }
    await ann.toEnd.waitFor({ state: 'detached' });
    bo.send({ type: 'message', content: 'at the end' });
    await ann.message('at the end').waitFor();
    await soon(() => distanceToEnd(ann)).toBeLessThan(2);
  });

  test('to a message that is not there, or of another room: the page says so, and offers a way on', async () => {
    const { ann, annLogin, boLogin, room } = await visitPast(stage, { count: 60, readUpTo: 60 });
    ann.console.expect(REFUSED);
    const other = await createRoom(stage.server, boLogin);
    plantPast(stage.server, { roomId: other.id, userIds: [boLogin.userId], count: 1 });
    const { first } = await idsOf(stage, annLogin, other.id);
    for (const id of [first, 2 ** 50]) {
      await ann.page.goto(`/rooms/${room.id}/m/${id}`);
      const notice = ann.page.getByTestId('jump-failed');
      await soon(() => notice.getByRole('paragraph').textContent()).toBe(GONE);
      await ann.message('past 60.').waitFor();
      if (id === first) await checkScreen(ann);
      await notice.getByRole('button', { name: 'Show the latest messages' }).click();
      await notice.waitFor({ state: 'detached' });
      expect(await path(ann)).toBe(`/rooms/${room.id}`);
    }
  });

  test('into a room that one may not see: the same page as for a room that is not there', async () => {
    const { ann, boLogin } = await visitPast(stage, { count: 1 });
    ann.console.expect(REFUSED);
    const hidden = await createRoom(stage.server, boLogin);
    const change = { method: 'PATCH', body: JSON.stringify({ kind: 'private' }), token: boLogin.accessToken };
    await send(stage.server, `/api/v1/rooms/${hidden.id}`, change);
    for (const roomId of [hidden.id, 2 ** 50]) {
      await ann.page.goto(`/rooms/${roomId}/m/1`);
      await ann.page.getByRole('heading', { name: "This room doesn't exist" }).waitFor();
    }
  });

  test('to a deleted message lead to where it stood', async () => {
    const { ann, annLogin, bo, boLogin, room } = await visitPast(stage, { count: 400, readUpTo: 400 });
    bo.send({ type: 'message', content: 'soon deleted' });
    await ann.message('soon deleted').waitFor();
    const { idOf } = await idsOf(stage, annLogin, room.id);
    const deletion = { method: 'DELETE', token: boLogin.accessToken };
    await send(stage.server, `/api/v1/rooms/${room.id}/messages/${idOf(401)}`, deletion);
    await ann.message('soon deleted').waitFor({ state: 'detached' });
    await ann.page.goto(`/rooms/${room.id}/m/${idOf(401)}`);
    await soon(() => focusedId(ann)).toBe(idOf(401));
  });
});

onStage('a date', (stage) => {
  test('by keyboard alone: the first message of that day, and the way back leads to where one was', async () => {
    const { ann, room } = await visitPast(stage, { count: 5000, readUpTo: 5000 });
    await ann.page.keyboard.press('Control+k');
    await dialogOf(ann).waitFor();
    await ann.page.keyboard.type('jump to a date');
    await ann.page.keyboard.press('Enter');
    const date = dialogOf(ann).getByLabel('Date');
    await date.waitFor();
    await checkScreen(ann);
    const day = await ann.page.evaluate(() => {
      const before = new Date(Date.now() - 2 * 24 * 3_600_000);
      return [before.getFullYear(), before.getMonth() + 1, before.getDate()]
        .map((part) => String(part).padStart(2, '0'))
        .join('-');
    });
    await date.fill(day);
    await ann.page.keyboard.press('Enter');
    await dialogOf(ann).waitFor({ state: 'detached' });
    await soon(() => path(ann)).toMatch(/\/m\/\d+$/);
    const target = ann.page.locator('[data-row=message]:focus');
    await target.waitFor();
    const at = await target.locator('time').getAttribute('datetime');
    expect(await ann.page.evaluate((time) => new Date(time ?? '').toTimeString().slice(0, 5), at)).toBe(
      '00:00',
    );
    await ann.page.goBack();
    await soon(() => path(ann)).toBe(`/rooms/${room.id}`);
    await soon(() => lastShown(ann)).toBe(5000);
    await soon(() => distanceToEnd(ann)).toBeLessThan(2);
  });

  test('the day above the messages opens the same choice', async () => {
    const { ann } = await visitPast(stage, { count: 10, readUpTo: 10 });
    await ann.log.getByRole('heading').getByRole('button').last().click();
    await dialogOf(ann).getByLabel('Date').waitFor();
  });
});

/** The ids of a planted past follow each other. */
async function idsOf(stage: Stage, login: Login, roomId: number) {
  const path = `/api/v1/rooms/${roomId}/messages?after_id=1&limit=1`;
  const { json } = await send(stage.server, path, { token: login.accessToken });
  const [message] = (json as { messages: { id: number; seq: number }[] }).messages;
  const first = message?.id ?? 0;
  return { first, idOf: (seq: number) => first + seq - 1 };
}

async function focusedId({ page }: Person): Promise<number> {
  return await page.evaluate(() => Number((document.activeElement as HTMLElement).dataset.messageId));
}

function dialogOf({ page }: Person) {
  return page.getByRole('dialog');
}

async function path({ page }: Person): Promise<string> {
  return new URL(page.url()).pathname;
}
