/** Endpoints about the moderation of a room. */
import {
  auditResponse,
  banBody,
  closeReportBody,
  muteBody,
  ownAuditQuery,
  reportBody,
  reportsQuery,
  reportsResponse,
  restrictedResponse,
} from '../rest/administration.ts';
import type { Endpoints } from './endpoint.ts';
import { EXAMPLES } from './examples.ts';

const { TIME, BOB, AUDIT, REPORTS } = EXAMPLES;
const ON_MEMBER = ['not_allowed', 'user_not_found'] as const;
const RESTRICTION = { until: TIME, reason: 'Advertising' };

export const MODERATION = {
  'PUT /api/v1/rooms/:id/mutes/:user_id': {
    summary: 'Lets a person read and not write, for a while or without an end',
    access: 'room',
    errors: ON_MEMBER,
    body: muteBody,
    mayLackBody: true,
    bodyExample: RESTRICTION,
  },
  'DELETE /api/v1/rooms/:id/mutes/:user_id': {
    summary: 'Lets a person write again',
    access: 'room',
    errors: ON_MEMBER,
  },
  'PUT /api/v1/rooms/:id/bans/:user_id': {
    summary: 'Removes a person, who cannot come back, for a while or without an end',
    access: 'room',
    errors: ON_MEMBER,
    body: banBody,
    mayLackBody: true,
    bodyExample: { ...RESTRICTION, delete_last_s: 3600 },
  },
  'DELETE /api/v1/rooms/:id/bans/:user_id': {
    summary: 'Lets a person come back',
    access: 'room',
    errors: ON_MEMBER,
  },
  'GET /api/v1/rooms/:id/restricted': {
    summary: 'Lists who is muted or banned in a room',
    access: 'room',
    errors: ['not_allowed'],
    response: { 200: restrictedResponse },
    example: { people: [{ ...BOB, muted_until: TIME, banned_until: null }] },
  },
  'GET /api/v1/rooms/:id/audit': {
    summary: 'Lists what moderators did in a room, the latest first',
    access: 'room',
    errors: ['not_allowed'],
    query: ownAuditQuery,
    response: { 200: auditResponse },
    example: AUDIT,
  },
  'GET /api/v1/rooms/:id/reports': {
    summary: 'Lists the reports of a room, but for those about you',
    access: 'room',
    errors: ['not_allowed'],
    query: reportsQuery,
    response: { 200: reportsResponse },
    example: REPORTS,
  },
  'POST /api/v1/rooms/:id/messages/:message_id/reports': {
    summary: 'Reports a message to those who moderate the room',
    access: 'room',
    errors: ['message_not_found', 'not_allowed'],
    body: reportBody,
    bodyExample: { reason: 'spam', note: 'The third today' },
  },
  'POST /api/v1/reports/:report_id/close': {
    summary: 'Closes a report',
    access: 'own',
    errors: ['report_not_found'],
    body: closeReportBody,
    bodyExample: { resolution: 'acted', note: 'Muted for a day' },
  },
} as const satisfies Endpoints;
