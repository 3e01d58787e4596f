/**
 * Unsent messages: kept in the browser, shown in place and sent once, whatever happens to tab, connection and server.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { outboxStoreContract } from '../../client/outbox/outbox-store.contract.ts';
import { RoomLine } from '../support/room-line.ts';
import { createRoom, type Login, logIn, readHistory } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { checkScreen } from './check-screen.ts';
import { UNREACHABLE } from './console-watch.ts';
import { plant, serveSdk } from './outbox-page.ts';
import { onStage, type Stage, soon } from './stage.ts';

onStage('unsent messages', (stage) => {
  describe('the IndexedDB outbox keeps the contract of all outbox stores', () => {
    for (const [index, { title }] of outboxStoreContract.entries()) {
      test(title, async () => {
        const { page } = await stage.seat();
        await serveSdk(page);
        await page.evaluate(`(async () => {
          const { outboxStoreContract } = await import('/sdk/client/outbox/outbox-store.contract.js');
          const { indexedDbOutbox } = await import('/sdk/client/outbox/outbox-indexeddb.js');
          await outboxStoreContract[${index}].run(indexedDbOutbox);
        })()`);
      });
    }
  });

  test('an own message is shown exactly once from the moment it is sent: never gone, never twice', async () => {
    const { ann, room } = await host(stage);
    for (const content of ['first', 'second', 'third']) {
      const seen = await watch(ann.page, content);
      await ann.say(content);
      await ann.message(content).waitFor();
      expect(await seen()).toEqual([1]);
    }
    await ann.page.reload();
    await ann.isIn(room.name);
    expect(await ann.contents()).toEqual(['first', 'second', 'third']);
  });

  test('a message written without a server is shown once, also after a reload and with the server back', async () => {
    const { ann, owner, room } = await host(stage);
    await stage.killServer();
    await ann.connection('waiting').waitFor();
    const seen = await watch(ann.page, 'patience');
    await ann.say('patience');
    await ann.pending.getByText("Sends when you're back online").waitFor();
    await stage.server.restart();
    await ann.message('patience').waitFor();
    expect(await seen()).toEqual([1]);
    await ann.page.reload();
    await ann.isIn(room.name);
    expect(await ann.contents()).toEqual(['patience']);
    expect(await ann.pending.count()).toBe(0);
    expect(await stored(stage, owner, room.id)).toEqual(['patience']);
  });

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
    // The database of unsent messages never opens here: as it looks to a page that is killed at once.
    await ann.page.addInitScript(() => {
      const open = IDBFactory.prototype.open;
      IDBFactory.prototype.open = function (...args) {
        return args[0] === 'roomful' ? (new EventTarget() as IDBOpenDBRequest) : open.apply(this, args);
      };
    });
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

  test('messages waiting in other rooms are sent as soon as the server is back', async () => {
    const { ann, owner, room } = await host(stage);
    const elsewhere = await createRoom(stage.server, owner);
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    await ann.refreshRooms();
    await ann.roomRow(elsewhere.name).waitFor();
    await stage.killServer();
    await ann.connection('waiting').waitFor();
    await ann.say('left behind');
    await ann.roomRow(elsewhere.name).click();
    await ann.page.getByRole('heading', { level: 1, name: elsewhere.name }).waitFor();
    await ann.say('and here');
    await stage.server.restart();
    await soon(() => stored(stage, owner, room.id)).toEqual(['left behind']);
    await soon(() => ann.contents()).toEqual(['and here']);
    await bo.closed;
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
    await ann.page.evaluate(() => window.dispatchEvent(new Event('offline')));
    await ann.connection('waiting').waitFor();
    await ann.say('carried by the other');
    await ann.pending.waitFor();
    await ann.page.close();
    await soon(() => stored(stage, owner, room.id)).toEqual(['carried by the other']);
    await tab.openRoom(room.name);
    expect(await tab.contents()).toEqual(['carried by the other']);
  });

  test('a refused message says so, also after a reload; it can be retried, edited or deleted', async () => {
    const owner = await stage.account('ann');
    const room = await createRoom(stage.server, owner);
    const contents = ['to retry', 'to edit', 'to discard'];
    const cids = await farBack(stage, owner, room.id, contents.length);
    const ann = await stage.seat({ login: owner, path: `/rooms/${room.id}` });
    await ann.isIn(room.name);
    const rest = { roomId: room.id, createdAt: Date.now(), refusal: null };
    const items = cids.map((cid, index) => ({ ...rest, cid, content: contents[index] ?? '' }));
    await plant(ann.page, owner.userId, items);
    await ann.page.reload();
    await ann.isIn(room.name);
    const failed = ann.page.locator('[data-testid=pending-message][data-state=failed]');
    await soon(() => failed.count()).toBe(3);
    await ann.page.reload();
    await ann.isIn(room.name);
    await soon(() => failed.getByText('Not sent: the server refused it.').count()).toBe(3);
    await checkScreen(ann);
    const button = (content: string, name: string) =>
      failed.filter({ hasText: content }).getByRole('button', { name, exact: true });

    await button('to retry', 'Retry').click();
    await soon(() => failed.count()).toBe(3);
    await button('to discard', 'Delete').click();
    await soon(() => failed.count()).toBe(2);
    await ann.composer.fill('a draft');
    await button('to edit', 'Edit').click();
    await soon(() => failed.count()).toBe(1);
    expect(await ann.composer.inputValue()).toBe('to edit\na draft');
    expect(await ann.composer.evaluate((field) => field === document.activeElement)).toBe(true);
    await ann.say('edited');
    await ann.message('edited').waitFor();
    const [last, ...others] = (await stored(stage, owner, room.id)).reverse();
    expect(last).toBe('edited');
    expect(others.filter((content) => content.startsWith('to '))).toEqual([]);
  });

  test('a message written before the server was restored is not sent by itself: its author decides', async () => {
    const { ann, owner, room } = await host(stage);
    const item = { roomId: room.id, createdAt: Date.now(), refusal: null, epoch: 'another epoch' };
    await plant(ann.page, owner.userId, [
      { ...item, cid: '018f0000-0000-7000-8000-000000000001', content: 'for the board' },
      { ...item, cid: '018f0000-0000-7000-8000-000000000002', content: 'for everybody' },
    ]);
    await ann.page.reload();
    await ann.isIn(room.name);
    const reason = ann.pending.getByText('Not sent: the server was restored since you wrote this.');
    await soon(() => reason.count()).toBe(2);
    expect(await stored(stage, owner, room.id)).toEqual([]);
    const choice = (content: string, name: string) =>
      ann.pending.filter({ hasText: content }).getByRole('button', { name, exact: true });
    await choice('for the board', 'Delete').click();
    await choice('for everybody', 'Send').click();
    await soon(() => ann.contents()).toEqual(['for everybody']);
    expect(await ann.pending.count()).toBe(0);
  });

  test('offline is shown at once, and messages wait until the device is online', async () => {
    const { ann, owner, room } = await host(stage);
    await ann.page.context().setOffline(true);
    await ann.connection('waiting').waitFor();
    const state = ann.page.getByTestId('connection-state');
    expect(await state.textContent()).toBe('Offline');
    await ann.say('one');
    await ann.say('two');
    await ann.pending.last().getByText("Sends when you're back online").waitFor();
    await ann.banner.getByText('Offline, 2 messages waiting').waitFor();
    await ann.page.context().setOffline(false);
    await soon(() => ann.contents()).toEqual(['one', 'two']);
    expect(await state.textContent()).toBe('Connected');
    expect(await stored(stage, owner, room.id)).toEqual(['one', 'two']);
  });

  test('a stalled server is noticed, and gets the messages when it goes on', async () => {
    const { ann, owner, room } = await host(stage);
    await ann.say('before');
    await ann.message('before').waitFor();
    process.kill(stage.server.pid, 'SIGSTOP');
    try {
      await ann.say('anybody there?');
      await ann.page.locator('[data-testid=pending-message][data-state=sent]').waitFor();
      await ann.connection('waiting').waitFor();
      await ann.page.locator('[data-testid=pending-message][data-state=queued]').waitFor();
    } finally {
      process.kill(stage.server.pid, 'SIGCONT');
    }
    await soon(() => ann.contents()).toEqual(['before', 'anybody there?']);
    expect(await stored(stage, owner, room.id)).toEqual(['before', 'anybody there?']);
  });

  test('signing out asks before it deletes unsent messages', async () => {
    const { ann, owner, room } = await host(stage);
    await stage.killServer();
    await ann.connection('waiting').waitFor();
    await ann.say('never mind');
    await ann.pending.waitFor();
    const question = ann.page.getByRole('alertdialog', { name: "1 message hasn't been sent" });
    await ann.me.click();
    await ann.button('Sign out').click();
    await question.waitFor();
    await checkScreen(ann);
    await ann.page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await ann.pending.waitFor();
    await ann.signOut({ unsent: true });
    await stage.server.restart();
    await ann.signIn(owner.username, owner.password);
    await ann.openRoom(room.name);
    expect(await ann.pending.count()).toBe(0);
    expect(await stored(stage, owner, room.id)).toEqual([]);
  });
});

async function host(stage: Stage) {
  const owner = await stage.account('ann');
  const room = await createRoom(stage.server, owner);
  const ann = await stage.seat({ login: owner, path: `/rooms/${room.id}` });
  ann.console.expect(UNREACHABLE);
  await ann.isIn(room.name);
  await ann.isKept();
  return { ann, owner, room };
}

async function stored(stage: Stage, login: Login, roomId: number): Promise<string[]> {
  // The pair in the browser may have been renewed meanwhile; a further login disturbs nothing.
  const reader = await logIn(stage.server, login.username);
  return (await readHistory(stage.server, reader, roomId)).map(({ content }) => content);
}

/** Counts this text in the timeline after every change of the page. Returns the counts since it first appeared. */
async function watch(page: Page, content: string): Promise<() => Promise<number[]>> {
  const counts = await page.evaluateHandle((text) => {
    const seen = new Set<number>();
    const count = () => {
      const shown = document.querySelectorAll('[role=log] [data-testid=message-content]');
      const times = [...shown].filter((node) => node.textContent === text).length;
      if (times > 0 || seen.size > 0) seen.add(times);
    };
    count();
    new MutationObserver(count).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
    return seen;
  }, content);
  return () => counts.evaluate((seen) => [...seen]);
}

/**
 * Posts messages and returns their cids. The server refuses other messages with these cids. A page that opens
 * afterwards does not load them: if it did, it would take what is in its outbox for sent.
 */
async function farBack(stage: Stage, author: Login, roomId: number, count: number): Promise<string[]> {
  const cids = Array.from({ length: count }, (_, index) => `taken-${roomId}-${index}`);
  const later = 250;
  const line = await RoomLine.enter(stage.server, author, roomId);
  for (const cid of cids) line.say('taken', cid);
  for (let number = 1; number <= later; number++) line.say(`later ${number}`);
  await line.waitForCount('message', count + later);
  await line.close();
  return cids;
}
