/** Why an outgoing request got no response. */
export type OutgoingReason =
  /** Its address, port or scheme is not allowed. Trying again changes nothing. */
  | 'refused'
  /** The name has no address, or the host took no connection, or broke it off. */
  | 'unreachable'
  | 'timeout'
  /** The body of the response is larger than the limit. */
  | 'too_large'
  | 'too_many_redirects'
  /** Too many requests are waiting. */
  | 'busy'
  | 'stopped';

/** Its message never contains the URL, which may be a secret. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  readonly reason: OutgoingReason;

  constructor(reason: OutgoingReason, detail?: string) {
    super(`outgoing request: ${reason}${detail === undefined ? '' : ` (${detail})`}`);
    this.reason = reason;
  }
}
