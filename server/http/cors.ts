/** What pages of other origins may do (the Fetch standard's CORS protocol): nothing, but for `ALLOWED_ORIGINS`. */
import type { FastifyInstance } from 'fastify';

const PREFLIGHT_MAX_AGE_S = '600';

/** Grants what may be granted on every answer, refusals too, so that the page can read them. */
export function registerCors(app: FastifyInstance, allowedOrigins: readonly string[]): void {
  if (allowedOrigins.length === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    reply.header('vary', 'Origin');
    if (origin === undefined || !allowedOrigins.includes(origin.toLowerCase())) return;
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', 'Retry-After');
  });
}

/** Answers the question that a browser asks before the request of an allowed page. Goes behind the rate limit. */
export function registerPreflight(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ method, headers }, reply) => {
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    if (!isPreflight || !reply.hasHeader('access-control-allow-origin')) return;
    return reply
      .header('access-control-allow-methods', 'GET, POST')
      .header('access-control-allow-headers', 'Authorization, Content-Type, Idempotency-Key')
      .header('access-control-max-age', PREFLIGHT_MAX_AGE_S)
      .code(204)
      .send();
  });
}
