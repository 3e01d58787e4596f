/** Requests in the name of the signed-in user, and the paths that they may have. */
import type { RequestPath } from '../../protocol/endpoints.ts';
import type { Check } from './checks.ts';
import type { Method } from './http.ts';

/** Requests in the name of the signed-in user, below `/api/v1`. They reject with an `ApiError`. */
export interface Requests {
  /** Resolves with the body of the response, once `response` has checked it. */
  ask<T>(method: Method, path: string, response: Check<T>, body?: unknown): Promise<T>;
  /** For responses without a body. */
  tell(method: Method, path: string, body?: unknown, options?: { keepalive?: boolean }): Promise<void>;
}

/** The same, with the methods and paths that there are. */
export interface CheckedRequests {
  ask<M extends Method, T>(method: M, path: RequestPath<M>, response: Check<T>, body?: unknown): Promise<T>;
  tell<M extends Method>(
    method: M,
    path: RequestPath<M>,
    body?: unknown,
    options?: { keepalive?: boolean },
  ): Promise<void>;
}

/** The compiler checks each path against the table of endpoints. At run time these are the same functions. */
export function checkedPaths(requests: Requests): CheckedRequests {
  return requests;
}
