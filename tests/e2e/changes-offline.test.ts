/** Changes of messages made offline, and by two tabs of one user at once. */
import { expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { createRoom, type Login } from '../support/users.ts';
import { UNREACHABLE } from './console-watch.ts';
import { keptMessages } from './last-seen-page.ts';
import { pressOn } from './message-focus.ts';
import type { Person } from './person.ts';
import { onStageWithWorker, type Stage, soon } from './stage.ts';

onStageWithWorker('changes of messages', (stage) => {
  test('made offline are shown at once with a clock, survive a reload, and reach the server once each', async () => {
    await using proxy = await stage.proxy();
    const { ann, room, login } = await alone(stage, proxy.url);
    ann.console.expect(UNREACHABLE);
    const texts = ['one', 'two', 'three'];
    for (const text of texts) await ann.say(text);
    await soon(() => ann.contents()).toEqual(texts);
    await keptMessages(ann, login.userId, room.id, texts);
    const writes = watchWrites(ann);
    await proxy.cut();
    await ann.connection('waiting').waitFor();

    await pressOn(ann, 'one', 'e');
    await editor(ann).fill('one, edited');
    await editor(ann).press('Enter');
    await pressOn(ann, 'one', 'p');
    await pressOn(ann, 'one', 's');
    await ann.message('one').hover();
    await ann.message('one').getByRole('button', { name: 'React with 👍' }).click();
    await pressOn(ann, 'two', 'Delete');
    await ann.page.getByTestId('toasts').getByRole('button', { name: 'Undo' }).click();
    await pressOn(ann, 'three', 'Delete');
    const isShown = async () => {
      await soon(() => ann.contents()).toEqual(['one, edited', 'two']);
      await soon(() => ann.page.getByTestId('reaction').allTextContents()).toEqual(['👍1']);
      expect(await ann.page.getByText('Pinned', { exact: true }).count()).toBe(1);
      expect(await ann.page.getByTestId('deleted-message').count()).toBe(1);
    };
    await isShown();
    expect(await ann.page.getByTestId('clock').count()).toBe(2);
    await ann.page.reload();
    await isShown();
    expect(await ann.page.getByTestId('clock').count()).toBe(2);
    await ann.message('one').hover();
    await ann.message('one').getByRole('button', { name: 'More' }).click();
    await ann.button('Remove from saved S').waitFor();
    await ann.page.keyboard.press('Escape');
    expect(writes()).toEqual([]);

    await proxy.restore();
    await soon(() => ann.page.getByTestId('clock').count()).toBe(0);
    await isShown();
    expect(writes().toSorted()).toEqual([
      'DELETE message',
      'PUT message',
      'PUT pin',
      'PUT reaction',
      'PUT saved',
    ]);
    expect(await onServer(stage, login, room.id)).toEqual([
      { content: 'one, edited', revision: 1, reactions: [{ emoji: '👍', count: 1 }] },
      { content: 'two' },
      { content: '' },
    ]);
  });

  test('of two tabs at once are made once each, and both tabs show the same in the end', async () => {
    const { ann, room, login } = await alone(stage);
    const tab = await ann.openTab(`/rooms/${room.id}`);
    await tab.isIn(room.name);
    const writes = [watchWrites(ann), watchWrites(tab)];
    // Only the lines that open from now on are watched.
    for (const person of [ann, tab]) {
      await person.page.reload();
      await person.isIn(room.name);
    }
    for (const text of ['one', 'two', 'three']) await ann.say(text);
    await soon(() => tab.contents()).toEqual(['one', 'two', 'three']);
    await Promise.all([edit(ann, 'one', 'one, edited'), edit(tab, 'two', 'two, edited')]);
    // The tabs share one draft, so one writes in one of them at a time.
    await ann.say('from here');
    await soon(() => tab.contents()).toContain('from here');
    await tab.say('from there');
    await Promise.all([pressOn(ann, 'one', 's'), pressOn(tab, 'three', 'p')]);
    for (const person of [ann, tab]) {
      await soon(async () => (await person.contents()).toSorted()).toEqual(
        ['one, edited', 'two, edited', 'three', 'from here', 'from there'].toSorted(),
      );
      await soon(() => person.page.getByTestId('clock').count()).toBe(0);
      await soon(() => person.page.getByText('Pinned', { exact: true }).count()).toBe(1);
    }
    expect(await tab.contents()).toEqual(await ann.contents());
    expect(writes.flatMap((all) => all()).toSorted()).toEqual([
      'PUT message',
      'PUT message',
      'PUT pin',
      'PUT saved',
    ]);
    const stored = await onServer(stage, login, room.id);
    expect(stored.map(({ content }) => content)).toEqual(await ann.contents());
    expect(stored.map(({ revision }) => revision ?? 0)).toEqual([1, 1, 0, 0, 0]);
  });
});

const editor = ({ page }: Person) => page.getByRole('textbox', { name: 'Edit message' });

async function edit(person: Person, before: string, after: string): Promise<void> {
  await pressOn(person, before, 'e');
  await editor(person).fill(after);
  await editor(person).press('Enter');
}

async function alone(stage: Stage, origin?: string) {
  const login = await stage.account('ann');
  const room = await createRoom(stage.server, login);
  const ann = await stage.seat({ login, path: `/rooms/${room.id}`, ...(origin && { origin }) });
  await ann.isIn(room.name);
  return { ann, room, login };
}

const WRITES = new Map([
  ['edit', 'PUT message'],
  ['delete', 'DELETE message'],
  ['react', 'PUT reaction'],
]);

/**
 * What this page has changed on the server from now on, by requests and over lines that open from now on: `PUT pin`, in
 * the order of the responses.
 */
function watchWrites({ page }: Person): () => string[] {
  const writes: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    const [, what] = /\/messages\/\d+(?:\/(\w+))?/.exec(pathname) ?? [];
    const method = response.request().method();
    if (method === 'GET' || !pathname.includes('/messages/') || !response.ok()) return;
    writes.push(`${method} ${what === 'reactions' ? 'reaction' : (what ?? 'message')}`);
  });
  page.on('websocket', (socket) => {
    const sent = new Map<string, string>();
    socket.on('framesent', ({ payload }) => {
      const { type, ref } = frameIn(payload);
      if (ref !== undefined) sent.set(ref, WRITES.get(type ?? '') ?? 'unknown');
    });
    socket.on('framereceived', ({ payload }) => {
      const { type, ref = '' } = frameIn(payload);
      if (type === 'changed') writes.push(sent.get(ref) ?? 'unknown');
    });
  });
  return () => [...writes];
}

function frameIn(payload: string | Buffer): { type?: string; ref?: string } {
  return JSON.parse(String(payload));
}

interface Stored {
  content: string;
  revision?: number;
  reactions?: { emoji: string; count: number }[];
}

/** The messages of a room, as the server has them. */
async function onServer(stage: Stage, login: Login, roomId: number): Promise<Stored[]> {
  const { json } = await send(stage.server, `/api/v1/rooms/${roomId}/messages?view=flow`, {
    token: login.accessToken,
  });
  return (json as { messages: Stored[] }).messages.map(({ content, revision, reactions }) => ({
    content,
    ...(revision !== undefined && { revision }),
    ...(reactions && { reactions: reactions.map(({ emoji, count }) => ({ emoji, count })) }),
  }));
}
