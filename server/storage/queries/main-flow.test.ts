import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openForWriting } from '../sqlite/database.ts';
import type { Sqlite } from '../sqlite/driver/driver.ts';
import { migrate } from '../sqlite/migrate.ts';
import { listReads } from './entries.ts';
import { messageReads } from './messages.ts';
import { render } from './sql.ts';
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

/** How SQLite runs the first statement on messages. */
function planOf(steps: Steps<unknown>): string {
  for (let step = steps.next([]); !step.done; step = steps.next([{ seq: 1 }])) {
    const text = render(step.value, () => '?');
    if (!/\bmessages\b/.test(text)) continue;
    const plan = sqlite.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...step.value.values);
    return plan.map((row) => String((row as { detail: unknown }).detail)).join('\n');
  }
  return '';
}

const page = { roomId: 1, limit: 50, withNotices: true };

it.each([
  ['the latest page', () => messageReads.history(page)],
  ['a page before a message', () => messageReads.history({ ...page, beforeId: 9 })],
  ['a page after a message', () => messageReads.history({ ...page, afterId: 9 })],
  ['the latest text in a list of rooms', () => listReads.entries({ userId: 1, maxDms: 9 })],
])('%s is found without reading the replies of threads', (_, steps) => {
  expect(planOf(steps())).toMatch(/USING INDEX messages_flow/);
});
