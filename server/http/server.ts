/** The HTTP side: fastify with every rule that holds for all routes, and the routes. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { API_PREFIX } from '../../protocol/constants.ts';
import { AppError } from '../../protocol/errors.ts';
import { MAX_BODY_BYTES } from '../../protocol/limits.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Logger } from '../log.ts';
import type { ClientAddressOf } from '../net/client-address.ts';
import type { ProxyWarnings } from '../net/proxy-warnings.ts';
import { rateLimitKey } from '../net/rate-key.ts';
import { refuseOddHead } from '../net/request-head.ts';
import { registerUnsentBytesLimit } from '../net/unsent-bytes.ts';
import { registerBodyParser } from './body.ts';
import { registerCors, registerPreflight } from './cors.ts';
import {
  createErrorHandler,
  refuseOnSocket,
  sendError,
  toAppError,
  tooManyRequests,
  UPGRADE_HEADERS,
} from './errors.ts';
import { SECURITY_HEADERS } from './headers.ts';
import { KnownPaths } from './paths.ts';
import { type AuthRoutesParts, registerAuthRoutes } from './routes/auth.ts';
import { type OperationsParts, registerOperationsRoutes } from './routes/operations.ts';
import { type RoomRoutesParts, registerRoomRoutes } from './routes/rooms.ts';
import { isClientFile, registerStatic, serveClient } from './static/static.ts';

/** Time for a request's headers, then for all of it; between two requests; and how often the three are looked at. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_TIMEOUT_MS = 10_000;
/** A connection on which no byte moves either way: a reader that does not read. Sockets leave this rule behind. */
const STANDSTILL_TIMEOUT_MS = 20_000;
const CONNECTIONS_CHECKING_INTERVAL_MS = 2000;
const MAX_HEADERS_BYTES = 16 * 1024;

export interface HttpServerParts extends AuthRoutesParts, RoomRoutesParts, OperationsParts {
  log: Logger;
  limiter: Limiter;
  clientAddressOf: ClientAddressOf;
  allowedOrigins: readonly string[];
  clientDir: string | null;
  proxyWarnings: ProxyWarnings;
  /** Checks the URL of a `GET /ws` that asks for no upgrade as that of one that does; throws what is wrong with it. */
  checkWsUrl(url: string): void;
}

export async function createHttpServer(parts: HttpServerParts): Promise<FastifyInstance> {
  const { log, limiter, clientAddressOf } = parts;
  const app = createFastify(parts);
  const paths = new KnownPaths();

  registerCors(app, parts.allowedOrigins);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS);
    // Answers of the interface are about one user at one moment; some are tokens.
    if (request.routeOptions.url?.startsWith(API_PREFIX)) reply.header('cache-control', 'no-store');
    const matched = paths.isReal(request.url) || isClientFile(app, request.url);
    const decision = await limiter.take(rateLimitKey(clientAddressOf(request.raw), request.url, matched));
    if (!decision.allowed) throw tooManyRequests(decision);
    refuseOddHead(request.raw);
  });
  app.addHook('onResponse', async (request, reply) => {
    log.debug(
      {
        requestId: request.id,
        address: clientAddressOf(request.raw),
        userId: request.identity?.userId,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });
  registerPreflight(app);
  registerUnsentBytesLimit(app, clientAddressOf);
  registerBodyParser(app);
  app.decorateRequest('identity', null);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(createErrorHandler(log));
  // Before the body is read, as the documented order of checks has it; fastify's own not-found handler runs after.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) paths.refuseUnrouted(request, reply);
  });
  app.setNotFoundHandler(serveClient);

  paths.watch(app);
  registerAuthRoutes(app, parts);
  registerRoomRoutes(app, parts);
  registerOperationsRoutes(app, parts);
  app.get<{ Querystring: { origin?: unknown } }>('/ws', (request, reply) => {
    parts.proxyWarnings.plainWsRequest(request.raw);
    parts.checkWsUrl(request.url);
    // A page cannot see why its socket was refused, and a browser sends no Origin with this GET: so it names its own.
    const { origin } = request.query;
    if (origin !== undefined) parts.origins.checkPage(request.raw, String(origin));
    return sendError(reply.headers(UPGRADE_HEADERS), new AppError('upgrade_required'));
  });
  await registerStatic(app, { clientDir: parts.clientDir });
  await app.ready();
  return app;
}

function createFastify({ log, limiter, clientAddressOf }: HttpServerParts): FastifyInstance {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: STANDSTILL_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECKING_INTERVAL_MS,
      maxHeaderSize: MAX_HEADERS_BYTES,
      // Judged by a hook, so that the answer has a body like every other.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: MAX_HEADERS_BYTES },
    // While it stops, requests that made it in are answered like any other.
    return503OnClosing: false,
    // A target that does not decode: no route, so no hook runs for it, but it counts like every other unknown path.
    frameworkErrors: (error, request, reply) => {
      const answer = (reply as FastifyReply).headers(SECURITY_HEADERS);
      Promise.resolve(limiter.take(rateLimitKey(clientAddressOf(request.raw), '', false)))
        .then((decision) =>
          sendError(answer, decision.allowed ? toAppError(error) : tooManyRequests(decision)),
        )
        .catch(() => reply.raw.destroy());
    },
    clientErrorHandler(error, socket) {
      // Not the error itself: it carries the request's bytes, and so whatever secrets are in them.
      log.debug({ code: error.code, reason: error.message }, 'a request could not be parsed');
      const refusal = toAppError(error);
      // The request was not parsed, so its method is what its first bytes say (RFC 9112 §6.3: no body for HEAD).
      const isHead = 'rawPacket' in error && String(error.rawPacket).startsWith('HEAD ');
      const known = refusal.code === 'internal_error' ? new AppError('bad_request') : refusal;
      refuseOnSocket(socket as Socket, known, { isHead });
    },
  });
  // None is dropped unseen: refuseOddHead counts them.
  app.server.maxHeadersCount = 0;
  // An expectation that nobody knows is ignored; Node would answer it by itself, in its own form.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return app;
}

/**
 * Serves, as if it asked for none, a request whose `Upgrade` is not ours: RFC 9110 §7.8 lets a server ignore it, and
 * curl and Java's client send one for HTTP/2. Node has stopped parsing at the end of its headers, so it is handed
 * back to be parsed again, without that header, and with its body still to come.
 */
export function serveWithoutUpgrade(
  app: FastifyInstance,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(index, index + 2);
    const kept = /^connection$/i.test(name) ? withoutUpgrade(value) : value;
    if (!/^upgrade$/i.test(name)) lines.push(`${name}: ${kept}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  app.server.emit('connection', socket);
}

/** A `Connection` header without the option that has been dealt with; `close` must stay. */
function withoutUpgrade(connection: string): string {
  return connection
    .split(',')
    .filter((option) => option.trim().toLowerCase() !== 'upgrade')
    .join(',');
}
