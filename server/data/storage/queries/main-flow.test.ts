import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openForWriting } from '../sqlite/database.ts';
import type { Sqlite } from '../sqlite/driver/driver.ts';
import { migrate } from '../sqlite/migrate.ts';
import { textOf } from '../sqlite/statement-text.ts';
import { listReads } from './entries.ts';
import { messageReads } from './messages.ts';
import type { Steps } from './steps.ts';

let folder: string;
let sqlite: Sqlite;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roomful-flow-'));
  sqlite = openForWriting(join(folder, 'roomful.db'));
  migrate(sqlite);
});
afterAll(async () => {
  sqlite.close();
  await rm(folder, { recursive: true });
});

/** How SQLite runs each statement on the main flow. */
function plansOf(steps: Steps<unknown>): string[] {
  const plans: string[] = [];
  const row = { id: 1, seq: 1, flowId: 1 };
  for (let step = steps.next([]); !step.done; step = steps.next([row])) {
    const text = textOf(step.value);
    if (!/\bthread_id IS NULL\b/.test(text)) continue;
    const plan = sqlite.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...step.value.values);
    plans.push(plan.map((row) => String((row as { detail: unknown }).detail)).join('\n'));
  }
  return plans;
}

const room = { roomId: 1, limit: 50 };
const page = { ...room, withNotices: true };

it.each([
  ['the latest page', 1, () => messageReads.history(page)],
  [
    'a page before a message, and whether there is more after it',
    2,
    () => messageReads.history({ ...page, beforeId: 9 }),
  ],
  [
    'a page after a message, and whether there is more before it',
    2,
    () => messageReads.history({ ...page, afterId: 9 }),
  ],
  ['what is around a message', 2, () => messageReads.around({ ...room, place: { id: 9 } })],
  ['what is around a time', 2, () => messageReads.around({ ...room, place: { time: 9 } })],
])('%s: found without reading the replies of threads', (_, count, steps) => {
  const plans = plansOf(steps());
  expect(plans).toHaveLength(count);
  for (const plan of plans) {
    expect(plan).toMatch(/USING (COVERING )?INDEX messages_flow/);
    // The index has the order.
    expect(plan).not.toMatch(/TEMP B-TREE/);
  }
});

it('the latest text in a list of rooms, too', () => {
  const plans = plansOf(listReads.entries({ userId: 1, maxDms: 9 }));
  expect(plans).toEqual([expect.stringContaining('USING INDEX messages_flow')]);
});
