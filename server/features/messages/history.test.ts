import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRoom, newUser } from '../../data/storage/contract/subject.ts';
import { openTemporaryStore, type TemporaryStore } from '../../data/storage/sqlite/temporary-store.ts';
import type { Store } from '../../data/storage/store.ts';
import type { Json } from '../../platform/written-list.ts';
import { messageJson, toMessage } from '../../rules/message.ts';
import { History } from './history.ts';

const LONGEST = 4000;

let opened: TemporaryStore;
let store: Store;
let userId: number;
beforeAll(async () => {
  opened = await openTemporaryStore();
  ({ store } = opened);
  userId = (await newUser(store)).id;
});
afterAll(async () => await opened?.dispose());

function parsed<T>(json: Json<T>): T {
  return JSON.parse(json.toString()) as T;
}

/** Posts the texts to a new room; returns their ids, and the seqs of a page of the room. */
async function roomWith(contents: readonly string[]) {
  const { id: roomId } = await newRoom(store, userId);
  const posted = contents.map((content) => store.append({ roomId, userId, cid: null, content, now: 0 }));
  const ids = (await Promise.all(posted)).map((post) => (post.outcome === 'stored' ? post.id : 0));
  const history = new History(store, 'epoch');
  const page = async (query: { limit: number; beforeId?: number; afterId?: number }) => {
    const { messages, has_more } = parsed(await history.page({ roomId, ...query }, userId));
    return { first: messages[0]?.seq, last: messages.at(-1)?.seq, count: messages.length, has_more };
  };
  return { ids, page };
}

describe('a page has at most 1 MiB of messages as JSON', () => {
  it('200 messages of 4000 letters fit', async () => {
    const { ids, page } = await roomWith(new Array<string>(201).fill('a'.repeat(LONGEST)));
    expect(await page({ limit: 200 })).toEqual({ first: 2, last: 201, count: 200, has_more: true });
    const afterId = ids[0] ?? 0;
    expect(await page({ limit: 200, afterId })).toEqual({ first: 2, last: 201, count: 200, has_more: false });
  });

  it('of 4000 quotes each, which JSON doubles, the 128 nearest to the cursor fit; has_more is true', async () => {
    const { ids, page } = await roomWith(new Array<string>(201).fill('"'.repeat(LONGEST)));
    expect(await page({ limit: 200 })).toEqual({ first: 74, last: 201, count: 128, has_more: true });
    const beforeId = ids.at(-1) ?? 0;
    expect(await page({ limit: 200, beforeId })).toEqual({
      first: 73,
      last: 200,
      count: 128,
      has_more: true,
    });
    const afterId = ids[0] ?? 0;
    expect(await page({ limit: 200, afterId })).toEqual({ first: 2, last: 129, count: 128, has_more: true });
    expect(await page({ limit: 128, afterId: ids[72] ?? 0 })).toMatchObject({ last: 201, has_more: false });
  });

  it('of texts that JSON writes with different lengths, as many fit as it has room for', async () => {
    const controls = '\u0001'.repeat(LONGEST); // 24 002 characters each as JSON: 43 fit.
    const { page } = await roomWith([...new Array<string>(60).fill(controls), 'a'.repeat(LONGEST)]);
    expect(await page({ limit: 200 })).toEqual({ first: 18, last: 61, count: 44, has_more: true });
    expect(await page({ limit: 200, afterId: 0 })).toEqual({ first: 1, last: 43, count: 43, has_more: true });
  });

  it('notices count, too: of 201 with a description of 2000 control characters, 84 fit', async () => {
    const { id: roomId } = await newRoom(store, userId);
    for (let count = 0; count < 201; count++) {
      const description = `${'\u0001'.repeat(1999)}${count % 10}`;
      await store.changeRoom({ roomId, actorId: userId, patch: { description }, now: 0 });
    }
    const history = new History(store, 'epoch');
    const page = parsed(await history.flow({ roomId, limit: 200 }, userId));
    expect(page).toMatchObject({ has_more: true, seq: 201 });
    expect(page.messages.map(({ seq }) => seq).at(-1)).toBe(201);
    expect(JSON.stringify(page.messages).length).toBeLessThan(1024 * 1024);
    expect(page.messages).toHaveLength(84);
    expect(parsed(await history.page({ roomId, limit: 200 }, userId)).messages).toEqual([]);
  });

  it('a single message always fits, whatever the store holds', async () => {
    const { page } = await roomWith(['a', '"'.repeat(1024 * 1024), 'b']);
    expect(await page({ limit: 2, afterId: 0 })).toEqual({ first: 1, last: 1, count: 1, has_more: true });
  });
});

it('a room that does not exist is room_not_found; an empty room has an empty page', async () => {
  const { page } = await roomWith([]);
  expect(await page({ limit: 1 })).toEqual({ count: 0, has_more: false });
  const absent = new History(store, 'epoch').page({ roomId: Number.MAX_SAFE_INTEGER, limit: 1 }, userId);
  await expect(absent).rejects.toMatchObject({ code: 'room_not_found' });
});

it.each([
  ['a plain text', null],
  ['a reply in a thread', { threadId: 7 }],
  ['a text with reactions', { extra: '{"reactions":[{"emoji":"🦊","count":2,"user_ids":[1,2]}]}' }],
  [
    'an edited quote with a hostile title',
    {
      ...{ revision: 2, editedAt: 5, pinnedAt: 6 },
      extra: JSON.stringify({ reply_to: { id: 3 }, thread: { title: '"},{"reply_to":\\\u2028' } }),
    },
  ],
  ['a tombstone', { deletedAt: 5, deletedBy: 3 }],
])('%s is the same JSON, whether what is stored as JSON is parsed or not', (_, facts) => {
  const none = { revision: 0, editedAt: null, deletedAt: null, deletedBy: null, pinnedAt: null };
  const row = {
    ...{ id: 9, roomId: 2, seq: 4, changedSeq: 5, userId: 3, username: '"ann"', cid: 'c', content: '"\n' },
    ...{ createdAt: 0, notice: null },
    facts: facts && { ...none, threadId: null, extra: null, ...facts },
  };
  expect(messageJson(row)).toBe(JSON.stringify(toMessage(row)));
});
