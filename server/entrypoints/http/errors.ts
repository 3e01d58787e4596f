/** Turns anything thrown into an error response: `{"error": message}`. */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorCode } from '../../../protocol/errors.ts';
import { PlaceError } from '../../data/blobs/place-error.ts';
import { type Logger, throttled } from '../../platform/log.ts';
import { endLingering } from '../../platform/net/lingering-close.ts';
import { JSON_TYPE, SECURITY_HEADERS } from './headers.ts';

/** Errors of fastify and of Node's HTTP parser that have an error code of their own. */
const KNOWN: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_payload',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'invalid_payload',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_payload',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** The process, or the system, has no open file left. */
const OUT_OF_FILES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);

/** Whole seconds, never 0: `Retry-After: 0` invites a busy loop. */
export function retryAfterSeconds(retryAfterMs: number): string {
  return String(Math.max(1, Math.ceil(retryAfterMs / 1000)));
}

/** The error for a limiter's refusal. */
export function tooManyRequests(decision: { retryAfterMs: number }): AppError {
  return new AppError('too_many_requests', { retryAfterMs: decision.retryAfterMs });
}

/** Maps any error to an `AppError`. An unexpected one becomes `internal_error`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = code === undefined ? undefined : KNOWN[code];
  if (known) return new AppError(known, { cause: error });
  if (OUT_OF_FILES.has(code))
    return new AppError('service_unavailable', { cause: error, retryAfterMs: 1000 });
  const isClientFault = statusCode !== undefined && statusCode >= 400 && statusCode < 500;
  return new AppError(isClientFault ? 'bad_request' : 'internal_error', { cause: error });
}

/** Makes fastify's error handler: it logs what an operator must know, then sends the error. */
export function createErrorHandler(log: Logger) {
  const logOverload = throttled((route: string | undefined, count) =>
    log.warn({ count, route }, 'requests refused: too much is waiting'),
  );
  const logNoDatabase = throttled((err: unknown, count) =>
    log.error({ err, count }, 'requests refused: the database did not do what they asked for'),
  );
  const logNoPlace = throttled((err: unknown, count) =>
    log.error({ err, count }, 'requests refused: the place of files did not do what they asked for'),
  );
  const logNoFiles = throttled((err: unknown, count) =>
    log.error({ err, count }, 'requests refused: too many open files; raise the limit (ulimit -n)'),
  );
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refusal = toAppError(error);
    // A client that disconnects while it downloads a file is not an error.
    const isGone = reply.raw.destroyed && codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE';
    if (refusal.code === 'service_unavailable') {
      // Overload refuses thousands of requests. A line for each would add to the load.
      if (refusal.cause === undefined) logOverload(request.routeOptions.url);
      else if (OUT_OF_FILES.has(codeOf(refusal.cause))) logNoFiles(refusal.cause);
      else if (refusal.cause instanceof PlaceError) logNoPlace(refusal.cause);
      else logNoDatabase(refusal.cause);
    } else if (refusal.status >= 500 && !isGone) {
      log.error(
        {
          err: refusal.cause ?? refusal,
          requestId: request.id,
          method: request.method,
          route: request.routeOptions.url,
        },
        refusal.message,
      );
    }
    return sendError(reply, refusal);
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Sends an error response, with the headers that its code needs. */
export function sendError(reply: FastifyReply, refusal: AppError): FastifyReply {
  reply.request.refusal = refusal;
  if (refusal.retryAfterMs !== undefined)
    reply.header('retry-after', retryAfterSeconds(refusal.retryAfterMs));
  // The rest of the body is dropped, and the connection closes.
  if (refusal.code === 'payload_too_large' || refusal.code === 'unsupported_media_type')
    reply.header('connection', 'close');
  return reply
    .code(refusal.status)
    .header('cache-control', 'no-store')
    .type(JSON_TYPE)
    .send({ error: refusal.message, ...(refusal.reason && { reason: refusal.reason }) });
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Sends an error on a bare socket: to a refused upgrade, or to a request that could not be parsed. */
export function refuseOnSocket(socket: Socket, refusal: AppError, { isHead = false } = {}): void {
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify({ error: refusal.message });
  const headers: Record<string, string> = {
    'content-type': JSON_TYPE,
    ...SECURITY_HEADERS,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
  };
  if (refusal.retryAfterMs !== undefined) headers['retry-after'] = retryAfterSeconds(refusal.retryAfterMs);
  if (refusal.code === 'upgrade_required') Object.assign(headers, UPGRADE_HEADERS);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${refusal.status} ${REASONS[refusal.status] ?? 'Error'}\r\n${lines.join('')}\r\n`;
  endLingering(socket, isHead ? head : head + body);
}

/** Headers that a 426 response must have (RFC 9110 §15.5.22, RFC 6455 §4.4). */
export const UPGRADE_HEADERS = { upgrade: 'websocket', 'sec-websocket-version': '13' } as const;
