/** The outbox of a browser, from behind: through the compiled SDK, which a page gets beside the application. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { OutboxItem } from '../../client/index.ts';

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
