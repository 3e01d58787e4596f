/** Users and rooms for tests. They are created over the real interface, with unique names. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Message } from '../../protocol/events.ts';
import { loginResponse, ticketResponse, userSchema } from '../../protocol/rest/accounts.ts';
import { flowResponse, historyResponse } from '../../protocol/rest/messages.ts';
import { createRoomBody, roomsResponse } from '../../protocol/rest/rooms.ts';
import { memberSchema, type Room, roomSchema } from '../../protocol/rooms.ts';
import { expectReply } from './expect-reply.ts';
import { post, type RequestOptions, send, type Target } from './http.ts';
import type { ServerProcess } from './server-process.ts';

export const PASSWORD = 'correct horse battery';

/** One login of one user. */
export interface Login {
  userId: number;
  username: string;
  password: string;
  accessToken: string;
  refreshToken: string;
  /** The cookie by which a page shows files. */
  fileCookie?: string | undefined;
}

export function uniqueName(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 13)}`;
}

/** Registers a new user and logs in. */
export async function signUp(
  target: Target,
  username = uniqueName('user'),
  password = PASSWORD,
): Promise<Login> {
  expectReply(await post(target, '/api/v1/auth/register', { username, password }), 201, userSchema);
  return await logIn(target, username, password);
}

/** The first admin of a new server: somebody who opens the link that its log has. */
export async function signUpAdmin(server: Target & Pick<ServerProcess, 'logged'>): Promise<Login> {
  const login = await signUp(server);
  const [line] = await server.logged(({ link }) => typeof link === 'string');
  const code = String(line?.link).split('/').at(-1);
  const { status } = await post(server, '/api/v1/setup', { code }, { token: login.accessToken });
  assert.equal(status, 200);
  return login;
}

/** Sign-ups at a time: enough to keep two cores busy. More would only queue, and on a slow machine time out. */
const SIGN_UPS_AT_ONCE = 8;

export async function signUpCrowd(target: Target, count: number): Promise<Login[]> {
  const logins: Login[] = [];
  while (logins.length < count) {
    const next = Math.min(SIGN_UPS_AT_ONCE, count - logins.length);
    logins.push(...(await Promise.all(Array.from({ length: next }, () => signUp(target)))));
  }
  return logins;
}

/** Logs a registered user in again. */
export async function logIn(
  target: Target,
  username: string,
  password = PASSWORD,
  options: RequestOptions = {},
): Promise<Login> {
  const reply = await post(target, '/api/v1/auth/login', { username, password }, options);
  const login = expectReply(reply, 200, loginResponse);
  return {
    userId: login.user.id,
    username: login.user.username,
    password,
    accessToken: login.access_token,
    refreshToken: login.refresh_token,
    fileCookie: /roomful_files=([^;]+)/.exec(String(reply.headers['set-cookie']))?.[1],
  };
}

export async function createRoom(
  target: Target,
  login: Login,
  name = uniqueName('room'),
  kind: 'public' | 'private' = 'public',
): Promise<Room> {
  const body = createRoomBody.parse(kind === 'public' ? { name } : { name, kind });
  return expectReply(
    await post(target, '/api/v1/rooms', body, { token: login.accessToken }),
    201,
    roomSchema,
  );
}

export async function issueTicket(target: Target, login: Login, roomId: number): Promise<string> {
  const reply = await post(target, '/api/v1/ws/tickets', { room_id: roomId }, { token: login.accessToken });
  return expectReply(reply, 200, ticketResponse).ticket;
}

/** A ticket for all rooms. */
export async function issueUserTicket(target: Target, login: Login): Promise<string> {
  const reply = await post(target, '/api/v1/ws/tickets', { scope: 'user' }, { token: login.accessToken });
  return expectReply(reply, 200, ticketResponse).ticket;
}

/** `actor` adds a member to a room. */
export async function addMember(target: Target, actor: Login, roomId: number, userId: number): Promise<void> {
  const path = `/api/v1/rooms/${roomId}/members/${userId}`;
  expectReply(await send(target, path, { method: 'PUT', token: actor.accessToken }), 200, memberSchema);
}

/** `actor` removes a member from a room; returns when the removal is durable. */
export async function removeMember(
  target: Target,
  actor: Login,
  roomId: number,
  userId: number,
): Promise<void> {
  const path = `/api/v1/rooms/${roomId}/members/${userId}`;
  const { status, text } = await send(target, path, { method: 'DELETE', token: actor.accessToken });
  assert.equal(status, 204, text);
}

/** A room as the list shows it to this user. */
export async function findRoom(target: Target, login: Login, roomId: number): Promise<Room | undefined> {
  const reply = await send(target, '/api/v1/rooms', { token: login.accessToken });
  return expectReply(reply, 200, roomsResponse).rooms.find((room) => room.id === roomId);
}

/** The whole history of a room, oldest first, with `flow` also its notices. It is read from the newest page back. */
export async function readHistory(
  target: Target,
  login: Login,
  roomId: number,
  view?: 'flow',
): Promise<Message[]> {
  const pages: Message[][] = [];
  const first = view === undefined ? 'limit=200' : `limit=200&view=${view}`;
  for (let query = first; ; ) {
    const reply = await send(target, `/api/v1/rooms/${roomId}/messages?${query}`, {
      token: login.accessToken,
    });
    const page = expectReply(reply, 200, view === 'flow' ? flowResponse : historyResponse);
    pages.unshift(page.messages);
    const oldest = page.messages[0];
    if (!page.has_more || oldest === undefined) return pages.flat();
    query = `${first}&before_id=${oldest.id}`;
  }
}
