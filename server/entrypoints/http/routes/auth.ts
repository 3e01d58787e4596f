/** Register, log in, refresh, log out. */
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../../protocol/errors.ts';
import type { Accounts } from '../../../features/identity/accounts.ts';
import type { Sessions } from '../../../features/identity/sessions.ts';
import type { SignInLinks } from '../../../features/identity/sign-in-links.ts';
import type { From } from '../../../features/rooms/invites.ts';
import type { Newcomers } from '../../../features/rooms/newcomers.ts';
import { addressKey, type ClientAddressOf } from '../../../platform/net/client-address.ts';
import type { On } from '../endpoints.ts';

const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

export interface AuthRoutesParts {
  accounts: Accounts;
  sessions: Sessions;
  signInLinks: SignInLinks;
  newcomers: Newcomers;
  /** The address of a request as the limit on attempts to accept invitations counts it. */
  attemptsFrom(request: FastifyRequest['raw']): From;
  /** The address of a request as the limit on new accounts counts it. */
  newcomersFrom(request: FastifyRequest['raw']): From;
  clientAddressOf: ClientAddressOf;
}

export function registerAuthRoutes(
  on: On,
  { accounts, sessions, signInLinks, newcomers, ...parts }: AuthRoutesParts,
): void {
  const { attemptsFrom, newcomersFrom, clientAddressOf } = parts;
  on('POST /api/v1/auth/register', async ({ body, request }) => {
    const from = attemptsFrom(request.raw);
    await newcomers.expect(body.invite, from);
    const address = addressKey(clientAddressOf(request.raw));
    const user = await accounts.register(body, address, newcomersFrom(request.raw));
    await newcomers.admit(user.id, body.invite, from);
    return user;
  });

  on('POST /api/v1/auth/login', ({ body, request }) =>
    accounts.login(body, {
      addressKey: addressKey(clientAddressOf(request.raw)),
      userAgent: request.headers['user-agent'] ?? '',
    }),
  );

  on('POST /api/v1/auth/sign-in-link/find', ({ body, request }) =>
    signInLinks.find(body.code, attemptsFrom(request.raw)),
  );

  on('POST /api/v1/auth/sign-in-link', ({ body, request }) =>
    signInLinks.use(body.code, attemptsFrom(request.raw), request.headers['user-agent'] ?? ''),
  );

  on('POST /api/v1/auth/refresh', ({ body, request }) =>
    sessions.refresh(body.refresh_token, idempotencyKeyOf(request.headers['idempotency-key'])),
  );

  on('POST /api/v1/auth/logout', ({ body }) => sessions.end(body.refresh_token));
}

function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || header === '' || header.length > MAX_IDEMPOTENCY_KEY_LENGTH) {
    throw new AppError('invalid_payload');
  }
  return header;
}
