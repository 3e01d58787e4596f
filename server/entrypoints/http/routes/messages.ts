/** One message: reading it, changing it, and the lists of pinned and saved messages. */
import { AppError } from '../../../../protocol/errors.ts';
import { SAVED_PAGE } from '../../../../protocol/limits.ts';
import type { Changes, MessageOf } from '../../../features/messages/changes.ts';
import { toMessage } from '../../../rules/message.ts';
import type { On } from '../endpoints.ts';
import { placeOf } from '../params.ts';

export interface MessageRoutesParts {
  changes: Changes;
}

export function registerMessageRoutes(on: On, { changes }: MessageRoutesParts): void {
  on('GET /api/v1/rooms/:id/messages/:message_id', (call) => changes.get(messageOf(call)));

  on('PUT /api/v1/rooms/:id/messages/:message_id', async (call) => {
    const { content, base_revision: baseRevision } = call.body;
    const edit = changes.edit({ ...messageOf(call), content, baseRevision });
    return toMessage(await edit.catch(refuseEmpty));
  });

  on('DELETE /api/v1/rooms/:id/messages/:message_id', async (call) => {
    await changes.delete(messageOf(call));
  });

  on('DELETE /api/v1/rooms/:id/messages/:message_id/previews', async (call) => {
    await changes.removePreviews(messageOf(call));
  });

  on('GET /api/v1/rooms/:id/messages/:message_id/revisions', (call) =>
    changes.revisions(messageOf(call), call.query.from_revision),
  );

  on('GET /api/v1/rooms/:id/messages/:message_id/reactions', (call) => changes.reactions(messageOf(call)));
  on('PUT /api/v1/rooms/:id/messages/:message_id/reactions/:emoji', async (call) => {
    await changes.react(messageOf(call), call.params.emoji, true);
  });
  on('DELETE /api/v1/rooms/:id/messages/:message_id/reactions/:emoji', async (call) => {
    await changes.react(messageOf(call), call.params.emoji, false);
  });

  on('PUT /api/v1/rooms/:id/messages/:message_id/pin', async (call) => {
    await changes.pin(messageOf(call), true);
  });
  on('DELETE /api/v1/rooms/:id/messages/:message_id/pin', async (call) => {
    await changes.pin(messageOf(call), false);
  });

  on('PUT /api/v1/rooms/:id/messages/:message_id/saved', (call) => {
    const { note } = call.body;
    return changes.save(messageOf(call), { on: true, note: note === null ? '' : note });
  });
  on('DELETE /api/v1/rooms/:id/messages/:message_id/saved', (call) =>
    changes.save(messageOf(call), { on: false }),
  );

  on('GET /api/v1/rooms/:id/pins', ({ userId, params, query }) =>
    changes.pins({ roomId: params.id, userId }, placeOf(query)),
  );

  on('GET /api/v1/me/saved', ({ userId, query: { limit = SAVED_PAGE.default, before_user_seq: before } }) =>
    changes.saved({ userId, limit, before }),
  );
}

/** The body is empty in a way that depends on the message: without files it must have a text. */
function refuseEmpty(error: unknown): never {
  throw error instanceof AppError && error.code === 'invalid_content'
    ? new AppError('invalid_payload')
    : error;
}

export function messageOf(call: { params: { id: number; message_id: number }; userId: number }): MessageOf {
  return { roomId: call.params.id, messageId: call.params.message_id, userId: call.userId };
}
