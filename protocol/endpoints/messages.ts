/** Endpoints about messages and threads. */
import { z } from 'zod';
import { messageSchema } from '../events.ts';
import {
  editBody,
  flowResponse,
  historyQuery,
  historyResponse,
  pinsQuery,
  pinsResponse,
  reactionsResponse,
  revisionsQuery,
  revisionsResponse,
  saveBody,
  savedQuery,
  savedResponse,
} from '../rest/messages.ts';
import { whyResponse } from '../rest/notifications.ts';
import { searchQuery, searchResponse } from '../rest/search.ts';
import {
  followedThreadsQuery,
  followedThreadsResponse,
  patchThreadBody,
  readThreadBody,
  threadMessagesQuery,
  threadMessagesResponse,
  threadsQuery,
  threadsResponse,
} from '../rest/threads.ts';
import type { Endpoints } from './endpoint.ts';
import { EXAMPLES } from './examples.ts';

const { TIME, BOB, MESSAGE, ROOT, REPLY, EPOCH } = EXAMPLES;
const NO_MESSAGE = ['message_not_found', 'not_allowed'] as const;

export const MESSAGES = {
  'GET /api/v1/rooms/:id/messages': {
    summary: 'Returns a page of the history of a room',
    access: 'room',
    errors: ['message_not_found'],
    query: historyQuery,
    response: { 200: z.union([historyResponse, flowResponse]) },
    isWritten: true,
    example: { messages: [MESSAGE], has_more: false, epoch: EPOCH, seq: 12 },
  },
  'GET /api/v1/search': {
    summary: 'Finds messages that you may read, the newest first',
    access: 'own',
    errors: ['invalid_query'],
    query: searchQuery,
    response: { 200: searchResponse },
    isWritten: true,
    example: {
      results: [{ message: MESSAGE, hits: [[0, 5]] }],
      next_before_id: null,
      is_complete: true,
      indexed_from: null,
    },
  },
  'GET /api/v1/rooms/:id/messages/:message_id': {
    summary: 'Returns a message',
    access: 'room',
    errors: NO_MESSAGE,
    response: { 200: messageSchema },
    example: MESSAGE,
  },
  'PUT /api/v1/rooms/:id/messages/:message_id': {
    summary: 'Edits a message of your own',
    access: 'room',
    errors: [...NO_MESSAGE, 'not_delivered', 'message_changed'],
    body: editBody,
    bodyExample: { content: 'Lunch at noon?', base_revision: 0 },
    response: { 200: messageSchema },
    example: { ...MESSAGE, content: 'Lunch at noon?', revision: 1, edited_at: TIME, changed_seq: 13 },
  },
  'DELETE /api/v1/rooms/:id/messages/:message_id': {
    summary: 'Deletes a message',
    access: 'room',
    errors: NO_MESSAGE,
  },
  'DELETE /api/v1/rooms/:id/messages/:message_id/previews': {
    summary: 'Removes the previews of the links in a message for good',
    access: 'room',
    errors: NO_MESSAGE,
  },
  'GET /api/v1/rooms/:id/messages/:message_id/revisions': {
    summary: 'Lists the earlier texts of a message',
    access: 'room',
    errors: NO_MESSAGE,
    query: revisionsQuery,
    response: { 200: revisionsResponse },
    isWritten: true,
    example: { revisions: [{ revision: 0, content: 'Lunch?', edited_at: TIME }], has_more: false },
  },
  'GET /api/v1/rooms/:id/messages/:message_id/reactions': {
    summary: 'Lists the reactions to a message with their people',
    access: 'room',
    errors: NO_MESSAGE,
    response: { 200: reactionsResponse },
    example: { reactions: [{ emoji: '👍', count: 1, people: [BOB] }] },
  },
  'PUT /api/v1/rooms/:id/messages/:message_id/reactions/:emoji': {
    summary: 'Reacts to a message',
    access: 'room',
    errors: [...NO_MESSAGE, 'emoji_not_found', 'not_delivered', 'too_many'],
  },
  'DELETE /api/v1/rooms/:id/messages/:message_id/reactions/:emoji': {
    summary: 'Takes a reaction back',
    access: 'room',
    errors: NO_MESSAGE,
  },
  'PUT /api/v1/rooms/:id/messages/:message_id/pin': {
    summary: 'Pins a message',
    access: 'room',
    errors: [...NO_MESSAGE, 'not_delivered', 'too_many'],
  },
  'DELETE /api/v1/rooms/:id/messages/:message_id/pin': {
    summary: 'Unpins a message',
    access: 'room',
    errors: NO_MESSAGE,
  },
  'PUT /api/v1/rooms/:id/messages/:message_id/saved': {
    summary: 'Saves a message for yourself, with a note',
    access: 'room',
    errors: [...NO_MESSAGE, 'too_many'],
    body: saveBody,
    mayLackBody: true,
    bodyExample: { note: 'Answer this' },
  },
  'DELETE /api/v1/rooms/:id/messages/:message_id/saved': {
    summary: 'Removes a saved message from your list',
    access: 'room',
    errors: NO_MESSAGE,
  },
  'GET /api/v1/rooms/:id/messages/:message_id/why': {
    summary: 'Says why a message did or did not notify you',
    access: 'room',
    errors: NO_MESSAGE,
    response: { 200: whyResponse },
    example: { reason: 'mention', decision: 'pushed', detail: null },
  },
  'GET /api/v1/rooms/:id/pins': {
    summary: 'Lists the pinned messages of a room, the latest pinned first',
    access: 'room',
    query: pinsQuery,
    response: { 200: pinsResponse },
    isWritten: true,
    example: { messages: [{ ...MESSAGE, pinned_at: TIME }], has_more: false },
  },
  'GET /api/v1/me/saved': {
    summary: 'Lists the messages that you have saved, the latest first',
    access: 'own',
    query: savedQuery,
    response: { 200: savedResponse },
    isWritten: true,
    example: {
      saved: [{ message: MESSAGE, note: 'Answer this', saved_at: TIME, user_seq: 4 }],
      has_more: false,
    },
  },
  'GET /api/v1/rooms/:id/threads': {
    summary: 'Lists the threads of a room, that with the latest reply first',
    access: 'room',
    query: threadsQuery,
    response: { 200: threadsResponse },
    isWritten: true,
    example: { threads: [ROOT], next_before_seq: null },
  },
  'GET /api/v1/rooms/:id/threads/:thread_id/messages': {
    summary: 'Returns a page of a thread',
    access: 'room',
    errors: NO_MESSAGE,
    query: threadMessagesQuery,
    response: { 200: threadMessagesResponse },
    isWritten: true,
    example: {
      root: ROOT,
      messages: [REPLY],
      has_more: false,
      has_more_after: false,
      epoch: EPOCH,
      seq: 13,
      me: { following: true, read_seq: 13 },
    },
  },
  'PATCH /api/v1/rooms/:id/threads/:thread_id': {
    summary: 'Changes the title of a thread, or whether it is resolved',
    access: 'room',
    errors: NO_MESSAGE,
    body: patchThreadBody,
    bodyExample: { title: 'Lunch' },
    response: { 200: messageSchema },
    example: ROOT,
  },
  'PUT /api/v1/rooms/:id/threads/:thread_id/follow': {
    summary: 'Follows a thread',
    access: 'room',
    errors: NO_MESSAGE,
  },
  'DELETE /api/v1/rooms/:id/threads/:thread_id/follow': {
    summary: 'Stops following a thread',
    access: 'room',
    errors: NO_MESSAGE,
  },
  'PUT /api/v1/rooms/:id/threads/:thread_id/read': {
    summary: 'Marks a thread as read up to a reply',
    access: 'room',
    errors: NO_MESSAGE,
    body: readThreadBody,
    bodyExample: { seq: 13 },
  },
  'GET /api/v1/me/threads': {
    summary: 'Lists the threads that you follow, that with the latest reply first',
    access: 'own',
    query: followedThreadsQuery,
    response: { 200: followedThreadsResponse },
    isWritten: true,
    example: { threads: [{ root: ROOT, following: true, read_seq: 12, unread: 1 }], has_more: false },
  },
} as const satisfies Endpoints;
