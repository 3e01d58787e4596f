/** A room with a past: 120 messages, shown from the end, fetched page by page towards the beginning. */
import { expect, test } from 'vitest';
import { createRoom } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';

const PAST = Array.from({ length: 120 }, (_, index) => `message number ${index + 1}`);

onStage('history', (stage) => {
  test('of 120 messages the last 50 are shown; loading more shows the rest', async () => {
    const { ann, name } = await visitRoomWithPast(stage);
    expect(await ann.contents()).toEqual(PAST.slice(-50));
    await soon(() => distanceToEnd(ann)).toBeLessThan(2);

    await ann.button('Load older messages').click();
    await soon(() => ann.contents()).toEqual(PAST.slice(-100));
    await ann.button('Load older messages').click();
    await soon(() => ann.contents()).toEqual(PAST);
    expect(await ann.button('Load older messages').count()).toBe(0);
    await ann.page.getByRole('heading', { name: `Welcome to ${name}` }).waitFor();
  });

  test('loading more keeps the reading position to the pixel', async () => {
    const { ann } = await visitRoomWithPast(stage);
    await scrollToTop(ann);
    const first = ann.message('message number 71').getByTestId('message-content');
    const before = await first.boundingBox();
    await ann.button('Load older messages').click();
    await soon(() => ann.messages.count()).toBe(100);
    const after = await first.boundingBox();
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThanOrEqual(1);
  });

  test('a room of 50 or fewer offers nothing more', async () => {
    const { ann } = await visitRoomWithPast(stage, PAST.slice(0, 50));
    expect(await ann.contents()).toEqual(PAST.slice(0, 50));
    expect(await ann.button('Load older messages').count()).toBe(0);
  });

  test('new messages scroll the view only for readers at the end; others see a count', async () => {
    const { ann, bo } = await visitRoomWithPast(stage);
    bo.send({ type: 'message', content: 'seen at once' });
    await ann.message('seen at once').waitFor();
    await soon(() => distanceToEnd(ann)).toBeLessThan(2);

    await scrollToTop(ann);
    const first = ann.message('message number 71').getByTestId('message-content');
    const before = await first.boundingBox();
    bo.send({ type: 'message', content: 'not seen 1' });
    bo.send({ type: 'message', content: 'not seen 2' });
    await soon(() => ann.toEnd.textContent()).toBe('2 new');
    expect((await first.boundingBox())?.y).toBe(before?.y);

    await ann.toEnd.click();
    await soon(() => distanceToEnd(ann)).toBeLessThan(2);
    await ann.toEnd.waitFor({ state: 'hidden' });
  });

  test('sending a message always shows the end', async () => {
    const { ann } = await visitRoomWithPast(stage);
    await scrollToTop(ann);
    await ann.toEnd.waitFor();
    await ann.say('from up here');
    await ann.message('from up here').waitFor();
    await soon(() => distanceToEnd(ann)).toBeLessThan(2);
  });

  test('a draft that grows and shrinks leaves the reader at the end', async () => {
    const { ann } = await visitRoomWithPast(stage);
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');
    for (const count of [8, 9, 30, 30, 5, 1]) {
      await ann.composer.fill(lines(count));
      await ann.composer.pressSequentially(' and a few keys more');
      await soon(() => distanceToEnd(ann)).toBeLessThan(2);
      expect(await ann.toEnd.count()).toBe(0);
    }
  });

  test('the composer grows up to ten lines and scrolls from then on', async () => {
    const { ann } = await visitRoomWithPast(stage, ['hello']);
    const height = async () => (await ann.composer.boundingBox())?.height ?? 0;
    const lines = (count: number) => Array.from({ length: count }, () => 'a line').join('\n');
    const one = await height();
    await ann.composer.fill(lines(2));
    const line = (await height()) - one;
    expect(line).toBeGreaterThan(15);
    for (const count of [1, 5, 10]) {
      await ann.composer.fill(lines(count));
      expect(Math.abs((await height()) - (one + (count - 1) * line))).toBeLessThan(4);
    }
    await ann.composer.fill(lines(40));
    expect(Math.abs((await height()) - (one + 9 * line))).toBeLessThan(4);
    // The caret is at the end, and the end is in sight.
    const below = await ann.composer.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    expect(below).toBeLessThan(line);
  });
});

/** A new room in which Bo has said all this and still is; Ann enters it in a browser. */
async function visitRoomWithPast(stage: Stage, contents = PAST) {
  const boLogin = await stage.account('bo');
  const { id, name } = await createRoom(stage.server, boLogin);
  const bo = await ChatClient.enter(stage.server, boLogin, id);
  for (const content of contents) bo.send({ type: 'message', content });
  await bo.waitForCount('message', contents.length);
  const ann = await stage.seat({ login: await stage.account('ann'), path: `/rooms/${id}` });
  await ann.isIn(name);
  return { ann, bo, name };
}

async function distanceToEnd(person: Person): Promise<number> {
  return await person.log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
}

/** As the browser does when something above is looked for: what is loaded stays all that is loaded. */
async function scrollToTop(person: Person): Promise<void> {
  await person.log.evaluate((box) => box.scrollTo({ top: 0 }));
  await soon(() => person.log.evaluate((box) => box.scrollTop)).toBe(0);
}
