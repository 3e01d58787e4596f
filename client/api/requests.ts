import type { Check } from './checks.ts';
import type { Method, Request } from './http.ts';

/** Requests in the name of the signed-in user, below `/api/v1`. They reject with an `ApiError`. */
export interface Requests {
  /** Resolves with the body of the response, once `response` has checked it. */
  ask<T>(method: Method, path: string, response: Check<T>, body?: unknown): Promise<T>;
  /** For responses without a body. */
  tell(method: Method, path: string, body?: unknown, options?: { keepalive?: boolean }): Promise<void>;
  /** Resolves with the response itself, of which the headers matter. */
  send(request: Request): Promise<Response>;
}
