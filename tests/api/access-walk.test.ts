/**
 * Every route and every frame has its place in the access rules: it is open to everybody, it is about its user alone,
 * or the matrix (access-matrix.ts) has rows for it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Access as EndpointAccess } from '../../protocol/endpoints/endpoint.ts';
import { ENDPOINTS, type EndpointName, partsOf } from '../../protocol/endpoints.ts';
import { clientFrameV1 } from '../../protocol/frames/v1.ts';
import { clientFrameV2 } from '../../protocol/frames/v2.ts';
import { createHttpServer, type HttpServerParts } from '../../server/entrypoints/http/server.ts';
import { send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { CELLS } from './access-matrix.ts';

/** With a token, about the user whose it is, or about what every user may see; guests are tested beside it. */
const OWN = 'own';
/** Rows of the matrix, or `OWN`. */
type Access = typeof OWN | readonly string[];

/** The endpoints that need no token. All others refuse a request without one. */
const OPEN: readonly string[] = [
  'POST /api/v1/auth/register',
  'POST /api/v1/auth/login',
  'POST /api/v1/auth/refresh',
  'POST /api/v1/auth/logout',
  'GET /api/v1/invites/:code',
  'GET /api/v1/asyncapi.json',
  'GET /api/v1/openapi.json',
  'GET /health',
  'GET /healthz',
  'GET /ready',
  'GET /version',
  /** Says why there is no upgrade. An upgrade needs a ticket. */
  'GET /ws',
  /** Their code is the credential: administration.test.ts. */
  'POST /api/v1/auth/reset',
  'POST /api/v1/auth/reset/find',
  'POST /api/v1/auth/sign-in-link',
  'POST /api/v1/auth/sign-in-link/find',
  'GET /api/v1/server',
  /** What the server understands of uploads; it is about no file. */
  'OPTIONS /api/v1/uploads',
];

/** The rows of the matrix for each endpoint whose access is `room`. Those of admins: administration.test.ts. */
const ROOM_ENDPOINTS: Readonly<Record<string, readonly string[]>> = {
  'GET /api/v1/rooms': ['find it among all rooms'],
  'GET /api/v1/me/rooms': ['find it among own rooms'],
  'GET /api/v1/rooms/:id': ['see'],
  'PATCH /api/v1/rooms/:id': ['change the topic', 'rename', 'make private', 'archive', 'make default'],
  'DELETE /api/v1/rooms/:id': ['delete'],
  'POST /api/v1/rooms/:id/files': ['upload a file'],
  // Its bytes have a path of their own, which is in no table of endpoints.
  'GET /api/v1/rooms/:id/files': ['list the files', 'open a file'],
  'PUT /api/v1/rooms/:id/messages/:message_id/files/:key': ['describe a file of somebody'],
  'DELETE /api/v1/rooms/:id/messages/:message_id/files/:key': ['delete a file of somebody'],
  'GET /api/v1/rooms/:id/messages': ['history', 'history with notices'],
  'GET /api/v1/rooms/:id/messages/:message_id': ['read a message'],
  'PUT /api/v1/rooms/:id/messages/:message_id': ['edit a text of somebody'],
  'DELETE /api/v1/rooms/:id/messages/:message_id': ['delete a text of somebody'],
  'DELETE /api/v1/rooms/:id/messages/:message_id/previews': ['remove previews of somebody'],
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

const NAMES = Object.keys(ENDPOINTS) as EndpointName[];

function namesWith(access: EndpointAccess): string[] {
  return NAMES.filter((name) => ENDPOINTS[name].access === access).sort();
}

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
    // Metrics are read on loopback, or with a token of their own (metrics.test.ts); files: served-files.test.ts.
    expect((await routesOfServer()).sort()).toEqual(
      [...NAMES, 'GET /files/:key/:name', 'GET /metrics'].sort(),
    );
  });

  it('are open for exactly those endpoints that need no token', () => {
    expect(namesWith('open')).toEqual([...OPEN].sort());
  });

  it('have rows of the matrix for each endpoint about a room, and for no other', () => {
    expect(namesWith('room')).toEqual(Object.keys(ROOM_ENDPOINTS).sort());
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
    expect(rowsOf(ROOM_ENDPOINTS, FRAMES_V2, FRAMES_V1).sort()).toEqual([...rows].sort());
  });

  it.each(NAMES)('%s: 401 without a token and with a wrong one, unless it is open', async (name) => {
    const { method, path: pattern } = partsOf(name);
    const path = pattern.replaceAll(/:\w+/g, '1');
    const options = { method, ...(method === 'GET' ? {} : { json: {} }) };
    const replies = [
      await send(server, path, options),
      await send(server, path, { ...options, token: 'wrong' }),
    ];
    const words = replies.map(({ json }) => (json as { error?: string } | undefined)?.error);
    if (OPEN.includes(name)) expect(words).not.toContain('missing bearer token');
    else expect(words).toEqual(['missing bearer token', 'invalid token']);
  });
});
