import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EntryRow } from '../../../data/storage/store.ts';
import { toEntry } from '../../../features/rooms/shapes.ts';
import { EntryEncoder } from './entry-encoder.ts';

const small = fc.nat({ max: 2 });
const words = fc.constantFrom('', 'tea', '"quoted"', 'ünï\u2028\\');
const roles = fc.constantFrom('member' as const, 'moderator' as const, 'owner' as const);
const time = fc.option(small);
const ROOM = {
  kind: fc.constantFrom('public' as const, 'private' as const, 'dm' as const),
  name: words,
  topic: words,
  description: words,
  emoji: fc.option(fc.constant('☕')),
  hue: fc.option(fc.constant('teal' as const)),
  isDefault: fc.boolean(),
  settings: fc.constantFrom('{}', '{"invite":"owner"}'),
  archivedAt: time,
  seq: small,
  number: small,
  members: small,
};
const MEMBER = {
  userId: small,
  role: roles,
  joinedAt: small,
  leftAt: fc.constant(null),
  notify: fc.constantFrom(null, 'all' as const, 'mentions' as const),
  threads: fc.constantFrom(null, 'all' as const, 'none' as const),
  notifyMutedUntil: time,
  starred: fc.boolean(),
  hidden: fc.boolean(),
  readSeq: small,
  readSet: small,
  silencedUntil: time,
  bannedUntil: time,
  userSeq: small,
};
const last = fc.record({
  seq: small,
  userId: small,
  username: words,
  start: words,
  createdAt: small,
  files: small,
});
const places = fc.array(fc.record({ threadId: small, seq: small }), { maxLength: 2 });
const count = { unread: small, mentions: small, threadMentions: places, isInexact: fc.boolean() };
const people = fc.array(fc.record({ userId: small, username: words, displayName: words }), { maxLength: 2 });
const rows: fc.Arbitrary<EntryRow> = small.chain((id) =>
  fc.record({
    room: fc.record({ id: fc.constant(id), ...ROOM }),
    member: fc.record({ roomId: fc.constant(id), ...MEMBER }),
    last: fc.option(last),
    count: fc.option(fc.record({ roomId: fc.constant(id), ...count })),
    people,
  }),
);

it('encodes each entry as what its row says at that moment, whatever it has encoded before', () => {
  const step = fc.record({ row: rows, again: fc.boolean(), online: small, isNewSecond: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let online = 0;
      let before: EntryRow | undefined;
      const encoder = new EntryEncoder(() => online);
      for (const { row: next, again, online: now, isNewSecond } of steps) {
        // Often the same room with another membership: that is what lists of several users have.
        const row = again && before ? { ...before, member: next.member } : next;
        online = now;
        if (isNewSecond) encoder.tick();
        expect(encoder.encode(row)).toBe(JSON.stringify(toEntry(row, online)));
        before = row;
      }
    }),
  );
});
