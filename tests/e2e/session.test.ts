/** Sessions that end, tabs that share one, and what they leave on the device. */
import { expect, test } from 'vitest';
import { post } from '../support/http.ts';
import { createRoom, readHistory, uniqueName } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { UNREACHABLE } from './console-watch.ts';
import type { Person } from './person.ts';
import { inRoom, watchApi } from './session-page.ts';
import { onStageWithWorker, soon } from './stage.ts';

onStageWithWorker('sessions', (stage) => {
  test('one refresh serves all waiting requests, and each is repeated once', async () => {
    const { ann, room } = await inRoom(stage);
    await ann.store('chat_access', 'spoiled');
    const exchanges = watchApi(ann);
    // A page that opens asks for a ticket, the list of rooms and the room's history at once.
    await ann.page.reload();
    await ann.isIn(room.name);
    expect(exchanges.refreshes).toEqual([200]);
    expect(exchanges.refused.length).toBeGreaterThan(1);
    expect(new Set(exchanges.refused).size).toBe(exchanges.refused.length);
    await soon(() => exchanges.refused.filter((request) => !exchanges.succeeded.includes(request))).toEqual(
      [],
    );
  });

  test('an invalid refresh token leads back to signing in, says why, and keeps the draft', async () => {
    const { ann, owner, room } = await inRoom(stage);
    await ann.composer.fill('do not lose this');
    // Revoked elsewhere: the server closes the socket, and neither token is worth anything any more.
    await post(stage.server, '/api/v1/auth/logout', { refresh_token: owner.refreshToken });
    await ann.isOutside();
    await ann.page.getByText('Your session has ended. Sign in to continue. Your drafts are safe.').waitFor();
    expect(await ann.stored('chat_access')).toBeNull();

    await ann.signIn(owner.username, owner.password);
    await ann.isIn(room.name);
    expect(await ann.composer.inputValue()).toBe('do not lose this');
  });

  test('two tabs of one user count as 1 and show the same', async () => {
    const { ann, room } = await inRoom(stage);
    const tab = await ann.openTab(`/rooms/${room.id}`);
    await tab.isIn(room.name);
    await soon(() => tab.onlineCount.textContent()).toBe('1 online');
    expect(await ann.onlineCount.textContent()).toBe('1 online');
    await ann.say('one');
    await tab.message('one').waitFor();
    await tab.say('two');
    await soon(() => ann.contents()).toEqual(['one', 'two']);
    await soon(() => tab.contents()).toEqual(['one', 'two']);
    // Typing in one tab is not another user's typing in the other.
    await ann.composer.pressSequentially('three');
    await tab.say('four');
    await ann.message('four').waitFor();
    expect(await tab.typing.textContent()).toBe('');
    expect(await ann.page.getByTestId('notice').count()).toBe(0);
  });

  test('closing one of two tabs is not leaving; closing the other is', async () => {
    const { ann, owner, room } = await inRoom(stage);
    const tab = await ann.openTab(`/rooms/${room.id}`);
    await tab.isIn(room.name);
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    await tab.page.close();
    await ann.say('I am still here');
    await bo.waitFor('message', ({ content }) => content === 'I am still here');
    expect(bo.of('leave')).toEqual([]);
    await ann.page.close();
    expect(await bo.waitFor('leave')).toMatchObject({ username: owner.username, online: 1 });
  });

  test('signing out in one tab signs out all, and ends the login on the server', async () => {
    const { ann, owner, room } = await inRoom(stage);
    const tab = await ann.openTab(`/rooms/${room.id}`);
    await tab.isIn(room.name);
    await ann.signOut();
    await tab.isOutside();
    await tab.page.getByText('You signed out in another tab.').waitFor();
    // The next to sign in here is led nowhere by what the one before had open.
    expect(new URL(tab.page.url()).pathname).toBe('/');
    await soon(async () => {
      const reply = await post(stage.server, '/api/v1/auth/refresh', { refresh_token: owner.refreshToken });
      return reply.status;
    }).toBe(401);
  });

  test('signing in in one tab signs in the other', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat();
    const tab = await ann.openTab();
    await tab.isOutside();
    await ann.signIn(login.username, login.password);
    await tab.rooms.waitFor();
    expect(await tab.me.textContent()).toContain(login.username);
  });

  test('the next user of this browser finds nothing of the one before', async () => {
    const { ann, owner, room } = await inRoom(stage);
    await ann.composer.fill('for my eyes only');
    await ann.signOut();
    const bo = await stage.account('bo');
    await ann.signIn(bo.username, bo.password);
    await ann.openRoom(room.name);
    expect(await ann.composer.inputValue()).toBe('');
    expect(await readHistory(stage.server, bo, room.id)).toEqual([]);
    expect(await ann.page.getByText(owner.username, { exact: true }).count()).toBe(0);
  });

  test('after another user’s session has expired, signing in does not lead to their room', async () => {
    for (const reloads of [false, true]) {
      const { ann, owner } = await inRoom(stage);
      await post(stage.server, '/api/v1/auth/logout', { refresh_token: owner.refreshToken });
      await ann.isOutside();
      if (reloads) await ann.page.reload();
      const bo = await stage.account('bo');
      await ann.signIn(bo.username, bo.password);
      await ann.page.getByRole('link', { name: 'Browse rooms' }).waitFor();
      await ann.page.getByRole('heading', { name: 'Pick a room' }).waitFor();
      expect(new URL(ann.page.url()).pathname).toBe('/');
      expect(await ann.stored('chat_last_room')).toBeNull();
    }
  });

  test('nor to a room that only this tab showed, after a reload', async () => {
    const { ann, owner } = await inRoom(stage);
    const aside = await createRoom(stage.server, owner);
    const tab = await ann.openTab(`/rooms/${aside.id}`);
    await tab.isIn(aside.name);
    await soon(() => ann.stored('chat_last_room')).toBe(String(aside.id));
    await post(stage.server, '/api/v1/auth/logout', { refresh_token: owner.refreshToken });
    await ann.isOutside();
    await tab.page.close();
    await ann.page.reload();
    const bo = await stage.account('bo');
    await ann.signIn(bo.username, bo.password);
    await ann.page.getByRole('link', { name: 'Browse rooms' }).waitFor();
    await ann.page.getByRole('heading', { name: 'Pick a room' }).waitFor();
    expect(new URL(ann.page.url()).pathname).toBe('/');
  });

  test('a last room that another client wrote opens for the session that the page has found', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login, uniqueName('elsewhere'));
    const ann = await stage.seat({ login, stored: { chat_last_room: String(room.id) } });
    await ann.isIn(room.name);
  });

  test('signing in at the link of a room opens that room', async () => {
    const owner = await stage.account('ann');
    const room = await createRoom(stage.server, owner, uniqueName('linked'));
    const ann = await stage.seat({ path: `/rooms/${room.id}` });
    await ann.signIn(owner.username, owner.password);
    await ann.isIn(room.name);
  });

  test('signing out leaves nothing of the user on the device: no key, record or response of the server', async () => {
    const { ann, owner } = await inRoom(stage);
    const aside = await createRoom(stage.server, owner);
    const tab = await ann.openTab(`/rooms/${aside.id}`);
    await tab.isIn(aside.name);
    await ann.isKept();
    await tab.say('said aside');
    await ann.say('said');
    await ann.message('said').waitFor();
    await ann.composer.fill('half a thought');
    await tab.composer.fill('another half');
    // From here on nothing can be sent.
    ann.console.expect(UNREACHABLE);
    tab.console.expect(UNREACHABLE);
    await ann.page.context().route('**/ws/tickets', (route) => route.abort());
    for (const person of [ann, tab]) {
      await person.page.routeWebSocket(/\/ws$/, (socket) => socket.close());
      await person.page.evaluate(() => window.dispatchEvent(new Event('offline')));
      await person.connection('waiting').waitFor();
    }
    await ann.say('never sent');
    await soon(async () => {
      const before = (await kept(ann)).join();
      return ['said aside', '"said"', 'another half', 'never sent'].filter((text) => !before.includes(text));
    }).toEqual([]);

    await ann.signOut({ unsent: true });
    await tab.isOutside();
    // The keys that say that a session ended here, and that the device is known, name no user.
    const leaves = ['chat_ended_by=signed_out', 'chat_known_device=1'];
    await soon(() => kept(ann)).toEqual(leaves);
    // What a page writes as it is left, it writes now.
    await tab.page.close();
    await ann.page.reload();
    await ann.isOutside();
    await soon(() => kept(ann)).toEqual(leaves);
  });
});

/**
 * Everything that the device keeps, but for the files of the client itself: keys, records of databases, answers,
 * cookies.
 */
async function kept(person: Person): Promise<string[]> {
  const cookies = await person.page.context().cookies();
  const stored = await person.page.evaluate(async () => {
    const found: string[] = [];
    for (const storage of [localStorage, sessionStorage]) {
      for (const [key, value] of Object.entries(storage)) found.push(`${key}=${value}`);
    }
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const rows: unknown[] = await done(database.transaction(store).objectStore(store).getAll());
        for (const row of rows) found.push(`${name}/${store}: ${JSON.stringify(row)}`);
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) {
        if (/\/(api|ws)(\/|$)/.test(new URL(url).pathname)) found.push(`${name}: ${url}`);
      }
    }
    return found;
  });
  return [...stored, ...cookies.map(({ name }) => `cookie ${name}`)].toSorted();
}
