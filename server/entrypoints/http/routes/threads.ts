/** The threads of a room, and those that the user follows. */
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { API_PREFIX } from '../../../../protocol/constants.ts';
import { messageSchema } from '../../../../protocol/events.ts';
import { HISTORY_PAGE, THREADS_PAGE } from '../../../../protocol/limits.ts';
import {
  followedThreadsQuery,
  patchThreadBody,
  readThreadBody,
  threadMessagesQuery,
  threadsQuery,
} from '../../../../protocol/rest/threads.ts';
import type { Sessions } from '../../../features/identity/sessions.ts';
import type { Threads, ThreadWhere } from '../../../features/messages/threads.ts';
import { createAuthenticate, identityOf } from '../authenticate.ts';
import { JSON_TYPE } from '../headers.ts';
import { idOf, placeOf, roomIdOf, roomParams, threadParams } from '../params.ts';
import { NO_BODY, type ZodTypeProvider } from '../schemas.ts';

export interface ThreadRoutesParts {
  threads: Threads;
  sessions: Sessions;
}

export function registerThreadRoutes(app: FastifyInstance, { threads, sessions }: ThreadRoutesParts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = createAuthenticate(sessions);
  const path = `${API_PREFIX}/rooms/:id/threads`;

  routes.get(
    path,
    {
      onRequest,
      // No response schema: a page is large, and the service has just written it.
      schema: { params: roomParams, querystring: threadsQuery },
    },
    async (request, reply) => {
      const { limit = THREADS_PAGE.default, before_seq: beforeSeq, resolved } = request.query;
      const roomId = roomIdOf(request.params);
      const page = await threads.list({ roomId, limit, beforeSeq, resolved }, identityOf(request).userId);
      return reply.type(JSON_TYPE).send(page);
    },
  );

  routes.get(
    `${path}/:thread_id/messages`,
    { onRequest, schema: { params: threadParams, querystring: threadMessagesQuery } },
    async (request, reply) => {
      const { limit = HISTORY_PAGE.default, before_id: beforeId, after_id: afterId } = request.query;
      const { userId, ...thread } = threadOf(request.params, identityOf(request));
      const page = await threads.page({ ...thread, limit, beforeId, afterId }, userId);
      return reply.type(JSON_TYPE).send(page);
    },
  );

  routes.patch(
    `${path}/:thread_id`,
    { onRequest, schema: { params: threadParams, body: patchThreadBody, response: { 200: messageSchema } } },
    (request) => threads.change(threadOf(request.params, identityOf(request)), request.body),
  );

  for (const [method, following] of [
    ['PUT', true],
    ['DELETE', false],
  ] as const) {
    routes.route({
      ...{ method, url: `${path}/:thread_id/follow`, onRequest },
      schema: { params: threadParams, response: NO_BODY },
      async handler(request, reply) {
        await threads.follow(threadOf(request.params, identityOf(request)), following);
        return reply.code(204).send();
      },
    });
  }

  routes.put(
    `${path}/:thread_id/read`,
    { onRequest, schema: { params: threadParams, body: readThreadBody, response: NO_BODY } },
    async (request, reply) => {
      await threads.read(threadOf(request.params, identityOf(request)), request.body.seq);
      return reply.code(204).send();
    },
  );

  routes.get(
    `${API_PREFIX}/me/threads`,
    { onRequest, schema: { querystring: followedThreadsQuery } },
    async (request, reply) => {
      const page = await threads.followed(identityOf(request).userId, placeOf(request.query));
      return reply.type(JSON_TYPE).send(page);
    },
  );
}

function threadOf(params: z.infer<typeof threadParams>, { userId }: { userId: number }): ThreadWhere {
  return { roomId: roomIdOf(params), threadId: idOf(params.thread_id), userId };
}
