/** Older messages that fail to load: the error, the button, and the retries. */
import { expect, test } from 'vitest';
import { UNREACHABLE } from './console-watch.ts';
import type { Person } from './person.ts';
import { onStage, soon } from './stage.ts';
import { firstShown, OLDER, visitPast } from './timeline-page.ts';

onStage(
  'older messages',
  (stage) => {
    test('a failure to load is reported, and the button tries again', async () => {
      const { ann } = await visitPast(stage, { count: 200 });
      ann.console.expect(/Failed to load resource/);
      await ann.page.route(OLDER, (route) => route.abort());
      await failToLoad(ann);
      await ann.page.unroute(OLDER);
      await ann.button('Load older messages').click();
      await soon(() => firstShown(ann)).toBeLessThan(150);
      expect(await ann.page.getByText("Couldn't load older messages.").count()).toBe(0);
    });

    test('scrolling on tries again after a failure, with pauses', async () => {
      const { ann } = await visitPast(stage, { count: 200 });
      ann.console.expect(/Failed to load resource/);
      let tries = 0;
      await ann.page.route(OLDER, (route) => {
        tries += 1;
        return route.abort();
      });
      const nearStart = async () => {
        await ann.wheel(100);
        await ann.wheel(-20_000);
      };
      await failToLoad(ann);
      const turns = 12;
      for (let turn = 0; turn < turns; turn++) await nearStart();
      expect(tries).toBeLessThan(turns);
      await ann.page.unroute(OLDER);
      await soon(async () => {
        await nearStart();
        return await firstShown(ann);
      }).toBeLessThan(150);
    });

    test('a failure without a connection is made good once it is back', async () => {
      await using proxy = await stage.proxy();
      const { ann } = await visitPast(stage, { count: 200, origin: proxy.url });
      ann.console.expect(UNREACHABLE);
      // Its code has been loaded.
      await ann.button('Load older messages').waitFor({ state: 'attached' });
      await proxy.cut();
      await ann.connection('waiting').waitFor();
      await failToLoad(ann);
      await proxy.restore();
      await soon(() => firstShown(ann)).toBeLessThan(150);
    });
  },
  { MESSAGES_PER_SECOND: '0' },
);

/** Scrolls up until the failure is reported: a page that has just loaded misses some events of the wheel. */
async function failToLoad(ann: Person): Promise<void> {
  const failure = ann.page.getByText("Couldn't load older messages.");
  await soon(async () => {
    await ann.wheel(-20_000);
    return await failure.isVisible();
  }).toBe(true);
}
