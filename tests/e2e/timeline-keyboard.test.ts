/** The timeline by keyboard: one Tab stop, arrows, and where the focus goes when something disappears. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { readUpTo } from '../support/read-marks.ts';
import { onStage, soon } from './stage.ts';
import {
  distanceToEnd,
  firstShown,
  focusedSeq,
  isInSight,
  lastShown,
  lineAbove,
  OLDER,
  seqsInSight,
  tabStops,
  visitPast,
} from './timeline-page.ts';

onStage(
  'the timeline by keyboard',
  (stage) => {
    test('messages are one Tab stop; arrows, Home and End move among them, Escape leads to the composer', async () => {
      const { ann, bo } = await visitPast(stage, { count: 300, readUpTo: 300 });
      const { keyboard } = ann.page;
      bo.send({ type: 'message', content: 'one https://example.org/1' });
      bo.send({ type: 'message', content: 'two https://example.org/2' });
      await ann.message('two').waitFor();
      const focused = () => focusedSeq(ann);
      await ann.composer.focus();
      await keyboard.press('Shift+Tab');
      // Its link comes before it on the way back.
      await keyboard.press('Shift+Tab');
      expect(await focused()).toBe(302);
      expect(await tabStops(ann)).toEqual(['302', 'https://example.org/2']);
      // After the link come the actions of this message alone.
      expect(await ann.log.locator('[role=toolbar] [tabindex="0"]').count()).toBe(1);
      await keyboard.press('ArrowUp');
      expect(await focused()).toBe(301);
      expect(await tabStops(ann)).toEqual(['301', 'https://example.org/1']);
      await keyboard.press('ArrowDown');
      expect(await focused()).toBe(302);
      // Past what is loaded: the next is there as soon as it has come.
      while ((await focused()) > 240) await keyboard.press('ArrowUp');
      expect(await focused()).toBe(240);
      expect(await isInSight(ann, ann.page.locator('[data-seq="240"]'))).toBe(true);
      await keyboard.press('Home');
      await soon(() => firstShown(ann)).toBeLessThan(240);
      expect(await focused()).toBeLessThan(240);
      await keyboard.press('End');
      await soon(focused).toBe(302);
      await keyboard.press('Escape');
      expect(await ann.composer.evaluate((field) => field === document.activeElement)).toBe(true);
    });

    test('when the focused message leaves the document, arrows and Tab continue from what is in sight', async () => {
      const { ann } = await visitPast(stage, { count: 600, readUpTo: 600 });
      const { keyboard } = ann.page;
      await ann.composer.focus();
      await keyboard.press('Shift+Tab');
      await keyboard.press('ArrowUp');
      expect(await focusedSeq(ann)).toBe(599);
      while ((await lastShown(ann)) >= 599) await ann.wheel(-1500);
      const seen = await seqsInSight(ann);
      await keyboard.press('ArrowUp');
      const reached = await focusedSeq(ann);
      expect(seen).toContain(reached);
      await keyboard.press('ArrowUp');
      expect(await focusedSeq(ann)).toBe(reached - 1);

      await ann.composer.focus();
      for (let turns = 0; turns < 3; turns++) await ann.wheel(1500);
      await soon(async () => {
        const [stops, inSight] = [await tabStops(ann), (await seqsInSight(ann)).map(String)];
        return stops.length === 1 && stops.every((stop) => inSight.includes(stop));
      }).toBe(true);
      await ann.toEnd.click();
      await soon(() => tabStops(ann)).toEqual(['600']);
    });

    test('a button over the messages that disappears leaves the focus on the message that it led to', async () => {
      const { ann, room, annLogin } = await visitPast(stage, { count: 1500, readUpTo: 100 });
      const { keyboard } = ann.page;
      const bar = ann.page.getByTestId('unread-bar');
      await bar.getByRole('button', { name: 'Jump to first unread' }).focus();
      await keyboard.press('Enter');
      await soon(() => focusedSeq(ann)).toBe(101);
      expect(await isInSight(ann, ann.page.locator('[data-seq="101"]'))).toBe(true);
      await ann.toEnd.focus();
      await keyboard.press('Enter');
      await soon(() => focusedSeq(ann)).toBe(1500);
      await keyboard.press('Escape');

      await ann.page.goto('/favicon.svg');
      // Having come to the end has marked all as read. That mark must be there before it is lowered.
      await readUpTo(stage.server, annLogin, room.id, 1500);
      await readUpTo(stage.server, annLogin, room.id, 100);
      await ann.page.goto(`/rooms/${room.id}`);
      await bar.getByRole('button', { name: 'Mark as read' }).focus();
      await keyboard.press('Enter');
      await soon(() => focusedSeq(ann)).toBe(1500);
      await keyboard.press('ArrowUp');
      expect(await focusedSeq(ann)).toBe(1499);
    });

    test('a search for the first unread message does not take the focus from the composer', async () => {
      const { ann } = await visitPast(stage, { count: 1500, readUpTo: 100 });
      await ann.page.getByTestId('unread-bar').getByRole('button', { name: 'Jump to first unread' }).focus();
      await ann.page.route(OLDER, async (route) => {
        await ann.composer.focus();
        await route.continue();
      });
      await ann.page.keyboard.press('Enter');
      await soon(() => lineAbove(ann)).toBe(101);
      await soon(() => isInSight(ann, ann.page.getByTestId('new-line'))).toBe(true);
      expect(await ann.composer.evaluate((field) => field === document.activeElement)).toBe(true);
    });

    test('the full time is shown to the pointer and to the focus, and never covers its own message', async () => {
      const { ann, bo } = await visitPast(stage, { count: 30, readUpTo: 30 });
      for (const content of ['first of its group', 'second of its group'])
        bo.send({ type: 'message', content });
      await ann.message('second').waitFor();
      const time = ann.message('second').locator('time');
      expect(await fullTime(ann.message('second'))).toBeNull();
      await time.hover({ force: true });
      expect(await fullTime(ann.message('second'))).toMatch(/\d{4} at \d/);
      await ann.composer.hover();
      await ann.composer.focus();
      expect(await fullTime(ann.message('second'))).toBeNull();
      await ann.page.keyboard.press('Shift+Tab');
      for (const key of ['second', 'first']) {
        expect(await fullTime(ann.message(key)), key).toMatch(/\d{4} at \d/);
        await ann.page.keyboard.press('ArrowUp');
      }
    });

    test('Shift+Tab from the composer goes to the messages and no further up than what is in sight', async () => {
      const { ann } = await visitPast(stage, { count: 300 });
      let pages = 0;
      await ann.page.route(OLDER, (route) => {
        pages += 1;
        return route.continue();
      });
      await soon(() => distanceToEnd(ann)).toBeLessThan(2);
      await ann.composer.focus();
      for (let stops = 0; stops < 3; stops++) await ann.page.keyboard.press('Shift+Tab');
      expect(await ann.page.evaluate(() => document.activeElement?.textContent)).not.toBe(
        'Load older messages',
      );
      expect(await distanceToEnd(ann)).toBeLessThan(2);
      expect(pages).toBe(0);
    });

    test('the page keys scroll the messages from the composer, back to older ones', async () => {
      const { ann } = await visitPast(stage, { count: 300 });
      const oldest = await firstShown(ann);
      await soon(() => distanceToEnd(ann)).toBeLessThan(2);
      await ann.composer.focus();
      await ann.page.keyboard.press('PageUp');
      await soon(() => distanceToEnd(ann)).toBeGreaterThan(300);
      await ann.page.keyboard.press('PageDown');
      await soon(() => distanceToEnd(ann)).toBeLessThan(2);
      await soon(async () => {
        await ann.page.keyboard.press('PageUp');
        return await firstShown(ann);
      }).toBeLessThan(oldest);
      expect(await ann.composer.evaluate((field) => field === document.activeElement)).toBe(true);
    });
  },
  { MESSAGES_PER_SECOND: '0' },
);

/** The full time: beside the short one in the line of the author, else in the bar of the message; null: not shown. */
async function fullTime(message: Locator): Promise<string | null> {
  const when = message.getByTestId('when');
  if (await when.isVisible()) return await when.textContent();
  if ((await message.getAttribute('data-first')) === 'false') return null;
  const time = message.locator('time');
  const [line, text] = [await time.boundingBox(), await message.getByTestId('message-content').boundingBox()];
  expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual((text?.y ?? 0) + 1);
  return await time.evaluate((element) => {
    const { content, top } = getComputedStyle(element, '::after');
    // In the middle of the line, which has nothing else there.
    const isBeside = Math.abs(Number.parseFloat(top) * 2 - element.getBoundingClientRect().height) < 2;
    return content === 'none' || !isBeside ? null : content;
  });
}
