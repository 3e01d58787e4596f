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
import { clearFileCookie, setFileCookie } from '../file-cookie.ts';

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
    const { user, isInvited } = await accounts.register(body, address, newcomersFrom(request.raw));
    await newcomers.admit(user.id, isInvited ? body.invite : undefined);
    return user;
  });

  on('POST /api/v1/auth/login', async (call) => {
    const { body, request } = call;
    const tokens = await accounts.login(body, {
      addressKey: addressKey(clientAddressOf(request.raw)),
      userAgent: request.headers['user-agent'] ?? '',
    });
    setFileCookie(call, sessions, tokens);
    return tokens;
  });

  on('POST /api/v1/auth/sign-in-link/find', ({ body, request }) =>
    signInLinks.find(body.code, attemptsFrom(request.raw)),
  );

  on('POST /api/v1/auth/sign-in-link', async (call) => {
    const { body, request } = call;
    const userAgent = request.headers['user-agent'] ?? '';
    const tokens = await signInLinks.use(body.code, attemptsFrom(request.raw), userAgent);
    setFileCookie(call, sessions, tokens);
    return tokens;
  });

  on('POST /api/v1/auth/refresh', async (call) => {
    const { body, request } = call;
    const key = idempotencyKeyOf(request.headers['idempotency-key']);
    const tokens = await sessions.refresh(body.refresh_token, key);
    setFileCookie(call, sessions, tokens);
    return tokens;
  });

  on('POST /api/v1/auth/logout', async (call) => {
    await sessions.end(call.body.refresh_token);
    clearFileCookie(call);
  });
}

function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || header === '' || header.length > MAX_IDEMPOTENCY_KEY_LENGTH) {
    throw new AppError('invalid_payload');
  }
  return header;
}
