/**
 * The only place that opens a URL which a stranger has named (docs/decisions/0049). A request can reach nothing but the
 * public internet: every address is checked, and the connection goes to exactly the address that was checked.
 */
import { isIP } from 'node:net';
import { isGlobalUnicast } from './addresses.ts';
import { AllowList, isUsualPort } from './allow-list.ts';
import { OutgoingError } from './error.ts';
import { type BodyBounds, exchange, type OutgoingResponse, type ResponseHead } from './exchange.ts';
import { type Growth, HostSlots, type HostSlotsOptions } from './host-slots.ts';
import { type Resolve, resolveByDns, resolveBySystem } from './resolve.ts';

/** From the first lookup of a name to the last byte of the last body. */
const DEADLINE_MS = 5000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;
/** In all, fewer than the files that platform/net/connection-limit.ts keeps free. */
const SLOTS = { perHost: 2, total: 32, maxWaiting: 5000, maxWaitMs: 60_000 };
/** The headers that another origin receives after a redirect. Others may have secrets of the first. */
const HARMLESS_HEADERS = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent']);
const BODY: BodyBounds = { maxBytes: 512 * 1024, cut: false };

export interface OutgoingRequest {
  method?: 'GET' | 'HEAD' | 'POST';
  /** Names in lower case. */
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
}

export interface OutgoingBounds {
  /** So many at once to its host, instead of two, as long as that responds as it should. */
  atOnce?: number;
  /** How much of the body of each response is read, those of redirects included. */
  body?: (head: ResponseHead) => BodyBounds;
}

export interface OutgoingOptions {
  /** Items of OUTGOING_ALLOW. */
  allow: readonly string[];
  slots?: HostSlotsOptions;
  /** From names to addresses; for tests. */
  resolve?: Resolve;
  /** Certificates to trust instead of the public ones (PEM); for tests. */
  ca?: string | undefined;
}

interface Following {
  signal: AbortSignal;
  /** Called when the first turn has come. */
  begin(): OutgoingRequest;
  growth: Growth<OutgoingResponse> | undefined;
  boundsOf(head: ResponseHead): BodyBounds;
}

export class Outgoing {
  readonly #allowed: AllowList;
  readonly #options: OutgoingOptions;
  readonly #slots: HostSlots;
  readonly #running = new Set<AbortController>();
  #isStopped = false;

  constructor(options: OutgoingOptions) {
    this.#options = options;
    this.#slots = new HostSlots(options.slots ?? SLOTS);
    this.#allowed = new AllowList(options.allow);
  }

  /**
   * Sends a request and returns the response, whatever its status, with at most 512 KiB of body unless the bounds say
   * otherwise. Follows up to three redirects of GET and HEAD; the response to any other method is returned as it is.
   * Rejects with `OutgoingError`. A request that is work to make is given as a function, which is called when its turn
   * has come.
   */
  async request(
    target: string,
    request: OutgoingRequest | (() => OutgoingRequest) = {},
    { atOnce, body: boundsOf = () => BODY }: OutgoingBounds = {},
  ): Promise<OutgoingResponse> {
    const url = this.#checkedUrl(target);
    const growth = atOnce === undefined ? undefined : { most: atOnce, isWell };
    const end = new AbortController();
    let deadline: NodeJS.Timeout | undefined;
    if (this.#isStopped) throw new OutgoingError('stopped');
    this.#running.add(end);
    try {
      const begin = () => {
        deadline = setTimeout(() => end.abort(new OutgoingError('timeout')), DEADLINE_MS);
        return typeof request === 'function' ? request() : request;
      };
      return await this.#follow(url, { signal: end.signal, begin, growth, boundsOf });
    } finally {
      clearTimeout(deadline);
      this.#running.delete(end);
    }
  }

  /** Whether nothing in the URL itself is refused. The addresses of a name are checked when it is opened. */
  mayOpen(target: string): boolean {
    try {
      const url = this.#checkedUrl(target);
      return isIP(hostOf(url)) === 0 || this.#isAllowed(url, hostOf(url));
    } catch {
      return false;
    }
  }

  /** Whether OUTGOING_ALLOW names the host of this URL itself, with its port. */
  isNamed(target: string): boolean {
    if (!URL.canParse(target)) return false;
    const url = new URL(target);
    return this.#allowed.names(hostOf(url), portOf(url));
  }

  /** Ends all requests, and refuses further ones. */
  stop(): void {
    this.#isStopped = true;
    for (const request of this.#running) request.abort(new OutgoingError('stopped'));
  }

  /** Every step takes a slot of its own host, so that redirects from many hosts to one are bounded, too. */
  async #follow(first: URL, { signal, begin, growth, boundsOf }: Following): Promise<OutgoingResponse> {
    let request: OutgoingRequest | undefined;
    let url = first;
    for (let redirects = 0; ; redirects++) {
      const open = async () => {
        request ??= begin();
        return await this.#exchange(url, request, { signal, boundsOf });
      };
      const response = await this.#slots.run(slotOf(url), signal, open, growth);
      const { location } = response.headers;
      const isFollowed = REDIRECTS.has(response.status) && request?.method !== 'POST';
      if (!isFollowed || location === undefined) return response;
      if (redirects === MAX_REDIRECTS) throw new OutgoingError('too_many_redirects');
      const next = this.#checkedUrl(location, url);
      if (next.origin !== url.origin) request = { ...request, headers: harmless(request?.headers ?? {}) };
      url = next;
    }
  }

  async #exchange(
    url: URL,
    { method = 'GET', headers = {}, body }: OutgoingRequest,
    { signal, boundsOf }: Pick<Following, 'signal' | 'boundsOf'>,
  ) {
    const addresses = await this.#checkedAddresses(url, signal);
    const { ca } = this.#options;
    return await exchange({ url, method, headers, body, addresses, signal, ca, boundsOf });
  }

  #checkedUrl(target: string, base?: URL): URL {
    if (!URL.canParse(target, base?.href)) throw new OutgoingError('refused', 'not a URL');
    const url = new URL(target, base);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new OutgoingError('refused', 'scheme');
    if (url.username !== '' || url.password !== '') throw new OutgoingError('refused', 'credentials');
    if (!this.#allowed.hasPort(portOf(url))) throw new OutgoingError('refused', 'port');
    return url;
  }

  /** The addresses of the URL's host that may be connected to. They are resolved once, here. */
  async #checkedAddresses(url: URL, signal: AbortSignal): Promise<string[]> {
    const host = hostOf(url);
    const port = portOf(url);
    const addresses = isIP(host) === 0 ? await this.#resolve(host, port, signal) : [host];
    const checked = addresses.filter((address) => this.#isAllowed(url, address));
    if (checked.length === 0) throw new OutgoingError('refused', 'address');
    return checked;
  }

  #isAllowed(url: URL, address: string): boolean {
    const port = portOf(url);
    return (
      (isUsualPort(port) && isGlobalUnicast(address)) || this.#allowed.allows(hostOf(url), address, port)
    );
  }

  async #resolve(host: string, port: number, signal: AbortSignal): Promise<string[]> {
    const byDefault = this.#allowed.names(host, port) ? resolveBySystem : resolveByDns;
    const resolve = this.#options.resolve ?? byDefault;
    try {
      return await abortable(resolve(host, signal), signal);
    } catch (error) {
      throw signal.aborted
        ? signal.reason
        : new OutgoingError('unreachable', (error as NodeJS.ErrnoException).code);
    }
  }
}

/** Whether the host can take as many requests as now. */
function isWell({ status }: OutgoingResponse): boolean {
  return status < 500 && status !== 429;
}

/** The host whose slots a request takes: whatever its port, and the root dot of its name. */
function slotOf(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

/** Without the brackets of IPv6. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function harmless(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.has(name)));
}

/** The promise, or a rejection as soon as the signal aborts. */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
