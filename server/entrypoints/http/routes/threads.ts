/** The threads of a room, and those that the user follows. */
import { HISTORY_PAGE, THREADS_PAGE } from '../../../../protocol/limits.ts';
import type { Threads, ThreadWhere } from '../../../features/messages/threads.ts';
import type { On } from '../endpoints.ts';
import { placeOf } from '../params.ts';

export interface ThreadRoutesParts {
  threads: Threads;
}

export function registerThreadRoutes(on: On, { threads }: ThreadRoutesParts): void {
  on('GET /api/v1/rooms/:id/threads', ({ userId, params, query }) => {
    const { limit = THREADS_PAGE.default, before_seq: beforeSeq, resolved } = query;
    return threads.list({ roomId: params.id, limit, beforeSeq, resolved }, userId);
  });

  on('GET /api/v1/rooms/:id/threads/:thread_id/messages', (call) => {
    const { limit = HISTORY_PAGE.default, before_id: beforeId, after_id: afterId } = call.query;
    const { userId, ...thread } = threadOf(call);
    return threads.page({ ...thread, limit, beforeId, afterId }, userId);
  });

  on('PATCH /api/v1/rooms/:id/threads/:thread_id', (call) => threads.change(threadOf(call), call.body));
  on('PUT /api/v1/rooms/:id/threads/:thread_id/follow', (call) => threads.follow(threadOf(call), true));
  on('DELETE /api/v1/rooms/:id/threads/:thread_id/follow', (call) => threads.follow(threadOf(call), false));
  on('PUT /api/v1/rooms/:id/threads/:thread_id/read', (call) => threads.read(threadOf(call), call.body.seq));

  on('GET /api/v1/me/threads', ({ userId, query }) => threads.followed(userId, placeOf(query)));
}

function threadOf(call: { params: { id: number; thread_id: number }; userId: number }): ThreadWhere {
  return { roomId: call.params.id, threadId: call.params.thread_id, userId: call.userId };
}
