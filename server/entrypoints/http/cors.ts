/** CORS (Fetch standard): only pages of `ALLOWED_ORIGINS` may read responses. */
import type { FastifyInstance } from 'fastify';

const PREFLIGHT_MAX_AGE_S = '600';
/** Headers of uploads. */
const SENT_BY_TUS = 'Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset';
const TOLD_BY_TUS =
  'Location, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Expires, Upload-Length, Upload-Offset';
const EXPOSED = `Retry-After, X-Request-Id, ${TOLD_BY_TUS}`;

/** Adds the CORS headers to every response to an allowed page, errors included, so that the page can read it. */
export function registerCors(app: FastifyInstance, allowedOrigins: readonly string[]): void {
  if (allowedOrigins.length === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    reply.header('vary', 'Origin');
    if (origin !== undefined && allowedOrigins.includes(origin.toLowerCase()))
      reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED);
    done();
  });
}

/** Responds to preflight requests of allowed pages. Register it after the rate limit. */
export function registerPreflight(app: FastifyInstance): void {
  app.addHook('onRequest', ({ method, headers }, reply, done) => {
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    if (!isPreflight || !reply.hasHeader('access-control-allow-origin')) return done();
    reply
      .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
      .header('access-control-allow-headers', `Authorization, Content-Type, Idempotency-Key, ${SENT_BY_TUS}`)
      .header('access-control-max-age', PREFLIGHT_MAX_AGE_S)
      .code(204)
      .send();
  });
}
