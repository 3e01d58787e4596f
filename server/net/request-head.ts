/** What Node's parser lets pass in a request's head and Roomful does not. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../protocol/errors.ts';

const MAX_HEADERS = 100;

/** Throws for more headers than any honest client sends, and for an HTTP/1.1 request that names no host. */
export function refuseOddHead({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  if (rawHeaders.length > MAX_HEADERS * 2) throw new AppError('headers_too_large');
  if (headers.host === undefined && httpVersion === '1.1') throw new AppError('bad_request');
}
