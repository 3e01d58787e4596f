/** Not in the types of the SDK's package: what the table of endpoints says in types needs zod. */
import type { RequestPath } from '../../protocol/endpoints.ts';
import type { Check } from './checks.ts';
import type { Method } from './http.ts';
import type { Requests } from './requests.ts';

/** `Requests`, with the methods and paths that there are. */
export interface CheckedRequests extends Pick<Requests, 'send'> {
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
