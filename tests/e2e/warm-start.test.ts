/** A start with what was last seen on the device: nothing moves. */
import { expect, test } from 'vitest';
import { post } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { createRoom, type Login, uniqueName } from '../support/users.ts';
import { keptUnread } from './last-seen-page.ts';
import type { Person } from './person.ts';
import { PHONE } from './phone.ts';
import { onStageWithWorker, type Stage } from './stage.ts';

const STARTS = 3;
/** The read of the user's own rooms, with their unread marks, is kept waiting behind the list of rooms for so long. */
const HELD_MS = 300;

onStageWithWorker('a warm start', (stage) => {
  test('with unread rooms nothing in the list moves, and CLS is 0, at a desk', async () => {
    const { login, here, unread } = await world(stage);
    const ann = await stage.seat({ login, path: `/rooms/${here.id}` });
    await ann.isIn(here.name);
    await expectStill(ann, login, unread, async () => {
      await ann.isIn(here.name);
    });
  });

  test('with unread rooms nothing in the list moves, and CLS is 0, on a phone', async () => {
    const { login, unread } = await world(stage);
    const ann = await stage.seat({ login, context: PHONE });
    await expectStill(ann, login, unread, async () => {
      await ann.page.waitForLoadState('networkidle');
    });
  });
});

/** Ann's rooms: one that is read, others, and four with something unread, one of them a direct conversation. */
async function world(stage: Stage) {
  const [login, bo] = [await stage.account('ann'), await stage.account('bo')];
  const here = await createRoom(stage.server, login, uniqueName('here'));
  for (let at = 0; at < 4; at++) await createRoom(stage.server, login, uniqueName('quiet'));
  const unread: number[] = [];
  for (let at = 0; at < 3; at++)
    unread.push((await createRoom(stage.server, login, uniqueName('unread'))).id);
  const dm = await post(stage.server, '/api/v1/dms', { user_ids: [bo.userId] }, { token: login.accessToken });
  unread.push((dm.json as { id: number }).id);
  const line = await LineClient.start(stage.server, bo);
  for (const id of unread) await line.post(id, 'hello');
  await line.close();
  return { login, here, unread };
}

/** Starts again and again, and adds up what has moved without a key or a click. */
async function expectStill(
  ann: Person,
  { userId }: Login,
  unread: readonly number[],
  isOpen: () => Promise<void>,
): Promise<void> {
  await ann.isKept();
  for (const id of unread) await ann.page.locator(`a[href="/rooms/${id}"][data-unread=true]`).waitFor();
  await keptUnread(ann, userId, unread);
  await ann.page.addInitScript(() => {
    const moves: string[] = [];
    const start = { moves, shift: 0 };
    Object.assign(window, { start });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & Shift)[]) {
        if (entry.hadRecentInput) continue;
        start.shift += entry.value;
        for (const { node } of entry.sources)
          if (node?.parentElement?.closest('nav')) moves.push(node.textContent ?? '');
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await ann.page.addInitScript(holdOwnRooms, HELD_MS);
  for (let start = 0; start < STARTS; start++) {
    await ann.page.reload();
    await isOpen();
    for (const id of unread) await ann.page.locator(`a[href="/rooms/${id}"][data-unread=true]`).waitFor();
    // What comes late, such as the counts of the server.
    await ann.page.waitForTimeout(500);
    const { moves, shift } = await ann.page.evaluate(() => (window as unknown as { start: Moved }).start);
    expect(moves).toEqual([]);
    // The figures of the people who are here come with the connection, and are a little wider then.
    expect(shift.toFixed(3)).toBe('0.000');
  }
}

/** Runs in the page. A transaction that writes keeps those that read waiting. */
function holdOwnRooms(ms: number): void {
  const opening = indexedDB.open('roomful-cache');
  opening.onsuccess = () => {
    const until = performance.now() + ms;
    const own = opening.result.transaction('own', 'readwrite').objectStore('own');
    const goOn = () => {
      if (performance.now() < until) own.get(0).onsuccess = goOn;
      else opening.result.close();
    };
    goOn();
  };
}

interface Moved {
  /** What has moved in the sidebar. */
  readonly moves: readonly string[];
  readonly shift: number;
}

interface Shift {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { readonly node: Node | null }[];
}
