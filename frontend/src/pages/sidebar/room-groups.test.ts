import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RoomEntry } from './room-entry.ts';
import { heldGroups, type RoomGroup, roomGroups } from './room-groups.ts';

let nextId = 1;

function entry(change: Partial<RoomEntry> = {}): RoomEntry {
  return {
    id: nextId++,
    kind: 'public',
    name: 'room',
    emoji: null,
    hue: null,
    isOwn: true,
    person: null,
    people: null,
    online: false,
    unread: 0,
    mentions: 0,
    isMuted: false,
    hasDraft: false,
    starred: false,
    last: null,
    ...change,
  };
}

const said = (at: number) => ({ at, author: 'ann', excerpt: 'hello', files: 0 });
const ids = (groups: readonly RoomGroup[]) =>
  Object.fromEntries(groups.map(({ kind, entries }) => [kind, entries.map(({ id }) => id)]));

test('a room stands in one group: Unread, else Starred, else by its kind', () => {
  const unread = entry({ unread: 1, starred: true });
  const starred = entry({ starred: true, kind: 'dm' });
  const room = entry();
  const dm = entry({ kind: 'dm' });
  expect(ids(roomGroups([dm, room, starred, unread]))).toEqual({
    unread: [unread.id],
    starred: [starred.id],
    rooms: [room.id],
    direct: [dm.id],
  });
});

test('a group without rooms is not shown', () => {
  expect(roomGroups([entry()]).map(({ kind }) => kind)).toEqual(['rooms']);
  expect(roomGroups([])).toEqual([]);
});

test('a muted room is not among the unread, unless it mentions the reader', () => {
  const [muted, mentioned] = [
    entry({ unread: 5, isMuted: true }),
    entry({ unread: 5, mentions: 1, isMuted: true }),
  ];
  expect(ids(roomGroups([muted, mentioned]))).toEqual({ unread: [mentioned.id], rooms: [muted.id] });
});

test('among the unread, mentions and direct messages come first, then the latest message', () => {
  const old = entry({ unread: 1, last: said(1) });
  const recent = entry({ unread: 1, last: said(9) });
  const mention = entry({ unread: 3, mentions: 1, last: said(2) });
  const dm = entry({ unread: 1, kind: 'dm', last: said(3) });
  expect(ids(roomGroups([old, recent, mention, dm])).unread).toEqual([dm.id, mention.id, recent.id, old.id]);
});

test('within a group the latest message comes first, then the newest room', () => {
  const [older, newer, active] = [entry(), entry(), entry({ last: said(5) })];
  expect(ids(roomGroups([older, newer, active])).rooms).toEqual([active.id, newer.id, older.id]);
});

const someEntries = fc.array(
  fc.record({
    id: fc.integer({ min: 1, max: 30 }),
    unread: fc.nat(3),
    starred: fc.boolean(),
    kind: fc.constantFrom('public' as const, 'dm' as const),
    at: fc.nat(100),
  }),
);

test('while the list is held no room moves: what comes or goes leaves the order of the others', () => {
  fc.assert(
    fc.property(someEntries, someEntries, (first, second) => {
      const distinct = (list: typeof first) =>
        [...new Map(list.map((one) => [one.id, one])).values()].map(({ at, ...rest }) =>
          entry({ ...rest, last: said(at) }),
        );
      const before = roomGroups(distinct(first));
      const after = distinct(second);
      const held = heldGroups(before, after);
      const flat = (groups: readonly RoomGroup[]) =>
        groups.flatMap(({ kind, entries }) => entries.map(({ id }) => ({ kind, id })));
      expect(new Set(flat(held).map(({ id }) => id))).toEqual(new Set(after.map(({ id }) => id)));
      const stayed = new Set(after.map(({ id }) => id));
      const known = new Set(flat(before).map(({ id }) => id));
      expect(flat(held).filter(({ id }) => known.has(id))).toEqual(
        flat(before).filter(({ id }) => stayed.has(id)),
      );
    }),
  );
});
