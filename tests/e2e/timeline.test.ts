/** The timeline is bounded however long the room is, and the reader stays where they read. */
import { describe, expect, test } from 'vitest';
import { ChatClient } from '../support/ws-client.ts';
import { onStage, soon } from './stage.ts';
import {
  distanceToEnd,
  firstShown,
  frames,
  gaps,
  lastShown,
  shownSeqs,
  visitPast,
  watchCount,
  watchGaze,
} from './timeline-page.ts';

/** What the client promises. */
const MAX_MESSAGES = 300;

onStage(
  'the timeline',
  (stage) => {
    describe('a room of 100 000 messages', () => {
      test('opens at its end with a bounded document, and scrolling back keeps the bound', async () => {
        const { ann } = await visitPast(stage, { count: 100_000 });
        await soon(() => lastShown(ann)).toBe(100_000);
        const counts = await watchCount(ann);
        // A page or more at a time, so that the window slides and pages load, back and forth.
        for (let turns = 0; (await firstShown(ann)) > 99_000; turns++) {
          await ann.wheel(turns % 4 === 3 ? 700 : -1500);
        }
        await ann.wheel(3000);
        expect(await gaps(ann)).toEqual([]);
        await ann.toEnd.click();
        await soon(() => lastShown(ann)).toBe(100_000);
        await soon(() => distanceToEnd(ann)).toBeLessThan(2);
        expect(Math.max(...(await counts()))).toBeLessThanOrEqual(MAX_MESSAGES);
      });

      test('from the end to the beginning: each message comes by, with at most 300 in the document', async () => {
        const { ann } = await visitPast(stage, { count: 3000 });
        const counts = await watchCount(ann);
        const seen = new Set<number>();
        for (;;) {
          for (const seq of await shownSeqs(ann)) seen.add(seq);
          if (seen.has(1)) break;
          await ann.wheel(-1200);
        }
        expect(seen.size).toBe(3000);
        expect(Math.max(...(await counts()))).toBeLessThanOrEqual(MAX_MESSAGES);
      });
    });

    describe('the reading position', () => {
      test('what is read stays where it is, to the pixel, whatever is added above and below', async () => {
        const { ann, bo } = await visitPast(stage, { count: 1500 });
        await ann.wheel(-400);
        const gaze = await watchGaze(ann);
        // Past the edge of the window and of what is loaded, many times.
        for (let step = 0; (await firstShown(ann)) > 1 && step < 200; step++) {
          bo.send({ type: 'message', content: `meanwhile ${step}` });
          await gaze.scroll(-900);
          if (step % 10 === 9) await gaze.scroll(2000);
        }
        expect(await firstShown(ann)).toBe(1);
        expect(await gaze.worst()).toBeLessThan(1);
        // All the way back: the other edge.
        for (let step = 0; (await ann.toEnd.count()) > 0 && step < 300; step++) await gaze.scroll(1500);
        expect(await gaze.worst()).toBeLessThan(1);
      });

      test('a text above that changes its height moves nothing', async () => {
        const { ann } = await visitPast(stage, { count: 200 });
        await ann.wheel(-1500);
        const gaze = await watchGaze(ann);
        // As highlighting does that comes late.
        await ann.messages.first().evaluate(async (row) => {
          await new Promise(requestAnimationFrame);
          row.append(document.createElement('pre'), 'a line more\nand another');
        });
        await frames(ann, 3);
        expect(await gaze.worst()).toBeLessThan(1);
        // The reader scrolls in the same moment, so the scroll event comes before the page can have seen the change.
        await ann.page.evaluate(() =>
          document.querySelector('[data-row=message]')?.append(document.createElement('hr'), 'and one more'),
        );
        await gaze.scroll(-50);
        expect(await gaze.worst()).toBeLessThan(1);
      });

      test('a reader at the end stays there, whatever grows', async () => {
        const { ann } = await visitPast(stage, { count: 200 });
        await ann.messages.first().evaluate((row) => row.append('more and more '.repeat(500)));
        await soon(() => distanceToEnd(ann)).toBeLessThan(2);
        await ann.page.setViewportSize({ width: 700, height: 500 });
        await soon(() => distanceToEnd(ann)).toBeLessThan(2);
        expect(await ann.toEnd.count()).toBe(0);
      });
    });

    test('a reload is neither a leave nor a join', async () => {
      const { ann, bo, boLogin, room } = await visitPast(stage, { count: 10 });
      bo.send({ type: 'message', content: 'before' });
      await ann.message('before').waitFor();
      await bo.close();
      await ann.notice('left').waitFor();
      const reloaded = await ChatClient.enter(stage.server, boLogin, room.id);
      await ann.notice('left').waitFor({ state: 'detached' });
      reloaded.send({ type: 'message', content: 'after' });
      await ann.message('after').waitFor();
      expect(await ann.page.getByTestId('notice').count()).toBe(0);
    });

    test('the names of the days change at midnight', async () => {
      const { ann } = await visitPast(stage, { count: 10 });
      const days = () => ann.log.getByRole('heading', { level: 2 }).allTextContents();
      await soon(days).toContain('Today');
      // As if the device had slept until the next day.
      await ann.page.evaluate(() => {
        const now = Date.now;
        Date.now = () => now() + 86_400_000;
        document.dispatchEvent(new Event('visibilitychange'));
      });
      await soon(days).toContain('Yesterday');
      expect(await days()).not.toContain('Today');
    });

    test('during a burst every message is counted, the end is followed, and the document stays bounded', async () => {
      const { ann, bo } = await visitPast(stage, { count: 100 });
      const counts = await watchCount(ann);
      for (let n = 1; n <= 1000; n++) bo.send({ type: 'message', content: `burst ${n}` });
      await ann.message('burst 1000').waitFor();
      await soon(() => distanceToEnd(ann)).toBeLessThan(2);
      expect(await gaps(ann)).toEqual([]);

      await ann.wheel(-1500);
      await ann.toEnd.waitFor();
      const gaze = await watchGaze(ann);
      for (let n = 1; n <= 1000; n++) bo.send({ type: 'message', content: `again ${n}` });
      await soon(() => ann.toEnd.textContent()).toBe('1,000 new');
      expect(await gaze.worst()).toBeLessThan(1);
      expect(Math.max(...(await counts()))).toBeLessThanOrEqual(MAX_MESSAGES);
      await ann.toEnd.click();
      await ann.message('again 1000').waitFor();
      await soon(() => distanceToEnd(ann)).toBeLessThan(2);
    });
  },
  { MESSAGES_PER_SECOND: '0' },
);
