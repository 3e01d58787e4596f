/** Unsent messages whose author decides: after a refusal, after a restore, and at sign-out. */
import { expect, test } from 'vitest';
import { RoomLine } from '../support/room-line.ts';
import { createRoom, type Login } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { host, plant, stored } from './outbox-page.ts';
import { onStageWithWorker, type Stage, soon } from './stage.ts';

onStageWithWorker('unsent messages that wait for a decision', (stage) => {
  test('a refused message says so, also after a reload; it can be retried, edited or deleted', async () => {
    const owner = await stage.account('ann');
    const room = await createRoom(stage.server, owner);
    const contents = ['to retry', 'to edit', 'to discard'];
    const cids = await farBack(stage, owner, room.id, contents.length);
    const ann = await stage.seat({ login: owner, path: `/rooms/${room.id}` });
    await ann.isIn(room.name);
    const rest = { roomId: room.id, createdAt: Date.now(), refusal: null };
    const items = cids.map((cid, index) => ({ ...rest, cid, content: contents[index] ?? '' }));
    await plant(ann.page, owner.userId, items);
    await ann.page.reload();
    await ann.isIn(room.name);
    const failed = ann.page.locator('[data-testid=pending-message][data-state=failed]');
    await soon(() => failed.count()).toBe(3);
    await ann.page.reload();
    await ann.isIn(room.name);
    await soon(() => failed.getByText('Not sent: the server refused it.').count()).toBe(3);
    await checkScreen(ann);
    const button = (content: string, name: string) =>
      failed.filter({ hasText: content }).getByRole('button', { name, exact: true });

    await button('to retry', 'Retry').click();
    await soon(() => failed.count()).toBe(3);
    await button('to discard', 'Delete').click();
    await soon(() => failed.count()).toBe(2);
    await ann.composer.fill('a draft');
    await button('to edit', 'Edit').click();
    await soon(() => failed.count()).toBe(1);
    expect(await ann.composer.inputValue()).toBe('to edit\na draft');
    expect(await ann.composer.evaluate((field) => field === document.activeElement)).toBe(true);
    await ann.say('edited');
    await ann.message('edited').waitFor();
    const [last, ...others] = (await stored(stage, owner, room.id)).reverse();
    expect(last).toBe('edited');
    expect(others.filter((content) => content.startsWith('to '))).toEqual([]);
  });

  test('a message written before the server was restored is not sent by itself: its author decides', async () => {
    const { ann, owner, room } = await host(stage);
    const item = { roomId: room.id, createdAt: Date.now(), refusal: null, epoch: 'another epoch' };
    await plant(ann.page, owner.userId, [
      { ...item, cid: '018f0000-0000-7000-8000-000000000001', content: 'for the board' },
      { ...item, cid: '018f0000-0000-7000-8000-000000000002', content: 'for everybody' },
    ]);
    await ann.page.reload();
    await ann.isIn(room.name);
    const reason = ann.pending.getByText('Not sent: the server was restored since you wrote this.');
    await soon(() => reason.count()).toBe(2);
    expect(await stored(stage, owner, room.id)).toEqual([]);
    const choice = (content: string, name: string) =>
      ann.pending.filter({ hasText: content }).getByRole('button', { name, exact: true });
    await choice('for the board', 'Delete').click();
    await choice('for everybody', 'Send').click();
    await soon(() => ann.contents()).toEqual(['for everybody']);
    expect(await ann.pending.count()).toBe(0);
  });

  test('signing out asks before it deletes unsent messages', async () => {
    const { ann, owner, room } = await host(stage);
    await stage.killServer();
    await ann.connection('waiting').waitFor();
    await ann.say('never mind');
    await ann.pending.waitFor();
    const question = ann.page.getByRole('alertdialog', { name: "1 message hasn't been sent" });
    await ann.me.click();
    await ann.button('Sign out').click();
    await question.waitFor();
    await checkScreen(ann);
    await ann.page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await ann.pending.waitFor();
    await ann.signOut({ unsent: true });
    await stage.server.restart();
    await ann.signIn(owner.username, owner.password);
    await ann.openRoom(room.name);
    expect(await ann.pending.count()).toBe(0);
    expect(await stored(stage, owner, room.id)).toEqual([]);
  });
});

/**
 * Posts messages and returns their cids. The server refuses other messages with these cids. A page that opens
 * afterwards does not load them: if it did, it would take what is in its outbox for sent.
 */
async function farBack(stage: Stage, author: Login, roomId: number, count: number): Promise<string[]> {
  const cids = Array.from({ length: count }, (_, index) => `taken-${roomId}-${index}`);
  const later = 250;
  const line = await RoomLine.enter(stage.server, author, roomId);
  for (const cid of cids) line.say('taken', cid);
  for (let number = 1; number <= later; number++) line.say(`later ${number}`);
  await line.waitForCount('message', count + later);
  await line.close();
  return cids;
}
