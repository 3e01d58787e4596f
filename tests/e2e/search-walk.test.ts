/** Walking through what a search has found, and the ways from there. */
import { expect, test } from 'vitest';
import { LineClient } from '../support/line-client.ts';
import { createRoom, uniqueName } from '../support/users.ts';
import { focused } from './focus.ts';
import type { Person } from './person.ts';
import {
  furnished,
  hitsOf,
  indexed,
  makePrivate,
  openSearch,
  say,
  searchOf,
  wordsOf,
} from './search-page.ts';
import { onStage, type Stage, soon } from './stage.ts';
import { distanceToEnd, isInSight } from './timeline-page.ts';

onStage(
  'walking through what was found',
  (stage) => {
    test('arrow keys walk the hits while the timeline jumps to each; Escape leads back to where one was', async () => {
      const { ann, room, other, ids } = await withPast(stage);
      await ann.wheel(-3000);
      const before = await inSight(ann);
      await ann.composer.focus();
      await openSearch(ann);
      await ann.page.keyboard.type('zeppelin');
      await soon(() => hitsOf(ann).count()).toBe(3);
      const { keyboard } = ann.page;
      for (const [roomId, id] of [
        [other.id, ids.other],
        [room.id, ids.late],
        [room.id, ids.early],
      ] as const) {
        await keyboard.press('ArrowDown');
        await soon(() => pathOf(ann)).toBe(`/rooms/${roomId}/m/${id}`);
        await soon(() => isShown(ann, id)).toBe(true);
        await soon(() => focusedHit(ann)).toBe(id);
      }
      expect(await searchOf(ann).locator('[aria-current=true]').getAttribute('data-hit')).toBe(
        String(ids.early),
      );
      await keyboard.press('ArrowUp');
      await soon(() => pathOf(ann)).toBe(`/rooms/${room.id}/m/${ids.late}`);
      await keyboard.press('Escape');
      await searchOf(ann).waitFor({ state: 'detached' });
      await soon(() => pathOf(ann)).toBe(`/rooms/${room.id}`);
      await soon(() => focused(ann)).toBe('Message');
      await soon(() => inSight(ann)).toEqual(before);
    });

    test('a walk from the end of a room leads back to its end; the way back of the browser does, too', async () => {
      const { ann, room, ids } = await withPast(stage);
      const { keyboard } = ann.page;
      await openSearch(ann);
      await keyboard.type('zeppelin early');
      await soon(() => hitsOf(ann).count()).toBe(1);
      await keyboard.press('ArrowDown');
      await ann.log.locator(`[data-message-id="${ids.early}"]`).waitFor();
      await keyboard.press('Escape');
      await soon(() => distanceToEnd(ann)).toBeLessThan(2);
      await soon(() => focused(ann)).toBe('Message');
      await openSearch(ann);
      await keyboard.press('ArrowDown');
      await ann.log.locator(`[data-message-id="${ids.early}"]`).waitFor();
      await ann.page.goBack();
      await soon(() => pathOf(ann)).toBe(`/rooms/${room.id}`);
      await soon(() => distanceToEnd(ann)).toBeLessThan(2);
    });

    test('Enter opens a hit: the message has the focus, and Escape leads from there to the composer', async () => {
      const { ann, room, ids } = await withPast(stage);
      const { keyboard } = ann.page;
      await openSearch(ann);
      await keyboard.type('zeppelin early');
      await soon(() => hitsOf(ann).count()).toBe(1);
      await keyboard.press('ArrowDown');
      await soon(() => focusedHit(ann)).toBe(ids.early);
      await keyboard.press('Enter');
      await soon(() => ann.page.evaluate(() => document.activeElement?.getAttribute('data-message-id'))).toBe(
        String(ids.early),
      );
      await keyboard.press('Escape');
      await soon(() => focused(ann)).toBe('Message');
      expect(await pathOf(ann)).toBe(`/rooms/${room.id}/m/${ids.early}`);
    });

    test('a panel that was open makes way for the search, and Escape leads back to it', async () => {
      const { ann, room } = await furnished(stage);
      await ann.button('Pins').click();
      await soon(() => pathOf(ann)).toBe(`/rooms/${room.id}/pins`);
      await openSearch(ann);
      await soon(() => focused(ann)).toBe('Search messages');
      expect(pathOf(ann)).toBe(`/rooms/${room.id}`);
      await ann.page.keyboard.type('zeppelin');
      await soon(() => hitsOf(ann).count()).toBe(2);
      await ann.page.keyboard.press('ArrowDown');
      await soon(() => pathOf(ann)).toMatch(/\/m\/\d+$/);
      await ann.page.keyboard.press('Escape');
      await soon(() => pathOf(ann)).toBe(`/rooms/${room.id}/pins`);
      expect(await searchOf(ann).count()).toBe(0);
    });

    test('a reply in a thread: the timeline shows its root, and opening it leads to the thread, which stands over the search', async () => {
      const { ann, login, room, ids } = await furnished(stage);
      const line = await LineClient.start(stage.server, login);
      const from = line.mark();
      line.send({
        type: 'message',
        room_id: room.id,
        content: 'in the gondola',
        cid: 'g',
        thread_id: ids[0] ?? 0,
      });
      await line.waitFor('ack', ({ cid }) => cid === 'g', from);
      await line.close();
      await indexed(stage, login, 'gondola', 1);
      await openSearch(ann);
      await ann.page.keyboard.type('gondola');
      await soon(() => hitsOf(ann).count()).toBe(1);
      expect(await hitsOf(ann).textContent()).toContain('in a thread');
      await ann.page.keyboard.press('ArrowDown');
      await soon(() => pathOf(ann)).toBe(`/rooms/${room.id}/m/${ids[0]}`);
      await ann.page.keyboard.press('Enter');
      await ann.page.getByTestId('thread-panel').getByText('in the gondola').waitFor();
      await searchOf(ann).waitFor({ state: 'hidden' });
      await ann.page.getByTestId('thread-panel').getByRole('button', { name: 'Close' }).click();
      await searchOf(ann).waitFor();
      expect(await wordsOf(ann)).toEqual(['in the gondola']);
    });
  },
  { MESSAGES_PER_SECOND: '0' },
);

const pathOf = ({ page }: Person) => new URL(page.url()).pathname;
const isShown = (ann: Person, id: number) =>
  isInSight(ann, ann.log.locator(`[data-message-id="${id}"]`)).catch(() => false);
const focusedHit = ({ page }: Person) =>
  page.evaluate(() => Number(document.activeElement?.getAttribute('data-hit')));

/** The first message in sight, and how far below the top it stands. */
async function inSight(ann: Person) {
  await ann.still();
  return await ann.log.evaluate((box) => {
    const { top } = box.getBoundingClientRect();
    const rows = [...box.querySelectorAll<HTMLElement>('[data-message-id]')];
    const first = rows.find((row) => row.getBoundingClientRect().bottom > top);
    return [first?.dataset.messageId, Math.round((first?.getBoundingClientRect().top ?? 0) - top)];
  });
}

/** Ann is at the end of a room with a long past: it speaks of zeppelins early and late, and another room does last. */
async function withPast(stage: Stage) {
  const login = await stage.account('ann');
  const [room, other] = [
    await createRoom(stage.server, login, uniqueName('hangar')),
    await createRoom(stage.server, login, uniqueName('tower')),
  ];
  for (const { id } of [room, other]) await makePrivate(stage, login, id);
  const [early = 0] = await say(stage, login, room.id, ['An early zeppelin']);
  await say(
    stage,
    login,
    room.id,
    Array.from({ length: 400 }, (_, at) => `filler ${at}`),
  );
  const [late = 0] = await say(stage, login, room.id, ['A late zeppelin']);
  await say(
    stage,
    login,
    room.id,
    Array.from({ length: 60 }, (_, at) => `more ${at}`),
  );
  const [last = 0] = await say(stage, login, other.id, ['The tower sees a zeppelin']);
  await indexed(stage, login, 'zeppelin', 3);
  const ann = await stage.seat({ login, path: `/rooms/${room.id}` });
  await ann.isIn(room.name);
  return { ann, login, room, other, ids: { early, late, other: last } };
}
