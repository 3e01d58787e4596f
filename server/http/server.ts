/** The HTTP side: fastify with every rule that holds for all routes, and the routes. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import { API_PREFIX } from '../../protocol/constants.ts';
import { AppError } from '../../protocol/errors.ts';
import { MAX_BODY_BYTES } from '../../protocol/limits.ts';
import type { RequestLimit } from '../limits/request-limit.ts';
import type { Logger } from '../log.ts';
import type { ProxyWarnings } from '../net/proxy-warnings.ts';
import { refuseOddHead } from '../net/request-head.ts';
import { RequestOrder } from '../net/request-order.ts';
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
import { serializerCompiler, validatorCompiler } from './schemas.ts';
import { isClientFile, registerStatic, serveClient } from './static/static.ts';
import { serveUpgrades, type UpgradeParts } from './upgrades.ts';

/** Time for a request's headers, then for all of it; between two requests; and how often the three are looked at. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_TIMEOUT_MS = 10_000;
/** A connection on which no byte moves either way: a reader that does not read. Sockets leave this rule behind. */
const STANDSTILL_TIMEOUT_MS = 20_000;
const CONNECTIONS_CHECKING_INTERVAL_MS = 2000;
const MAX_HEADERS_BYTES = 16 * 1024;

export interface HttpServerParts extends AuthRoutesParts, RoomRoutesParts, OperationsParts, UpgradeParts {
  log: Logger;
  requestLimit: RequestLimit;
  allowedOrigins: readonly string[];
  clientDir: string | null;
  proxyWarnings: ProxyWarnings;
  /** Checks the URL of a `GET /ws` that asks for no upgrade as that of one that does; throws what is wrong with it. */
  checkWsUrl(url: string): void;
}

export async function createHttpServer(parts: HttpServerParts): Promise<FastifyInstance> {
  const { log, requestLimit, clientAddressOf } = parts;
  const order = new RequestOrder();
  const app = createFastify(parts, order);
  const paths = new KnownPaths();

  registerCors(app, parts.allowedOrigins);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS);
    // Answers of the interface are about one user at one moment; some are tokens.
    if (request.routeOptions.url?.startsWith(API_PREFIX)) reply.header('cache-control', 'no-store');
    const isReal = paths.isReal(request.url) || isClientFile(app, request.url);
    const decision = requestLimit.take(clientAddressOf(request.raw), request.url, isReal);
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
  serveUpgrades(app, order, parts);
  await app.ready();
  return app;
}

function createFastify(
  { log, requestLimit, clientAddressOf }: HttpServerParts,
  order: RequestOrder,
): FastifyInstance {
  return fastify({
    bodyLimit: MAX_BODY_BYTES,
    serverFactory: (handle) => createNodeServer(handle, order),
    routerOptions: { maxParamLength: MAX_HEADERS_BYTES },
    // While it stops, requests that made it in are answered like any other.
    return503OnClosing: false,
    // A target that does not decode: no route, so no hook runs for it, but it counts like every other unknown path.
    frameworkErrors: (error, request, reply) => {
      const decision = requestLimit.take(clientAddressOf(request.raw), '', false);
      const refusal = decision.allowed ? toAppError(error) : tooManyRequests(decision);
      sendError((reply as FastifyReply).headers(SECURITY_HEADERS), refusal);
    },
    clientErrorHandler(error, socket) {
      // The connection is over, or is being closed behind its last response.
      if (!socket.writable) return;
      // Not the error itself: it carries the request's bytes, and so whatever secrets are in them.
      log.debug({ code: error.code, reason: error.message }, 'a request could not be parsed');
      const refusal = toAppError(error);
      // The request was not parsed, so its method is what its first bytes say (RFC 9112 §6.3: no body for HEAD).
      const isHead = 'rawPacket' in error && String(error.rawPacket).startsWith('HEAD ');
      const known = refusal.code === 'internal_error' ? new AppError('bad_request') : refusal;
      order.refuseUnreadable(socket as Socket, () => refuseOnSocket(socket as Socket, known, { isHead }));
    },
  });
}

/** The server under fastify: Node's own, with its time limits, and with requests handled in order. */
function createNodeServer(handle: RequestListener, order: RequestOrder): Server {
  const options = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CONNECTIONS_CHECKING_INTERVAL_MS,
    maxHeaderSize: MAX_HEADERS_BYTES,
    // A hook refuses a request without one, so that the response has a body like every other.
    requireHostHeader: false,
  };
  const handleInOrder: RequestListener = (request, response) =>
    order.handleInOrder(request, response, handle);
  const server = createServer(options, handleInOrder);
  server.setTimeout(STANDSTILL_TIMEOUT_MS);
  // Node drops no header unseen: refuseOddHead counts them.
  server.maxHeadersCount = 0;
  // An unknown expectation is ignored; Node would refuse it in a form of its own.
  server.on('checkExpectation', handleInOrder);
  return server;
}
