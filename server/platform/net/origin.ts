/**
 * Which web pages may use this server: its own, and those of `ALLOWED_ORIGINS` (RFC 6455 §10.2, RFC 6454).
 * A request without an `Origin` header comes from no page: a browser always sends one with an upgrade and with a POST.
 */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../protocol/errors.ts';
import type { ProxyWarnings } from './proxy-warnings.ts';
import { isHost } from './request-head.ts';

export interface OriginRules {
  allowedOrigins: readonly string[];
  /** The server's own origins. Empty: the server's own origin is what the request's `Host` says it is. */
  publicOrigins: readonly string[];
  /** Whether the peer is a proxy whose `X-Forwarded-Proto` and `-Host` are believed. */
  isTrustedProxy(request: IncomingMessage): boolean;
  warnings: ProxyWarnings;
}

export class OriginPolicy {
  readonly #rules: OriginRules;

  constructor(rules: OriginRules) {
    this.#rules = rules;
  }

  /** Throws `origin_not_allowed` for an upgrade that a foreign page asks for. */
  checkUpgrade(request: IncomingMessage): void {
    const { origin } = request.headers;
    if (origin !== undefined) this.checkPage(request, origin);
  }

  /**
   * Throws `origin_not_allowed` for a request that a foreign page makes its visitor's browser send. The browser
   * sets `Sec-Fetch-Site` (W3C Fetch Metadata): no script can set it, and no proxy setting makes it wrong.
   */
  checkRequest(request: IncomingMessage): void {
    if (!this.isForeign(request)) return;
    const { origin } = request.headers;
    if (origin !== undefined) this.checkPage(request, origin);
    throw new AppError('origin_not_allowed');
  }

  /**
   * Whether a foreign page made its visitor's browser send this request. Such requests have limits of their own: the
   * page must not use up those of its visitor.
   */
  isForeign(request: IncomingMessage): boolean {
    const { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = request.headers;
    if (origin !== undefined && this.#isAllowedElsewhere(origin)) return false;
    // Under DNS rebinding a foreign page is `same-origin`, too; only PUBLIC_URL tells it apart.
    if (site === 'same-origin' && this.#rules.publicOrigins.length === 0) return false;
    if (origin !== undefined) return !this.#ownOrigins(request).includes(origin.toLowerCase());
    // A page of a sibling domain is another origin. A link on it is followed by the visitor.
    return site === 'cross-site' || (site === 'same-site' && mode !== 'navigate');
  }

  /** The origin under which this request's client reaches the server; empty when the request does not tell. */
  ownOrigin(request: IncomingMessage): string {
    return this.#ownOrigins(request)[0] ?? '';
  }

  /** Throws `origin_not_allowed` unless a page of `origin` may open a socket with a request such as this one. */
  checkPage(request: IncomingMessage, origin: string): void {
    if (this.#isAllowedElsewhere(origin)) return;
    const own = this.#ownOrigins(request);
    if (own.includes(origin.toLowerCase())) return;
    const { publicOrigins, isTrustedProxy, warnings } = this.#rules;
    warnings.originRefused(request, {
      origin,
      own: own[0] ?? null,
      isPublicUrlSet: publicOrigins.length > 0,
      isPeerTrusted: isTrustedProxy(request),
    });
    throw new AppError('origin_not_allowed');
  }

  #isAllowedElsewhere(origin: string): boolean {
    return this.#rules.allowedOrigins.includes(origin.toLowerCase());
  }

  #ownOrigins(request: IncomingMessage): readonly string[] {
    const { publicOrigins, isTrustedProxy } = this.#rules;
    if (publicOrigins.length > 0) return publicOrigins;
    const trusted = isTrustedProxy(request);
    const forwarded = (name: string) => (trusted ? firstOf(request.headers[name]) : undefined);
    const scheme = forwarded('x-forwarded-proto') ?? 'http';
    const host = forwarded('x-forwarded-host') ?? request.headers.host;
    if (host === undefined || host === '' || !isHost(host) || !/^https?$/i.test(scheme)) return [];
    const url = `${scheme}://${host}`;
    return URL.canParse(url) ? [new URL(url).origin] : [];
  }
}

function firstOf(header: string | string[] | undefined): string | undefined {
  const [first = ''] = String(header ?? '').split(',');
  return first.trim() || undefined;
}
