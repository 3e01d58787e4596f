/** A request without a response, a refusal, or a response that does not match the interface. */
export class ApiError extends Error {
  /** The HTTP status; 0 when there was no response. */
  readonly status: number;
  /** From `Retry-After`, in milliseconds: do not retry earlier. */
  readonly retryAfterMs: number | undefined;
  /** What somebody wrote about it for the user, such as why the account is suspended. */
  readonly reason: string | undefined;

  constructor(
    status: number,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined; reason?: string | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.status = status;
    this.retryAfterMs = options.retryAfterMs;
    this.reason = options.reason;
  }

  /** Whether the same request, unchanged, may succeed later. */
  get retryable(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** The message of the 401 that ends a session. Only the session itself creates it, never a server or a proxy. */
export const SIGNED_OUT = 'signed out';

/** The session has ended for good: there is nothing to retry. */
export function signedOut(): ApiError {
  return new ApiError(401, SIGNED_OUT);
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.message === SIGNED_OUT;
}

/** Roomful itself says that the room does not exist. A proxy's 404 during a deployment says nothing about the room. */
export function isRoomGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404 && error.message === 'room not found';
}

/** The server rejects this refresh token for good. Any other error may be temporary. */
export function isRefreshRefused(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return (
    (error.status === 401 && error.message === 'invalid refresh token') ||
    (error.status === 400 && error.message === 'invalid payload')
  );
}
