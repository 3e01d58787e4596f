/** Fetches pages and their pictures from the hosts of strangers, within bounds. */
import type { IncomingHttpHeaders } from 'node:http';
import { measures } from '../../platform/metrics/measures.ts';
import { OutgoingError } from '../../platform/outgoing/error.ts';
import type { BodyBounds, OutgoingResponse, ResponseHead } from '../../platform/outgoing/exchange.ts';
import type { Outgoing } from '../../platform/outgoing/outgoing.ts';
import { decompressed } from './decompress.ts';
import { type Page, readPage } from './page.ts';

const PAGE_BYTES = 512 * 1024;
/** What a compressed page may become. */
const UNPACKED_BYTES = 1024 * 1024;
export const PICTURE_BYTES = 1024 * 1024;
const NOTHING: BodyBounds = { maxBytes: 0, cut: true };
const USER_AGENT = 'Mozilla/5.0 (compatible; Roomful; link previews)';
const PAGE_TYPE = /^(text\/html|application\/xhtml\+xml)$/;
/** Some sites send pictures as bytes of any kind. SVG is no picture here, as it is a program, too. */
const PICTURE_TYPE = /^(image\/(?!svg)[a-z0-9.+-]+|(application|binary)\/octet-stream)$/;
/** How long a host is left alone that says it is busy. */
const BUSY_MS = { usual: 60_000, most: 3_600_000 };
const BUSY_HOSTS_MAX = 1000;

/** Bytes that say that they are a picture; what they are is found out later. */
export interface Picture {
  bytes: Buffer;
  type: string;
}

export type Fetched =
  | { outcome: 'page'; page: Page }
  /** The link leads to a picture. */
  | { outcome: 'picture'; picture: Picture }
  /** There is nothing to show, and there will not be. */
  | { outcome: 'nothing' }
  /** The site is away, or busy. */
  | { outcome: 'away' };

export class Fetcher {
  readonly #outgoing: Pick<Outgoing, 'request'>;
  /** Until when hosts are left alone, by the monotonic clock. */
  readonly #busy = new Map<string, number>();

  constructor(outgoing: Pick<Outgoing, 'request'>) {
    this.#outgoing = outgoing;
  }

  /** Rejects when this server has no time for it now, or stops. */
  async page(url: string): Promise<Fetched> {
    const accept = 'text/html,application/xhtml+xml;q=0.9,image/avif;q=0.8,image/webp;q=0.8,image/*;q=0.7';
    const fetched = await this.#open(url, accept, boundsOfPage, async (response) => {
      const { headers, body } = response;
      const type = typeOf(headers);
      if (PICTURE_TYPE.test(type)) return await this.#asPicture(response);
      if (!PAGE_TYPE.test(type)) return { outcome: 'nothing' };
      const bytes = await decompressed(body, headers['content-encoding'], UNPACKED_BYTES);
      const contentType = headers['content-type'] ?? '';
      const page = bytes && (await readPage({ bytes, contentType, url: response.url }));
      return page ? { outcome: 'page', page } : { outcome: 'nothing' };
    });
    measures.linksFetched[fetched.outcome]++;
    return fetched;
  }

  /** The picture of a page; undefined when it cannot be had. Rejects as `page`. */
  async picture(url: string): Promise<Picture | undefined> {
    const accept = 'image/avif,image/webp,image/png,image/jpeg,image/gif';
    const fetched = await this.#open(url, accept, boundsOfPicture, (response) => this.#asPicture(response));
    return fetched.outcome === 'picture' ? fetched.picture : undefined;
  }

  async #asPicture({ headers, body }: OutgoingResponse): Promise<Fetched> {
    const bytes = await decompressed(body, headers['content-encoding'], PICTURE_BYTES + 1);
    if (!bytes || bytes.length === 0 || bytes.length > PICTURE_BYTES) return { outcome: 'nothing' };
    return { outcome: 'picture', picture: { bytes, type: typeOf(headers) } };
  }

  async #open(
    url: string,
    accept: string,
    body: (head: ResponseHead) => BodyBounds,
    read: (response: OutgoingResponse) => Promise<Fetched>,
  ): Promise<Fetched> {
    const { host } = new URL(url);
    if ((this.#busy.get(host) ?? 0) > performance.now()) return { outcome: 'away' };
    const headers = { accept, 'accept-encoding': 'identity', 'user-agent': USER_AGENT };
    try {
      const response = await this.#outgoing.request(url, { headers }, { body });
      const { status } = response;
      // Not the host of the link: by its redirect, one site would have the links of another left out.
      if (status === 429 || status === 503) this.#leaveAlone(new URL(response.url).host, response.headers);
      if (status >= 200 && status < 300) return await read(response);
      return { outcome: status === 408 || status === 429 || status >= 500 ? 'away' : 'nothing' };
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      switch (error.reason) {
        case 'refused':
        case 'too_large':
        case 'too_many_redirects':
          return { outcome: 'nothing' };
        case 'unreachable':
        case 'timeout':
          return { outcome: 'away' };
        case 'busy':
        case 'stopped':
          throw error;
      }
    }
  }

  #leaveAlone(host: string, headers: IncomingHttpHeaders): void {
    const asked = Number(headers['retry-after']) * 1000;
    const ms = asked > 0 ? Math.min(asked, BUSY_MS.most) : BUSY_MS.usual;
    if (this.#busy.size >= BUSY_HOSTS_MAX) this.#busy.clear();
    this.#busy.set(host, performance.now() + ms);
  }
}

function boundsOfPage({ status, headers }: ResponseHead): BodyBounds {
  if (status < 200 || status >= 300) return NOTHING;
  if (PAGE_TYPE.test(typeOf(headers))) return { maxBytes: PAGE_BYTES, cut: true };
  return boundsOfPicture({ status, headers });
}

function boundsOfPicture({ status, headers }: ResponseHead): BodyBounds {
  const isPicture = status >= 200 && status < 300 && PICTURE_TYPE.test(typeOf(headers));
  return isPicture ? { maxBytes: PICTURE_BYTES, cut: false } : NOTHING;
}

function typeOf(headers: IncomingHttpHeaders): string {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
}
