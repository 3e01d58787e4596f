/** A web site on this machine, with pages and pictures, for tests of what the server fetches. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = RequestListener | string | Buffer;

export class WebSite {
  /** By path: what it answers. A text is a page, bytes are a picture. */
  readonly pages = new Map<string, Answer>();
  /** The paths that were asked for, in order. */
  readonly requests: string[] = [];
  readonly heads: IncomingMessage['headers'][] = [];
  readonly #server = createServer((request, response) => this.#answer(request, response));
  #port = 0;

  static async start(): Promise<WebSite> {
    const site = new WebSite();
    site.#server.listen(0, '127.0.0.1');
    await once(site.#server, 'listening');
    site.#port = (site.#server.address() as AddressInfo).port;
    return site;
  }

  /** An item of OUTGOING_ALLOW. */
  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }

  url(path: string): string {
    return `http://${this.host}${path}`;
  }

  /** How often the path was asked for. */
  asked(path: string): number {
    return this.requests.filter((one) => one === path).length;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    this.requests.push(path);
    this.heads.push(request.headers);
    const answer = this.pages.get(path);
    if (answer === undefined) response.writeHead(404).end();
    else if (typeof answer === 'function') answer(request, response);
    else {
      const type = typeof answer === 'string' ? 'text/html; charset=utf-8' : 'image/png';
      response.writeHead(200, { 'content-type': type }).end(answer);
    }
  }
}

/** A page with these properties in its head. */
export function pageOf(properties: Record<string, string>, title = 'A page'): string {
  const metas = Object.entries(properties).map(
    ([name, content]) => `<meta property="${name}" content="${content}">`,
  );
  return `<!doctype html><html><head><title>${title}</title>${metas.join('')}</head><body>Hello</body></html>`;
}
