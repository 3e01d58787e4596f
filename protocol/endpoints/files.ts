/** Endpoints about files. Uploads are those of tus 1.0 (https://tus.io): docs/PROTOCOL.md has the headers. */
import { messageSchema } from '../events.ts';
import { altBody, postFileQuery, roomFilesQuery, roomFilesResponse, uploadedFile } from '../rest/files.ts';
import type { Endpoints } from './endpoint.ts';
import { EXAMPLES } from './examples.ts';

const { TIME, MESSAGE } = EXAMPLES;

const ATTACHED = {
  ...{ key: 'Uq3xg0m2nN0lTzT1h8XVwA', name: 'plan.pdf', type: 'application/pdf', size: 120_000 },
};

const FILE = {
  key: 'Uq3xg0m2nN0lTzT1h8XVwA',
  purpose: 'message' as const,
  room_id: 7,
  name: 'plan.pdf',
  type: 'application/pdf',
  size: 120_000,
  offset: 0,
  state: 'uploading' as const,
  created_at: TIME,
  expires_at: TIME,
};

export const FILES = {
  'OPTIONS /api/v1/uploads': {
    summary: 'Says which version and extensions of tus there are, and how large a file may be',
    access: 'open',
  },
  'POST /api/v1/uploads': {
    summary: 'Begins an upload',
    access: 'own',
    errors: [
      ...(['invalid_payload', 'unsupported_tus', 'room_not_found', 'not_allowed', 'file_not_found'] as const),
      ...(['too_many', 'payload_too_large', 'no_space'] as const),
    ],
    response: { 201: uploadedFile },
    example: FILE,
  },
  'GET /api/v1/uploads/:key': {
    summary: 'Returns a file of yours that no message has; with `HEAD`, how much of it is safe',
    access: 'own',
    errors: ['file_not_found', 'unsupported_tus'],
    response: { 200: uploadedFile },
    example: { ...FILE, offset: 120_000, state: 'ready', sha256: 'a'.repeat(64) },
  },
  'PATCH /api/v1/uploads/:key': {
    summary: 'Appends bytes to an upload',
    access: 'own',
    errors: [
      'file_not_found',
      'upload_offset',
      'unsupported_tus',
      'invalid_payload',
      'payload_too_large',
      'no_space',
    ],
    bytes: 'tus',
  },
  'DELETE /api/v1/uploads/:key': {
    summary: 'Deletes a file of yours that no message has',
    access: 'own',
    errors: ['file_not_found', 'unsupported_tus'],
  },
  'POST /api/v1/rooms/:id/files': {
    summary: 'Uploads a file of 8 MiB at most in one request, and posts it if there is a `content`',
    access: 'room',
    errors: ['invalid_payload', 'not_allowed', 'not_delivered', 'too_many', 'payload_too_large', 'no_space'],
    bytes: 'any',
    query: postFileQuery,
    response: { 201: uploadedFile },
    example: { ...FILE, offset: 120_000, state: 'checking' },
  },
  'GET /api/v1/rooms/:id/files': {
    summary: 'Lists the files of the messages of a room, the latest first',
    access: 'room',
    query: roomFilesQuery,
    response: { 200: roomFilesResponse },
    example: {
      files: [{ ...ATTACHED, id: 3, message_id: 41, user_id: 2, created_at: TIME }],
      next_before_id: null,
    },
  },
  'PUT /api/v1/rooms/:id/messages/:message_id/files/:key': {
    summary: 'Changes what stands for a file of a message of yours where it cannot be seen',
    access: 'room',
    errors: ['message_not_found', 'file_not_found', 'not_allowed', 'not_delivered'],
    body: altBody,
    bodyExample: { alt: 'The plan of the first floor' },
    response: { 200: messageSchema },
    example: { ...MESSAGE, changed_seq: 13, files: [{ ...ATTACHED, alt: 'The plan of the first floor' }] },
  },
  'DELETE /api/v1/rooms/:id/messages/:message_id/files/:key': {
    summary:
      'Deletes a file of a message; the last one of a message without a text takes the message with it',
    access: 'room',
    errors: ['message_not_found', 'file_not_found', 'not_allowed'],
  },
} as const satisfies Endpoints;
