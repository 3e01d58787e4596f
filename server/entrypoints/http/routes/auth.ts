/** Register, log in, refresh, log out. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { API_PREFIX } from '../../../../protocol/constants.ts';
import { AppError } from '../../../../protocol/errors.ts';
import {
  loginBody,
  loginResponse,
  logoutBody,
  refreshBody,
  registerBody,
  tokensSchema,
  userSchema,
} from '../../../../protocol/rest/accounts.ts';
import type { Accounts } from '../../../features/identity/accounts.ts';
import type { Sessions } from '../../../features/identity/sessions.ts';
import type { From } from '../../../features/rooms/invites.ts';
import type { Newcomers } from '../../../features/rooms/newcomers.ts';
import { addressKey, type ClientAddressOf } from '../../../platform/net/client-address.ts';
import type { OriginPolicy } from '../../../platform/net/origin.ts';
import { NO_BODY, type ZodTypeProvider } from '../schemas.ts';

const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

export interface AuthRoutesParts {
  accounts: Accounts;
  sessions: Sessions;
  newcomers: Newcomers;
  /** The address of a request as the limit on attempts to accept invitations counts it. */
  attemptsFrom(request: FastifyRequest['raw']): From;
  /** The address of a request as the limit on new accounts counts it. */
  newcomersFrom(request: FastifyRequest['raw']): From;
  clientAddressOf: ClientAddressOf;
  origins: OriginPolicy;
}

export function registerAuthRoutes(
  app: FastifyInstance,
  { accounts, sessions, newcomers, attemptsFrom, newcomersFrom, clientAddressOf, origins }: AuthRoutesParts,
): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  /** Before the body is read: a foreign page that guesses passwords would use up its visitor's failed logins. */
  const onRequest = async ({ raw }: FastifyRequest): Promise<void> => origins.checkRequest(raw);

  routes.post(
    `${API_PREFIX}/auth/register`,
    { onRequest, schema: { body: registerBody, response: { 201: userSchema } } },
    async (request, reply) => {
      const { invite } = request.body;
      const from = attemptsFrom(request.raw);
      await newcomers.expect(invite, from);
      const address = addressKey(clientAddressOf(request.raw));
      const user = await accounts.register(request.body, address, newcomersFrom(request.raw));
      await newcomers.admit(user.id, invite, from);
      return reply.code(201).send(user);
    },
  );

  routes.post(
    `${API_PREFIX}/auth/login`,
    { onRequest, schema: { body: loginBody, response: { 200: loginResponse } } },
    (request) =>
      accounts.login(request.body, {
        addressKey: addressKey(clientAddressOf(request.raw)),
        userAgent: request.headers['user-agent'] ?? '',
      }),
  );

  routes.post(
    `${API_PREFIX}/auth/refresh`,
    { onRequest, schema: { body: refreshBody, response: { 200: tokensSchema } } },
    (request) =>
      sessions.refresh(request.body.refresh_token, idempotencyKeyOf(request.headers['idempotency-key'])),
  );

  routes.post(
    `${API_PREFIX}/auth/logout`,
    { onRequest, schema: { body: logoutBody, response: NO_BODY } },
    async (request, reply) => {
      await sessions.end(request.body.refresh_token);
      return reply.code(204).send();
    },
  );
}

function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || header === '' || header.length > MAX_IDEMPOTENCY_KEY_LENGTH) {
    throw new AppError('invalid_payload');
  }
  return header;
}
