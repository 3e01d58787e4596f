import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { MessageRow } from '../../../data/storage/store.ts';
import type { LiveMessage } from '../wire/wire.ts';
import { Feed } from './feed.ts';

function row(seq: number, changedSeq = seq): MessageRow {
  const at = { id: seq, roomId: 1, seq, changedSeq, createdAt: seq };
  return {
    ...at,
    userId: 1,
    username: 'ann',
    cid: null,
    content: `${seq} as of ${changedSeq}`,
    notice: null,
    facts: null,
  };
}

it('after a read, an event that follows on superseded numbers says so, and a text that was left out is new', async () => {
  // 2 was posted and changed as 4; what announced 2 was lost.
  const rows = [row(1), row(3), row(2, 4), row(5)];
  const live: LiveMessage[] = [];
  const log = {
    roomId: 1,
    after: async ({ seq }: { seq: number }) => rows.filter(({ changedSeq }) => changedSeq > seq),
    head: async () => 5,
  };
  const feed = new Feed(log, (message) => live.push(message));
  feed.startAt(0);
  feed.announce(1, row(1));
  feed.announce(5, row(5));
  while (feed.head < 5) await nextTurn();
  feed.announce(6, row(2, 6));
  expect(live.map(({ row: { seq }, isAfterGap, isNew }) => ({ seq, isAfterGap, isNew }))).toEqual([
    { seq: 1, isAfterGap: false, isNew: true },
    { seq: 3, isAfterGap: true, isNew: true },
    { seq: 2, isAfterGap: false, isNew: true },
    { seq: 5, isAfterGap: false, isNew: true },
    { seq: 2, isAfterGap: false, isNew: false },
  ]);
});
