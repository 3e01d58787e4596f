/** Authentication by Bearer token (RFC 6750), before the body is read. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../protocol/errors.ts';
import type { Sessions } from '../../features/identity/sessions.ts';
import type { Identity } from '../../features/identity/tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null;
    /** Throws `invalid_token` once the session has ended. */
    mustBeSignedIn(): void;
  }
}

/** The token that the request has in its header. */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +([^\s]+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** Makes the `onRequest` hook of routes that authenticate. It throws `AppError` unless the token is valid. */
export function createAuthenticate(sessions: Sessions) {
  return (request: FastifyRequest, _: FastifyReply, done: () => void): void => {
    const token = bearerOf(request);
    if (token === undefined) throw new AppError('missing_bearer_token');
    request.identity = sessions.authenticate(token);
    done();
  };
}

/**
 * Refuses requests whose session has ended since they began: a body may take its time to arrive, and a request that
 * reads may wait for its place. Handlers that read the body themselves ask once more.
 */
export function registerStillSignedIn(app: FastifyInstance, sessions: Sessions): void {
  app.decorateRequest('mustBeSignedIn', function (this: FastifyRequest) {
    if (this.identity && sessions.hasEnded(this.identity.sessionId)) throw new AppError('invalid_token');
  });
  app.addHook('preHandler', (request, _, done) => {
    request.mustBeSignedIn();
    done();
  });
}

/** The authenticated user. Throws Error on a route without `createAuthenticate`. */
export function identityOf(request: FastifyRequest): Identity {
  if (!request.identity) throw new Error(`${request.routeOptions.url} does not authenticate`);
  return request.identity;
}
