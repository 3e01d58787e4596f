/** The timeline for screen readers: which messages are announced. */
import { expect, test } from 'vitest';
import { onStage, soon } from './stage.ts';
import { firstShown, LATEST, visitPast, watchAnnounced } from './timeline-page.ts';

onStage(
  'the timeline for screen readers',
  (stage) => {
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
      // Messages within a second are announced together: a burst as one or two numbers, or a number and a rest.
      const count = (told: string) => Number(/^\d+(?= new messages, the last from)/.exec(told)?.[0] ?? 1);
      const total = async () => (await announced()).reduce((sum, told) => sum + count(told), 0);
      await soon(total).toBe(31);
      const all = await announced();
      // Announcements are late: any other one would be among these.
      expect(all[0]).toBe(hello);
      expect(all.length).toBeLessThan(31);
      expect(await ann.log.getAttribute('aria-live')).toBe('off');
    });

    test('what is announced are the words, without marks and addresses', async () => {
      const { ann, bo, boLogin } = await visitPast(stage, { count: 3 });
      const announced = await watchAnnounced(ann);
      bo.send({ type: 'message', content: '[docs](https://e.com/x) ~~no~~ **yes** @"ann lee"' });
      await soon(announced).toContain(`${boLogin.username}: docs no yes @ann lee`);
    });

    test('where no socket gets through, messages of each attempt are announced, those at opening not', async () => {
      const { ann, bo, boLogin, room } = await visitPast(stage, { count: 20 });
      ann.console.expect(/WebSocket/);
      // The list of rooms never comes, and history is not to wait for it.
      await ann.page.unroute(LATEST);
      await ann.page.routeWebSocket(/\/ws$/, (socket) => socket.close());
      await ann.page.goto('/favicon.svg');
      // What comes while the page opens is history, and a slow machine shows its own copy of the room long before.
      const opened = ann.page.waitForResponse(LATEST);
      await ann.page.goto(`/rooms/${room.id}`);
      await (await opened).finished();
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
  },
  { MESSAGES_PER_SECOND: '0' },
);
