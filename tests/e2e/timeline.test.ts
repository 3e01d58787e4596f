/** The timeline as its reader has it: bounded however long the room, still where they read, open where they left off. */
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createRoom, uniqueName } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { UNREACHABLE } from './console-watch.ts';
import { Line } from './line.ts';
import { plantPast } from './long-past.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';

/** The requests for older messages. */
const OLDER = '**/messages?*before_id=*';
/** What the client promises. */
const MAX_MESSAGES = 300;

onStage(
  'the timeline',
  (stage) => {
    describe('a room of 100 000 messages', () => {
      test('opens at its end with a bounded document, which scrolling back never breaks', async () => {
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

      test('from the end to the beginning: each message comes by, and never more than 300 are in the document', async () => {
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
      test('whatever comes into the document above and below, what is read stays where it is, to the pixel', async () => {
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

      test('a text above that changes its height moves nothing either', async () => {
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
      });

      test('who reads at the end stays there, whatever grows', async () => {
        const { ann } = await visitPast(stage, { count: 200 });
        await ann.messages.first().evaluate((row) => row.append('more and more '.repeat(500)));
        await soon(() => distanceToEnd(ann)).toBeLessThan(2);
        await ann.page.setViewportSize({ width: 700, height: 500 });
        await soon(() => distanceToEnd(ann)).toBeLessThan(2);
        expect(await ann.toEnd.count()).toBe(0);
      });
    });

    describe('what was not read', () => {
      test('the room opens at the first of it, under a line that stays there while one reads on', async () => {
        const { ann, bo, room } = await visitPast(stage, { count: 300, readUpTo: 200 });
        await soon(() => lineAbove(ann)).toBe(201);
        await soon(() => isInSight(ann, ann.page.getByTestId('new-line'))).toBe(true);
        await soon(() => ann.toEnd.textContent()).toMatch(/^\d+ new$/);
        await ann.toEnd.click();
        await soon(() => distanceToEnd(ann)).toBeLessThan(2);
        bo.send({ type: 'message', content: 'read at once' });
        await ann.message('read at once').waitFor();
        expect(await lineAbove(ann)).toBe(201);

        await ann.createRoom(uniqueName('elsewhere'));
        await ann.openRoom(room.name);
        expect(await lineAbove(ann)).toBeNull();
        await soon(() => distanceToEnd(ann)).toBeLessThan(2);
      });

      test('it is unread until it was seen', async () => {
        const { ann, room } = await visitPast(stage, { count: 300, readUpTo: 200 });
        await soon(() => lineAbove(ann)).toBe(201);
        await ann.page.reload();
        await ann.isIn(room.name);
        await soon(() => lineAbove(ann)).toBe(201);
        await ann.toEnd.click();
        await soon(() => ann.toEnd.count()).toBe(0);
        await ann.page.reload();
        await ann.isIn(room.name);
        expect(await lineAbove(ann)).toBeNull();
      });

      test('a room that was never opened here has no line', async () => {
        const { ann } = await visitPast(stage, { count: 120 });
        await soon(() => distanceToEnd(ann)).toBeLessThan(2);
        expect(await lineAbove(ann)).toBeNull();
      });

      test('of more than 1000 the end is shown, and the way to the first of them', async () => {
        const { ann } = await visitPast(stage, { count: 1500, readUpTo: 100 });
        await soon(() => lastShown(ann)).toBe(1500);
        const bar = ann.page.getByTestId('unread-bar');
        await bar.getByText('1,400 new messages').waitFor();
        await bar.getByRole('button', { name: 'Jump to first unread' }).click();
        await soon(() => lineAbove(ann)).toBe(101);
        await soon(() => isInSight(ann, ann.page.getByTestId('new-line'))).toBe(true);
        expect(await bar.count()).toBe(0);
      });

      test('of more than 1000, who reads back to the first of them by hand, and on to the end, has read them', async () => {
        const { ann, room } = await visitPast(stage, { count: 1200, readUpTo: 150 });
        const bar = ann.page.getByTestId('unread-bar');
        await bar.getByText('1,050 new messages').waitFor();
        for (let turns = 0; (await bar.count()) > 0 && turns < 200; turns++) {
          expect((await seqsInSight(ann))[0]).toBeGreaterThan(151);
          await ann.wheel(-1500);
        }
        expect(await lineAbove(ann)).toBe(151);
        expect((await seqsInSight(ann))[0]).toBeLessThanOrEqual(151);
        await ann.toEnd.click();
        await soon(() => ann.toEnd.count()).toBe(0);
        await ann.page.reload();
        await ann.isIn(room.name);
        expect(await bar.count()).toBe(0);
        expect(await lineAbove(ann)).toBeNull();
      });

      test('of more than are held, in a room where one talks on, the first is found', async () => {
        const { ann, bo } = await visitPast(stage, { count: 4500, readUpTo: 100 });
        const bar = ann.page.getByTestId('unread-bar');
        await bar.getByText('4,400 new messages').waitFor();
        let said = 0;
        await ann.page.route(OLDER, async (route) => {
          said += 1;
          bo.send({ type: 'message', content: `meanwhile ${said}` });
          await ann.message(`meanwhile ${said}`).waitFor({ state: 'attached' });
          await route.continue();
        });
        await bar.getByRole('button', { name: 'Jump to first unread' }).click();
        await soon(() => lineAbove(ann)).toBe(101);
        await soon(() => isInSight(ann, ann.page.getByTestId('new-line'))).toBe(true);
        expect(said).toBeLessThan(40);
        // What was found stays, as its reader is there.
        bo.send({ type: 'message', content: 'and on' });
        await soon(() => ann.toEnd.textContent()).toBe('1 new');
        expect(await lineAbove(ann)).toBe(101);
      });

      test('the way to the first of them that breaks off says why, and goes on from there when asked again', async () => {
        const { ann, bo } = await visitPast(stage, { count: 4500, readUpTo: 100 });
        ann.console.expect(/status of 429/);
        const bar = ann.page.getByTestId('unread-bar');
        const go = bar.getByRole('button', { name: 'Jump to first unread' });
        let pages = 0;
        await ann.page.route(OLDER, (route) => {
          pages += 1;
          return pages === 20 ? route.fulfill({ status: 429, json: {} }) : route.continue();
        });
        await go.click();
        await ann.page.getByTestId('toasts').getByText("You're going too fast.").waitFor();
        await go.waitFor();
        bo.send({ type: 'message', content: 'meanwhile' });
        await ann.message('meanwhile').waitFor();
        await go.click();
        await soon(() => lineAbove(ann)).toBe(101);
        // Nothing was loaded twice.
        expect(pages).toBeLessThan(30);
      });

      test('of more than 1000, to see the end is not to have read them: they are unread until one says otherwise', async () => {
        const { ann, bo, room } = await visitPast(stage, { count: 1500, readUpTo: 100 });
        const bar = ann.page.getByTestId('unread-bar');
        const listed = () => ann.roomRow(room.name).getByTestId('room-unread').allTextContents();
        await bar.getByText('1,400 new messages').waitFor();
        bo.send({ type: 'message', content: 'one more' });
        await bar.getByText('1,401 new messages').waitFor();
        // One's own are not new.
        for (const content of ['mine 1', 'mine 2', 'mine 3']) await ann.say(content);
        await ann.message('mine 3').waitFor();
        bo.send({ type: 'message', content: 'and another' });
        await bar.getByText('1,402 new messages').waitFor();
        await soon(() => distanceToEnd(ann)).toBeLessThan(2);
        await ann.page.reload();
        await ann.isIn(room.name);
        await bar.getByText('1,402 new messages').waitFor();
        expect((await listed()).join()).toContain('99+');

        await bar.getByRole('button', { name: 'Mark as read' }).click();
        await soon(() => bar.count()).toBe(0);
        await soon(listed).toEqual([]);
        bo.send({ type: 'message', content: 'read as it comes' });
        await ann.message('read as it comes').waitFor();
        expect(await listed()).toEqual([]);
        await ann.page.reload();
        await ann.isIn(room.name);
        expect(await bar.count()).toBe(0);
        expect(await lineAbove(ann)).toBeNull();
      });
    });

    test('who reloads has neither left nor joined', async () => {
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

    describe('by keyboard and by ear', () => {
      test('all messages are one Tab stop; arrows, Home and End go through them, Escape back to the composer', async () => {
        const { ann, bo } = await visitPast(stage, { count: 300 });
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

      test('what has the focus may slide out of the document: arrows and Tab go on from what is in sight', async () => {
        const { ann } = await visitPast(stage, { count: 600 });
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

      test('new messages are announced, a burst as a number; history is not', async () => {
        const { ann, bo, boLogin } = await visitPast(stage, { count: 300 });
        const announced = await watchAnnounced(ann);
        await ann.wheel(-3000);
        await soon(() => firstShown(ann)).toBeLessThan(250);
        await ann.say('this I know');
        bo.send({ type: 'message', content: 'hello there' });
        const hello = `${boLogin.username}: hello there`;
        await soon(announced).toContain(hello);
        for (let n = 1; n <= 30; n++) bo.send({ type: 'message', content: `burst ${n}` });
        // What comes within a second is told together: a burst as one number, or two, or a number and a rest.
        const count = (told: string) => Number(/^\d+(?= new messages, the last from)/.exec(told)?.[0] ?? 1);
        const total = async () => (await announced()).reduce((sum, told) => sum + count(told), 0);
        await soon(total).toBe(31);
        const all = await announced();
        // Announcements come late: had anything else been told, it would be among these.
        expect(all[0]).toBe(hello);
        expect(all.length).toBeLessThan(31);
        expect(await ann.log.getAttribute('aria-live')).toBe('off');
      });

      test('where no socket gets through, what each try reads is announced, too; what was there at opening is not', async () => {
        const { ann, bo, boLogin, room } = await visitPast(stage, { count: 20 });
        ann.console.expect(/WebSocket/);
        await ann.page.routeWebSocket(/\/ws\?/, (socket) => socket.close());
        await ann.page.goto('/favicon.svg');
        await ann.page.goto(`/rooms/${room.id}`);
        await ann.message('past 20').waitFor();
        const announced = await watchAnnounced(ann);
        bo.send({ type: 'message', content: 'hello there' });
        await bo.waitForCount('message', 1);
        const retry = ann.button('Retry now');
        await retry.waitFor();
        await soon(async () => {
          if (await retry.isVisible()) await retry.click();
          return await announced();
        }).toEqual([`${boLogin.username}: hello there`]);
      });

      test('a button over the messages that goes leaves the focus among them, where it has led to', async () => {
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
        await ann.store(`chat_read:${annLogin.userId}`, JSON.stringify({ [room.id]: 100 }));
        await ann.page.goto(`/rooms/${room.id}`);
        await bar.getByRole('button', { name: 'Mark as read' }).focus();
        await keyboard.press('Enter');
        await soon(() => focusedSeq(ann)).toBe(1500);
        await keyboard.press('ArrowUp');
        expect(await focusedSeq(ann)).toBe(1499);
      });

      test('who writes while the first of them is looked for is not taken from the composer', async () => {
        const { ann } = await visitPast(stage, { count: 1500, readUpTo: 100 });
        await ann.page
          .getByTestId('unread-bar')
          .getByRole('button', { name: 'Jump to first unread' })
          .focus();
        await ann.page.route(OLDER, async (route) => {
          await ann.composer.focus();
          await route.continue();
        });
        await ann.page.keyboard.press('Enter');
        await soon(() => lineAbove(ann)).toBe(101);
        await soon(() => isInSight(ann, ann.page.getByTestId('new-line'))).toBe(true);
        expect(await ann.composer.evaluate((field) => field === document.activeElement)).toBe(true);
      });

      test('the time is told in full where one points, and at the message that has the focus', async () => {
        const { ann } = await visitPast(stage, { count: 30 });
        const time = ann.messages.last().locator('time');
        const shown = () => time.evaluate((element) => getComputedStyle(element, '::after').content);
        expect(await shown()).toBe('none');
        await time.hover({ force: true });
        expect(await shown()).toMatch(/\d{4} at \d/);
        await ann.composer.hover();
        await ann.composer.focus();
        expect(await shown()).toBe('none');
        await ann.page.keyboard.press('Shift+Tab');
        expect(await shown()).toMatch(/\d{4} at \d/);
      });
    });

    test('older messages that cannot be loaded say so, and are loaded on demand', async () => {
      const { ann } = await visitPast(stage, { count: 200 });
      ann.console.expect(/Failed to load resource/);
      await ann.page.route('**/messages?*before_id=*', (route) => route.abort());
      await ann.wheel(-1500);
      await ann.page.getByText("Couldn't load older messages.").waitFor({ state: 'attached' });
      await ann.page.unroute('**/messages?*before_id=*');
      await ann.button('Load older messages').click();
      await soon(() => firstShown(ann)).toBeLessThan(150);
      expect(await ann.page.getByText("Couldn't load older messages.").count()).toBe(0);
    });

    test('older messages that could not be loaded are tried again as one scrolls on, with pauses', async () => {
      const { ann } = await visitPast(stage, { count: 200 });
      ann.console.expect(/Failed to load resource/);
      let tries = 0;
      await ann.page.route('**/messages?*before_id=*', (route) => {
        tries += 1;
        return route.abort();
      });
      const nearStart = async () => {
        await ann.wheel(100);
        await ann.wheel(-20_000);
      };
      await nearStart();
      await ann.page.getByText("Couldn't load older messages.").waitFor();
      const turns = 12;
      for (let turn = 0; turn < turns; turn++) await nearStart();
      expect(tries).toBeLessThan(turns);
      await ann.page.unroute('**/messages?*before_id=*');
      await soon(async () => {
        await nearStart();
        return await firstShown(ann);
      }).toBeLessThan(150);
    });

    test('older messages that could not be loaded without a line come with it', async () => {
      await using line = await Line.lay(stage.server);
      const { ann } = await visitPast(stage, { count: 200, origin: line.url });
      ann.console.expect(UNREACHABLE);
      await line.cut();
      await ann.connection('waiting').waitFor();
      await ann.wheel(-20_000);
      await ann.page.getByText("Couldn't load older messages.").waitFor();
      await line.mend();
      await soon(() => firstShown(ann)).toBeLessThan(150);
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

    test('a burst into the open room: all are counted, the end is followed, the document stays bounded', async () => {
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

/** Ann opens a room with a long past in which Bo is. */
async function visitPast(
  stage: Stage,
  { count, readUpTo, origin }: { count: number; readUpTo?: number; origin?: string },
) {
  const [boLogin, cy, annLogin] = [
    await stage.account('bo'),
    await stage.account('cy'),
    await stage.account('ann'),
  ];
  const room = await createRoom(stage.server, boLogin);
  plantPast(stage.server, { roomId: room.id, userIds: [boLogin.userId, cy.userId], count });
  const bo = await ChatClient.enter(stage.server, boLogin, room.id);
  // What goes through a worker, no route of a test may see.
  const seat = { login: annLogin, path: '/', withoutWorker: true };
  const ann = await stage.seat({ ...seat, ...(origin && { origin }) });
  if (readUpTo !== undefined)
    await ann.store(`chat_read:${annLogin.userId}`, JSON.stringify({ [room.id]: readUpTo }));
  await ann.page.goto(`/rooms/${room.id}`);
  await ann.isIn(room.name);
  return { ann, annLogin, bo, boLogin, room };
}

/** The seq of the message that the "New" line stands above; null without a line. */
async function lineAbove(person: Person): Promise<number | null> {
  const line = person.page.getByTestId('new-line');
  if ((await line.count()) === 0) return null;
  return await line.evaluate((element) => Number(element.nextElementSibling?.getAttribute('data-seq')));
}

/** Within the box that scrolls. */
async function isInSight(person: Person, what: Locator): Promise<boolean> {
  const [box, inner] = [await person.log.boundingBox(), await what.boundingBox()];
  return box !== null && inner !== null && inner.y >= box.y && inner.y + inner.height <= box.y + box.height;
}

/** Any of whose text is in the box that scrolls. */
async function seqsInSight(person: Person): Promise<number[]> {
  return await person.log.evaluate((box) => {
    const { top, bottom } = box.getBoundingClientRect();
    return [...box.querySelectorAll<HTMLElement>('[data-seq]')]
      .filter((row) => row.getBoundingClientRect().bottom > top && row.getBoundingClientRect().top < bottom)
      .map((row) => Number(row.dataset.seq));
  });
}

/** The message that has the focus; 0: none has. */
async function focusedSeq(person: Person): Promise<number> {
  return await person.page.evaluate(() => Number(document.activeElement?.getAttribute('data-seq')));
}

/** What Tab reaches among the messages: seqs and addresses. */
async function tabStops(person: Person): Promise<string[]> {
  return await person.log.evaluate((box) =>
    [...box.querySelectorAll<HTMLElement>('[data-row], [data-row] *')]
      .filter((element) => element.tabIndex >= 0)
      .map((element) => element.getAttribute('data-seq') ?? element.textContent ?? ''),
  );
}

async function distanceToEnd(person: Person): Promise<number> {
  return await person.log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
}

/** The seqs of the messages in the document, from top to bottom. */
async function shownSeqs(person: Person): Promise<number[]> {
  return await person.messages.evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-seq'))));
}

async function firstShown(person: Person): Promise<number> {
  return (await shownSeqs(person))[0] ?? 0;
}

async function lastShown(person: Person): Promise<number> {
  return (await shownSeqs(person)).at(-1) ?? 0;
}

/** Pairs in the document that do not follow on from each other. */
async function gaps(person: Person): Promise<number[][]> {
  const seqs = await shownSeqs(person);
  return seqs
    .slice(1)
    .flatMap((seq, index) => (seq === (seqs[index] ?? 0) + 1 ? [] : [[seqs[index] ?? 0, seq]]));
}

/** So many pictures go by. */
async function frames(person: Person, count: number): Promise<void> {
  await person.page.evaluate(async (left) => {
    for (; left > 0; left--) await new Promise(requestAnimationFrame);
  }, count);
}

/** Tells all that was read out since. */
async function watchAnnounced(person: Person): Promise<() => Promise<string[]>> {
  const heard = await person.page.evaluateHandle(() => {
    const texts: string[] = [];
    const announcer = document.querySelector('[data-testid=announcer]') as HTMLElement;
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) texts.push(node.textContent ?? '');
    }).observe(announcer, { childList: true });
    return texts;
  });
  return () => heard.evaluate((texts) => [...texts]);
}

/** After every change of the page: how many messages are in it. Tells the numbers since. */
async function watchCount(person: Person): Promise<() => Promise<number[]>> {
  const seen = await person.page.evaluateHandle(() => {
    const counts = new Set<number>();
    const count = () => counts.add(document.querySelectorAll('[role=log] [data-row=message]').length);
    count();
    new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
    return counts;
  });
  return () => seen.evaluate((counts) => [...counts]);
}

/**
 * Looks at the messages in sight in every picture. From then on only `scroll` scrolls; `worst` tells by how many pixels
 * at most a message moved by itself.
 */
async function watchGaze(person: Person) {
  const gaze = await person.page.evaluateHandle(() => {
    const box = document.querySelector('[role=log]') as HTMLElement;
    const state = { worst: 0, before: new Map<string, number>() };
    const look = () => {
      const { top, bottom } = box.getBoundingClientRect();
      const inSight = new Map<string, number>();
      for (const text of box.querySelectorAll('[data-testid=message-content]')) {
        const rect = text.getBoundingClientRect();
        const seq = text.closest('[data-seq]')?.getAttribute('data-seq');
        if (rect.top >= top && rect.top < bottom && seq) inSight.set(seq, rect.top);
      }
      return inSight;
    };
    const compare = () => {
      const now = look();
      for (const [seq, top] of now) {
        const was = state.before.get(seq);
        if (was !== undefined) state.worst = Math.max(state.worst, Math.abs(top - was));
      }
      state.before = now;
    };
    // Comes just after a picture: what is put right before it is drawn was never seen.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = compare;
    const watch = () => {
      port2.postMessage(null);
      requestAnimationFrame(watch);
    };
    state.before = look();
    requestAnimationFrame(watch);
    return {
      state,
      scroll: (by: number) => {
        compare();
        box.scrollTop += by;
        state.before = look();
      },
    };
  });
  return {
    scroll: async (by: number) => {
      await gaze.evaluate(({ scroll }, pixels) => scroll(pixels), by);
      await frames(person, 3);
    },
    worst: () => gaze.evaluate(({ state }) => state.worst),
  };
}
