/** Endpoints about the emoji of the server. */
import { emojiResponse, serverEmoji } from '../rest/emoji.ts';
import type { Endpoints } from './endpoint.ts';
import { EXAMPLES } from './examples.ts';

const { TIME } = EXAMPLES;

const PARTY = { name: 'party-parrot', key: 'Uq3xg0m2nN0lTzT1h8XVwA', created_by: 2, created_at: TIME };

export const EMOJI = {
  'GET /api/v1/emoji': {
    summary: 'Lists the emoji of the server',
    access: 'own',
    response: { 200: emojiResponse },
    example: { emoji: [PARTY] },
  },
  'PUT /api/v1/emoji/:name': {
    summary: 'Adds an emoji: a PNG, JPEG, WebP, GIF or AVIF of at most 256 KiB and 512 × 512',
    access: 'own',
    errors: [
      ...(['invalid_payload', 'invalid_picture', 'not_allowed', 'emoji_name_taken', 'too_many'] as const),
      ...(['payload_too_large', 'no_space'] as const),
    ],
    bytes: 'any',
    response: { 201: serverEmoji },
    example: PARTY,
  },
  'DELETE /api/v1/emoji/:name': {
    summary: 'Deletes an emoji that you have added; admins delete any',
    access: 'own',
    errors: ['not_allowed', 'emoji_not_found'],
  },
} as const satisfies Endpoints;
