/** The client on a device without its server: it opens, looks as ever, and says what it cannot do. */
import { expect, test } from 'vitest';
import { createRoom } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import { UNREACHABLE } from './console-watch.ts';
import { keptClient, keptMessages } from './last-seen-page.ts';
import type { Person } from './person.ts';
import { onStageWithWorker, soon } from './stage.ts';

onStageWithWorker('without a server', (stage) => {
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

  test('without a service worker, signing out says that the sign-in form did not load, and shows it once it can', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: '/favicon.svg', worker: false });
    ann.console.expect(UNREACHABLE);
    const part = /\/Entrance-[^/]*\.js$/;
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
    const ann = await stage.seat({ login, path: '/favicon.svg', worker: false });
    ann.console.expect(UNREACHABLE);
    const form = ann.page.waitForResponse(/\/Entrance-[^/]*\.js$/);
    await ann.page.goto(`/rooms/${room.id}`);
    await ann.isIn(room.name);
    await (await form).finished();
    await ann.me.click();
    await ann.button('Sign out').waitFor();
    await ann.page.waitForLoadState('networkidle');
    await stage.server.kill();
    await ann.button('Sign out').click();
    await ann.isOutside();
    await ann.submit.waitFor();
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

/** What the browser says of the typeface of the client. */
async function typeface({ page }: Person): Promise<string | undefined> {
  return await page.evaluate(
    () => [...document.fonts].find(({ family }) => family.includes('Inter Variable'))?.status,
  );
}
