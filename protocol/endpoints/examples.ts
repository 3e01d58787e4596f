/** What the examples of several endpoints and frames share. */
const TIME = '2026-11-21T07:00:00.000Z';
const BOB = { user_id: 2, username: 'bob' };

const MESSAGE = {
  type: 'message',
  id: 41,
  room_id: 7,
  ...BOB,
  content: 'Lunch?',
  created_at: TIME,
  seq: 12,
};
const ROOT = {
  ...MESSAGE,
  thread: { replies: 1, last_seq: 13, last_at: TIME, people: [1], title: 'Lunch' },
};
const REPLY = { ...MESSAGE, id: 42, content: 'At noon.', seq: 13, thread_id: 41 };
const FACTS = {
  kind: 'public',
  name: 'kitchen',
  topic: 'What we eat',
  description: '',
  emoji: null,
  hue: 'leaf' as const,
  archived: false,
  settings: {},
};
const ROOM = { ...FACTS, id: 7, online: 2, seq: 12, number: 12, members: 3, me_role: 'member' };
const MEMBERSHIP = {
  role: 'member',
  notify: null,
  notify_muted_until: null,
  threads: null,
  starred: false,
  hidden: false,
  read_seq: 11,
  read_set: 0,
};
const MUTED = { ...MEMBERSHIP, silenced_until: TIME };
const MEMBER = { ...BOB, display_name: 'Bob', role: 'member', joined_at: TIME };
const PROFILE = {
  id: 2,
  username: 'bob',
  version: 1,
  kind: 'person',
  role: 'member',
  display_name: 'Bob',
  status: null,
  time_zone: 'Europe/Vienna',
  suspended: false,
};
const ME = { ...PROFILE, settings: { theme: 'dark' } };
const TOKENS = { access_token: 'eyJhbGciOiJIUzI1NiJ9…', refresh_token: 'b2Zyb29tZnVs…', expires_in: 900 };
const INVITE = { id: 3, created_by: BOB, expires_at: TIME, max_uses: 10, uses: 0 };
const EPOCH = 'b2d7c1';
const CODE = 'k3v9…';

const ANN = { user_id: 1, username: 'ann' };
const AUDIT = {
  entries: [
    {
      id: 9,
      at: TIME,
      action: 'muted',
      actor: ANN,
      room: { id: 7, name: 'kitchen' },
      user: BOB,
      message_id: null,
      details: { until: TIME, reason: 'Advertising' },
    },
  ],
  has_more: false,
};
const REPORTS = {
  reports: [
    {
      id: 4,
      room: { id: 7, name: 'kitchen', kind: 'public' },
      message_id: 41,
      author: BOB,
      reporter: ANN,
      reason: 'spam',
      note: '',
      excerpt: 'Buy now!',
      created_at: TIME,
      closed_at: null,
      closed_by: null,
      resolution: null,
    },
  ],
  has_more: false,
};

export const EXAMPLES = {
  TIME,
  BOB,
  MESSAGE,
  ROOT,
  REPLY,
  ROOM,
  MEMBERSHIP,
  MUTED,
  MEMBER,
  PROFILE,
  ME,
  TOKENS,
  INVITE,
  EPOCH,
  CODE,
  AUDIT,
  REPORTS,
} as const;
