/** A newer build of the client arrives while pages are open: it disturbs nobody, and builds are never mixed. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createRoom } from '../support/users.ts';
import { REFUSED, UNREACHABLE } from './console-watch.ts';
import { NextBuild } from './next-build.ts';
import type { Person } from './person.ts';
import { onStageWithWorker, type Stage, soon } from './stage.ts';

onStageWithWorker('updates', (stage) => {
  afterAll(() => NextBuild.deleteOriginals());

  test('a newer build is fetched in the background, and loads when the user asks for it; the draft stays', async () => {
    await using next = await NextBuild.make('next');
    const { ann, room } = await hosted(stage);
    await ann.composer.fill('half a sentence');
    await serve(stage, next.dir);
    await notice(ann).waitFor();
    expect(await buildOf(ann)).toBeUndefined();
    await ann.isIn(room.name);

    await ann.button('Reload').click();
    await soon(() => buildOf(ann)).toBe('next');
    await ann.isIn(room.name);
    expect(await ann.composer.inputValue()).toBe('half a sentence');
    expect(await notice(ann).count()).toBe(0);
  });

  test('without being asked for, the newer build loads when the client is opened again', async () => {
    await using next = await NextBuild.make('next');
    const { ann, room } = await hosted(stage);
    await serve(stage, next.dir);
    await notice(ann).getByRole('button', { name: 'Not now' }).click();
    expect(await notice(ann).count()).toBe(0);
    await ann.say('on the old build');
    await ann.message('on the old build').waitFor();
    // The newer one takes over a moment after the last page of the older one is gone.
    const blank = await ann.page.context().newPage();
    await ann.page.close();
    await soon(async () => {
      const again = await ann.openTab(`/rooms/${room.id}`);
      await again.isIn(room.name);
      const build = await buildOf(again);
      await again.page.close();
      return build;
    }).toBe('next');
    await blank.close();
  });

  test('of two tabs, one changes over, and the other keeps its build until the user asks there', async () => {
    await using next = await NextBuild.make('next');
    const { ann, room } = await hosted(stage);
    const tab = await ann.openTab(`/rooms/${room.id}`);
    tab.console.expect(UNREACHABLE);
    await tab.isIn(room.name);
    const assets = await assetsOf(tab);
    await serve(stage, next.dir);
    await notice(ann).waitFor();
    await ann.button('Reload').click();
    await soon(() => buildOf(ann)).toBe('next');

    await notice(tab).waitFor();
    await tab.isIn(room.name);
    expect(await buildOf(tab)).toBeUndefined();
    // The server has them no more.
    const code = assets.find((path) => path.includes('/index-')) ?? '';
    expect((await ann.page.request.get(code)).status()).toBe(404);
    expect(await statuses(tab, assets)).toEqual(assets.map(() => 200));
    await ann.isIn(room.name);
    await ann.say('from the newer');
    await tab.message('from the newer').waitFor();
    await tab.say('from the older');
    await ann.message('from the older').waitFor();

    await tab.button('Reload').click();
    await soon(() => buildOf(tab)).toBe('next');
    await tab.isIn(room.name);
    await soon(() => tab.contents()).toEqual(['from the newer', 'from the older']);
  });

  test('a page that was opened without the server learns of the newer build when the server is back', async () => {
    await using next = await NextBuild.make('next');
    const { ann, room } = await hosted(stage);
    await stage.server.stop();
    const checked = ann.page
      .context()
      .waitForEvent('requestfailed', (request) => request.url().endsWith('/sw.js'));
    await ann.page.reload();
    await checked;
    await stage.server.restart({ CLIENT_DIR: next.dir });
    await ann.isIn(room.name);
    await notice(ann).waitFor();
  });

  test('a newer worker that takes over late, after the reload: the page changes over without being asked again', async () => {
    await using next = await NextBuild.make('next');
    const { ann, room } = await hosted(stage);
    // As while the older worker is busy: the newer one does not take over.
    await ann.page.context().addInitScript(ignoreTakeOver);
    await ann.page.reload();
    await ann.isIn(room.name);
    await serve(stage, next.dir);
    await ann.button('Reload').click();
    // The request of the page, and of the page that came from the older build again.
    await soon(() => ann.page.evaluate(() => sessionStorage.getItem('ignored'))).toBe('2');
    await ann.page.waitForTimeout(4000);
    expect(await buildOf(ann)).toBeUndefined();
    await ann.page.evaluate(() => void window.dispatchEvent(new Event('take-over')));
    await soon(() => buildOf(ann)).toBe('next');
  });

  test('builds that are no longer used are deleted from the device', async () => {
    await using next = await NextBuild.make('next');
    await using later = await NextBuild.make('later');
    const { ann, room } = await hosted(stage);
    for (const [name, { dir }] of Object.entries({ next, later })) {
      await serve(stage, dir);
      await ann.button('Reload').click();
      await soon(() => buildOf(ann)).toBe(name);
      await ann.isIn(room.name);
    }
    // The one in use, and the one before it for tabs that may still be open.
    const kept = await keptBuilds(ann);
    expect(kept.length).toBe(2);
  });

  test('a build that changes while it is fetched is not kept: builds are never mixed', async () => {
    await using next = await NextBuild.make('next');
    const { ann, room } = await hosted(stage);
    const before = await keptBuilds(ann);
    const page = join(next.dir, 'index.html');
    await writeFile(page, (await readFile(page, 'utf8')).replace('<title>', '<title>Other '));
    await serve(stage, next.dir);
    await ann.isIn(room.name);
    expect(await endOfUpdate(ann)).toBe('redundant');
    expect(await keptBuilds(ann)).toEqual(before);
    await ann.page.reload();
    await ann.isIn(room.name);
    expect(await buildOf(ann)).toBeUndefined();
  });

  test('on a server with another client and no worker, this worker removes itself', async () => {
    const other = await mkdtemp(join(tmpdir(), 'roomful-other-'));
    await writeFile(join(other, 'index.html'), '<title>Another client</title>');
    const { ann } = await hosted(stage);
    ann.console.expect(REFUSED, /sw\.js/);
    await serve(stage, other);
    await ann.page.reload();
    await notice(ann).waitFor();
    expect(await keptBuilds(ann)).toEqual([]);
    await ann.button('Reload').click();
    await soon(() => ann.page.title()).toBe('Another client');
    await rm(other, { recursive: true });
  });

  test('a server that is down does not remove the worker', async () => {
    const { ann } = await hosted(stage);
    const before = await keptBuilds(ann);
    await stage.server.stop();
    await ann.page.reload();
    await ann.composer.waitFor();
    await ann.connection('waiting').waitFor();
    expect(await keptBuilds(ann)).toEqual(before);
  });

  test('a page without a worker that asks for code that is gone is reloaded, once', async () => {
    await using next = await NextBuild.make('next');
    await serve(stage);
    const owner = await stage.account('ann');
    const ann = await stage.seat({ login: owner, worker: false });
    // What it loads when there is time for it may be gone by then, too.
    ann.console.expect(UNREACHABLE, REFUSED, /dynamically imported module/);
    await ann.rooms.waitFor();
    // Nothing is different on the server: it stays.
    const loads = countLoads(ann);
    await failImport(ann);
    await serve(stage, next.dir);
    await failImport(ann);
    await soon(() => buildOf(ann)).toBe('next');
    await failImport(ann);
    await ann.rooms.waitFor();
    expect(loads()).toBe(1);
  });
});

/** The server starts anew, with this build of the client or with its own. */
async function serve(stage: Stage, clientDir?: string): Promise<void> {
  await stage.server.stop();
  await stage.server.restart(clientDir === undefined ? {} : { CLIENT_DIR: clientDir });
}

async function hosted(stage: Stage) {
  await serve(stage);
  const owner = await stage.account('ann');
  const room = await createRoom(stage.server, owner);
  const ann = await stage.seat({ login: owner, path: `/rooms/${room.id}` });
  ann.console.expect(UNREACHABLE);
  await ann.isIn(room.name);
  await ann.isKept();
  return { ann, owner, room };
}

function notice(person: Person) {
  return person.page.getByTestId('update-notice');
}

async function buildOf({ page }: Person): Promise<string | undefined> {
  return await page.evaluate(() => document.documentElement.dataset.build);
}

async function assetsOf({ page }: Person): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[src^="/assets/"], [href^="/assets/"]')].map(
      (element) => element.getAttribute('src') ?? element.getAttribute('href') ?? '',
    ),
  );
}

async function statuses({ page }: Person, paths: string[]): Promise<number[]> {
  return await page.evaluate(
    (all) => Promise.all(all.map(async (path) => (await fetch(path, { cache: 'no-store' })).status)),
    paths,
  );
}

async function keptBuilds({ page }: Person): Promise<string[]> {
  return await page.evaluate(async () =>
    (await caches.keys()).filter((name) => name.startsWith('roomful-build-')),
  );
}

/** What becomes of the worker that the server has now. */
async function endOfUpdate({ page }: Person): Promise<string | undefined> {
  return await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration?.update();
    const worker = registration?.installing ?? registration?.waiting;
    while (worker?.state === 'installing') {
      await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }));
    }
    return worker?.state;
  });
}

/** Runs in the page: nothing asks a worker to take over until the event `take-over`. */
function ignoreTakeOver(): void {
  const post = ServiceWorker.prototype.postMessage;
  ServiceWorker.prototype.postMessage = function (this: ServiceWorker, message: unknown) {
    sessionStorage.setItem('ignored', String(Number(sessionStorage.getItem('ignored')) + 1));
    window.addEventListener('take-over', () => post.call(this, message));
  };
}

function countLoads({ page }: Person): () => number {
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  return () => loads;
}

/** What Vite's loader does when an import finds nothing, until the page has looked what the server has now. */
async function failImport({ page }: Person): Promise<void> {
  const looked = page.waitForResponse('**/index.html');
  await page.evaluate(() => void window.dispatchEvent(new Event('vite:preloadError')));
  await looked;
}
