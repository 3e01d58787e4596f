/** Endpoints about files. Uploads are those of tus 1.0 (https://tus.io): docs/PROTOCOL.md has the headers. */
import { postFileQuery, uploadedFile } from '../rest/files.ts';
import type { Endpoints } from './endpoint.ts';
import { EXAMPLES } from './examples.ts';

const { TIME } = EXAMPLES;

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
    summary: 'Uploads a file of 8 MiB at most in one request',
    access: 'room',
    errors: ['invalid_payload', 'not_allowed', 'too_many', 'payload_too_large', 'no_space'],
    bytes: 'any',
    query: postFileQuery,
    response: { 201: uploadedFile },
    example: { ...FILE, offset: 120_000, state: 'checking' },
  },
} as const satisfies Endpoints;
