/** Tabs of one browser: one session, one refresh, one device. */
import { expect, test } from 'vitest';
import { createRoom, uniqueName } from '../support/users.ts';
import { REFUSED, UNREACHABLE } from './console-watch.ts';
import type { Person } from './person.ts';
import { onStageWithWorker, type Stage, soon } from './stage.ts';

onStageWithWorker('two tabs', (stage) => {
  test('tokens that both tabs find refused are exchanged once, and both go on', async () => {
    const { ann, tab, room } = await twoTabs(stage);
    const [first, key] = [await ann.stored('chat_refresh'), await ann.stored('chat_refresh_key')];
    // The release of the lock can reach a tab before what was stored under it. That tab repeats the exchange: the same
    // token with the same key leads to the same successor, with another access token.
    const exchanges = new Set<string>();
    const statuses: number[] = [];
    for (const { page } of [ann, tab]) {
      page.on('request', (request) => {
        if (!request.url().endsWith('/auth/refresh')) return;
        exchanges.add(`${request.postDataJSON().refresh_token} ${request.headers()['idempotency-key']}`);
      });
      page.on('response', (response) => {
        if (response.url().endsWith('/auth/refresh')) statuses.push(response.status());
      });
    }
    await ann.store('chat_access', 'spoiled');
    await Promise.all([ann.refreshRooms(), tab.refreshRooms()]);
    for (const person of [ann, tab]) await soon(() => person.stored('chat_access')).not.toBe('spoiled');
    await Promise.all([ann.refreshRooms(), tab.refreshRooms()]);
    await Promise.all([ann.page.reload(), tab.page.reload()]);
    await ann.isIn(room.name);
    await tab.isIn(room.name);
    expect([...exchanges]).toEqual([`${first} ${key}`]);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const successor = await ann.stored('chat_refresh');
    expect(successor).not.toBe(first);
    expect(await tab.stored('chat_refresh')).toBe(successor);
  });

  test('signing out in one tab leaves nothing on the device, whatever the other was about to write', async () => {
    const { ann, tab, owner, room } = await twoTabs(stage);
    await ann.say('for the cache');
    await tab.message('for the cache').waitFor();
    await tab.composer.fill('a draft');
    await soon(() => traces(ann, owner.userId)).toContain('roomful-cache/rooms');
    await stage.killServer();
    await ann.connection('waiting').waitFor();
    await ann.say('for the outbox');
    await tab.say('for the outbox, too');
    await ann.composer.fill('another draft');
    await ann.signOut({ unsent: true });
    await tab.isOutside();
    await soon(() => traces(ann, owner.userId)).toEqual([]);
    await tab.page.reload();
    await tab.isOutside();
    expect(await traces(tab, owner.userId)).toEqual([]);

    await stage.server.restart();
    await ann.signIn(owner.username, owner.password);
    await ann.openRoom(room.name);
    expect(await ann.contents()).toEqual(['for the cache']);
    expect(await ann.pending.count()).toBe(0);
    expect(await ann.composer.inputValue()).toBe('');
  });

  test('an expired session keeps what is on the device for its user', async () => {
    const { ann, tab, owner, room } = await twoTabs(stage);
    await ann.say('last seen');
    await tab.message('last seen').waitFor();
    await tab.composer.fill('a draft');
    const saved = ['roomful-cache/lists', 'roomful-cache/rooms', `chat_draft:${owner.userId}:${room.id}`];
    await soon(() => traces(ann, owner.userId)).toEqual(expect.arrayContaining(saved));
    await ann.store('chat_refresh', 'spoiled');
    await ann.store('chat_access', 'spoiled');
    await ann.refreshRooms();
    await Promise.all([ann.isOutside(), tab.isOutside()]);
    for (const { page } of [ann, tab]) {
      await page.getByText('Your session has ended. Sign in to continue. Your drafts are safe.').waitFor();
    }
    expect(await traces(ann, owner.userId)).toEqual(expect.arrayContaining(saved));
    await ann.signIn(owner.username, owner.password);
    await tab.isIn(room.name);
    expect(await tab.composer.inputValue()).toBe('a draft');
  });
});

async function twoTabs(stage: Stage) {
  const owner = await stage.account('ann');
  const room = await createRoom(stage.server, owner, uniqueName('room'));
  const ann = await stage.seat({ login: owner, path: `/rooms/${room.id}` });
  const tab = await ann.openTab(`/rooms/${room.id}`);
  for (const person of [ann, tab]) {
    person.console.expect(REFUSED, UNREACHABLE);
    await person.isIn(room.name);
  }
  return { ann, tab, owner, room };
}

/**
 * Where this browser has something of a user's: stores of its databases with rows of theirs, and keys of local storage.
 */
async function traces({ page }: Person, userId: number): Promise<string[]> {
  return await page.evaluate(async (id) => {
    const stores: string[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const opening = indexedDB.open(name);
      await new Promise((resolve) => opening.addEventListener('success', resolve));
      const db = opening.result;
      for (const storeName of db.objectStoreNames) {
        const rows = db.transaction(storeName).objectStore(storeName).getAll();
        await new Promise((resolve) => rows.addEventListener('success', resolve));
        if (rows.result.some((row: { userId: number }) => row.userId === id))
          stores.push(`${name}/${storeName}`);
      }
      db.close();
    }
    // The device's own, whoever uses it.
    const kept = ['chat_theme', 'chat_language', 'chat_known_device', 'chat_ended_by'];
    return [...stores, ...Object.keys(localStorage).filter((key) => !kept.includes(key))].sort();
  }, userId);
}
