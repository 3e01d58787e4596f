/** S49: nothing uploaded runs in a browser, however a page or a person opens it. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JPEG } from '../../protocol/media/testing/samples.ts';
import { polyglots } from '../support/polyglots.ts';
import { type SentFile, sendFiles } from '../support/sent-files.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, PASSWORD, signUp } from '../support/users.ts';
import { chromiumPath, NO_CHROMIUM, sharedBrowser } from './chromium.ts';

const FILES = polyglots('globalThis.ran=1');
/** A page of the server's own origin, without any policy of its own. */
const BARE = '/bare-page';
const CONTROL = '/control/';

if (chromiumPath === undefined) console.info(NO_CHROMIUM);

describe.skipIf(chromiumPath === undefined)('files in Chromium', () => {
  let server: ServerProcess;
  let ann: Login;
  let page: Page;
  const sent: SentFile[] = [];
  let url: (path: string) => string;

  beforeAll(async () => {
    server = await ServerProcess.start();
    url = (path) => `http://127.0.0.1:${server.port}${path}`;
    ann = await signUp(server);
    const { id: roomId } = await createRoom(server, ann);
    const all = [...FILES.map(({ file, bytes }) => ({ name: file, bytes })), { name: 'a.jpg', bytes: JPEG }];
    for (let from = 0; from < all.length; from += 10)
      sent.push(...(await sendFiles(server, ann, roomId, all.slice(from, from + 10))));
    const browser = await sharedBrowser({ notifies: false });
    const context = await browser.newContext();
    page = await context.newPage();
    await page.route(url(BARE), (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><body></body>' }),
    );
    await page.route(url(`${CONTROL}**`), async (route) => {
      const [index = '', type = ''] = route.request().url().split(CONTROL)[1]?.split('/as/') ?? [];
      const body = Buffer.from(FILES[Number(index)]?.bytes ?? []);
      await route.fulfill({ contentType: type, body });
    });
    await page.goto(url(BARE));
    await page.evaluate(
      async ([username, password]) => {
        await fetch('/api/v1/auth/login', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username, password }),
        });
      },
      [ann.username, PASSWORD],
    );
  });
  afterAll(async () => {
    await page?.context().close();
    await server?.dispose();
  });

  /** Opens each path in every way that a page has; whether anything of it ran, in the page or in a frame. */
  async function runsIn(paths: readonly string[]): Promise<boolean> {
    await page.goto(url(BARE));
    await page.evaluate(async (all) => {
      const settled = (element: Element, done: () => void) => {
        for (const event of ['load', 'error', 'loadedmetadata']) element.addEventListener(event, done);
      };
      for (const path of all) {
        const ways = [
          'script',
          'script module',
          'iframe',
          'embed',
          'object',
          'img',
          'video',
          'audio',
          'link',
        ].map((way) => {
          const [tag = '', type] = way.split(' ');
          const element = document.createElement(tag);
          if (type !== undefined) element.setAttribute('type', type);
          if (tag === 'link') element.setAttribute('rel', 'stylesheet');
          element.setAttribute(tag === 'object' ? 'data' : tag === 'link' ? 'href' : 'src', path);
          const isSettled = new Promise<void>((done) => {
            settled(element, done);
            // Of a download neither event comes.
            setTimeout(done, 300);
          });
          document.body.append(element);
          return isSettled;
        });
        const worker = new Promise<void>((done) => {
          const started = new Worker(path);
          started.addEventListener('error', () => done());
          setTimeout(done, 300);
        });
        await Promise.all([...ways, worker]);
      }
    }, paths);
    const found = await Promise.all(
      page.frames().map((frame) => frame.evaluate(() => 'ran' in globalThis).catch(() => false)),
    );
    return found.includes(true);
  }

  test('a picture is shown by the cookie of files, and by no other', async () => {
    await page.goto(url(BARE));
    const widthOf = (path: string) =>
      page.evaluate(async (src) => {
        const image = new Image();
        image.src = src;
        await image.decode().catch(() => undefined);
        return image.naturalWidth;
      }, path);
    const path = sent.at(-1)?.path ?? '';
    expect(await widthOf(path)).toBeGreaterThan(0);
    const other = await (await sharedBrowser({ notifies: false })).newContext();
    const stranger = await other.newPage();
    expect((await stranger.goto(url(path)))?.status()).toBe(401);
    await other.close();
  });

  test('of 60 files that are two things none runs in a page, as a frame, or on its own', async () => {
    const paths = sent.slice(0, FILES.length).map(({ path }) => path);
    expect(await runsIn(paths)).toBe(false);
    for (const path of paths) {
      // What is downloaded ends the navigation.
      const reply = await page.goto(url(path)).catch(() => null);
      if (reply === null) continue;
      expect([path, reply.status()]).toEqual([path, 200]);
      expect([path, await page.evaluate(() => 'ran' in globalThis)]).toEqual([path, false]);
    }
  });

  test.each([
    ['html', 'text/html'],
    ['script', 'text/javascript'],
  ])('the test would see it: a GIF and %s runs where a server says that it is one', async (content, type) => {
    const index = FILES.findIndex(({ name }) => name === `gif and ${content}`);
    expect(await runsIn([`${CONTROL}${index}/as/${type}`])).toBe(true);
  });
});
