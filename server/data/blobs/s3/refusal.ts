/** What S3 says when it does not do something: whether it is worth another try, and what the operator reads. */
import { AppError } from '../../../../protocol/errors.ts';
import { PlaceError } from '../place-error.ts';
import { textIn } from './xml.ts';

const RETRY_AFTER_MS = 5000;
const FULL_RETRY_AFTER_MS = 60_000;
const MESSAGE_MAX = 200;

/** Quotas have no code that all have agreed on. */
const FULL: ReadonlySet<string> = new Set([
  'QuotaExceeded',
  'StorageFull',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientCapacity',
  'ServiceQuotaExceeded',
]);
/** Refusals that end by themselves, whatever their status is. */
const PASSING: ReadonlySet<string> = new Set([
  'InternalError',
  'ServiceUnavailable',
  'SlowDown',
  'RequestTimeout',
  'OperationAborted',
]);

const HINTS: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'Check S3_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'Check S3_SECRET_ACCESS_KEY and S3_REGION',
  AuthorizationHeaderMalformed: 'Check S3_REGION',
  RequestTimeTooSkewed: 'Set the clock of this machine',
  NoSuchBucket: 'Make the bucket, or check S3_URL',
  AccessDenied: 'The key needs the rights to list, read, write and delete in the bucket',
  PermanentRedirect: 'Check the host and S3_REGION of S3_URL',
};

export class Refusal extends Error {
  readonly status: number;
  /** The word of S3 for it; empty: it said none. */
  readonly code: string;

  constructor(status: number, xml: string) {
    const code = textIn(xml, 'Code') ?? '';
    super(textIn(xml, 'Message')?.slice(0, MESSAGE_MAX) ?? '');
    this.status = status;
    this.code = code;
  }

  get isFull(): boolean {
    return this.status === 507 || FULL.has(this.code);
  }

  /** Another try may do. */
  get isPassing(): boolean {
    if (this.isFull || this.status === 501) return false;
    return this.status >= 500 || this.status === 429 || PASSING.has(this.code);
  }
}

/** What the rest of the server gets in place of a refusal, or of an error of the connection. */
export function toPlaceError(host: string, what: string, error: unknown): Error {
  if (!(error instanceof Refusal)) {
    const sentence = `S3 at ${host} is not reached (${what}): ${reasonOf(error)}.`;
    return away(new PlaceError(sentence, { cause: error }));
  }
  const { status, code, message } = error;
  const hint = HINTS[code] ?? (status === 403 ? 'Check the keys and S3_REGION' : undefined);
  const said = [code, message.replace(/\.$/, '')].filter((text) => text !== '').join(', ') || 'no reason';
  const sentence = `S3 at ${host} refuses ${what} with ${status}: ${said}.${hint === undefined ? '' : ` ${hint}.`}`;
  const refused = new PlaceError(sentence);
  if (error.isFull) return new AppError('no_space', { cause: refused, retryAfterMs: FULL_RETRY_AFTER_MS });
  return error.isPassing ? away(refused) : refused;
}

function away(cause: PlaceError): AppError {
  return new AppError('service_unavailable', { cause, retryAfterMs: RETRY_AFTER_MS });
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
