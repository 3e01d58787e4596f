/** Request heads that Node's parser accepts and Roomful refuses. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../protocol/errors.ts';

const MAX_HEADERS = 100;

/**
 * Throws `headers_too_large` for more headers than any honest client sends, and `bad_request` unless exactly one
 * `Host` with a valid value is there (RFC 9112 §3.2); HTTP/1.0 may leave it out.
 */
export function refuseOddHead({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  if (rawHeaders.length > MAX_HEADERS * 2) throw new AppError('headers_too_large');
  if (headers.host === undefined) {
    if (httpVersion === '1.1') throw new AppError('bad_request');
    return;
  }
  if (!isHost(headers.host) || countOf(rawHeaders, 'host') > 1) throw new AppError('bad_request');
}

/** Whether a text is `host [":" port]` (RFC 9110 §7.2) and nothing else: no user, no path. It may be empty. */
export function isHost(text: string): boolean {
  return /^(?:\[[0-9a-z:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::[0-9]*)?$/i.test(text);
}

/** `rawHeaders` alternates names and values. */
function countOf(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}
