/** Emoji of the server. */
import type { ServerEmoji } from '../../../features/administration/server-emoji.ts';
import type { On } from '../endpoints.ts';
import { incomingOf } from '../incoming.ts';

export interface EmojiRoutesParts {
  serverEmoji: ServerEmoji;
}

export function registerEmojiRoutes(on: On, { serverEmoji }: EmojiRoutesParts): void {
  on('GET /api/v1/emoji', async () => ({ emoji: await serverEmoji.list() }));
  on('PUT /api/v1/emoji/:name', ({ userId, params, request }) =>
    serverEmoji.add(userId, params.name, incomingOf(request)),
  );
  on('DELETE /api/v1/emoji/:name', ({ userId, params }) => serverEmoji.delete(userId, params.name));
}
