/** The REST interface as typed functions. Every response is checked, and every failure is an `ApiError`. */

import type { RequestPath } from '../../protocol/endpoints.ts';
import type { LoginResponse, Ticket, Tokens, User } from '../../protocol/rest/accounts.ts';
import type { FlowPage, HistoryPage } from '../../protocol/rest/messages.ts';
import type { Room as RoomInfo } from '../../protocol/rooms.ts';
import { isRoomGone } from './api-error.ts';
import { checkedPaths } from './checked-paths.ts';
import { type Call, exchange, type Http, type Method, queryString, request, requestNothing } from './http.ts';
import { readAll } from './read-all.ts';
import type { Requests } from './requests.ts';
import {
  isFlowPage,
  isHistoryPage,
  isLoginResponse,
  isRoom,
  isRoomsResponse,
  isTicket,
  isTokens,
  isUser,
  type RoomsPage,
} from './responses.ts';

/** Rooms of a list. */
const ROOMS_MAX = 500;
/** Shorter than for other requests: everything waits for the exchange, and it can be repeated. */
const REFRESH_TIMEOUT_MS = 5000;

/** Runs `call` with an access token, and renews an expired one: `Session.authorized`. */
export type Authorize = <T>(call: (access: string) => Promise<T>) => Promise<T>;

/** Which page of a room's history. `beforeId` and `afterId` exclude each other; without either, the latest page. */
export interface HistoryQuery {
  /** 1 to 200, 50 by default. */
  readonly limit?: number;
  /** Only messages with a lower id. */
  readonly beforeId?: number;
  /** Only messages with a higher id. */
  readonly afterId?: number;
}

/** The same of texts and notices. At most one of the four places; the last two are in the middle of the page. */
export interface FlowQuery extends HistoryQuery {
  /** A message of the room; 404 `message not found` when there is none that the user may see. */
  readonly aroundId?: number;
  /** The first message of this time or later, or the last one. RFC 3339. */
  readonly aroundTime?: string;
}

/** Which rooms of the list. */
export interface RoomsQuery {
  /** A part of the name; upper and lower case are the same. */
  readonly q?: string;
  /** 1 to 500, 500 by default. */
  readonly limit?: number;
}

/** The requests that need no access token. */
export interface AuthApi {
  /** `invite`: the code of an invitation; 404 when it has ended. */
  register(username: string, password: string, invite?: string): Promise<User>;
  login(username: string, password: string): Promise<LoginResponse>;
  /** With a link of the operator, once; 404 when it has ended. */
  loginByLink(code: string): Promise<LoginResponse>;
  /** A repeat with the same key and token returns the same pair until that pair is used, in case a response is lost. */
  refresh(refreshToken: string, idempotencyKey: string): Promise<Tokens>;
  logout(refreshToken: string): Promise<void>;
}

export function authApi(http: Http): AuthApi {
  const post = <T>(path: RequestPath<'POST'>, body: unknown, response: Call<T>['response']) =>
    request(http, { method: 'POST', path, body, response });
  return {
    register: (username, password, invite) => post('/auth/register', { username, password, invite }, isUser),
    login: (username, password) => post('/auth/login', { username, password }, isLoginResponse),
    loginByLink: (code) => post('/auth/sign-in-link', { code }, isLoginResponse),
    refresh: (refreshToken, idempotencyKey) =>
      request(http, {
        method: 'POST',
        path: '/auth/refresh',
        body: { refresh_token: refreshToken },
        response: isTokens,
        headers: { 'Idempotency-Key': idempotencyKey },
        timeoutMs: REFRESH_TIMEOUT_MS,
      }),
    logout: (refreshToken) =>
      requestNothing(http, {
        method: 'POST',
        path: '/auth/logout',
        body: { refresh_token: refreshToken },
        keepalive: true,
      }),
  };
}

/** The REST requests of a signed-in user. Every method rejects with an `ApiError`. */
export interface ChatApi {
  /** Newest first, at most 500. */
  listRooms(query?: RoomsQuery): Promise<RoomInfo[]>;
  /** The room with this id, or null when there is none that the user may see. */
  findRoom(roomId: number): Promise<RoomInfo | null>;
  /** 409 when the name is taken. */
  createRoom(name: string): Promise<RoomInfo>;
  /** One page of texts, in ascending order. */
  history(roomId: number, query?: HistoryQuery): Promise<HistoryPage>;
  /** One page of texts and notices, in ascending order. */
  flow(roomId: number, query?: FlowQuery): Promise<FlowPage>;
  /** A ticket for one WebSocket, for all rooms. A `ChatClient` requests its own. */
  ticket(): Promise<Ticket>;
  /** For `roomsApi` and `peopleApi`. */
  readonly requests: Requests;
}

export function chatApi(http: Http, authorize: Authorize): ChatApi {
  const requests = createRequests(http, authorize);
  const { ask } = checkedPaths(requests);
  return {
    listRooms: async ({ q, limit } = {}) => {
      let left = limit;
      return await readAll<RoomsPage, RoomInfo>(
        async (last) => {
          const query = queryString({ q, limit: left, before_id: last?.id });
          const page = await ask('GET', `/rooms${query}`, isRoomsResponse);
          left = (left ?? ROOMS_MAX) - page.rooms.length;
          return left > 0 ? page : { rooms: page.rooms };
        },
        ({ rooms }) => rooms,
      );
    },
    findRoom: (roomId) =>
      ask('GET', `/rooms/${roomId}`, isRoom).catch((error) => {
        if (isRoomGone(error)) return null;
        throw error;
      }),
    createRoom: (name) => ask('POST', '/rooms', isRoom, { name }),
    history: (roomId, { limit, beforeId, afterId } = {}) => {
      const query = queryString({ limit, before_id: beforeId, after_id: afterId });
      return ask('GET', `/rooms/${roomId}/messages${query}`, isHistoryPage);
    },
    flow: (roomId, { limit, beforeId, afterId, aroundId, aroundTime } = {}) => {
      const sides = { before_id: beforeId, after_id: afterId };
      const query = { view: 'flow', limit, ...sides, around_id: aroundId, around_time: aroundTime };
      return ask('GET', `/rooms/${roomId}/messages${queryString(query)}`, isFlowPage);
    },
    ticket: () => ask('POST', '/ws/tickets', isTicket, { scope: 'user' }),
    requests,
  };
}

function createRequests(http: Http, authorize: Authorize): Requests {
  const call = (access: string, method: Method, path: string, body?: unknown) => {
    return { method, path, body, headers: { Authorization: `Bearer ${access}` } };
  };
  return {
    send: (request) =>
      authorize((access) => {
        const headers = { ...request.headers, Authorization: `Bearer ${access}` };
        return exchange(http, { ...request, headers });
      }),
    ask: (method, path, response, body) =>
      authorize((access) => request(http, { ...call(access, method, path, body), response })),
    tell: (method, path, body, options) =>
      authorize((access) => requestNothing(http, { ...call(access, method, path, body), ...options })),
  };
}
