/** Endpoints about accounts, sessions, and tickets for WebSockets. */
import {
  loginBody,
  loginResponse,
  logoutBody,
  refreshBody,
  registerBody,
  ticketBody,
  ticketResponse,
  tokensSchema,
  userSchema,
} from '../rest/accounts.ts';
import { findResetBody, resetUser, useResetBody } from '../rest/administration.ts';
import { meResponse, passwordBody, sessionsResponse, setupBody } from '../rest/people.ts';
import type { Endpoints } from './endpoint.ts';
import { EXAMPLES } from './examples.ts';

const { TIME, BOB, ME, TOKENS, CODE } = EXAMPLES;
const CREDENTIALS = { username: 'bob', password: 'correct horse battery' };
const NEW_PASSWORD = 'another horse battery';

export const ACCOUNTS = {
  'POST /api/v1/auth/register': {
    summary: 'Creates an account, and with an invitation joins its room',
    access: 'open',
    ownPages: true,
    errors: ['invite_not_found', 'username_taken', 'registration_closed'],
    body: registerBody,
    bodyExample: CREDENTIALS,
    response: { 201: userSchema },
    example: { id: 2, username: 'bob' },
  },
  'POST /api/v1/auth/login': {
    summary: 'Begins a session',
    access: 'open',
    ownPages: true,
    errors: ['invalid_credentials', 'account_suspended'],
    body: loginBody,
    bodyExample: CREDENTIALS,
    response: { 200: loginResponse },
    example: { ...TOKENS, user: { id: 2, username: 'bob' } },
  },
  'POST /api/v1/auth/refresh': {
    summary: 'Renews the tokens of a session; the refresh token is used up',
    access: 'open',
    ownPages: true,
    errors: ['invalid_refresh_token'],
    body: refreshBody,
    bodyExample: { refresh_token: TOKENS.refresh_token },
    response: { 200: tokensSchema },
    example: TOKENS,
  },
  'POST /api/v1/auth/logout': {
    summary: 'Ends the session of a refresh token',
    access: 'open',
    ownPages: true,
    errors: ['invalid_refresh_token'],
    body: logoutBody,
    bodyExample: { refresh_token: TOKENS.refresh_token },
  },
  'POST /api/v1/auth/reset/find': {
    summary: 'Says whose password a link sets',
    access: 'open',
    ownPages: true,
    errors: ['reset_not_found'],
    body: findResetBody,
    bodyExample: { code: CODE },
    response: { 200: resetUser },
    example: { user: BOB },
  },
  'POST /api/v1/auth/reset': {
    summary: 'Sets a new password with a link, and ends all sessions',
    access: 'open',
    ownPages: true,
    errors: ['reset_not_found'],
    body: useResetBody,
    bodyExample: { code: CODE, password: NEW_PASSWORD },
    response: { 200: resetUser },
    example: { user: BOB },
  },
  'POST /api/v1/auth/sign-in-link/find': {
    summary: 'Says whom a link signs in',
    access: 'open',
    ownPages: true,
    errors: ['reset_not_found', 'account_suspended'],
    body: findResetBody,
    bodyExample: { code: CODE },
    response: { 200: resetUser },
    example: { user: BOB },
  },
  'POST /api/v1/auth/sign-in-link': {
    summary: 'Begins a session with a link of the operator, which works once',
    access: 'open',
    ownPages: true,
    errors: ['reset_not_found', 'account_suspended'],
    body: findResetBody,
    bodyExample: { code: CODE },
    response: { 200: loginResponse },
    example: { ...TOKENS, user: { id: 2, username: 'bob' } },
  },
  'PUT /api/v1/me/password': {
    summary: 'Changes your password',
    access: 'own',
    errors: ['wrong_password'],
    body: passwordBody,
    bodyExample: { current: CREDENTIALS.password, next: NEW_PASSWORD },
  },
  'GET /api/v1/me/sessions': {
    summary: 'Lists your sessions',
    access: 'own',
    response: { 200: sessionsResponse },
    example: {
      sessions: [{ id: 5, created_at: TIME, last_used_at: TIME, user_agent: 'curl/8.5.0', current: true }],
    },
  },
  'DELETE /api/v1/me/sessions/:id': {
    summary: 'Ends one of your sessions',
    access: 'own',
    errors: ['session_not_found'],
  },
  'POST /api/v1/setup': {
    summary: 'Makes you the first admin, with the code that the server logged',
    access: 'own',
    errors: ['not_found'],
    body: setupBody,
    bodyExample: { code: CODE },
    response: { 200: meResponse },
    example: { ...ME, role: 'admin' },
  },
  'POST /api/v1/ws/tickets': {
    summary: 'Issues a ticket that opens one WebSocket',
    access: 'room',
    errors: ['room_not_found'],
    body: ticketBody,
    bodyExample: { scope: 'user' },
    response: { 200: ticketResponse },
    example: { ticket: 'eyJhbGciOiJIUzI1NiJ9…', expires_in: 30 },
  },
} as const satisfies Endpoints;
