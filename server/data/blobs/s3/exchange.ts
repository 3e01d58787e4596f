/**
 * One HTTP request to the S3 of the settings. Its address is the operator's, who may well have it in the own network: the
 * rules of `platform/outgoing/` are for addresses that users give, and are not asked here. No request follows a redirect.
 */
import { Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as SecureAgent } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { within } from '../../../platform/deadline.ts';

/** A connection on which nothing moves for this long is given up. */
export const STALL_MS = 20_000;
/** Files on their way to readers hold one each (stream-places.ts), and parts of uploads have some beside them. */
const SOCKETS = 300;
const IDLE_SOCKETS = 16;
const IDLE_MS = 10_000;
/** Of an answer that is read whole: a page of a list has 1000 names. */
const TEXT_BYTES = 4 * 1024 * 1024;

/** What is sent. It is opened anew for each try. */
export interface Body {
  length: number;
  open(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export interface HttpRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: Body | undefined;
}

/** Its connections are kept for the next requests, and do not keep the process. */
export class Exchange {
  readonly #options = {
    keepAlive: true,
    maxSockets: SOCKETS,
    maxFreeSockets: IDLE_SOCKETS,
    timeout: IDLE_MS,
  };
  readonly #plain = new Agent(this.#options);
  readonly #secure = new SecureAgent(this.#options);

  /** Resolves with the head of the answer. Whoever gets it reads it, or destroys it. */
  async send({ method, url, headers, body }: HttpRequest): Promise<IncomingMessage> {
    const isSecure = url.protocol === 'https:';
    return await new Promise((resolve, reject) => {
      const request = (isSecure ? requestHttps : requestHttp)(url, {
        ...{ method, agent: isSecure ? this.#secure : this.#plain, timeout: STALL_MS },
        headers: { ...headers, 'content-length': body?.length ?? 0 },
      });
      request.on('timeout', () => request.destroy(new Error('it does not answer')));
      request.on('error', reject);
      request.on('response', (response) => {
        // From here on a reader may be slow, so that nothing moves: reads have their own patience.
        request.setTimeout(0);
        resolve(response);
      });
      if (body === undefined) request.end();
      else pipeline(Readable.from(body.open(), { objectMode: false }), request).catch(reject);
    });
  }
}

/** The bytes of an answer. Rejects when it stalls, or ends too early. Whoever ends before it destroys it. */
export function bytesOf(response: IncomingMessage): AsyncIterable<Uint8Array> {
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  // No generator: one that nobody has begun to read would not destroy it.
  const iterator: AsyncIterator<Uint8Array> = {
    next: () => within(STALL_MS, chunks.next(), 'its answer does not go on'),
    return: async () => {
      response.destroy();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/** A short answer as a text. */
export async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of bytesOf(response)) {
    bytes += chunk.length;
    if (bytes > TEXT_BYTES) throw new Error('its answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
