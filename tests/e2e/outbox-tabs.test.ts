/** Unsent messages of several tabs, and of tabs that end: each is sent once, and none is lost. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createRoom } from '../support/users.ts';
import { UNREACHABLE } from './console-watch.ts';
import { host, stored, watch } from './outbox-page.ts';
import { onStageWithWorker, soon } from './stage.ts';

onStageWithWorker('unsent messages of several tabs', (stage) => {
  test('a message written just before the tab closes is sent when its author is back, in whatever room', async () => {
    const { ann, owner, room } = await host(stage);
    const elsewhere = await createRoom(stage.server, owner);
    const another = await ann.openTab('/');
    another.console.expect(UNREACHABLE);
    await stage.killServer();
    await ann.connection('waiting').waitFor();
    await ann.say('one');
    await ann.composer.fill('two');
    await ann.composer.press('Enter');
    await ann.page.close();
    await another.page.close();

    await stage.server.restart();
    const back = await another.openTab(`/rooms/${elsewhere.id}`);
    await back.isIn(elsewhere.name);
    await soon(() => stored(stage, owner, room.id)).toEqual(['one', 'two']);
    await back.openRoom(room.name);
    expect(await back.contents()).toEqual(['one', 'two']);
    expect(await back.pending.count()).toBe(0);
  });

  test('a tab that ends before the browser has stored a message loses nothing', async () => {
    const { ann, owner, room } = await host(stage);
    await ann.isKept();
    await neverStores(ann.page);
    await ann.page.reload();
    await ann.isIn(room.name);
    await stage.killServer();
    await ann.connection('waiting').waitFor();
    await ann.say('written and gone');
    await ann.pending.waitFor();
    expect(await ann.composer.inputValue()).toBe('');
    await ann.page.close();

    await stage.server.restart();
    const back = await ann.openTab(`/rooms/${room.id}`);
    await back.isIn(room.name);
    await soon(() => back.contents()).toEqual(['written and gone']);
    await soon(() => back.pending.count()).toBe(0);
    expect(await stored(stage, owner, room.id)).toEqual(['written and gone']);
    // No trace of it is left on the device.
    expect(await back.page.evaluate(() => JSON.stringify(localStorage))).not.toContain('written and gone');
  });

  test('a tab takes over what another one wrote and could not store before it was closed', async () => {
    const { ann, owner, room } = await host(stage);
    const tab = await ann.openTab('/');
    tab.console.expect(UNREACHABLE);
    await tab.isKept();
    await neverStores(ann.page);
    await ann.page.reload();
    await ann.isIn(room.name);
    await stage.killServer();
    await Promise.all([ann.connection('waiting').waitFor(), tab.connection('waiting').waitFor()]);
    await ann.say('written and gone');
    await ann.pending.waitFor();
    await ann.page.close();

    await stage.server.restart();
    await soon(() => stored(stage, owner, room.id)).toEqual(['written and gone']);
    await tab.openRoom(room.name);
    await soon(() => tab.contents()).toEqual(['written and gone']);
    await soon(() => tab.pending.count()).toBe(0);
    expect(await tab.page.evaluate(() => JSON.stringify(localStorage))).not.toContain('written and gone');
  });

  test('a database that refuses to store, in one page after another, loses nothing', async () => {
    const { ann, owner, room } = await host(stage);
    await ann.page.context().addInitScript(() => {
      if (location.hash !== '#refused') return;
      const open = IDBFactory.prototype.open;
      IDBFactory.prototype.open = function (...args) {
        if (args[0] === 'roomful') throw new DOMException('no room on the device', 'QuotaExceededError');
        return open.apply(this, args);
      };
    });
    await ann.isKept();
    await ann.page.close();
    await stage.killServer();
    for (const content of ['one', 'two']) {
      const tab = await ann.openTab(`/rooms/${room.id}#refused`);
      tab.console.expect(UNREACHABLE);
      await tab.say(content);
      await tab.pending.last().waitFor();
      // What the page before it could not store is here, too.
      await soon(() => tab.pending.count()).toBe(content === 'one' ? 1 : 2);
      await tab.page.close();
    }

    await stage.server.restart();
    const back = await ann.openTab(`/rooms/${room.id}`);
    await back.isIn(room.name);
    await soon(() => back.contents()).toEqual(['one', 'two']);
    await soon(() => back.pending.count()).toBe(0);
    expect(await stored(stage, owner, room.id)).toEqual(['one', 'two']);
    expect(
      await back.page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('outbox'))),
    ).toEqual([]);
  });

  test('two tabs of one user show one outbox, and send each message once', async () => {
    const { ann, owner, room } = await host(stage);
    const tab = await ann.openTab(`/rooms/${room.id}`);
    tab.console.expect(UNREACHABLE);
    await tab.isIn(room.name);
    await stage.killServer();
    await Promise.all([ann.connection('waiting').waitFor(), tab.connection('waiting').waitFor()]);
    await ann.say('from here');
    await tab.pending.filter({ hasText: 'from here' }).waitFor();
    await tab.say('from there');
    await soon(() => ann.pending.count()).toBe(2);
    const seen = await Promise.all([watch(ann.page, 'from here'), watch(tab.page, 'from here')]);
    await stage.server.restart();
    for (const person of [ann, tab]) {
      await soon(async () => (await person.contents()).toSorted()).toEqual(['from here', 'from there']);
      await soon(() => person.pending.count()).toBe(0);
    }
    expect(await Promise.all(seen.map((counts) => counts()))).toEqual([[1], [1]]);
    expect((await stored(stage, owner, room.id)).toSorted()).toEqual(['from here', 'from there']);
  });

  test('one tab sends what the other no longer can', async () => {
    const { ann, owner, room } = await host(stage);
    const tab = await ann.openTab('/');
    tab.console.expect(UNREACHABLE);
    // Only this tab has no connection. The other is at home, in no room.
    await ann.page
      .context()
      .route('**/ws/tickets', (route) =>
        route.request().frame().page() === ann.page ? route.abort() : route.continue(),
      );
    await ann.page.routeWebSocket(/\/ws$/, (socket) => socket.close());
    await ann.page.evaluate(() => window.dispatchEvent(new Event('offline')));
    await ann.connection('waiting').waitFor();
    await ann.say('carried by the other');
    await ann.pending.waitFor();
    await ann.page.close();
    await soon(() => stored(stage, owner, room.id)).toEqual(['carried by the other']);
    await tab.openRoom(room.name);
    expect(await tab.contents()).toEqual(['carried by the other']);
  });
});

/** The database of unsent messages never opens on this page from now on: as it looks to a page that is killed at once. */
async function neverStores(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (...args) {
      return args[0] === 'roomful' ? (new EventTarget() as IDBOpenDBRequest) : open.apply(this, args);
    };
  });
}
