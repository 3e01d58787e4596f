/** A line for each request: at `info` when it was refused, else at `debug`. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppError } from '../../../protocol/errors.ts';
import { FailedLogin } from '../../features/identity/accounts.ts';
import type { Logger } from '../../platform/log.ts';
import { countOf, measureRequest, measures } from '../../platform/metrics/measures.ts';
import type { ClientAddressOf } from '../../platform/net/client-address.ts';
import { RefusalLog } from '../../platform/refusal-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the response says, when the request was refused. */
    refusal: AppError | null;
    /** Its connection was ended, without a response, because its body came in pieces that are too small. */
    logTinyPieces(): void;
  }
}

/** Not signed in, not allowed, too many. Other faults of a client, such as a wrong id, tell an operator nothing. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

export interface RequestLogParts {
  log: Logger;
  clientAddressOf: ClientAddressOf;
}

export function registerRequestLog(app: FastifyInstance, { log, clientAddressOf }: RequestLogParts): void {
  const refusals = new RefusalLog(log);
  app.decorateRequest('refusal', null);
  app.decorateRequest('logTinyPieces', function (this: FastifyRequest) {
    const refused = { address: clientAddressOf(this.raw), refusal: 'bad_request' } as const;
    refusals.write('connection ended: a body came in tiny pieces', refused, whatAsked(this));
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status } = reply;
    const { refusal } = request;
    const address = clientAddressOf(request.raw);
    if (refusal) countOf(measures.refused, refusal.code);
    measureRequest(request.method, status, reply.elapsedTime);
    const fields = {
      ...whatAsked(request),
      status,
      ms: Math.round(reply.elapsedTime),
    };
    if (REFUSALS.has(status) || status >= 500)
      refusals.write('request refused', { address, refusal: refusal?.code }, fields);
    else log.debug({ address, ...fields }, 'request');
    done();
  });
}

/** Which request it was, and whose. */
function whatAsked({ id, identity, refusal, method, routeOptions }: FastifyRequest) {
  return { requestId: id, userId: identity?.userId ?? userOf(refusal), method, route: routeOptions.url };
}

/** The user whose password was wrong. A name that nobody has may be a password that was typed in the wrong field. */
function userOf(refusal: AppError | null): number | undefined {
  const cause = refusal?.cause;
  return cause instanceof FailedLogin ? cause.userId : undefined;
}
