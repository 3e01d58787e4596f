/** Descriptions of the routes about accounts, people, push and operation. */
import { z } from 'zod';
import { inboxResponse } from '../../../../protocol/rest/attention.ts';
import type { RouteDescriptions } from './describe.ts';
import { EXAMPLES } from './examples.ts';

const { TIME, PROFILE, ME, TOKENS, MESSAGE } = EXAMPLES;
const CREDENTIALS = { username: 'bob', password: 'correct horse battery' };
const ENDPOINT = 'https://push.example.org/send/1';

const status = z.object({ status: z.literal('ok') });
const health = z.enum(['healthy', 'unhealthy']);
const checks = z.object({ database: health, broker: health.optional() });
const notReady = z.object({ error: z.string(), status: z.literal('not_ready'), checks });

export const PEOPLE: RouteDescriptions = {
  'POST /api/v1/auth/register': {
    summary: 'Creates an account, and with an invitation joins its room',
    open: true,
    errors: ['origin_not_allowed', 'invite_not_found', 'username_taken', 'registration_closed'],
    body: CREDENTIALS,
    example: { id: 2, username: 'bob' },
  },
  'POST /api/v1/auth/login': {
    summary: 'Begins a session',
    open: true,
    errors: ['invalid_credentials', 'account_suspended', 'origin_not_allowed'],
    body: CREDENTIALS,
    example: { ...TOKENS, user: { id: 2, username: 'bob' } },
  },
  'POST /api/v1/auth/refresh': {
    summary: 'Renews the tokens of a session; the refresh token is used up',
    open: true,
    errors: ['invalid_refresh_token', 'origin_not_allowed'],
    body: { refresh_token: TOKENS.refresh_token },
    example: TOKENS,
  },
  'POST /api/v1/auth/logout': {
    summary: 'Ends the session of a refresh token',
    open: true,
    errors: ['invalid_refresh_token', 'origin_not_allowed'],
    body: { refresh_token: TOKENS.refresh_token },
  },
  'GET /api/v1/me': { summary: 'Returns your own profile and settings', example: ME },
  'PATCH /api/v1/me': {
    summary: 'Changes your own profile and settings',
    body: { display_name: 'Bob', time_zone: 'Europe/Vienna' },
    example: ME,
  },
  'PUT /api/v1/me/password': {
    summary: 'Changes your password',
    errors: ['wrong_password'],
    body: { current: CREDENTIALS.password, next: 'another horse battery' },
  },
  'GET /api/v1/me/sessions': {
    summary: 'Lists your sessions',
    example: {
      sessions: [{ id: 5, created_at: TIME, last_used_at: TIME, user_agent: 'curl/8.5.0', current: true }],
    },
  },
  'DELETE /api/v1/me/sessions/:id': { summary: 'Ends one of your sessions', errors: ['session_not_found'] },
  'POST /api/v1/setup': {
    summary: 'Makes you the first admin, with the code that the server logged',
    errors: ['not_found'],
    body: { code: 'k3v9…' },
    example: { ...ME, role: 'admin' },
  },
  'GET /api/v1/users': {
    summary: 'Finds people by ids or by a part of a name',
    example: { users: [PROFILE] },
  },
  'GET /api/v1/me/blocks': {
    summary: 'Lists the people whom you block',
    example: { users: [PROFILE], has_more: false },
  },
  'PUT /api/v1/me/blocks/:user_id': {
    summary: 'Blocks a person',
    errors: ['invalid_payload', 'user_not_found'],
  },
  'DELETE /api/v1/me/blocks/:user_id': {
    summary: 'Ends the block of a person',
    errors: ['invalid_payload', 'user_not_found'],
  },
  'GET /api/v1/me/push/key': {
    summary: 'Returns the key that a browser subscribes to Web Push with',
    example: { public_key: 'BLc4xRzKlKORKWlbdgFaBrrPK3yd…' },
  },
  'PUT /api/v1/me/push': {
    summary: 'Stores a Web Push subscription of this device',
    body: { endpoint: ENDPOINT, keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } },
  },
  'DELETE /api/v1/me/push': { summary: 'Removes a Web Push subscription', body: { endpoint: ENDPOINT } },
  'POST /api/v1/me/push/test': {
    summary: 'Sends a test notification to your devices',
    body: { title: 'Roomful', body: 'It works.' },
    example: { subscriptions: 1 },
  },
  'GET /api/v1/me/inbox': {
    summary: 'Lists the messages that call for your attention, the latest first',
    example: {
      entries: [{ message: MESSAGE, reason: 'mention', created_at: TIME, read: false }],
      has_more: false,
    },
    response: { 200: inboxResponse },
  },
  'PUT /api/v1/me/notifications': {
    summary: 'Replaces your notification settings',
    body: { default: 'mentions', sound: false },
    example: { ...ME, settings: { notifications: { default: 'mentions', sound: false } } },
  },
  'GET /api/v1/asyncapi.json': {
    summary: 'Returns the description of the WebSocket in AsyncAPI 3.0',
    open: true,
    example: { asyncapi: '3.0.0' },
    response: { 200: z.looseObject({ asyncapi: z.string() }) },
  },
  'GET /api/v1/openapi.json': {
    summary: 'Returns this description',
    open: true,
    example: { openapi: '3.1.1' },
    response: { 200: z.looseObject({ openapi: z.string() }) },
  },
  'GET /health': {
    summary: 'Says that the process is alive, since when, and its version',
    open: true,
    example: { status: 'ok', timestamp: TIME, uptime: 3600, version: '0.1.0' },
    response: { 200: status.extend({ timestamp: z.string(), uptime: z.int(), version: z.string() }) },
  },
  'GET /healthz': {
    summary: 'Says that the process is alive',
    open: true,
    example: { status: 'ok' },
    response: { 200: status },
  },
  'GET /ready': {
    summary: 'Says whether the server takes requests',
    open: true,
    example: { status: 'ready', checks: { database: 'healthy' } },
    response: { 200: z.object({ status: z.literal('ready'), checks }), 503: notReady },
  },
  'GET /version': {
    summary: 'Returns the versions of the server and of Node',
    open: true,
    example: { version: '0.1.0', git_commit: '60991e8', build_time: TIME, node_version: 'v20.19.0' },
    response: {
      200: z.object({
        ...{ version: z.string(), git_commit: z.string() },
        ...{ build_time: z.string(), node_version: z.string() },
      }),
    },
  },
  'GET /ws': {
    summary: 'Opens a WebSocket when asked to upgrade, with a ticket; says why it would not otherwise',
    open: true,
    errors: [
      ...(['upgrade_required', 'unsupported_protocol', 'invalid_ws_room_id', 'invalid_since'] as const),
      ...(['missing_ws_ticket', 'invalid_ws_ticket', 'origin_not_allowed', 'room_not_found'] as const),
    ],
    response: {},
  },
};
