/** The user's own: profile, password, rooms, blocks, sessions, and becoming the first admin. */
import type { Pictures } from '../../../features/files/pictures.ts';
import type { Accounts } from '../../../features/identity/accounts.ts';
import type { People } from '../../../features/identity/people.ts';
import type { Sessions } from '../../../features/identity/sessions.ts';
import type { Setup } from '../../../features/identity/setup.ts';
import type { Members } from '../../../features/rooms/members.ts';
import { addressKey, type ClientAddressOf } from '../../../platform/net/client-address.ts';
import type { On } from '../endpoints.ts';
import { clearFileCookie } from '../file-cookie.ts';
import { incomingOf } from '../incoming.ts';

export interface MeRoutesParts {
  accounts: Accounts;
  clientAddressOf: ClientAddressOf;
  people: People;
  pictures: Pictures;
  members: Members;
  sessions: Sessions;
  setup: Setup;
}

export function registerMeRoutes(
  on: On,
  { accounts, clientAddressOf, people, pictures, members, sessions, setup }: MeRoutesParts,
): void {
  on('GET /api/v1/me', ({ userId }) => people.me(userId));
  on('PATCH /api/v1/me', ({ userId, body }) => people.changeMe(userId, body));
  on('PUT /api/v1/me/avatar', async ({ userId, request }) => {
    await people.chargeChange(userId);
    return await pictures.take(userId, 'avatar', incomingOf(request), (key) => people.setAvatar(userId, key));
  });
  on('DELETE /api/v1/me/avatar', async ({ userId }) => {
    await people.chargeChange(userId);
    return await people.setAvatar(userId, null);
  });
  on('GET /api/v1/me/rooms', ({ userId, query }) => members.rooms(userId, query.after_id));

  on('GET /api/v1/me/blocks', ({ userId, query }) => people.blocked(userId, query.after_id));
  on('PUT /api/v1/me/blocks/:user_id', ({ userId, params }) => people.setBlock(userId, params.user_id, true));
  on('DELETE /api/v1/me/blocks/:user_id', ({ userId, params }) =>
    people.setBlock(userId, params.user_id, false),
  );

  on('PUT /api/v1/me/password', ({ identity, body, request }) =>
    accounts.changePassword(identity, body, addressKey(clientAddressOf(request.raw))),
  );
  on('GET /api/v1/me/sessions', async ({ identity }) => ({ sessions: await sessions.list(identity) }));
  on('DELETE /api/v1/me/sessions/:id', async (call) => {
    const { userId, params, identity } = call;
    await sessions.endOne(userId, params.id);
    if (params.id === identity.sessionId) clearFileCookie(call);
  });

  on('POST /api/v1/setup', async ({ userId, body }) => {
    await setup.claim(body.code, userId);
    return await people.me(userId);
  });
}
