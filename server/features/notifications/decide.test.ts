import { describe, expect, it } from 'vitest';
import type { MessageExtra } from '../../../protocol/events.ts';
import type { NotificationSettings } from '../../../protocol/notifications.ts';
import type { RoomKind } from '../../../protocol/rooms.ts';
import type { AudienceRow, MessageRow, TextFacts } from '../../data/storage/store.ts';
import { decide, hasRead, occasionOf } from './decide.ts';

const NOW = Date.UTC(2026, 0, 2, 12);
const [ANN, BO] = [1, 2];

interface Case {
  kind?: RoomKind;
  extra?: MessageExtra;
  facts?: Partial<TextFacts>;
  notice?: object;
  author?: number;
  member?: Partial<NonNullable<AudienceRow['member']>> | null;
  settings?: NotificationSettings;
  row?: Partial<AudienceRow>;
  thread?: boolean;
  isOnline?: boolean;
}

/** Ann's message, and Bo, who is a member. */
function verdict(of: Case): string {
  const { kind = 'public', extra = {}, facts = {}, notice, author = ANN, isOnline = false } = of;
  const message: MessageRow = {
    ...{ id: 7, roomId: 1, seq: 5, changedSeq: 5, userId: author, username: 'ann', cid: null },
    ...{ content: 'x', createdAt: NOW, notice: notice ? JSON.stringify(notice) : null },
    facts: {
      ...{ revision: 0, editedAt: null, deletedAt: null, deletedBy: null, pinnedAt: null, threadId: null },
      extra: JSON.stringify(extra),
      ...facts,
    },
  };
  const none = {
    hasLeft: false,
    bannedUntil: null,
    notify: null,
    mutedUntil: null,
    threads: null,
    readSeq: 4,
  };
  const row: AudienceRow = {
    ...{ userId: BO, userRole: 'member', username: 'bo', displayName: '', timeZone: null, blocked: [] },
    settings: JSON.stringify({ notifications: of.settings }),
    member: of.member === null ? null : { ...none, ...of.member },
    ...of.row,
  };
  const thread = of.thread === undefined ? null : { isFollowing: of.thread, readSeq: 0 };
  const { reason, off, isListed } = decide(occasionOf(message, kind), { row, thread, isOnline }, NOW);
  return `${reason ?? 'none'}${off ? ` off: ${off}` : ''}${isListed ? ', listed' : ''}`;
}

const MENTION = { mentions: [BO] };
const REPLY = { reply_to: { id: 3, user_id: BO } };
const ADDED = { kind: 'added', by: {}, member: { user_id: BO } };
const thread = { threadId: 3 };

describe('each message has one reason, the first that fits', () => {
  it.each<[string, Case, string]>([
    ['a direct message', { kind: 'dm', extra: MENTION }, 'dm'],
    ['a mention', { extra: { ...MENTION, ...REPLY, mention_room: 'room' } }, 'mention, listed'],
    ['a reply', { extra: { ...REPLY, mention_room: 'room' }, facts: thread, thread: true }, 'reply, listed'],
    ['a thread that one follows', { facts: thread, thread: true, extra: { mention_room: 'room' } }, 'thread'],
    ['everybody in the room', { extra: { mention_room: 'room' }, member: { notify: 'all' } }, 'room, listed'],
    ['everybody who is here', { extra: { mention_room: 'here' }, isOnline: true }, 'room, listed'],
    ['every text, by the level of the room', { member: { notify: 'all' } }, 'all'],
    ['every text, by the level of the user', { settings: { default: 'all' } }, 'all'],
    ['an invitation', { notice: ADDED }, 'invite, listed'],
  ])('%s', (_, of, expected) => expect(verdict(of)).toBe(expected));
});

describe('a message without a reason', () => {
  it.each<[string, Case]>([
    ['a plain text', {}],
    ['everybody who is here, and one is not', { extra: { mention_room: 'here' } }],
    ['a thread that one does not follow', { facts: thread, member: { notify: 'all' } }],
    ['a thread that one has left', { facts: thread, thread: false, member: { threads: 'all' } }],
    ['a thread of a room whose threads one wants none of', { facts: thread, member: { threads: 'none' } }],
    ['a direct message, where one wants mentions only', { kind: 'dm', member: { notify: 'mentions' } }],
    ['somebody else was added', { notice: { ...ADDED, member: { user_id: 9 } } }],
    ['everybody in a public room, and one is not in it', { extra: { mention_room: 'room' }, member: null }],
  ])('%s', (_, of) => expect(verdict(of)).toBe('none off: no_reason'));

  it('every thread of the room, where one wants all', () => {
    expect(verdict({ facts: thread, member: { threads: 'all' } })).toBe('thread');
  });
});

describe('what keeps a message from somebody', () => {
  it.each<[string, Case, string]>([
    ['it is their own', { extra: MENTION, author: BO }, 'none off: own'],
    ['they have blocked its author', { extra: MENTION, row: { blocked: [ANN] } }, 'none off: blocked'],
    ['they have left the room', { extra: MENTION, member: { hasLeft: true } }, 'none off: left'],
    ['they are banned', { extra: MENTION, member: { bannedUntil: NOW + 1 } }, 'none off: left'],
    [
      'a private room that they were never in',
      { kind: 'private', extra: MENTION, member: null },
      'none off: left',
    ],
    [
      'a guest, and a room that they were never in',
      { extra: MENTION, member: null, row: { userRole: 'guest' } },
      'none off: left',
    ],
    ['it was deleted', { extra: MENTION, facts: { deletedAt: NOW } }, 'mention off: deleted'],
    ['the level of the room', { kind: 'dm', member: { notify: 'none' } }, 'dm off: level'],
    [
      'the default level',
      { settings: { default: 'none' }, extra: { mention_room: 'room' } },
      'room off: level',
    ],
    ['the room is muted', { kind: 'dm', member: { mutedUntil: NOW + 1 } }, 'dm off: muted'],
    ['do not disturb', { kind: 'dm', settings: { dnd: { until: '2026-01-02T13:00:00Z' } } }, 'dm off: dnd'],
  ])('%s', (_, of, expected) => expect(verdict(of)).toBe(expected));

  it('a mention in a public room that one was never in is due', () => {
    expect(verdict({ extra: MENTION, member: null })).toBe('mention, listed');
  });

  it('what is meant for one person alone comes into the inbox, whatever the level, and is not notified', () => {
    const levels: Case[] = [
      { member: { notify: 'none' } },
      { member: { mutedUntil: NOW + 1 } },
      { settings: { dnd: { until: '2026-01-02T13:00:00Z' } } },
    ];
    const verdicts = levels.map((level) => verdict({ ...level, extra: MENTION }));
    expect(verdicts).toEqual(['level', 'muted', 'dnd'].map((off) => `mention off: ${off}, listed`));
  });
});

it('a message was read when the mark of its own flow has reached it', () => {
  const occasion = (threadId: number | null) =>
    ({ message: { seq: 5 }, threadId }) as unknown as Parameters<typeof hasRead>[0];
  const person = (readSeq: number, inThread?: number) =>
    ({
      row: { member: { readSeq } },
      thread: inThread === undefined ? null : { readSeq: inThread },
    }) as unknown as Parameters<typeof hasRead>[1];
  expect(hasRead(occasion(null), person(5, 0))).toBe(true);
  expect(hasRead(occasion(null), person(4, 9))).toBe(false);
  expect(hasRead(occasion(3), person(9, 4))).toBe(false);
  expect(hasRead(occasion(3), person(0, 5))).toBe(true);
});
