/** Endpoints about the administration of the server. */
import {
  adminUser,
  adminUsersQuery,
  adminUsersResponse,
  auditQuery,
  auditResponse,
  createdServerInvite,
  deletedRoomsResponse,
  endedRegistrations,
  endRegistrationsBody,
  ownAuditQuery,
  patchSettingsBody,
  patchUserBody,
  registrationsQuery,
  registrationsResponse,
  removeUserQuery,
  reportsQuery,
  reportsResponse,
  resetLink,
  restoreRoomBody,
  serverInvitesResponse,
  serverSettings,
  usageResponse,
} from '../rest/administration.ts';
import { createInviteBody } from '../rest/rooms.ts';
import type { Endpoints } from './endpoint.ts';
import { EXAMPLES } from './examples.ts';

const { TIME, BOB, INVITE, CODE, AUDIT, REPORTS } = EXAMPLES;
const ICON = 'q3mT0cVb5yKf8ZrJw2XhNg';
const ON_PERSON = ['user_not_found', 'not_allowed'] as const;
const USER = {
  id: 2,
  username: 'bob',
  display_name: 'Bob',
  role: 'member',
  suspended_at: null,
  created_at: TIME,
  last_used_at: TIME,
  sessions: 2,
  files: 12,
  file_bytes: 40_000_000,
};
const LINK = { code: CODE, expires_at: TIME };

export const ADMINISTRATION = {
  'GET /api/v1/server': {
    summary:
      'Says what the server is called, and who may register: everybody, those with an invitation, or nobody',
    access: 'open',
    response: { 200: serverSettings },
    example: { registration: 'open', name: 'Acme' },
  },
  'PATCH /api/v1/admin/settings': {
    summary: 'Decides what the server is called, and who may register',
    access: 'admin',
    body: patchSettingsBody,
    bodyExample: { registration: 'invite', name: 'Acme' },
    response: { 200: serverSettings },
    example: { registration: 'invite', name: 'Acme' },
  },
  'PUT /api/v1/admin/icon': {
    summary:
      'Sets the picture of the server: a PNG, JPEG, WebP, GIF or AVIF of at most 256 KiB and 512 × 512',
    access: 'admin',
    errors: [
      'invalid_payload',
      'invalid_picture',
      'not_allowed',
      'too_many',
      'payload_too_large',
      'no_space',
    ],
    bytes: 'any',
    response: { 200: serverSettings },
    example: { registration: 'invite', name: 'Acme', icon: ICON },
  },
  'DELETE /api/v1/admin/icon': {
    summary: 'Removes the picture of the server',
    access: 'admin',
    response: { 200: serverSettings },
    example: { registration: 'invite', name: 'Acme' },
  },
  'GET /api/v1/admin/users': {
    summary: 'Lists accounts',
    access: 'admin',
    query: adminUsersQuery,
    response: { 200: adminUsersResponse },
    example: { users: [USER], has_more: false },
  },
  'PATCH /api/v1/admin/users/:user_id': {
    summary: 'Suspends a person, lets them in again, or changes their role or username',
    access: 'admin',
    errors: [...ON_PERSON, 'username_taken'],
    body: patchUserBody,
    bodyExample: { suspended: true, reason: 'Left the company' },
    response: { 200: adminUser },
    example: { ...USER, suspended_at: TIME, sessions: 0 },
  },
  'DELETE /api/v1/admin/users/:user_id': {
    summary: 'Removes an account for good; `texts` says what becomes of what the person wrote',
    access: 'admin',
    errors: ON_PERSON,
    query: removeUserQuery,
  },
  'DELETE /api/v1/admin/users/:user_id/sessions': {
    summary: 'Ends all sessions of a person',
    access: 'admin',
    errors: ON_PERSON,
  },
  'POST /api/v1/admin/users/:user_id/reset': {
    summary: 'Makes a link with which the person sets a new password',
    access: 'admin',
    errors: ON_PERSON,
    response: { 201: resetLink },
    example: { user: BOB, ...LINK, url: 'https://chat.example.org/reset/k3v9…' },
  },
  'GET /api/v1/admin/registrations': {
    summary: 'Lists the addresses from which accounts were registered in the last 7 days',
    access: 'admin',
    query: registrationsQuery,
    response: { 200: registrationsResponse },
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
    access: 'admin',
    body: endRegistrationsBody,
    bodyExample: { address: '203.0.113.1', since: TIME, act: 'suspend', reason: 'Advertising' },
    response: { 200: endedRegistrations },
    example: { accounts: 500, spared: 1, has_more: true },
  },
  'GET /api/v1/admin/invites': {
    summary: 'Lists the live invitations to the server',
    access: 'admin',
    response: { 200: serverInvitesResponse },
    example: { invites: [INVITE] },
  },
  'POST /api/v1/admin/invites': {
    summary: 'Makes an invitation to the server; its code is returned this once',
    access: 'admin',
    errors: ['too_many'],
    body: createInviteBody,
    mayLackBody: true,
    bodyExample: { expires_in: 604_800, max_uses: 10 },
    response: { 201: createdServerInvite },
    example: { id: 3, ...LINK, url: 'https://chat.example.org/invite/k3v9…' },
  },
  'DELETE /api/v1/admin/invites/:invite_id': {
    summary: 'Revokes an invitation to the server',
    access: 'admin',
    errors: ['invite_not_found'],
  },
  'GET /api/v1/admin/rooms/deleted': {
    summary: 'Lists the rooms that can be restored',
    access: 'admin',
    response: { 200: deletedRoomsResponse },
    example: {
      rooms: [
        {
          id: 7,
          kind: 'public',
          name: 'kitchen',
          members: 12,
          messages: 3400,
          deleted_at: TIME,
          purged_at: TIME,
        },
      ],
    },
  },
  'POST /api/v1/admin/rooms/:id/restore': {
    summary: 'Restores a deleted room, with its members and messages',
    access: 'admin',
    errors: ['room_name_taken'],
    body: restoreRoomBody,
    mayLackBody: true,
    bodyExample: { name: 'kitchen' },
  },
  'GET /api/v1/admin/audit': {
    summary: 'Lists what admins and moderators did, the latest first',
    access: 'admin',
    query: auditQuery,
    response: { 200: auditResponse },
    example: AUDIT,
  },
  'GET /api/v1/me/audit': {
    summary: 'Lists what admins and moderators did about you, the latest first',
    access: 'own',
    query: ownAuditQuery,
    response: { 200: auditResponse },
    example: AUDIT,
  },
  'GET /api/v1/admin/usage': {
    summary: 'Counts people, sessions, rooms, messages and files',
    access: 'admin',
    response: { 200: usageResponse },
    example: {
      users: 500,
      suspended: 3,
      guests: 12,
      active_day: 310,
      active_month: 460,
      sessions: 900,
      rooms: 80,
      dms: 700,
      messages: 120_000,
      open_reports: 1,
      files: 5200,
      file_bytes: 9_000_000_000,
      file_people: [{ ...BOB, files: 12, bytes: 40_000_000 }],
      version: '0.1.0',
    },
  },
  'GET /api/v1/admin/reports': {
    summary: 'Lists the reports of all rooms, but for those about you',
    access: 'admin',
    query: reportsQuery,
    response: { 200: reportsResponse },
    example: REPORTS,
  },
} as const satisfies Endpoints;
