/** Which pages may open a socket: those of this very server, and those of `ALLOWED_ORIGINS` (RFC 6455 §10.2). */
import type { IncomingMessage } from 'node:http';

export interface OriginRules {
  allowedOrigins: readonly string[];
  /** Whether the peer is a proxy whose `X-Forwarded-Proto` and `-Host` are believed. */
  isTrustedProxy(request: IncomingMessage): boolean;
}

export function isOriginAllowed(
  request: IncomingMessage,
  { allowedOrigins, isTrustedProxy }: OriginRules,
): boolean {
  const { origin } = request.headers;
  // Not a browser: it has no cookies of ours to abuse, and it holds a ticket.
  if (origin === undefined) return true;
  if (allowedOrigins.includes(origin.toLowerCase())) return true;
  const own = ownOrigin(request, isTrustedProxy(request));
  return own !== null && origin.toLowerCase() === own;
}

function ownOrigin(request: IncomingMessage, trusted: boolean): string | null {
  const forwarded = (name: string) => (trusted ? firstOf(request.headers[name]) : undefined);
  const scheme = forwarded('x-forwarded-proto') ?? 'http';
  const host = forwarded('x-forwarded-host') ?? request.headers.host;
  const url = `${scheme}://${host}`;
  return host !== undefined && URL.canParse(url) ? new URL(url).origin : null;
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return (
    String(header ?? '')
      .split(',')[0]
      ?.trim() || undefined
  );
}
