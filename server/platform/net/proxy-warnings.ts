/**
 * Warnings about a misconfigured proxy. Each names the setting that fixes it, and is logged once. The memory for that
 * is bounded, because clients choose what they send.
 */
import type { IncomingMessage } from 'node:http';
import type { Logger } from '../log.ts';

/** Refused origins are logged for at most this many pairs of origins. */
const MAX_PAIRS = 100;
/** An origin is a scheme, a host of at most 253 characters and a port; a longer one is cut. */
const MAX_ORIGIN_LENGTH = 300;

export interface RefusedOrigin {
  /** The page's origin, as received. */
  origin: string;
  /** The server's origin, from the request or PUBLIC_URL; null when the request has no valid host. */
  own: string | null;
  isPublicUrlSet: boolean;
  isPeerTrusted: boolean;
}

export class ProxyWarnings {
  readonly #log: Logger;
  readonly #pairs = new Set<string>();
  readonly #said = new Set<string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** A peer that is not in TRUST_PROXY sent `X-Forwarded-For`. */
  forwardedForIgnored(peer: string): void {
    this.#once(
      'X-Forwarded-For of an untrusted peer is ignored; if it is your proxy, set TRUST_PROXY to its address',
      { peer },
    );
  }

  /** A page was refused. Either it is an attack, or the proxy hides the address that people open. */
  originRefused(request: IncomingMessage, refused: RefusedOrigin): void {
    const origin = refused.origin.slice(0, MAX_ORIGIN_LENGTH);
    const pair = `${origin} ${refused.own}`;
    if (this.#pairs.has(pair)) return;
    if (this.#pairs.size >= MAX_PAIRS) {
      return this.#once('many pages were refused for their origin; further ones are not logged');
    }
    this.#pairs.add(pair);
    const peer = request.socket.remoteAddress;
    this.#log.warn(
      { origin, ownOrigin: refused.own, peer, remedy: remedyOf(request, refused) },
      'a page was refused because its origin is not the origin of this server',
    );
  }

  /** A plain `GET /ws`: when it carries a handshake's key, something on the way took its `Upgrade` header. */
  plainWsRequest({ headers }: IncomingMessage): void {
    if (headers['sec-websocket-key'] === undefined || headers.upgrade !== undefined) return;
    this.#once(
      'a WebSocket handshake came without its Upgrade header; let the proxy pass Upgrade and Connection for /ws',
    );
  }

  /** A handshake over HTTP/1.0, which knows no upgrade. */
  oldHttpVersion(): void {
    this.#once(
      'a WebSocket handshake came over HTTP/1.0; let the proxy speak HTTP/1.1 (nginx: proxy_http_version 1.1)',
    );
  }

  #once(message: string, fields: Record<string, unknown> = {}): void {
    if (this.#said.has(message)) return;
    this.#said.add(message);
    this.#log.warn(fields, message);
  }
}

/** What the operator has to set, from how the two origins differ. */
function remedyOf(
  request: IncomingMessage,
  { origin, own, isPublicUrlSet, isPeerTrusted }: RefusedOrigin,
): string {
  if (!URL.canParse(origin)) return 'none: this page has no origin of its own';
  const elsewhere = 'if it is another site that may use this server, add its origin to ALLOWED_ORIGINS';
  if (isPublicUrlSet) return `if people open this server there, add it to PUBLIC_URL; ${elsewhere}`;
  const page = new URL(origin);
  const server = own === null ? null : new URL(own);
  const peer = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? 'the proxy';
  if (page.hostname !== server?.hostname) {
    if (!isPeerTrusted && request.headers['x-forwarded-host'] === page.host) {
      return `X-Forwarded-Host is ignored: set TRUST_PROXY to the proxy's address (${peer}), or set PUBLIC_URL`;
    }
    return `let the proxy pass the Host header unchanged, or set PUBLIC_URL; ${elsewhere}`;
  }
  if (page.protocol === server.protocol) {
    return 'let the proxy pass the Host header with its port (nginx: $http_host, not $host), or set PUBLIC_URL';
  }
  if (isPeerTrusted) {
    return 'let the proxy send X-Forwarded-Proto with the scheme that the browser used, or set PUBLIC_URL';
  }
  if (request.headers['x-forwarded-proto'] !== undefined) {
    return `X-Forwarded-Proto is ignored: set TRUST_PROXY to the proxy's address (${peer}), or set PUBLIC_URL`;
  }
  return `let the proxy send X-Forwarded-Proto and set TRUST_PROXY to its address (${peer}), or set PUBLIC_URL`;
}
