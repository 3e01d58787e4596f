/** One message: reading it, changing it, and the lists of pinned and saved messages. */
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { API_PREFIX } from '../../../../protocol/constants.ts';
import { messageSchema } from '../../../../protocol/events.ts';
import { SAVED_PAGE } from '../../../../protocol/limits.ts';
import {
  editBody,
  pinsQuery,
  reactionsResponse,
  revisionsQuery,
  saveBody,
  savedQuery,
} from '../../../../protocol/rest/messages.ts';
import type { Sessions } from '../../../features/identity/sessions.ts';
import type { Changes, MessageOf } from '../../../features/messages/changes.ts';
import { toMessage } from '../../../rules/message.ts';
import { createAuthenticate, identityOf } from '../authenticate.ts';
import { JSON_TYPE } from '../headers.ts';
import { emojiOf, idOf, messageParams, placeOf, reactionParams, roomIdOf, roomParams } from '../params.ts';
import { NO_BODY, optionalBody, type ZodTypeProvider } from '../schemas.ts';

export interface MessageRoutesParts {
  changes: Changes;
  sessions: Sessions;
}

/** Lists of messages have no response schema: they may be large, and the service has just written them. */
export function registerMessageRoutes(app: FastifyInstance, { changes, sessions }: MessageRoutesParts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = createAuthenticate(sessions);
  const path = `${API_PREFIX}/rooms/:id/messages/:message_id`;

  routes.get(
    path,
    { onRequest, schema: { params: messageParams, response: { 200: messageSchema } } },
    (request) => changes.get(messageOf(request.params, identityOf(request))),
  );

  routes.put(
    path,
    { onRequest, schema: { params: messageParams, body: editBody, response: { 200: messageSchema } } },
    async (request) => {
      const { content, base_revision: baseRevision } = request.body;
      const of = messageOf(request.params, identityOf(request));
      return toMessage(await changes.edit({ ...of, content, baseRevision }));
    },
  );

  routes.delete(
    path,
    { onRequest, schema: { params: messageParams, response: NO_BODY } },
    async (request, reply) => {
      await changes.delete(messageOf(request.params, identityOf(request)));
      return reply.code(204).send();
    },
  );

  routes.get(
    `${path}/revisions`,
    { onRequest, schema: { params: messageParams, querystring: revisionsQuery } },
    async (request, reply) => {
      const of = messageOf(request.params, identityOf(request));
      return reply.type(JSON_TYPE).send(await changes.revisions(of, request.query.from_revision));
    },
  );

  routes.get(
    `${path}/reactions`,
    { onRequest, schema: { params: messageParams, response: { 200: reactionsResponse } } },
    (request) => changes.reactions(messageOf(request.params, identityOf(request))),
  );

  for (const [method, on] of [
    ['PUT', true],
    ['DELETE', false],
  ] as const) {
    routes.route({
      ...{ method, url: `${path}/reactions/:emoji`, onRequest },
      schema: { params: reactionParams, response: NO_BODY },
      async handler(request, reply) {
        await changes.react(
          messageOf(request.params, identityOf(request)),
          emojiOf(request.params.emoji),
          on,
        );
        return reply.code(204).send();
      },
    });

    routes.route({
      ...{ method, url: `${path}/pin`, onRequest },
      schema: { params: messageParams, response: NO_BODY },
      async handler(request, reply) {
        await changes.pin(messageOf(request.params, identityOf(request)), on);
        return reply.code(204).send();
      },
    });
  }

  routes.put(
    `${path}/saved`,
    { onRequest, schema: { params: messageParams, body: optionalBody(saveBody), response: NO_BODY } },
    async (request, reply) => {
      const { note } = request.body;
      const bookmark = { on: true, note: note === null ? '' : note };
      await changes.save(messageOf(request.params, identityOf(request)), bookmark);
      return reply.code(204).send();
    },
  );

  routes.delete(
    `${path}/saved`,
    { onRequest, schema: { params: messageParams, response: NO_BODY } },
    async (request, reply) => {
      await changes.save(messageOf(request.params, identityOf(request)), { on: false });
      return reply.code(204).send();
    },
  );

  routes.get(
    `${API_PREFIX}/rooms/:id/pins`,
    { onRequest, schema: { params: roomParams, querystring: pinsQuery } },
    async (request, reply) => {
      const where = { roomId: roomIdOf(request.params), userId: identityOf(request).userId };
      return reply.type(JSON_TYPE).send(await changes.pins(where, placeOf(request.query)));
    },
  );

  routes.get(
    `${API_PREFIX}/me/saved`,
    { onRequest, schema: { querystring: savedQuery } },
    async (request, reply) => {
      const { limit = SAVED_PAGE.default, before_user_seq: before } = request.query;
      const page = await changes.saved({ userId: identityOf(request).userId, limit, before });
      return reply.type(JSON_TYPE).send(page);
    },
  );
}

function messageOf(params: z.infer<typeof messageParams>, { userId }: { userId: number }): MessageOf {
  return { roomId: roomIdOf(params), messageId: idOf(params.message_id), userId };
}
