/** The REST interface as typed functions. Every answer is checked; every failure is an `ApiError`. */
import { API_PREFIX } from '../../protocol/constants.ts';
import type { HistoryPage, LoginAnswer, Ticket, Tokens, User } from '../../protocol/rest.ts';
import type { Room } from '../../protocol/rooms.ts';
import { LONGEST_PAUSE_MS } from '../connection/backoff.ts';
import type { Check } from './checks.ts';
import {
  isErrorAnswer,
  isHistoryPage,
  isLoginAnswer,
  isRoom,
  isRoomsAnswer,
  isTicket,
  isTokens,
  isUser,
} from './responses.ts';

const TIMEOUT_MS = 15_000;
/** The exchange can be asked for again, and everything waits for it. */
const REFRESH_TIMEOUT_MS = 5000;

/** A request that got no answer, a refusal, or an answer that is not what the interface says. */
export class ApiError extends Error {
  /** The HTTP status; 0 when there was no answer at all. */
  readonly status: number;
  /** From `Retry-After`: come back no sooner than this. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, message: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.status = status;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** Whether the same request, unchanged, may succeed later. */
  get retryable(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** The one 401 that says that this session is over: it comes from the session itself, whatever a server or a proxy says. */
export const SIGNED_OUT = 'signed out';

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.message === SIGNED_OUT;
}

/** Said by Roomful itself. A proxy's 404, while what is behind it is being replaced, says nothing about the room. */
export function isRoomGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404 && error.message === 'room not found';
}

/** The server knows this refresh token, or that it can be none, and says no. Anything else may be better in a moment. */
export function isRefreshRefused(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return (
    (error.status === 401 && error.message === 'invalid refresh token') ||
    (error.status === 400 && error.message === 'invalid payload')
  );
}

export interface Http {
  /** Without a trailing slash; empty means this page's own origin. */
  readonly baseUrl: string;
  readonly fetch?: typeof fetch;
  /** A request that takes longer has failed. */
  readonly timeoutMs?: number;
}

/** Runs `call` with an access token, renewing it when it has expired: `Session.authorized`. */
export type Authorize = <T>(call: (access: string) => Promise<T>) => Promise<T>;

export interface HistoryQuery {
  readonly limit?: number;
  readonly beforeId?: number;
  readonly afterId?: number;
}

/** Which rooms of the list. */
export interface RoomsQuery {
  /** What the name contains, whatever the case. */
  readonly q?: string;
  readonly limit?: number;
}

interface Call<T> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: Check<T>;
  /** The request may outlive the page. */
  readonly keepalive?: boolean;
  readonly timeoutMs?: number;
}

/** What needs no access token. */
export interface AuthApi {
  register(username: string, password: string): Promise<User>;
  login(username: string, password: string): Promise<LoginAnswer>;
  /** The same key with the same token gets the same pair until that is used: a lost answer can be asked for again. */
  refresh(refreshToken: string, idempotencyKey: string): Promise<Tokens>;
  logout(refreshToken: string): Promise<void>;
}

export function authApi(http: Http): AuthApi {
  const post = <T>(path: string, body: unknown, answer: Check<T>) =>
    request(http, { method: 'POST', path: `/auth/${path}`, body, answer });
  return {
    register: (username, password) => post('register', { username, password }, isUser),
    login: (username, password) => post('login', { username, password }, isLoginAnswer),
    refresh: (refreshToken, idempotencyKey) =>
      request(http, {
        method: 'POST',
        path: '/auth/refresh',
        body: { refresh_token: refreshToken },
        answer: isTokens,
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

/** What needs an access token. */
export interface ChatApi {
  /** Newest first, at most 500. */
  listRooms(query?: RoomsQuery): Promise<Room[]>;
  /** One room of the list, or null when there is none of that id. */
  findRoom(roomId: number): Promise<Room | null>;
  createRoom(name: string): Promise<Room>;
  /** Ascending. `afterId` and `beforeId` exclude each other. */
  history(roomId: number, query?: HistoryQuery): Promise<HistoryPage>;
  ticket(roomId: number): Promise<Ticket>;
}

export function chatApi(http: Http, authorize: Authorize): ChatApi {
  const send = <T>(call: Call<T>) =>
    authorize((access) => request(http, { ...call, headers: { Authorization: `Bearer ${access}` } }));
  const rooms = async (query: string) =>
    (await send({ method: 'GET', path: `/rooms${query}`, answer: isRoomsAnswer })).rooms;
  return {
    listRooms: (query = {}) => rooms(roomsQuery(query)),
    findRoom: async (roomId) => {
      // The list runs newest first, so the first room before the next id is the one we mean, if it exists.
      const [room] = await rooms(`?limit=1&before_id=${roomId + 1}`);
      return room?.id === roomId ? room : null;
    },
    createRoom: (name) => send({ method: 'POST', path: '/rooms', body: { name }, answer: isRoom }),
    history: (roomId, query = {}) =>
      send({ method: 'GET', path: `/rooms/${roomId}/messages${historyQuery(query)}`, answer: isHistoryPage }),
    ticket: (roomId) =>
      send({ method: 'POST', path: '/ws/tickets', body: { room_id: roomId }, answer: isTicket }),
  };
}

function roomsQuery({ q, limit }: RoomsQuery): string {
  const query = new URLSearchParams();
  if (q !== undefined) query.set('q', q);
  if (limit !== undefined) query.set('limit', String(limit));
  return query.size > 0 ? `?${query}` : '';
}

function historyQuery({ limit, beforeId, afterId }: HistoryQuery): string {
  const query = new URLSearchParams();
  if (limit !== undefined) query.set('limit', String(limit));
  if (beforeId !== undefined) query.set('before_id', String(beforeId));
  if (afterId !== undefined) query.set('after_id', String(afterId));
  return query.size > 0 ? `?${query}` : '';
}

async function request<T>(http: Http, call: Call<T>): Promise<T> {
  const response = await exchange(http, call);
  const answer = await readJson(response);
  if (!call.answer(answer)) throw new ApiError(response.status, 'unexpected answer');
  return answer;
}

async function requestNothing(http: Http, call: Omit<Call<never>, 'answer'>): Promise<void> {
  await exchange(http, call);
}

async function exchange(http: Http, call: Omit<Call<unknown>, 'answer'>): Promise<Response> {
  const send = http.fetch ?? fetch;
  const headers = {
    ...call.headers,
    ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  let response: Response;
  try {
    response = await send(http.baseUrl + API_PREFIX + call.path, {
      method: call.method,
      headers,
      cache: 'no-store',
      keepalive: call.keepalive ?? false,
      signal: AbortSignal.timeout(call.timeoutMs ?? http.timeoutMs ?? TIMEOUT_MS),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
  } catch (cause) {
    throw new ApiError(0, 'no answer', { cause });
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

async function refusal(response: Response): Promise<ApiError> {
  const body = await readJson(response).catch(() => null);
  const message = isErrorAnswer(body) ? body.error : `status ${response.status}`;
  const retryAfterMs = parseRetryAfter(response.headers.get('Retry-After'));
  return new ApiError(response.status, message, retryAfterMs === undefined ? {} : { retryAfterMs });
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    // The connection broke in the middle of the body, or something between us and the server answered.
    throw new ApiError(0, 'no answer', { cause });
  }
}

/** `Retry-After` in whole seconds (RFC 9110 §10.2.3); the server never sends its date form. */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null || !/^[0-9]+$/.test(header)) return undefined;
  return Math.min(Number(header) * 1000, LONGEST_PAUSE_MS);
}
