/**
 * The closed table of all error responses.
 * `message` is all that `{"error": message}` contains. It is fixed, so it can never leak a secret, SQL or a path.
 * `retryable` means that the same request may succeed later, unchanged.
 */
export const ERRORS = {
  bad_request: { status: 400, message: 'bad request', retryable: false },
  invalid_payload: { status: 400, message: 'invalid payload', retryable: false },
  invalid_room_id: { status: 400, message: 'invalid room id', retryable: false },
  invalid_limit: { status: 400, message: 'invalid limit', retryable: false },
  invalid_before_id: { status: 400, message: 'invalid before_id', retryable: false },
  invalid_after_id: { status: 400, message: 'invalid after_id', retryable: false },
  invalid_around_id: { status: 400, message: 'invalid around_id', retryable: false },
  invalid_around_time: { status: 400, message: 'invalid around_time', retryable: false },
  invalid_ws_room_id: { status: 400, message: 'invalid room_id', retryable: false },
  invalid_query: { status: 400, message: 'invalid query', retryable: false },
  invalid_files: { status: 400, message: 'invalid files', retryable: false },
  invalid_picture: { status: 400, message: 'invalid picture', retryable: false },
  invalid_since: { status: 400, message: 'invalid since', retryable: false },
  unsupported_protocol: { status: 400, message: 'unsupported protocol', retryable: false },
  missing_bearer_token: { status: 401, message: 'missing bearer token', retryable: false },
  invalid_token: { status: 401, message: 'invalid token', retryable: false },
  invalid_credentials: { status: 401, message: 'invalid credentials', retryable: false },
  invalid_refresh_token: { status: 401, message: 'invalid refresh token', retryable: false },
  missing_ws_ticket: { status: 401, message: 'missing ws ticket', retryable: false },
  invalid_ws_ticket: { status: 401, message: 'invalid ws ticket', retryable: false },
  not_allowed: { status: 403, message: 'not allowed', retryable: false },
  not_delivered: { status: 403, message: 'not delivered', retryable: false },
  account_suspended: { status: 403, message: 'account suspended', retryable: false },
  registration_closed: { status: 403, message: 'registration closed', retryable: false },
  wrong_password: { status: 403, message: 'wrong password', retryable: false },
  origin_not_allowed: { status: 403, message: 'origin not allowed', retryable: false },
  not_found: { status: 404, message: 'not found', retryable: false },
  room_not_found: { status: 404, message: 'room not found', retryable: false },
  message_not_found: { status: 404, message: 'message not found', retryable: false },
  user_not_found: { status: 404, message: 'user not found', retryable: false },
  invite_not_found: { status: 404, message: 'invite not found', retryable: false },
  report_not_found: { status: 404, message: 'report not found', retryable: false },
  reset_not_found: { status: 404, message: 'link not found', retryable: false },
  file_not_found: { status: 404, message: 'file not found', retryable: false },
  emoji_not_found: { status: 404, message: 'emoji not found', retryable: false },
  session_not_found: { status: 404, message: 'session not found', retryable: false },
  method_not_allowed: { status: 405, message: 'method not allowed', retryable: false },
  request_timeout: { status: 408, message: 'request timeout', retryable: true },
  username_taken: { status: 409, message: 'username taken', retryable: false },
  room_name_taken: { status: 409, message: 'room name taken', retryable: false },
  emoji_name_taken: { status: 409, message: 'emoji name taken', retryable: false },
  last_owner: { status: 409, message: 'name another owner first', retryable: false },
  too_many: { status: 409, message: 'limit reached', retryable: false },
  cid_conflict: { status: 409, message: 'cid was used for another message', retryable: false },
  upload_offset: { status: 409, message: 'upload is at another offset', retryable: false },
  message_changed: { status: 409, message: 'message changed', retryable: false },
  unsupported_tus: { status: 412, message: 'unsupported version of tus', retryable: false },
  payload_too_large: { status: 413, message: 'payload too large', retryable: false },
  unsupported_media_type: { status: 415, message: 'unsupported media type', retryable: false },
  upgrade_required: { status: 426, message: 'upgrade required', retryable: false },
  too_many_requests: { status: 429, message: 'too many requests', retryable: true },
  headers_too_large: { status: 431, message: 'request header fields too large', retryable: false },
  internal_error: { status: 500, message: 'internal error', retryable: true },
  service_unavailable: { status: 503, message: 'service unavailable', retryable: true },
  no_space: { status: 507, message: 'no space for files', retryable: true },
  // Sent over sockets only; the status is what an HTTP response would have.
  invalid_json: { status: 400, message: 'frame is not a JSON object', retryable: false },
  unknown_type: { status: 400, message: 'unknown frame type', retryable: false },
  invalid_content: {
    status: 400,
    message: 'content must be 1 to 4000 characters and not only white space',
    retryable: false,
  },
  invalid_frame: { status: 400, message: 'invalid frame', retryable: false },
  too_fast: { status: 429, message: 'too fast, slow down', retryable: true },
} as const satisfies Record<string, { status: number; message: string; retryable: boolean }>;

/** A code of the error table. */
export type ErrorCode = keyof typeof ERRORS;

/**
 * An error from the table. `retryAfterMs` becomes `Retry-After`. `reason`: what somebody wrote for the person concerned,
 * sent beside the message. `cause` is for the log and is never sent.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterMs: number | undefined;
  readonly reason: string | undefined;

  constructor(code: ErrorCode, options: { cause?: unknown; retryAfterMs?: number; reason?: string } = {}) {
    super(ERRORS[code].message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.reason = options.reason;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  get retryable(): boolean {
    return ERRORS[this.code].retryable;
  }
}
