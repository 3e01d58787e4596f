/** The client on a device without its server: it opens, shows what was last seen, and takes what is written. */
import { expect, test } from 'vitest';
import { createRoom } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { checkScreen } from './check-screen.ts';
import { UNREACHABLE } from './console-watch.ts';
import { keptMessages, keptRooms, pretendOtherLife } from './last-seen-page.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';

onStage('without a server', (stage) => {
  test('the client opens at any of its addresses, and recovers when the server is back', async () => {
    const { ann, room } = await keptClient(stage);
    await stage.killServer();
    await ann.page.reload();
    await ann.composer.waitFor();
    const tab = await ann.openTab('/');
    tab.console.expect(UNREACHABLE);
    await tab.rooms.waitFor();
    await stage.server.restart();
    await ann.isIn(room.name);
  });

  test('the typeface comes from this server, at most 60 kB of it, and is there without the server, too', async () => {
    const { ann } = await keptClient(stage);
    await ann.page.reload();
    await soon(() => typeface(ann)).toBe('loaded');
    const sizes = await ann.page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => name.endsWith('.woff2'))
        .map(({ name, decodedBodySize }) => ({ origin: new URL(name).origin, decodedBodySize })),
    );
    expect(sizes.map(({ origin }) => origin)).toEqual([stage.server.url]);
    expect(sizes[0]?.decodedBodySize).toBeLessThanOrEqual(60_000);
    expect(sizes[0]?.decodedBodySize).toBeGreaterThan(10_000);
    await stage.killServer();
    await ann.page.reload();
    await ann.composer.waitFor();
    await soon(() => typeface(ann)).toBe('loaded');
    await stage.server.restart();
  });

  test('the rooms and messages last seen are shown, new messages wait, and all is up to date afterwards', async () => {
    const { ann, owner, room } = await keptClient(stage);
    const elsewhere = await createRoom(stage.server, owner);
    await ann.refreshRooms();
    await ann.roomRow(elsewhere.name).waitFor();
    for (const content of ['one', 'two']) await ann.say(content);
    await ann.message('two').waitFor();
    await keptMessages(ann, owner.userId, room.id, ['one', 'two']);
    await stage.killServer();

    await ann.page.reload();
    await soon(() => ann.contents()).toEqual(['one', 'two']);
    await ann.page.getByRole('heading', { level: 1, name: room.name, exact: true }).waitFor();
    await ann.roomRow(elsewhere.name).waitFor();
    await ann.say('three');
    await ann.pending.getByText("Sends when you're back online").waitFor();
    await ann.page.reload();
    await soon(() => ann.contents()).toEqual(['one', 'two']);
    await ann.pending.waitFor();

    await stage.server.restart();
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    bo.send({ type: 'message', content: 'from bo' });
    await ann.isIn(room.name);
    await soon(async () => (await ann.contents()).toSorted()).toEqual(['from bo', 'one', 'three', 'two']);
    expect((await ann.contents()).slice(0, 2)).toEqual(['one', 'two']);
    await soon(() => ann.pending.count()).toBe(0);
  });

  test('a quiet room is kept, too, when its history arrives before its hello', async () => {
    const owner = await stage.account('ann');
    const room = await createRoom(stage.server, owner);
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    for (const content of ['one', 'two']) bo.send({ type: 'message', content });
    await bo.waitForCount('message', 2);
    const ann = await stage.seat({ login: owner, withoutWorker: true });
    await ann.page.route('**/api/v1/ws/tickets', async (route) => {
      await ann.message('two').waitFor();
      await route.continue();
    });
    await ann.openRoom(room.name);
    await keptMessages(ann, owner.userId, room.id, ['one', 'two']);
  });

  test('without a service worker, signing out says that the sign-in form did not load, and shows it once it can', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: '/favicon.svg', withoutWorker: true });
    ann.console.expect(UNREACHABLE);
    const part = /\/AuthCard-[^/]*\.js$/;
    let tries = 0;
    await ann.page.route(part, (route) => {
      tries += 1;
      return route.abort();
    });
    await ann.page.goto(`/rooms/${room.id}`);
    await ann.isIn(room.name);
    await ann.me.click();
    await ann.button('Sign out').click();
    await soon(() => ann.log.count()).toBe(0);
    const hint = ann.page.getByRole('alert').filter({ hasText: "Couldn't load this. Check your connection" });
    await hint.waitFor();
    await checkScreen(ann);
    const before = tries;
    await soon(() => tries).toBeGreaterThan(before + 1);
    await ann.page.unroute(part);
    await ann.isOutside();
    expect(await hint.count()).toBe(0);
  });

  test('without a service worker, signing out while the server is down shows the sign-in form', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: '/favicon.svg', withoutWorker: true });
    ann.console.expect(UNREACHABLE);
    const form = ann.page.waitForResponse(/\/AuthCard-[^/]*\.js$/);
    await ann.page.goto(`/rooms/${room.id}`);
    await ann.isIn(room.name);
    await (await form).finished();
    await ann.me.click();
    await ann.button('Sign out').waitFor();
    await ann.page.waitForLoadState('networkidle');
    await stage.server.kill();
    await ann.button('Sign out').click();
    await ann.isOutside();
    await ann.page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('in a room that was never opened here, a new message is shown and waits, too', async () => {
    const { ann, owner } = await keptClient(stage);
    const other = await createRoom(stage.server, owner);
    await ann.refreshRooms();
    await ann.roomRow(other.name).waitFor();
    await keptRooms(ann, owner.userId, other.name);
    await stage.killServer();
    const tab = await ann.openTab(`/rooms/${other.id}`);
    tab.console.expect(UNREACHABLE);
    await tab.say('hello?');
    await tab.pending.getByText('hello?').waitFor();
    await stage.server.restart();
    await tab.isIn(other.name);
    await soon(() => tab.contents()).toEqual(['hello?']);
  });

  test('a room that was never opened here says that it loads later, and does', async () => {
    const { ann, owner } = await keptClient(stage);
    const other = await createRoom(stage.server, owner);
    await ann.refreshRooms();
    await ann.roomRow(other.name).waitFor();
    await keptRooms(ann, owner.userId, other.name);
    await stage.killServer();
    await ann.roomRow(other.name).click();
    await ann.log.getByText("Loads when you're back online").waitFor();
    expect(await ann.page.getByRole('status', { name: 'Loading messages' }).count()).toBe(0);
    await stage.server.restart();
    await ann.isIn(other.name);
    await ann.log.getByText('No messages yet').waitFor();
  });

  test('after reopening without a server, the banner counts what was missed since', async () => {
    const { ann, owner, room } = await keptClient(stage);
    await ann.say('one');
    await ann.message('one').waitFor();
    await keptMessages(ann, owner.userId, room.id, ['one']);
    await ann.page.context().setOffline(true);
    await ann.page.reload();
    await ann.banner.getByText('Offline').waitFor();
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    for (const content of ['two', 'three']) bo.send({ type: 'message', content });
    await bo.waitForCount('message', 2);
    await ann.page.context().setOffline(false);
    await ann.banner.getByText('Up to date, 2 new').waitFor();
  });

  test('messages since the last visit follow the ones last seen, each once and in order', async () => {
    const { ann, owner, room } = await keptClient(stage);
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    const say = (from: number, to: number) => {
      for (let index = from; index <= to; index++) bo.send({ type: 'message', content: `message ${index}` });
    };
    const said = (to: number) => Array.from({ length: to }, (_, index) => `message ${index + 1}`);
    say(1, 5);
    await soon(() => ann.contents()).toEqual(said(5));
    await keptMessages(ann, owner.userId, room.id, said(5));
    await ann.page.goto('/favicon.svg');
    say(6, 40);
    await bo.waitForCount('message', 40);
    await ann.page.goto(`/rooms/${room.id}`);
    await ann.isIn(room.name);
    await soon(() => ann.contents()).toEqual(said(40));
    await ann.page.getByTestId('new-line').waitFor();
  });

  test('a reader further up in the messages last seen stays there, to the pixel, when the server is back', async () => {
    const { ann, owner, room } = await keptClient(stage);
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    const said = Array.from({ length: 45 }, (_, index) => `message ${index + 1}`);
    for (const content of said) bo.send({ type: 'message', content });
    await soon(() => ann.contents()).toEqual(said);
    await keptMessages(ann, owner.userId, room.id, said);
    await stage.killServer();
    await ann.page.reload();
    await soon(() => ann.contents()).toEqual(said);
    // Not by the wheel: a page that has just loaded misses some of its events, and gets others late.
    await soon(async () => {
      await ann.log.evaluate((box) => {
        box.scrollTop -= 300;
      });
      await ann.still();
      return await ann.toEnd.count();
    }).toBe(1);
    const tops = await watchTops(ann, 'message 20');

    await stage.server.restart();
    const again = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    for (let n = 1; n <= 5; n++) again.send({ type: 'message', content: `new ${n}` });
    await ann.isIn(room.name);
    await soon(() => ann.toEnd.textContent()).toBe('5 new');
    expect(await tops()).toHaveLength(1);
  });

  test('a device without a network opens, too, and says so', async () => {
    const { ann, owner, room } = await keptClient(stage);
    await ann.say('before');
    await ann.message('before').waitFor();
    await keptMessages(ann, owner.userId, room.id, ['before']);
    await ann.page.context().setOffline(true);
    await ann.page.reload();
    await soon(() => ann.contents()).toEqual(['before']);
    await ann.say('from the tunnel');
    await ann.banner.getByText('Offline, 1 message waiting').waitFor();
    await ann.page.context().setOffline(false);
    await soon(() => ann.contents()).toEqual(['before', 'from the tunnel']);
    await soon(() => ann.pending.count()).toBe(0);
  });

  test('messages last seen of another epoch disappear when the server is back', async () => {
    const { ann, owner, room } = await keptClient(stage);
    await ann.say('true');
    await ann.message('true').waitFor();
    await keptMessages(ann, owner.userId, room.id, ['true']);
    // As if this were the life before a restored backup.
    await ann.page.goto('/favicon.svg');
    await pretendOtherLife(ann, owner.userId, room.id);
    await ann.page.goto(`/rooms/${room.id}`);
    await ann.isIn(room.name);
    await soon(() => ann.contents()).toEqual(['true']);
  });

  test('a request to the API never gets its response from the device', async () => {
    const { ann } = await keptClient(stage);
    const asked = ['/api/v1/rooms', '/health', '/healthz', '/ready', '/version', '/icons/icon-192.png'];
    const answered = () =>
      ann.page.evaluate(
        (paths) =>
          Promise.all(
            paths.map((path) =>
              fetch(path).then(
                ({ status }) => status,
                () => 0,
              ),
            ),
          ),
        asked,
      );
    expect(await answered()).toEqual([401, 200, 200, 200, 200, 200]);
    await stage.killServer();
    expect(await answered()).toEqual(asked.map(() => 0));
  });

  test('it can be installed: a manifest with its icons, all of the size that they say', async () => {
    const ann = await stage.seat();
    const manifest = await ann.page.evaluate(async () => {
      const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
      const reply = await fetch(link?.href ?? '');
      return { type: reply.headers.get('content-type'), ...(await reply.json()) };
    });
    expect(manifest.type).toMatch(/^application\/manifest\+json/);
    expect(manifest).toMatchObject({ name: 'Roomful', start_url: '/', display: 'standalone' });
    const icons = manifest.icons.filter(({ type }: { type: string }) => type === 'image/png');
    for (const { src, sizes } of icons) expect(await sizeOf(src)).toBe(sizes);
    expect(await sizeOf('/icons/apple-touch-icon.png')).toBe('180x180');

    async function sizeOf(src: string): Promise<string> {
      return await ann.page.evaluate(async (path) => {
        const image = new Image();
        image.src = path;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
    }
  });
});

/** In every picture: how far from the top a message stands. Returns all the places since. */
async function watchTops({ page }: Person, content: string): Promise<() => Promise<number[]>> {
  const seen = await page.evaluateHandle((text) => {
    const tops = new Set<number>();
    const look = () => {
      const texts = [...document.querySelectorAll('[data-testid=message-content]')];
      tops.add(texts.find(({ textContent }) => textContent === text)?.getBoundingClientRect().top ?? -1);
    };
    // The newest observer is called last, right before the picture: what the page puts right earlier is never seen.
    const watch = () => {
      const observer = new ResizeObserver(() => {
        observer.disconnect();
        look();
      });
      observer.observe(document.documentElement);
      requestAnimationFrame(watch);
    };
    watch();
    return tops;
  }, content);
  return () => seen.evaluate((tops) => [...tops]);
}

/** Ann is in a room, and the client is on her device. */
async function keptClient(stage: Stage) {
  const owner = await stage.account('ann');
  const room = await createRoom(stage.server, owner);
  const ann = await stage.seat({ login: owner, path: `/rooms/${room.id}` });
  ann.console.expect(UNREACHABLE, /status of 401/);
  await ann.isIn(room.name);
  await ann.isKept();
  return { ann, owner, room };
}

/** What the browser says of the typeface of the client. */
async function typeface({ page }: Person): Promise<string | undefined> {
  return await page.evaluate(
    () => [...document.fonts].find(({ family }) => family.includes('Inter Variable'))?.status,
  );
}
