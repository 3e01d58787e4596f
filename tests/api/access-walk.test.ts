/**
 * Every route and every frame has its place in the access rules: it is open to everybody, it is about its user alone,
 * or the matrix (access-matrix.ts) has rows for it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientFrameV1 } from '../../protocol/frames/v1.ts';
import { clientFrameV2 } from '../../protocol/frames/v2.ts';
import { createHttpServer, type HttpServerParts } from '../../server/entrypoints/http/server.ts';
import { send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { CELLS } from './access-matrix.ts';

/** No token is needed. */
const OPEN = 'open';
/** With a token, about the user whose it is, or about what every user may see; guests are tested beside it. */
const OWN = 'own';
/** For admins; each role is tested in administration.test.ts. */
const ADMIN = 'admin';
/** Rows of the matrix. */
type Access = typeof OPEN | typeof OWN | typeof ADMIN | readonly string[];

const ROUTES: Readonly<Record<string, Access>> = {
  'POST /api/v1/auth/register': OPEN,
  'POST /api/v1/auth/login': OPEN,
  'POST /api/v1/auth/refresh': OPEN,
  'POST /api/v1/auth/logout': OPEN,
  'GET /api/v1/invites/:code': OPEN,
  'GET /api/v1/asyncapi.json': OPEN,
  'GET /api/v1/openapi.json': OPEN,
  'GET /health': OPEN,
  'GET /healthz': OPEN,
  'GET /ready': OPEN,
  'GET /version': OPEN,
  /** On loopback, or with a token of its own: metrics.test.ts. */
  'GET /metrics': OPEN,
  /** Says why there is no upgrade. An upgrade needs a ticket. */
  'GET /ws': OPEN,

  'GET /api/v1/me': OWN,
  'PATCH /api/v1/me': OWN,
  'GET /api/v1/me/blocks': OWN,
  'PUT /api/v1/me/blocks/:user_id': OWN,
  'DELETE /api/v1/me/blocks/:user_id': OWN,
  'PUT /api/v1/me/password': OWN,
  'GET /api/v1/me/sessions': OWN,
  'DELETE /api/v1/me/sessions/:id': OWN,
  'GET /api/v1/me/push/key': OWN,
  'PUT /api/v1/me/push': OWN,
  'DELETE /api/v1/me/push': OWN,
  'POST /api/v1/me/push/test': OWN,
  /** Needs the code of the operator. */
  'POST /api/v1/setup': OWN,
  /** A guest finds only users of the same rooms: guests.test.ts. */
  'GET /api/v1/users': OWN,
  /** Not for guests: guests.test.ts. */
  'POST /api/v1/rooms': OWN,
  'POST /api/v1/dms': OWN,

  'GET /api/v1/rooms': ['find it among all rooms'],
  'GET /api/v1/me/rooms': ['find it among own rooms'],
  'GET /api/v1/rooms/:id': ['see'],
  'PATCH /api/v1/rooms/:id': ['change the topic', 'rename', 'make private', 'archive', 'make default'],
  'DELETE /api/v1/rooms/:id': ['delete'],
  'GET /api/v1/rooms/:id/messages': ['history', 'history with notices'],
  'GET /api/v1/rooms/:id/messages/:message_id': ['read a message'],
  'PUT /api/v1/rooms/:id/messages/:message_id': ['edit a text of somebody'],
  'DELETE /api/v1/rooms/:id/messages/:message_id': ['delete a text of somebody'],
  'GET /api/v1/rooms/:id/messages/:message_id/revisions': ['read its earlier texts'],
  'GET /api/v1/rooms/:id/messages/:message_id/reactions': ['read its reactions'],
  'GET /api/v1/rooms/:id/messages/:message_id/why': ['ask why it notified'],
  'PUT /api/v1/rooms/:id/messages/:message_id/reactions/:emoji': ['react'],
  'DELETE /api/v1/rooms/:id/messages/:message_id/reactions/:emoji': ['take a reaction back'],
  'PUT /api/v1/rooms/:id/messages/:message_id/pin': ['pin'],
  'DELETE /api/v1/rooms/:id/messages/:message_id/pin': ['unpin'],
  'PUT /api/v1/rooms/:id/messages/:message_id/saved': ['save'],
  'DELETE /api/v1/rooms/:id/messages/:message_id/saved': ['unsave'],
  'GET /api/v1/rooms/:id/pins': ['list what is pinned'],
  'GET /api/v1/rooms/:id/threads': ['list the threads'],
  'GET /api/v1/rooms/:id/threads/:thread_id/messages': ['read a thread'],
  'PATCH /api/v1/rooms/:id/threads/:thread_id': ['resolve a thread'],
  'PUT /api/v1/rooms/:id/threads/:thread_id/follow': ['follow a thread'],
  'DELETE /api/v1/rooms/:id/threads/:thread_id/follow': ['unfollow a thread'],
  'PUT /api/v1/rooms/:id/threads/:thread_id/read': ['mark a thread read'],
  /** Without those that the user may not see any more: data/storage/contract/thread-members.ts. */
  'GET /api/v1/me/threads': OWN,
  /** Without what the user may not see any more: message-changes.test.ts. */
  'GET /api/v1/me/saved': OWN,
  /** Without what the user may not see any more: attention.test.ts. */
  'GET /api/v1/me/inbox': OWN,
  'PUT /api/v1/me/notifications': OWN,
  'GET /api/v1/rooms/:id/members': ['members'],
  'PUT /api/v1/rooms/:id/members/me': ['join'],
  'DELETE /api/v1/rooms/:id/members/me': ['leave'],
  'PUT /api/v1/rooms/:id/members/:user_id': ['add somebody', 'make a member moderator'],
  'DELETE /api/v1/rooms/:id/members/:user_id': ['remove a member'],
  'PUT /api/v1/rooms/:id/prefs': ['star', 'hide'],
  'POST /api/v1/rooms/:id/invites': ['invite'],
  'GET /api/v1/rooms/:id/invites': ['list invitations'],
  'DELETE /api/v1/rooms/:id/invites/:invite_id': ['revoke an invitation'],
  'POST /api/v1/invites/:code/accept': ['accept an invitation'],
  'POST /api/v1/ws/tickets': ['ticket'],

  /** Their code is the credential: administration.test.ts. */
  'POST /api/v1/auth/reset': OPEN,
  'POST /api/v1/auth/reset/find': OPEN,
  'GET /api/v1/server': OPEN,
  'GET /api/v1/me/audit': OWN,
  'GET /api/v1/admin/users': ADMIN,
  'PATCH /api/v1/admin/users/:user_id': ADMIN,
  'DELETE /api/v1/admin/users/:user_id': ADMIN,
  'DELETE /api/v1/admin/users/:user_id/sessions': ADMIN,
  'POST /api/v1/admin/users/:user_id/reset': ADMIN,
  'PATCH /api/v1/admin/settings': ADMIN,
  'GET /api/v1/admin/invites': ADMIN,
  'POST /api/v1/admin/invites': ADMIN,
  'DELETE /api/v1/admin/invites/:invite_id': ADMIN,
  'GET /api/v1/admin/audit': ADMIN,
  'GET /api/v1/admin/rooms/deleted': ADMIN,
  'POST /api/v1/admin/rooms/:id/restore': ADMIN,
  'GET /api/v1/admin/usage': ADMIN,
  'GET /api/v1/admin/reports': ADMIN,
  'GET /api/v1/admin/registrations': ADMIN,
  'POST /api/v1/admin/registrations/end': ADMIN,
  /** By whoever may read the report: moderation.test.ts. */
  'POST /api/v1/reports/:report_id/close': OWN,
  'PUT /api/v1/rooms/:id/mutes/:user_id': ['mute a member'],
  'DELETE /api/v1/rooms/:id/mutes/:user_id': ['lift a mute'],
  'PUT /api/v1/rooms/:id/bans/:user_id': ['ban a member'],
  'DELETE /api/v1/rooms/:id/bans/:user_id': ['lift a ban'],
  'GET /api/v1/rooms/:id/restricted': ['see who is muted'],
  'GET /api/v1/rooms/:id/audit': ['read the audit log'],
  'GET /api/v1/rooms/:id/reports': ['read the reports'],
  'POST /api/v1/rooms/:id/messages/:message_id/reports': ['report a text'],
};

/** By type, and for `start` by field. */
const FRAMES_V2: Readonly<Record<string, Access>> = {
  'start epoch': OWN,
  'start user_seq': OWN,
  'start rooms': ['name it at the start of a line'],
  'start read': ['mark it at the start of a line'],
  open: ['open it on a line'],
  close: ['close it on a line'],
  here: ['have it in sight on a line'],
  message: ['post on a line'],
  edit: ['edit a text on a line'],
  delete: ['delete a text on a line'],
  react: ['react on a line'],
  typing: ['type on a line'],
  read: ['mark it unread on a line'],
  unread: ['count it on a line'],
  /** Whom a user may watch: line-presence.test.ts. */
  watch: OWN,
  ping: OWN,
};

const FRAMES_V1: Readonly<Record<string, Access>> = {
  message: ['post on chatroom.v1'],
  typing: ['type on chatroom.v1'],
  ping: OWN,
};

/** The routes of the server, as it prints them: a tree of paths with their methods. HEAD works wherever GET does. */
async function routesOfServer(): Promise<string[]> {
  // The routes are only listed, so nothing uses the parts.
  const app = await createHttpServer({ allowedOrigins: [], clientDir: null } as unknown as HttpServerParts);
  const tree = app.printRoutes({ commonPrefix: false });
  await app.close();
  const parents: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', path = '', methods = ''] =
      /^((?:[│ ] {3})*)[├└]── (\S+) \(([A-Z, ]+)\)$/u.exec(line) ?? [];
    if (path === '') return [];
    parents.splice(indent.length / 4, parents.length, path);
    const names = methods.split(', ').filter((method) => method !== 'HEAD');
    return names.map((method) => `${method} ${parents.join('')}`);
  });
}

function rowsOf(...tables: Readonly<Record<string, Access>>[]): string[] {
  return tables.flatMap((table) =>
    Object.values(table).flatMap((access) => (typeof access === 'string' ? [] : access)),
  );
}

describe('the access rules', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await ServerProcess.start();
  });
  afterAll(async () => await server?.dispose());

  it('have each route of the server, and no other', async () => {
    expect((await routesOfServer()).sort()).toEqual(Object.keys(ROUTES).sort());
  });

  it('have each frame of chatroom.v2 and each field of its first one, and no other', () => {
    const names = clientFrameV2.options.flatMap(({ shape }) => {
      if (shape.type.value !== 'start') return [shape.type.value];
      return Object.keys(shape).flatMap((field) => (field === 'type' ? [] : [`start ${field}`]));
    });
    expect(names.sort()).toEqual(Object.keys(FRAMES_V2).sort());
  });

  it('have each frame of chatroom.v1, and no other', () => {
    const names = clientFrameV1.options.map(({ shape }) => shape.type.value);
    expect(names.sort()).toEqual(Object.keys(FRAMES_V1).sort());
  });

  it('name each row of the matrix once, and no other', () => {
    const rows = new Set(CELLS.map(({ request }) => request));
    expect(rowsOf(ROUTES, FRAMES_V2, FRAMES_V1).sort()).toEqual([...rows].sort());
  });

  it.each(Object.entries(ROUTES))(
    '%s: 401 without a token and with a wrong one, unless it is open',
    async (route, access) => {
      const [method = '', pattern = ''] = route.split(' ');
      const path = pattern.replaceAll(/:\w+/g, '1');
      const options = { method, ...(method === 'GET' ? {} : { json: {} }) };
      const replies = [
        await send(server, path, options),
        await send(server, path, { ...options, token: 'wrong' }),
      ];
      const words = replies.map(({ json }) => (json as { error?: string } | undefined)?.error);
      if (access === OPEN) expect(words).not.toContain('missing bearer token');
      else expect(words).toEqual(['missing bearer token', 'invalid token']);
    },
  );
});
