/** Administration of the server, and links that set a new password. */
import type { FastifyRequest } from 'fastify';
import { ADMIN_PAGE, ENDED_ACCOUNTS_MAX } from '../../../../protocol/limits.ts';
import type { Administration } from '../../../features/administration/administration.ts';
import type { Moderation } from '../../../features/administration/moderation.ts';
import type { Registrations } from '../../../features/administration/registrations.ts';
import type { Removal } from '../../../features/administration/removal.ts';
import type { ServerIcon } from '../../../features/administration/server-icon.ts';
import type { ServerName } from '../../../features/administration/server-name.ts';
import type { Pictures } from '../../../features/files/pictures.ts';
import type { Passwords } from '../../../features/identity/passwords.ts';
import type { From } from '../../../features/rooms/invites.ts';
import { addressKey, type ClientAddressOf } from '../../../platform/net/client-address.ts';
import type { OriginPolicy } from '../../../platform/net/origin.ts';
import type { On } from '../endpoints.ts';
import { incomingOf } from '../incoming.ts';

export interface AdminRoutesParts {
  administration: Administration;
  serverName: ServerName;
  serverIcon: ServerIcon;
  pictures: Pictures;
  removal: Removal;
  registrations: Registrations;
  /** Begins to delete the texts of removed accounts. */
  deleteTexts(): void;
  moderation: Moderation;
  passwords: Passwords;
  origins: OriginPolicy;
  clientAddressOf: ClientAddressOf;
  /** The address of a request as the limit on attempts counts it. */
  attemptsFrom(request: FastifyRequest['raw']): From;
}

export function registerAdminRoutes(on: On, parts: AdminRoutesParts): void {
  registerUsers(on, parts);
  registerRegistrations(on, parts);
  registerServer(on, parts);
  registerResets(on, parts);
}

function registerUsers(on: On, { administration, removal, deleteTexts, origins }: AdminRoutesParts): void {
  on('GET /api/v1/admin/users', ({ userId, query }) => {
    const { limit = ADMIN_PAGE.default, after_id: afterId, q, suspended } = query;
    const isSuspended = suspended === undefined ? undefined : suspended === 'true';
    return administration.users(userId, { limit, afterId, q, suspended: isSuspended });
  });

  on('PATCH /api/v1/admin/users/:user_id', ({ userId, params, body }) =>
    administration.change(userId, params.user_id, body),
  );

  on('DELETE /api/v1/admin/users/:user_id', async ({ userId, params, query }) => {
    await removal.remove(userId, params.user_id, query);
    if (query.texts === 'delete') deleteTexts();
  });

  on('DELETE /api/v1/admin/users/:user_id/sessions', async ({ userId, params }) => {
    await administration.endSessions(userId, params.user_id);
  });

  on('POST /api/v1/admin/users/:user_id/reset', ({ userId, params, request }) =>
    administration.createReset(userId, params.user_id, origins.ownOrigin(request.raw)),
  );
}

function registerRegistrations(on: On, { registrations, deleteTexts }: AdminRoutesParts): void {
  on('GET /api/v1/admin/registrations', ({ userId, query: { since = 0, until, user_id: of } }) =>
    registrations.addresses(userId, { since, until, userId: of }),
  );

  on('POST /api/v1/admin/registrations/end', async ({ userId, body }) => {
    const { dry_run: isDry = false, address, since, until, reason, ...rest } = body;
    const terms = {
      ...rest,
      address: address ?? undefined,
      since: Date.parse(since),
      until: until === undefined ? undefined : Date.parse(until),
    };
    if (isDry) return await registrations.count(userId, terms);
    const limits = { limit: ENDED_ACCOUNTS_MAX, reason };
    const { auditId: _, ...ended } = await registrations.end(userId, terms, limits);
    if (terms.act === 'remove') deleteTexts();
    return ended;
  });
}

function registerServer(on: On, parts: AdminRoutesParts): void {
  const { administration, serverName, serverIcon, pictures, moderation, origins } = parts;
  const settings = async () => {
    const icon = await serverIcon.current();
    const [registration, name] = [await administration.registration(), await serverName.current()];
    return { registration, name, ...(icon !== undefined && { icon }) };
  };
  // Anybody: the page to sign in shows where one is, and whether one can register.
  on('GET /api/v1/server', settings);

  on('PATCH /api/v1/admin/settings', async ({ userId, body }) => {
    const { registration, name } = body;
    if (name !== undefined) await serverName.set(userId, name);
    if (registration !== undefined) await administration.setRegistration(userId, registration);
    return await settings();
  });

  on('PUT /api/v1/admin/icon', async ({ userId, request }) => {
    // Before the bytes: nobody else stores any of them.
    await administration.user(userId, userId);
    await pictures.take(userId, 'icon', incomingOf(request), (key) => serverIcon.set(userId, key));
    return await settings();
  });
  on('DELETE /api/v1/admin/icon', async ({ userId }) => {
    await serverIcon.set(userId, null);
    return await settings();
  });

  on('GET /api/v1/admin/invites', async ({ userId }) => ({ invites: await administration.invites(userId) }));
  on('POST /api/v1/admin/invites', ({ userId, body, request }) =>
    administration.createInvite(userId, body, origins.ownOrigin(request.raw)),
  );
  on('DELETE /api/v1/admin/invites/:invite_id', ({ userId, params }) =>
    administration.revokeInvite(userId, params.invite_id),
  );

  on('GET /api/v1/admin/audit', ({ userId, query }) => {
    const { limit = ADMIN_PAGE.default, before_id: beforeId, user_id: of } = query;
    return administration.audit(userId, { of: 'all', userId: of }, { limit, beforeId });
  });
  on('GET /api/v1/me/audit', ({ userId, query: { limit = ADMIN_PAGE.default, before_id: beforeId } }) =>
    administration.audit(userId, { of: 'own' }, { limit, beforeId }),
  );

  on('GET /api/v1/admin/usage', ({ userId }) => administration.usage(userId));

  on('GET /api/v1/admin/reports', ({ userId, query }) => {
    const { limit = ADMIN_PAGE.default, before_id: beforeId, state } = query;
    return moderation.reports(userId, { isOpen: state !== 'closed', limit, beforeId });
  });
}

function registerResets(
  on: On,
  { administration, passwords, clientAddressOf, attemptsFrom }: AdminRoutesParts,
): void {
  on('POST /api/v1/auth/reset/find', ({ body, request }) =>
    administration.findReset(body.code, attemptsFrom(request.raw)),
  );

  on('POST /api/v1/auth/reset', ({ body: { code, password }, request }) => {
    const hash = () => passwords.hash(password, addressKey(clientAddressOf(request.raw)));
    return administration.useReset(code, hash, attemptsFrom(request.raw));
  });
}
