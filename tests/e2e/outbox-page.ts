/** The outbox of a browser, from behind: through the compiled SDK, which a page gets beside the application. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { OutboxItem } from '../../client/index.ts';
import { createRoom, type Login, logIn, readHistory } from '../support/users.ts';
import { UNREACHABLE } from './console-watch.ts';
import type { Stage } from './stage.ts';

const COMPILED = new URL('../../', import.meta.url);

/** Serves the compiled SDK under `/sdk/`. What imports it there is a string: a test runner rewrites functions. */
export async function serveSdk(page: Page): Promise<void> {
  await page.route('**/sdk/**', async (route) => {
    const path = new URL(route.request().url()).pathname.slice('/sdk/'.length);
    const body = await readFile(fileURLToPath(new URL(path, COMPILED)));
    await route.fulfill({ body, contentType: 'text/javascript' });
  });
}

/** Puts items into a user's outbox, as if an earlier page had left them; the next page finds them. */
export async function plant(page: Page, userId: number, items: readonly OutboxItem[]): Promise<void> {
  await serveSdk(page);
  await page.evaluate(`(async () => {
    const { indexedDbOutbox } = await import('/sdk/client/outbox/outbox-indexeddb.js');
    const store = indexedDbOutbox(${userId});
    for (const item of ${JSON.stringify(items)}) await store.put(item);
  })()`);
}

/** A user in a room of their own, whose page needs the server for its data alone. */
export async function host(stage: Stage) {
  const owner = await stage.account('ann');
  const room = await createRoom(stage.server, owner);
  const ann = await stage.seat({ login: owner, path: `/rooms/${room.id}` });
  ann.console.expect(UNREACHABLE);
  await ann.isIn(room.name);
  await ann.isKept();
  return { ann, owner, room };
}

/** The contents of a room on the server. */
export async function stored(stage: Stage, login: Login, roomId: number): Promise<string[]> {
  // The pair in the browser may have been renewed meanwhile; a further login disturbs nothing.
  const reader = await logIn(stage.server, login.username);
  return (await readHistory(stage.server, reader, roomId)).map(({ content }) => content);
}

/** Counts this text in the timeline after every change of the page. Returns the counts since it first appeared. */
export async function watch(page: Page, content: string): Promise<() => Promise<number[]>> {
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
