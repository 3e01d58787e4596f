import { describe, expect, test } from 'vitest';
import type { Message } from '../../protocol/events.ts';
import { ApiError } from '../api/api-error.ts';
import { FakeMessages } from '../testing/fake-messages.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { ME, message, ROOM } from '../testing/messages.ts';
import { type Change, type Wanted, withChanges } from './change.ts';
import { Changes } from './changes.ts';
import { type ChangesStore, memoryChanges } from './changes-store.ts';

const THUMB = { kind: 'reaction', emoji: '👍', on: true } as const;
const NO_THUMB = { ...THUMB, on: false } as const;

/** What the tabs of a browser share. */
class Browser {
  readonly #items = new Map<string, Change>();
  readonly #tabs = new Set<() => void>();
  #turn: Promise<unknown> = Promise.resolve();

  readonly locks = {
    request: <T>(_name: string, task: () => Promise<T>): Promise<T> => {
      const result = this.#turn.then(task, task);
      this.#turn = result;
      return result;
    },
  };

  /** The other tabs hear of each change. */
  tab(): ChangesStore {
    const store = memoryChanges(this.#items);
    const tabs = this.#tabs;
    let listener = () => {};
    const tell = () => {
      for (const tab of tabs) if (tab !== listener) tab();
    };
    return {
      ...store,
      put: (change) => store.put(change).then(tell),
      delete: (key) => store.delete(key).then(tell),
      watch(heard) {
        listener = heard;
        tabs.add(heard);
        return () => tabs.delete(heard);
      },
    };
  }
}

function setUp({
  items = new Map<string, Change>(),
  epoch = 'e1',
  server = new FakeMessages(),
  clock = new ManualClock(1000),
  browser = null as Browser | null,
} = {}) {
  const refused: string[] = [];
  let shown: readonly Change[] = [];
  const changes = new Changes({
    userId: ME.id,
    api: server.api,
    store: browser?.tab() ?? memoryChanges(items),
    locks: browser?.locks,
    epoch: () => epoch,
    onChange: (all) => {
      shown = all;
    },
    onRefused: (change, code) => refused.push(`${change.wanted.kind}: ${code}`),
    clock,
    random: () => 0,
  });
  const make = (wanted: Wanted, options?: { delayMs?: number }) => changes.make(ROOM, 10, wanted, options);
  const look = (of: Message = message(1)) => withChanges(of, shown, ME.id);
  return { server, clock, refused, changes, make, look, items, shown: () => shown };
}

/** Lets all promises that can settle do so. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}

const offline = () => new ApiError(0, 'no response');

describe('a change', () => {
  test('is shown at once, kept on the device, and gone from there when the server has it', async () => {
    const { server, clock, make, look, items, shown } = setUp();
    make(THUMB);
    expect(look().reactions).toEqual([{ emoji: '👍', count: 1, user_ids: [ME.id] }]);
    expect(items.size).toBe(1);
    await settled();
    expect(server.asked).toEqual(['👍 10 on']);
    expect(items.size).toBe(0);
    // The event may come after the response.
    expect(shown()).toHaveLength(1);
    clock.advance(2000);
    expect(shown()).toHaveLength(0);
  });

  test('is repeated until the server responds, also after a reload', async () => {
    const { server, clock, make, items } = setUp();
    server.failures.push(
      offline(),
      new ApiError(503, 'service unavailable'),
      new ApiError(404, 'status 404'),
    );
    make({ kind: 'pin', on: true });
    await settled();
    expect(server.asked).toHaveLength(1);
    clock.advance(1000);
    await settled();
    clock.advance(1500);
    await settled();
    expect(server.asked).toHaveLength(3);
    expect(items.size).toBe(1);
    const again = setUp({ items });
    await settled();
    expect(again.server.asked).toEqual(['pin 10 on']);
    expect(items.size).toBe(0);
  });

  test('is replaced by a later one of the same thing, which is sent after it', async () => {
    const { server, make, look } = setUp();
    let respond = () => {};
    server.failures.push(
      new Promise((resolve) => {
        respond = resolve;
      }),
    );
    make(THUMB);
    await settled();
    make(NO_THUMB);
    make(THUMB);
    make(NO_THUMB);
    expect(look().reactions).toEqual([]);
    respond();
    await settled();
    expect(server.asked).toEqual(['👍 10 on', '👍 10 off']);
  });

  test('that is refused is withdrawn, and the others go on', async () => {
    const { server, make, look, refused, items } = setUp();
    server.failures.push(new ApiError(403, 'not allowed'));
    make({ kind: 'pin', on: true });
    make({ kind: 'saved', on: true });
    await settled();
    expect(refused).toEqual(['pin: not allowed']);
    expect(server.asked).toEqual(['pin 10 on', 'saved 10 on']);
    expect(look()).not.toHaveProperty('pinned_at');
    expect(items.size).toBe(0);
  });

  test('of a message in another database is never sent', async () => {
    const items = new Map<string, Change>();
    const before = setUp({ items });
    before.server.failures.push(offline());
    before.make(THUMB);
    await settled();
    const { server, refused } = setUp({ items, epoch: 'e2' });
    await settled();
    expect(server.asked).toEqual([]);
    expect(refused).toEqual(['reaction: other_database']);
  });
});

describe('an edit of a text that has changed', () => {
  test('loses neither text: the author chooses', async () => {
    const { server, make, look, refused, changes, shown } = setUp();
    server.failures.push(new ApiError(409, 'message changed'));
    make({ kind: 'edit', content: 'mine', base: 0 });
    expect(look().content).toBe('mine');
    await settled();
    expect(refused).toEqual([]);
    const [waiting] = shown();
    expect(waiting).toMatchObject({ wanted: { content: 'mine' }, conflict: { content: 'theirs' } });
    expect(look(server.present).content).toBe('theirs');
    // It waits for the author, not for time.
    changes.retryNow();
    await settled();
    expect(server.asked).toHaveLength(1);
    make({ kind: 'edit', content: 'mine', base: 1 });
    await settled();
    expect(server.asked.at(-1)).toBe('edit 10 mine on 1');
  });

  test('is refused when the message was deleted', async () => {
    const { server, make, refused } = setUp();
    server.present = message(1, { content: '', deleted_at: '2026-01-01T00:00:00Z' });
    server.failures.push(new ApiError(409, 'message changed'));
    make({ kind: 'edit', content: 'mine', base: 0 });
    await settled();
    expect(refused).toEqual(['edit: message changed']);
  });
});

describe('a deletion', () => {
  test('can be taken back until it is due', async () => {
    const { server, clock, make, changes, items } = setUp();
    const { key } = make({ kind: 'delete' }, { delayMs: 6000 });
    await settled();
    clock.advance(5999);
    await settled();
    expect(server.asked).toEqual([]);
    changes.discard(key);
    clock.advance(10_000);
    await settled();
    expect(server.asked).toEqual([]);
    expect(items.size).toBe(0);
  });

  test('is sent when it is due, and at once when the page goes away', async () => {
    const { server, clock, make, changes, items } = setUp();
    make({ kind: 'delete' }, { delayMs: 6000 });
    await settled();
    clock.advance(6000);
    await settled();
    expect(server.asked).toEqual(['delete 10']);
    make({ kind: 'delete' }, { delayMs: 6000 });
    changes.hurry();
    expect(server.asked.at(-1)).toBe('delete 10 keepalive');
    await settled();
    expect(items.size).toBe(0);
  });
});

describe('in two tabs', () => {
  test('a change is shown in both, and sent once', async () => {
    const browser = new Browser();
    const { server, clock, ...first } = setUp({ browser });
    const second = setUp({ browser, server, clock });
    server.failures.push(offline(), offline());
    first.make(THUMB);
    await settled();
    expect(server.asked).toHaveLength(2);
    expect(second.look().reactions).toMatchObject([{ emoji: '👍', count: 1 }]);
    for (const tab of [first, second]) tab.changes.retryNow();
    await settled();
    clock.advance(10_000);
    await settled();
    expect(server.asked).toHaveLength(3);
    expect([first.shown(), second.shown()]).toEqual([[], []]);
  });

  test('a deletion that one takes back at once is not sent by the other', async () => {
    const browser = new Browser();
    const { server, clock, ...first } = setUp({ browser });
    const second = setUp({ browser, server, clock });
    const { key } = first.make({ kind: 'delete' }, { delayMs: 6000 });
    await settled();
    expect(second.shown()).toHaveLength(1);
    first.changes.discard(key);
    await settled();
    expect(second.shown()).toHaveLength(0);
    clock.advance(10_000);
    await settled();
    expect(server.asked).toEqual([]);
  });
});
