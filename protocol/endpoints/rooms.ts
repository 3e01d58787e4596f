/** Descriptions of the routes about rooms, messages and threads. */
import { z } from 'zod';
import {
  flowResponse,
  historyResponse,
  pinsResponse,
  revisionsResponse,
  savedResponse,
} from '../../../../protocol/rest/messages.ts';
import {
  followedThreadsResponse,
  threadMessagesResponse,
  threadsResponse,
} from '../../../../protocol/rest/threads.ts';
import type { RouteDescriptions } from './describe.ts';
import { EXAMPLES } from './examples.ts';

const { TIME, BOB, MESSAGE, ROOT, REPLY, ROOM, MEMBERSHIP, MUTED, MEMBER, INVITE, EPOCH } = EXAMPLES;

const INVITES = '/api/v1/rooms/:id/invites';
const MEMBERS = '/api/v1/rooms/:id/members';
const MESSAGES = '/api/v1/rooms/:id/messages';
const ONE = `${MESSAGES}/:message_id`;
const THREADS = '/api/v1/rooms/:id/threads';
const NO_MESSAGE = ['message_not_found', 'not_allowed'] as const;

const ROOMS: RouteDescriptions = {
  'POST /api/v1/rooms': {
    summary: 'Creates a room; you are its owner',
    errors: ['not_allowed', 'room_name_taken', 'too_many'],
    body: { name: 'kitchen', topic: 'What we eat' },
    example: { ...ROOM, me_role: 'owner' },
  },
  'GET /api/v1/rooms': { summary: 'Lists the rooms that you may see', example: { rooms: [ROOM] } },
  'POST /api/v1/dms': {
    summary: 'Finds or creates the direct conversation with these people',
    errors: ['not_allowed', 'user_not_found', 'too_many'],
    body: { user_ids: [1] },
    example: { ...ROOM, kind: 'dm', name: '', people: [{ user_id: 1, username: 'ann', display_name: '' }] },
  },
  'GET /api/v1/me/rooms': {
    summary: 'Lists your own rooms with what is unread in each',
    example: {
      rooms: [{ room: ROOM, me: MUTED, seq: 12, number: 12, unread: 1, last: null }],
      ...{ user_seq: 4, epoch: EPOCH },
    },
  },
  'GET /api/v1/rooms/:id': { summary: 'Returns a room', example: ROOM },
  'PATCH /api/v1/rooms/:id': {
    summary: 'Changes a room',
    errors: ['not_allowed', 'room_name_taken'],
    body: { topic: 'What we eat' },
    example: ROOM,
  },
  'DELETE /api/v1/rooms/:id': {
    summary: 'Deletes a room; for 30 days an admin can restore it',
    errors: ['not_allowed'],
  },
  [`GET ${MEMBERS}`]: {
    summary: 'Lists the members of a room',
    example: { members: [MEMBER], has_more: false },
  },
  [`PUT ${MEMBERS}/me`]: {
    summary: 'Joins a room',
    errors: ['not_allowed', 'too_many'],
    example: ROOM,
  },
  [`DELETE ${MEMBERS}/me`]: { summary: 'Leaves a room', errors: ['not_allowed', 'last_owner'] },
  [`PUT ${MEMBERS}/:user_id`]: {
    summary: 'Adds a member, or changes the role of one',
    errors: ['not_allowed', 'user_not_found', 'too_many', 'last_owner'],
    body: { role: 'moderator' },
    example: { ...MEMBER, role: 'moderator' },
  },
  [`DELETE ${MEMBERS}/:user_id`]: {
    summary: 'Removes a member',
    errors: ['not_allowed', 'user_not_found', 'last_owner'],
  },
  'PUT /api/v1/rooms/:id/prefs': {
    summary: 'Changes what you have set for yourself in a room',
    errors: ['not_allowed'],
    body: { starred: true },
    example: { ...MEMBERSHIP, starred: true },
  },
  [`POST ${INVITES}`]: {
    summary: 'Makes an invitation by link; the response is the only one with its code',
    errors: ['not_allowed', 'too_many'],
    body: { max_uses: 10 },
    example: { ...INVITE, code: 'Zk3v9', url: 'https://chat.example.org/invite/Zk3v9' },
  },
  [`GET ${INVITES}`]: {
    summary: 'Lists the invitations of a room',
    errors: ['not_allowed'],
    example: { invites: [INVITE] },
  },
  [`DELETE ${INVITES}/:invite_id`]: {
    summary: 'Revokes an invitation',
    errors: ['not_allowed', 'invite_not_found'],
  },
  'GET /api/v1/invites/:code': {
    summary: 'Says what an invitation leads to, and who made it',
    open: true,
    errors: ['invite_not_found', 'origin_not_allowed'],
    example: { room: { name: 'kitchen', members: 3, emoji: null }, inviter: 'bob' },
  },
  'POST /api/v1/invites/:code/accept': {
    summary: 'Joins the room of an invitation',
    errors: ['not_allowed', 'invite_not_found', 'too_many', 'origin_not_allowed'],
    example: ROOM,
  },
  'POST /api/v1/ws/tickets': {
    summary: 'Issues a ticket that opens one WebSocket',
    errors: ['room_not_found'],
    body: { scope: 'user' },
    example: { ticket: 'eyJhbGciOiJIUzI1NiJ9…', expires_in: 30 },
  },
};

const MESSAGE_ROUTES: RouteDescriptions = {
  [`GET ${MESSAGES}`]: {
    summary: 'Returns a page of the history of a room',
    errors: ['message_not_found'],
    example: { messages: [MESSAGE], has_more: false, epoch: EPOCH, seq: 12 },
    response: { 200: z.union([historyResponse, flowResponse]) },
  },
  [`GET ${ONE}`]: { summary: 'Returns a message', errors: NO_MESSAGE, example: MESSAGE },
  [`PUT ${ONE}`]: {
    summary: 'Edits a message of your own',
    errors: [...NO_MESSAGE, 'not_delivered', 'message_changed'],
    body: { content: 'Lunch at noon?', base_revision: 0 },
    example: { ...MESSAGE, content: 'Lunch at noon?', revision: 1, edited_at: TIME, changed_seq: 13 },
  },
  [`DELETE ${ONE}`]: { summary: 'Deletes a message', errors: NO_MESSAGE },
  [`GET ${ONE}/revisions`]: {
    summary: 'Lists the earlier texts of a message',
    errors: NO_MESSAGE,
    example: { revisions: [{ revision: 0, content: 'Lunch?', edited_at: TIME }], has_more: false },
    response: { 200: revisionsResponse },
  },
  [`GET ${ONE}/reactions`]: {
    summary: 'Lists the reactions to a message with their people',
    errors: NO_MESSAGE,
    example: { reactions: [{ emoji: '👍', count: 1, people: [BOB] }] },
  },
  [`PUT ${ONE}/reactions/:emoji`]: {
    summary: 'Reacts to a message',
    errors: [...NO_MESSAGE, 'not_delivered', 'too_many'],
  },
  [`DELETE ${ONE}/reactions/:emoji`]: { summary: 'Takes a reaction back', errors: NO_MESSAGE },
  [`PUT ${ONE}/pin`]: { summary: 'Pins a message', errors: [...NO_MESSAGE, 'not_delivered', 'too_many'] },
  [`DELETE ${ONE}/pin`]: { summary: 'Unpins a message', errors: NO_MESSAGE },
  [`PUT ${ONE}/saved`]: {
    summary: 'Saves a message for yourself, with a note',
    errors: [...NO_MESSAGE, 'too_many'],
    body: { note: 'Answer this' },
  },
  [`DELETE ${ONE}/saved`]: { summary: 'Removes a saved message from your list', errors: NO_MESSAGE },
  [`GET ${ONE}/why`]: {
    summary: 'Says why a message did or did not notify you',
    errors: NO_MESSAGE,
    example: { reason: 'mention', decision: 'pushed', detail: null },
  },
  'GET /api/v1/rooms/:id/pins': {
    summary: 'Lists the pinned messages of a room, the latest pinned first',
    example: { messages: [{ ...MESSAGE, pinned_at: TIME }], has_more: false },
    response: { 200: pinsResponse },
  },
  'GET /api/v1/me/saved': {
    summary: 'Lists the messages that you have saved, the latest first',
    example: {
      saved: [{ message: MESSAGE, note: 'Answer this', saved_at: TIME, user_seq: 4 }],
      has_more: false,
    },
    response: { 200: savedResponse },
  },
};

const THREAD_ROUTES: RouteDescriptions = {
  [`GET ${THREADS}`]: {
    summary: 'Lists the threads of a room, that with the latest reply first',
    example: { threads: [ROOT], next_before_seq: null },
    response: { 200: threadsResponse },
  },
  [`GET ${THREADS}/:thread_id/messages`]: {
    summary: 'Returns a page of a thread',
    errors: NO_MESSAGE,
    example: {
      ...{ root: ROOT, messages: [REPLY], has_more: false, has_more_after: false, epoch: EPOCH, seq: 13 },
      me: { following: true, read_seq: 13 },
    },
    response: { 200: threadMessagesResponse },
  },
  [`PATCH ${THREADS}/:thread_id`]: {
    summary: 'Changes the title of a thread, or whether it is resolved',
    errors: NO_MESSAGE,
    body: { title: 'Lunch' },
    example: ROOT,
  },
  [`PUT ${THREADS}/:thread_id/follow`]: { summary: 'Follows a thread', errors: NO_MESSAGE },
  [`DELETE ${THREADS}/:thread_id/follow`]: { summary: 'Stops following a thread', errors: NO_MESSAGE },
  [`PUT ${THREADS}/:thread_id/read`]: {
    summary: 'Marks a thread as read up to a reply',
    errors: NO_MESSAGE,
    body: { seq: 13 },
  },
  'GET /api/v1/me/threads': {
    summary: 'Lists the threads that you follow, that with the latest reply first',
    example: { threads: [{ root: ROOT, following: true, read_seq: 12, unread: 1 }], has_more: false },
    response: { 200: followedThreadsResponse },
  },
};

export const ROOM_ROUTES: RouteDescriptions = { ...ROOMS, ...MESSAGE_ROUTES, ...THREAD_ROUTES };
