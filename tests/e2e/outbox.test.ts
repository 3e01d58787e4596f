/** Unsent messages: kept in the browser, shown in place and sent once, whatever happens to connection and server. */
import { describe, expect, test } from 'vitest';
import { outboxStoreContract } from '../../client/outbox/outbox-store.contract.ts';
import { createRoom } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { host, serveSdk, stored, watch } from './outbox-page.ts';
import { onStageWithWorker, soon } from './stage.ts';

onStageWithWorker('unsent messages', (stage) => {
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
});
