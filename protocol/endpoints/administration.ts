/** Descriptions of the routes about administration and moderation. */
import type { RouteDescriptions } from './describe.ts';
import { EXAMPLES } from './examples.ts';

const { TIME, BOB, INVITE } = EXAMPLES;
const ANN = { user_id: 1, username: 'ann' };
const NO_ADMIN = ['not_found'] as const;
const ON_PERSON = ['not_found', 'user_not_found', 'not_allowed'] as const;
const IN_ROOM = ['not_allowed', 'user_not_found'] as const;
const USER = {
  ...{ id: 2, username: 'bob', display_name: 'Bob', role: 'member', suspended_at: null },
  ...{ created_at: TIME, last_used_at: TIME, sessions: 2 },
};
const AUDIT = {
  entries: [
    {
      ...{ id: 9, at: TIME, action: 'muted', actor: ANN, room: { id: 7, name: 'kitchen' }, user: BOB },
      ...{ message_id: null, details: { until: TIME, reason: 'Advertising' } },
    },
  ],
  has_more: false,
};
const REPORTS = {
  reports: [
    {
      ...{
        id: 4,
        room: { id: 7, name: 'kitchen', kind: 'public' },
        message_id: 41,
        author: BOB,
        reporter: ANN,
      },
      ...{ reason: 'spam', note: '', excerpt: 'Buy now!', created_at: TIME },
      ...{ closed_at: null, closed_by: null, resolution: null },
    },
  ],
  has_more: false,
};
const LINK = { code: 'k3v9…', expires_at: TIME };
const RESTRICTION = { until: TIME, reason: 'Advertising' };

export const ADMINISTRATION: RouteDescriptions = {
  'GET /api/v1/server': {
    summary: 'Says who may register: everybody, those with an invitation, or nobody',
    open: true,
    example: { registration: 'open' },
  },
  'GET /api/v1/admin/users': {
    summary: 'Lists accounts',
    errors: NO_ADMIN,
    example: { users: [USER], has_more: false },
  },
  'PATCH /api/v1/admin/users/:user_id': {
    summary: 'Suspends a person, lets them in again, or changes their role or username',
    errors: [...ON_PERSON, 'username_taken'],
    body: { suspended: true, reason: 'Left the company' },
    example: { ...USER, suspended_at: TIME, sessions: 0 },
  },
  'GET /api/v1/admin/rooms/deleted': {
    summary: 'Lists the rooms that can be restored',
    errors: NO_ADMIN,
    example: {
      rooms: [
        {
          ...{ id: 7, kind: 'public', name: 'kitchen', members: 12, messages: 3400 },
          ...{ deleted_at: TIME, purged_at: TIME },
        },
      ],
    },
  },
  'POST /api/v1/admin/rooms/:id/restore': {
    summary: 'Restores a deleted room, with its members and messages',
    errors: [...NO_ADMIN, 'room_not_found', 'room_name_taken'],
    body: { name: 'kitchen' },
  },
  'DELETE /api/v1/admin/users/:user_id': {
    summary: 'Removes an account for good; `texts` says what becomes of what the person wrote',
    errors: ON_PERSON,
  },
  'GET /api/v1/admin/registrations': {
    summary: 'Lists the addresses from which accounts were registered in the last 7 days',
    errors: NO_ADMIN,
    example: {
      addresses: [
        { address: '203.0.113.1', accounts: 980, suspended: 0, first_at: TIME, last_at: TIME },
        { address: '2001:db8:1:2::/64', accounts: 2, suspended: 0, first_at: TIME, last_at: TIME },
      ],
      has_more: false,
    },
  },
  'POST /api/v1/admin/registrations/end': {
    summary: 'Suspends or removes the accounts that were registered from an address in a span of time',
    errors: NO_ADMIN,
    body: { address: '203.0.113.1', since: TIME, act: 'suspend', reason: 'Advertising' },
    example: { accounts: 500, spared: 1, has_more: true },
  },
  'DELETE /api/v1/admin/users/:user_id/sessions': {
    summary: 'Ends all sessions of a person',
    errors: ON_PERSON,
  },
  'POST /api/v1/admin/users/:user_id/reset': {
    summary: 'Makes a link with which the person sets a new password',
    errors: ON_PERSON,
    example: { user: BOB, ...LINK, url: 'https://chat.example.org/reset/k3v9…' },
  },
  'PATCH /api/v1/admin/settings': {
    summary: 'Decides who may register',
    errors: NO_ADMIN,
    body: { registration: 'invite' },
    example: { registration: 'invite' },
  },
  'GET /api/v1/admin/invites': {
    summary: 'Lists the live invitations to the server',
    errors: NO_ADMIN,
    example: { invites: [INVITE] },
  },
  'POST /api/v1/admin/invites': {
    summary: 'Makes an invitation to the server; its code is returned this once',
    errors: ['not_found', 'too_many'],
    body: { expires_in: 604_800, max_uses: 10 },
    example: { id: 3, ...LINK, url: 'https://chat.example.org/invite/k3v9…' },
  },
  'DELETE /api/v1/admin/invites/:invite_id': {
    summary: 'Revokes an invitation to the server',
    errors: ['not_found', 'invite_not_found'],
  },
  'GET /api/v1/admin/audit': {
    summary: 'Lists what admins and moderators did, the latest first',
    errors: NO_ADMIN,
    example: AUDIT,
  },
  'GET /api/v1/me/audit': {
    summary: 'Lists what admins and moderators did about you, the latest first',
    example: AUDIT,
  },
  'GET /api/v1/admin/usage': {
    summary: 'Counts people, sessions, rooms and messages',
    errors: NO_ADMIN,
    example: {
      ...{ users: 500, suspended: 3, guests: 12, active_day: 310, active_month: 460, sessions: 900 },
      ...{ rooms: 80, dms: 700, messages: 120_000, open_reports: 1, version: '0.1.0' },
    },
  },
  'GET /api/v1/admin/reports': {
    summary: 'Lists the reports of all rooms, but for those about you',
    errors: NO_ADMIN,
    example: REPORTS,
  },
  'POST /api/v1/reports/:report_id/close': {
    summary: 'Closes a report',
    errors: ['report_not_found'],
    body: { resolution: 'acted', note: 'Muted for a day' },
  },
  'PUT /api/v1/rooms/:id/mutes/:user_id': {
    summary: 'Lets a person read and not write, for a while or without an end',
    errors: IN_ROOM,
    body: RESTRICTION,
  },
  'DELETE /api/v1/rooms/:id/mutes/:user_id': { summary: 'Lets a person write again', errors: IN_ROOM },
  'PUT /api/v1/rooms/:id/bans/:user_id': {
    summary: 'Removes a person, who cannot come back, for a while or without an end',
    errors: IN_ROOM,
    body: { ...RESTRICTION, delete_last_s: 3600 },
  },
  'DELETE /api/v1/rooms/:id/bans/:user_id': { summary: 'Lets a person come back', errors: IN_ROOM },
  'GET /api/v1/rooms/:id/restricted': {
    summary: 'Lists who is muted or banned in a room',
    errors: ['not_allowed'],
    example: { people: [{ ...BOB, muted_until: TIME, banned_until: null }] },
  },
  'GET /api/v1/rooms/:id/audit': {
    summary: 'Lists what moderators did in a room, the latest first',
    errors: ['not_allowed'],
    example: AUDIT,
  },
  'GET /api/v1/rooms/:id/reports': {
    summary: 'Lists the reports of a room, but for those about you',
    errors: ['not_allowed'],
    example: REPORTS,
  },
  'POST /api/v1/rooms/:id/messages/:message_id/reports': {
    summary: 'Reports a message to those who moderate the room',
    errors: ['message_not_found', 'not_allowed'],
    body: { reason: 'spam', note: 'The third today' },
  },
  'POST /api/v1/auth/reset/find': {
    summary: 'Says whose password a link sets',
    open: true,
    errors: ['reset_not_found', 'origin_not_allowed'],
    body: { code: LINK.code },
    example: { user: BOB },
  },
  'POST /api/v1/auth/reset': {
    summary: 'Sets a new password with a link, and ends all sessions',
    open: true,
    errors: ['reset_not_found', 'origin_not_allowed'],
    body: { code: LINK.code, password: 'another horse battery' },
    example: { user: BOB },
  },
};
