/** Endpoints about the user's own profile, other people, notifications and push. */
import { notificationSettings } from '../notifications.ts';
import { inboxQuery, inboxResponse } from '../rest/notifications.ts';
import {
  blocksQuery,
  blocksResponse,
  meResponse,
  patchMeBody,
  usersQuery,
  usersResponse,
} from '../rest/people.ts';
import {
  pushEndpointBody,
  pushKeyResponse,
  pushSubscriptionBody,
  pushTestBody,
  pushTestResponse,
} from '../rest/push.ts';
import type { Endpoints } from './endpoint.ts';
import { EXAMPLES } from './examples.ts';

const { TIME, PROFILE, ME, MESSAGE } = EXAMPLES;
const PUSH_ENDPOINT = 'https://push.example.org/send/1';

export const PEOPLE = {
  'GET /api/v1/me': {
    summary: 'Returns your own profile and settings',
    access: 'own',
    response: { 200: meResponse },
    example: ME,
  },
  'PATCH /api/v1/me': {
    summary: 'Changes your own profile and settings',
    access: 'own',
    body: patchMeBody,
    bodyExample: { display_name: 'Bob', time_zone: 'Europe/Vienna' },
    response: { 200: meResponse },
    example: ME,
  },
  'PUT /api/v1/me/avatar': {
    summary: 'Sets your picture: a PNG, JPEG, WebP, GIF or AVIF of at most 256 KiB and 512 × 512',
    access: 'own',
    errors: [
      'invalid_payload',
      'invalid_picture',
      'not_allowed',
      'too_many',
      'payload_too_large',
      'no_space',
    ],
    bytes: 'any',
    response: { 200: meResponse },
    example: ME,
  },
  'DELETE /api/v1/me/avatar': {
    summary: 'Removes your picture',
    access: 'own',
    response: { 200: meResponse },
    example: ME,
  },
  'GET /api/v1/users': {
    summary: 'Finds people by ids or by a part of a name',
    access: 'own',
    query: usersQuery,
    response: { 200: usersResponse },
    example: { users: [PROFILE] },
  },
  'GET /api/v1/me/blocks': {
    summary: 'Lists the people whom you block',
    access: 'own',
    query: blocksQuery,
    response: { 200: blocksResponse },
    example: { users: [PROFILE], has_more: false },
  },
  'PUT /api/v1/me/blocks/:user_id': {
    summary: 'Blocks a person',
    access: 'own',
    errors: ['invalid_payload', 'user_not_found'],
  },
  'DELETE /api/v1/me/blocks/:user_id': {
    summary: 'Ends the block of a person',
    access: 'own',
    errors: ['invalid_payload', 'user_not_found'],
  },
  'GET /api/v1/me/inbox': {
    summary: 'Lists the messages that notified you, the latest first',
    access: 'own',
    query: inboxQuery,
    response: { 200: inboxResponse },
    isWritten: true,
    example: {
      entries: [{ message: MESSAGE, reason: 'mention', created_at: TIME, read: false }],
      has_more: false,
    },
  },
  'PUT /api/v1/me/notifications': {
    summary: 'Replaces your notification settings',
    access: 'own',
    body: notificationSettings,
    bodyExample: { default: 'mentions', sound: false },
    response: { 200: meResponse },
    example: { ...ME, settings: { notifications: { default: 'mentions', sound: false } } },
  },
  'GET /api/v1/me/push/key': {
    summary: 'Returns the key that a browser subscribes to Web Push with',
    access: 'own',
    response: { 200: pushKeyResponse },
    example: { public_key: 'BLc4xRzKlKORKWlbdgFaBrrPK3yd…' },
  },
  'PUT /api/v1/me/push': {
    summary: 'Stores a Web Push subscription of this device',
    access: 'own',
    body: pushSubscriptionBody,
    bodyExample: { endpoint: PUSH_ENDPOINT, keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } },
  },
  'DELETE /api/v1/me/push': {
    summary: 'Removes a Web Push subscription',
    access: 'own',
    body: pushEndpointBody,
    bodyExample: { endpoint: PUSH_ENDPOINT },
  },
  'POST /api/v1/me/push/test': {
    summary: 'Sends a test notification to your devices',
    access: 'own',
    body: pushTestBody,
    bodyExample: { title: 'Roomful', body: 'It works.' },
    response: { 202: pushTestResponse },
    example: { subscriptions: 1 },
  },
} as const satisfies Endpoints;
