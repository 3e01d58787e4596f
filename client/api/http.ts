/** Sends a request, checks the response, and turns every failure into an `ApiError`. */
import { API_PREFIX } from '../../protocol/constants.ts';
import { ApiError } from './api-error.ts';
import type { Check } from './checks.ts';
import { isErrorResponse } from './responses.ts';

const TIMEOUT_MS = 15_000;
/** The longest pause that a server can ask for. A longer one is shortened: it may be a mistake. */
export const LONGEST_PAUSE_MS = 60_000;

/** How the server is reached. */
export interface Http {
  /** Without a trailing slash; see `serverUrl`. */
  readonly baseUrl: string;
  readonly fetch?: typeof fetch;
  /** A request that takes longer fails. */
  readonly timeoutMs?: number;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Request {
  readonly method: Method | 'HEAD';
  /** Below `/api/v1`. */
  readonly path: string;
  /** Sent as JSON; a `Blob` as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Lets the request outlive the page. */
  readonly keepalive?: boolean;
  readonly timeoutMs?: number;
}

/** A request whose response has a body. */
export interface Call<T> extends Request {
  readonly response: Check<T>;
}

/**
 * The base of every request, from what the user of the SDK passed as `url`: without trailing slashes. Throws a
 * `TypeError` that names the mistake, so that it does not look like a server that is down.
 */
export function serverUrl(url: unknown): string {
  const example = 'such as https://chat.example.org';
  if (typeof url !== 'string' || url === '')
    throw new TypeError(`url must be the server's address, ${example}`);
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url))
    throw new TypeError(`url must start with http:// or https://, ${example}; it is ${JSON.stringify(url)}`);
  if (/[?#]/.test(url))
    throw new TypeError(`url must have no query and no fragment; it is ${JSON.stringify(url)}`);
  return url.replace(/\/+$/, '');
}

/** Resolves with the checked body of the response. */
export async function request<T>(http: Http, call: Call<T>): Promise<T> {
  const response = await exchange(http, call);
  const body = await readJson(response);
  if (!call.response(body)) throw new ApiError(response.status, 'unexpected response');
  return body;
}

/** Sends a request whose response has no body, or one that does not matter. */
export async function requestNothing(http: Http, call: Request): Promise<void> {
  await exchange(http, call);
}

/** Resolves with a response that is no refusal. */
export async function exchange(http: Http, call: Request): Promise<Response> {
  const send = http.fetch ?? fetch;
  const headers = {
    ...call.headers,
    // Bytes have a type of their own.
    ...(call.body === undefined || call.body instanceof Blob ? {} : { 'Content-Type': 'application/json' }),
  };
  let response: Response;
  try {
    response = await send(http.baseUrl + API_PREFIX + call.path, {
      method: call.method,
      headers,
      cache: 'no-store',
      keepalive: call.keepalive ?? false,
      signal: either(AbortSignal.timeout(call.timeoutMs ?? http.timeoutMs ?? TIMEOUT_MS), call.signal),
      ...(call.body === undefined
        ? {}
        : { body: call.body instanceof Blob ? call.body : JSON.stringify(call.body) }),
    });
  } catch (cause) {
    throw noResponse(cause);
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

function either(timeout: AbortSignal, signal: AbortSignal | undefined): AbortSignal {
  return signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
}

async function refusal(response: Response): Promise<ApiError> {
  const body = await readJson(response).catch(() => null);
  const message = isErrorResponse(body) ? body.error : `status ${response.status}`;
  const retryAfterMs = parseRetryAfter(response.headers.get('Retry-After'));
  const reason = isErrorResponse(body) ? body.reason : undefined;
  return new ApiError(response.status, message, { retryAfterMs, reason });
}

function noResponse(cause: unknown): ApiError {
  return new ApiError(0, 'no response', { cause });
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    // The connection broke inside the body, or something between us and the server responded.
    throw noResponse(cause);
  }
}

/** `Retry-After` in whole seconds (RFC 9110 §10.2.3). The server never sends the date form. */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null || !/^[0-9]+$/.test(header)) return undefined;
  return Math.min(Number(header) * 1000, LONGEST_PAUSE_MS);
}

/** The query of a URL; parameters without a value are left out. */
export function queryString(
  parameters: Readonly<Record<string, string | number | undefined>>,
): '' | `?${string}` {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size > 0 ? `?${query}` : '';
}
