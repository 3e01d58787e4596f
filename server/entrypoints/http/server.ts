/** The HTTP server: fastify, the rules for every request, and the routes. */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import { API_PREFIX } from '../../../protocol/constants.ts';
import { AppError } from '../../../protocol/errors.ts';
import { MAX_BODY_BYTES } from '../../../protocol/limits.ts';
import type { RequestLimit } from '../../platform/limits/request-limit.ts';
import type { Logger } from '../../platform/log.ts';
import { lingerOnClose } from '../../platform/net/lingering-close.ts';
import type { ProxyWarnings } from '../../platform/net/proxy-warnings.ts';
import { refuseOddHead } from '../../platform/net/request-head.ts';
import { RequestOrder } from '../../platform/net/request-order.ts';
import { registerStillSignedIn } from './authenticate.ts';
import { registerBodyParser } from './body.ts';
import { registerCors, registerPreflight } from './cors.ts';
import { createOn, type EndpointParts } from './endpoints.ts';
import {
  createErrorHandler,
  refuseOnSocket,
  sendError,
  toAppError,
  tooManyRequests,
  UPGRADE_HEADERS,
} from './errors.ts';
import { registerFairReads } from './fair-reads.ts';
import { SECURITY_HEADERS } from './headers.ts';
import { registerDescriptionRoutes } from './openapi/route.ts';
import { registerOverload } from './overload.ts';
import { KnownPaths, WS_PATH } from './paths.ts';
import { registerRequestLog } from './request-log.ts';
import { type AdminRoutesParts, registerAdminRoutes } from './routes/admin.ts';
import { type AuthRoutesParts, registerAuthRoutes } from './routes/auth.ts';
import { type EmojiRoutesParts, registerEmojiRoutes } from './routes/emoji.ts';
import { type FileRoutesParts, registerFileRoutes } from './routes/files.ts';
import { type InviteRoutesParts, registerInviteRoutes } from './routes/invites.ts';
import { type MeRoutesParts, registerMeRoutes } from './routes/me.ts';
import { type MemberRoutesParts, registerMemberRoutes } from './routes/members.ts';
import { type MessageRoutesParts, registerMessageRoutes } from './routes/messages.ts';
import { type MetricsParts, registerMetricsRoute } from './routes/metrics.ts';
import { type ModerationRoutesParts, registerModerationRoutes } from './routes/moderation.ts';
import { type NotificationRoutesParts, registerNotificationRoutes } from './routes/notifications.ts';
import { type OperationsParts, registerOperationsRoutes } from './routes/operations.ts';
import { type PeopleRoutesParts, registerPeopleRoutes } from './routes/people.ts';
import { type PushRoutesParts, registerPushRoutes } from './routes/push.ts';
import { type RoomRoutesParts, registerRoomRoutes } from './routes/rooms.ts';
import { registerSearchRoutes, type SearchRoutesParts } from './routes/search.ts';
import { registerServedFileRoutes, type ServedFileRoutesParts } from './routes/served-files.ts';
import { registerThreadRoutes, type ThreadRoutesParts } from './routes/threads.ts';
import { serializerCompiler, validatorCompiler } from './schemas.ts';
import { isClientFile, registerStatic, serveClient } from './static/static.ts';
import { serveUpgrades, type UpgradeParts } from './upgrades.ts';

/** Timeouts of a request's headers, of the whole request, and of an idle connection; how often they are checked. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_TIMEOUT_MS = 10_000;
/** Timeout of a connection on which no byte moves in either direction. WebSockets are exempt. */
const STANDSTILL_TIMEOUT_MS = 20_000;
const CONNECTIONS_CHECKING_INTERVAL_MS = 2000;
const MAX_HEADERS_BYTES = 16 * 1024;

export interface HttpServerParts
  extends EndpointParts,
    AuthRoutesParts,
    MeRoutesParts,
    PeopleRoutesParts,
    PushRoutesParts,
    RoomRoutesParts,
    MemberRoutesParts,
    MessageRoutesParts,
    EmojiRoutesParts,
    FileRoutesParts,
    ServedFileRoutesParts,
    ThreadRoutesParts,
    NotificationRoutesParts,
    SearchRoutesParts,
    InviteRoutesParts,
    AdminRoutesParts,
    ModerationRoutesParts,
    OperationsParts,
    MetricsParts,
    UpgradeParts {
  log: Logger;
  requestLimit: RequestLimit;
  allowedOrigins: readonly string[];
  clientDir: string | null;
  proxyWarnings: ProxyWarnings;
  /** Checks the URL of a `GET /ws` without an upgrade as that of an upgrade is checked. Throws `AppError`. */
  checkWsUrl(url: string): void;
}

/** Long on purpose: one list, in the order in which hooks run and routes are registered. */
export async function createHttpServer(parts: HttpServerParts): Promise<FastifyInstance> {
  const { log, requestLimit, clientAddressOf } = parts;
  const order = new RequestOrder();
  const app = createFastify(parts, order);
  const paths = new KnownPaths();

  registerCors(app, parts.allowedOrigins);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    // API responses belong to one user, and some contain tokens.
    if (request.routeOptions.url?.startsWith(API_PREFIX)) reply.header('cache-control', 'no-store');
    const isReal = paths.isReal(request.url, request.routeOptions.url) || isClientFile(app, request.url);
    const isForeign = parts.origins.isForeign(request.raw);
    const address = clientAddressOf(request.raw);
    const decision = await requestLimit.take({ address, target: request.url, isReal, isForeign });
    if (!decision.allowed) throw tooManyRequests(decision);
    refuseOddHead(request.raw);
  });
  registerRequestLog(app, parts);
  registerPreflight(app);
  registerFairReads(app, parts);
  registerStillSignedIn(app, parts.sessions);
  registerBodyParser(app);
  registerOverload(app, parts.lifecycle);
  app.decorateRequest('identity', null);
  app.setErrorHandler(createErrorHandler(log));
  // The documented order of checks has this before the body is read. Fastify's not-found handler runs after it.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) paths.refuseUnrouted(request, reply);
    done();
  });
  app.setNotFoundHandler(serveClient);

  paths.watch(app);
  registerMetricsRoute(app, parts);
  registerServedFileRoutes(app, parts);
  const on = createOn(app, parts);
  registerAuthRoutes(on, parts);
  registerMeRoutes(on, parts);
  registerPeopleRoutes(on, parts);
  registerPushRoutes(on, parts);
  registerRoomRoutes(on, parts);
  registerMemberRoutes(on, parts);
  registerMessageRoutes(on, parts);
  registerFileRoutes(on, parts);
  registerEmojiRoutes(on, parts);
  registerThreadRoutes(on, parts);
  registerNotificationRoutes(on, parts);
  registerSearchRoutes(on, parts);
  registerInviteRoutes(on, parts);
  registerAdminRoutes(on, parts);
  registerModerationRoutes(on, parts);
  registerOperationsRoutes(on, parts);
  registerDescriptionRoutes(on, () => parts.build.version);
  registerWsRefusal(app, parts);
  await registerStatic(app, {
    clientDir: parts.clientDir,
    serverName: () => parts.serverName.current(),
    serverIcon: () => parts.serverIcon.current(),
  });
  serveUpgrades(app, order, parts);
  await app.ready();
  return app;
}

/** A `GET /ws` without an upgrade. */
function registerWsRefusal(app: FastifyInstance, parts: HttpServerParts): void {
  app.get<{ Querystring: { origin?: unknown } }>(WS_PATH, (request, reply) => {
    parts.proxyWarnings.plainWsRequest(request.raw);
    parts.checkWsUrl(request.url);
    // A page cannot see why its upgrade was refused, so it asks here, with its origin: browsers send none with GET.
    const { origin } = request.query;
    if (origin !== undefined) parts.origins.checkPage(request.raw, String(origin));
    return sendError(reply.headers(UPGRADE_HEADERS), new AppError('upgrade_required'));
  });
}

function createFastify(
  { log, requestLimit, clientAddressOf, origins }: HttpServerParts,
  order: RequestOrder,
): FastifyInstance {
  return fastify({
    bodyLimit: MAX_BODY_BYTES,
    // Set here and not on the instance: without these, fastify also loads compilers of its own, which take 3 MiB. Its
    // types expect those of JSON schemas.
    schemaController: {
      compilersFactory: {
        buildValidator: () => validatorCompiler as never,
        buildSerializer: () => serializerCompiler as never,
      },
    },
    // `X-Request-Id`. A count would tell how much the server has to do.
    genReqId: () => randomUUID(),
    serverFactory: (handle) => createNodeServer(handle, order),
    routerOptions: { maxParamLength: MAX_HEADERS_BYTES },
    // During shutdown, accepted requests are served as usual.
    return503OnClosing: false,
    // No hook runs for a target that does not decode. The rate limit counts it like every other unknown path.
    frameworkErrors: async (error, request, reply) => {
      const address = clientAddressOf(request.raw);
      const isForeign = origins.isForeign(request.raw);
      const decision = await requestLimit.take({ address, target: '', isReal: false, isForeign });
      const refusal = decision.allowed ? toAppError(error) : tooManyRequests(decision);
      const headers = { ...SECURITY_HEADERS, 'x-request-id': request.id };
      sendError((reply as FastifyReply).headers(headers), refusal);
    },
    clientErrorHandler(error, socket) {
      // The connection is closed, or closes after its last response.
      if (!socket.writable) return;
      // Never log the error itself: it contains the request's bytes, which may include secrets.
      log.debug({ code: error.code, reason: error.message }, 'a request could not be parsed');
      const refusal = toAppError(error);
      // The request was not parsed, so its first bytes give the method. HEAD gets no body (RFC 9112 §6.3).
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
    // A hook refuses a request without Host, so that the response has our error body.
    requireHostHeader: false,
  };
  const handleInOrder: RequestListener = (request, response) =>
    order.handleInOrder(request, response, handle);
  const server = createServer(options, handleInOrder);
  server.setTimeout(STANDSTILL_TIMEOUT_MS);
  lingerOnClose(server);
  // Node must not drop headers silently: refuseOddHead counts them.
  server.maxHeadersCount = 0;
  // Ignore an unknown expectation. Node would refuse it without our error body.
  server.on('checkExpectation', handleInOrder);
  return server;
}
