/** Requests to a bucket: signed, and tried again where that may help. The secret is in the signature alone. */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { AppError } from '../../../../protocol/errors.ts';
import type { S3Settings } from '../../../platform/config.ts';
import { PlaceError } from '../place-error.ts';
import { type Body, Exchange, textOf } from './exchange.ts';
import { Refusal, toPlaceError } from './refusal.ts';

const TRIES = 5;
const FIRST_PAUSE_MS = 100;
/** No try begins later than this after the first: somebody waits for the answer. */
const PATIENCE_MS = 30_000;

export interface Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** The name of the object; absent: the bucket. */
  name?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Body;
}

export class Client {
  readonly #settings: S3Settings;
  readonly #exchange = new Exchange();
  readonly #host: string;
  /** Keys of signatures, which are good for a day: the one of today. */
  #keys = new Map<string, ArrayBuffer>();

  constructor(settings: S3Settings) {
    this.#settings = settings;
    this.#host = new URL(settings.url).host;
  }

  /** What names an object as the source of a copy. */
  sourceOf(name: string): string {
    return `${new URL(this.#settings.url).pathname}/${name}`;
  }

  /**
   * Rejects with `no_space`, with `service_unavailable` while S3 does not answer, and else with a sentence. `statuses`:
   * answers that are no refusal. `use`: what is done with the answer; a `Refusal` that it throws is as one of S3.
   */
  async request<T>(
    request: Request,
    statuses: readonly number[],
    use: (response: IncomingMessage) => Promise<T>,
  ): Promise<T> {
    const began = performance.now();
    for (let tries = 1; ; tries++) {
      try {
        const response = await this.#send(request);
        const status = response.statusCode ?? 0;
        if (!statuses.includes(status)) throw new Refusal(status, await textOf(response));
        return await use(response);
      } catch (error) {
        // Of what is sent, and comes from S3 itself.
        if (error instanceof AppError || error instanceof PlaceError) throw error;
        const isOver = tries === TRIES || performance.now() - began > PATIENCE_MS;
        if (isOver || (error instanceof Refusal && !error.isPassing))
          throw toPlaceError(this.#host, whatOf(request), error);
      }
      await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random()));
    }
  }

  /** The answer is a text, which may say that it did not work although its status is 200. */
  async text(request: Request): Promise<string> {
    return await this.request(request, [200], async (response) => {
      const text = await textOf(response);
      if (/<Error[ >]/.test(text)) throw new Refusal(200, text);
      return text;
    });
  }

  async #send({ method, name, query = {}, headers = {}, body }: Request): Promise<IncomingMessage> {
    const { url: bucket, accessKeyId, secretAccessKey, region } = this.#settings;
    const url = new URL(name === undefined ? bucket : `${bucket}/${name}`);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    // A signature of other bytes would need them before they are sent: TLS keeps them, and a film may be long.
    const unsigned = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
    if (this.#keys.size > 1) this.#keys = new Map();
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, headers: { ...unsigned, ...headers } },
      ...{ accessKeyId, secretAccessKey, region, service: 's3', cache: this.#keys },
    });
    const signed = await signer.sign();
    return await this.#exchange.send({
      ...{ method, url: signed.url, headers: Object.fromEntries(signed.headers), body },
    });
  }
}

function whatOf({ method, name, query = {} }: Request): string {
  const [first] = Object.keys(query);
  return `${method} ${name ?? 'of the bucket'}${first === undefined ? '' : ` (${first})`}`;
}
