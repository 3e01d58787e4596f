/** Administration of the server, and links that set a new password. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { API_PREFIX } from '../../../../protocol/constants.ts';
import { ADMIN_PAGE, ENDED_ACCOUNTS_MAX } from '../../../../protocol/limits.ts';
import {
  adminUser,
  adminUsersQuery,
  adminUsersResponse,
  auditQuery,
  auditResponse,
  createdServerInvite,
  endedRegistrations,
  endRegistrationsBody,
  findResetBody,
  ownAuditQuery,
  patchUserBody,
  registrationsQuery,
  registrationsResponse,
  removeUserQuery,
  reportsQuery,
  reportsResponse,
  resetLink,
  resetUser,
  serverInvitesResponse,
  serverSettings,
  usageResponse,
  useResetBody,
} from '../../../../protocol/rest/administration.ts';
import { createInviteBody } from '../../../../protocol/rest/rooms.ts';
import type { Administration } from '../../../features/administration/administration.ts';
import type { Moderation } from '../../../features/administration/moderation.ts';
import type { Registrations } from '../../../features/administration/registrations.ts';
import type { Removal } from '../../../features/administration/removal.ts';
import type { Passwords } from '../../../features/identity/passwords.ts';
import type { Sessions } from '../../../features/identity/sessions.ts';
import type { From } from '../../../features/rooms/invites.ts';
import { addressKey, type ClientAddressOf } from '../../../platform/net/client-address.ts';
import type { OriginPolicy } from '../../../platform/net/origin.ts';
import { createAuthenticate, identityOf } from '../authenticate.ts';
import { idOf, serverInviteParams, userParams } from '../params.ts';
import { NO_BODY, optionalBody, type ZodTypeProvider } from '../schemas.ts';

export interface AdminRoutesParts {
  administration: Administration;
  removal: Removal;
  registrations: Registrations;
  /** Begins to delete the texts of removed accounts. */
  deleteTexts(): void;
  moderation: Moderation;
  passwords: Passwords;
  sessions: Sessions;
  origins: OriginPolicy;
  clientAddressOf: ClientAddressOf;
  /** The address of a request as the limit on attempts counts it. */
  attemptsFrom(request: FastifyRequest['raw']): From;
}

export function registerAdminRoutes(app: FastifyInstance, parts: AdminRoutesParts): void {
  registerUsers(app, parts);
  registerRegistrations(app, parts);
  registerServer(app, parts);
  registerResets(app, parts);
}

const admin = `${API_PREFIX}/admin`;

function registerUsers(
  app: FastifyInstance,
  { administration, removal, deleteTexts, sessions, origins }: AdminRoutesParts,
): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = createAuthenticate(sessions);

  routes.get(
    `${admin}/users`,
    { onRequest, schema: { querystring: adminUsersQuery, response: { 200: adminUsersResponse } } },
    (request) => {
      const { limit = ADMIN_PAGE.default, after_id: afterId, q, suspended } = request.query;
      const isSuspended = suspended === undefined ? undefined : suspended === 'true';
      return administration.users(identityOf(request).userId, { limit, afterId, q, suspended: isSuspended });
    },
  );

  routes.patch(
    `${admin}/users/:user_id`,
    { onRequest, schema: { params: userParams, body: patchUserBody, response: { 200: adminUser } } },
    (request) =>
      administration.change(identityOf(request).userId, idOf(request.params.user_id), request.body),
  );

  routes.delete(
    `${admin}/users/:user_id`,
    { onRequest, schema: { params: userParams, querystring: removeUserQuery, response: NO_BODY } },
    async (request, reply) => {
      await removal.remove(identityOf(request).userId, idOf(request.params.user_id), request.query);
      if (request.query.texts === 'delete') deleteTexts();
      return reply.code(204).send();
    },
  );

  routes.delete(
    `${admin}/users/:user_id/sessions`,
    { onRequest, schema: { params: userParams, response: NO_BODY } },
    async (request, reply) => {
      await administration.endSessions(identityOf(request).userId, idOf(request.params.user_id));
      return reply.code(204).send();
    },
  );

  routes.post(
    `${admin}/users/:user_id/reset`,
    { onRequest, schema: { params: userParams, response: { 201: resetLink } } },
    async (request, reply) => {
      const { userId } = identityOf(request);
      const origin = origins.ownOrigin(request.raw);
      const link = await administration.createReset(userId, idOf(request.params.user_id), origin);
      return reply.code(201).send(link);
    },
  );
}

function registerRegistrations(
  app: FastifyInstance,
  { registrations, deleteTexts, sessions }: AdminRoutesParts,
): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = createAuthenticate(sessions);

  routes.get(
    `${admin}/registrations`,
    { onRequest, schema: { querystring: registrationsQuery, response: { 200: registrationsResponse } } },
    (request) => {
      const { since = 0, until, user_id: userId } = request.query;
      return registrations.addresses(identityOf(request).userId, { since, until, userId });
    },
  );

  routes.post(
    `${admin}/registrations/end`,
    { onRequest, schema: { body: endRegistrationsBody, response: { 200: endedRegistrations } } },
    async (request) => {
      const { userId } = identityOf(request);
      const { dry_run: isDry = false, address, since, until, reason, ...rest } = request.body;
      const terms = {
        ...{ ...rest, address: address ?? undefined, since: Date.parse(since) },
        until: until === undefined ? undefined : Date.parse(until),
      };
      if (isDry) return await registrations.count(userId, terms);
      const { auditId: _, ...ended } = await registrations.end(userId, terms, {
        limit: ENDED_ACCOUNTS_MAX,
        reason,
      });
      if (terms.act === 'remove') deleteTexts();
      return ended;
    },
  );
}

function registerServer(
  app: FastifyInstance,
  { administration, moderation, sessions, origins }: AdminRoutesParts,
): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = createAuthenticate(sessions);

  // Anybody: the page to sign in shows whether one can register.
  routes.get(`${API_PREFIX}/server`, { schema: { response: { 200: serverSettings } } }, async () => ({
    registration: await administration.registration(),
  }));

  routes.patch(
    `${admin}/settings`,
    { onRequest, schema: { body: serverSettings, response: { 200: serverSettings } } },
    async (request) => {
      await administration.setRegistration(identityOf(request).userId, request.body.registration);
      return request.body;
    },
  );

  routes.get(
    `${admin}/invites`,
    { onRequest, schema: { response: { 200: serverInvitesResponse } } },
    async (request) => ({ invites: await administration.invites(identityOf(request).userId) }),
  );

  routes.post(
    `${admin}/invites`,
    { onRequest, schema: { body: optionalBody(createInviteBody), response: { 201: createdServerInvite } } },
    async (request, reply) => {
      const { userId } = identityOf(request);
      const invite = await administration.createInvite(userId, request.body, origins.ownOrigin(request.raw));
      return reply.code(201).send(invite);
    },
  );

  routes.delete(
    `${admin}/invites/:invite_id`,
    { onRequest, schema: { params: serverInviteParams, response: NO_BODY } },
    async (request, reply) => {
      await administration.revokeInvite(identityOf(request).userId, idOf(request.params.invite_id));
      return reply.code(204).send();
    },
  );

  routes.get(
    `${admin}/audit`,
    { onRequest, schema: { querystring: auditQuery, response: { 200: auditResponse } } },
    (request) => {
      const { limit = ADMIN_PAGE.default, before_id: beforeId, user_id: userId } = request.query;
      return administration.audit(identityOf(request).userId, { of: 'all', userId }, { limit, beforeId });
    },
  );

  routes.get(
    `${API_PREFIX}/me/audit`,
    { onRequest, schema: { querystring: ownAuditQuery, response: { 200: auditResponse } } },
    (request) => {
      const { limit = ADMIN_PAGE.default, before_id: beforeId } = request.query;
      return administration.audit(identityOf(request).userId, { of: 'own' }, { limit, beforeId });
    },
  );

  routes.get(`${admin}/usage`, { onRequest, schema: { response: { 200: usageResponse } } }, (request) =>
    administration.usage(identityOf(request).userId),
  );

  routes.get(
    `${admin}/reports`,
    { onRequest, schema: { querystring: reportsQuery, response: { 200: reportsResponse } } },
    (request) => {
      const { limit = ADMIN_PAGE.default, before_id: beforeId, state } = request.query;
      const isOpen = state !== 'closed';
      return moderation.reports(identityOf(request).userId, { isOpen, limit, beforeId });
    },
  );
}

function registerResets(
  app: FastifyInstance,
  { administration, passwords, origins, clientAddressOf, attemptsFrom }: AdminRoutesParts,
): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = async ({ raw }: FastifyRequest): Promise<void> => origins.checkRequest(raw);

  routes.post(
    `${API_PREFIX}/auth/reset/find`,
    { onRequest, schema: { body: findResetBody, response: { 200: resetUser } } },
    (request) => administration.findReset(request.body.code, attemptsFrom(request.raw)),
  );

  routes.post(
    `${API_PREFIX}/auth/reset`,
    { onRequest, schema: { body: useResetBody, response: { 200: resetUser } } },
    (request) => {
      const { code, password } = request.body;
      const hash = () => passwords.hash(password, addressKey(clientAddressOf(request.raw)));
      return administration.useReset(code, hash, attemptsFrom(request.raw));
    },
  );
}
