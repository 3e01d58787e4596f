/**
 * A push service of the tests' own, together with the browsers that subscribe to it. It accepts a message only as a
 * real one would (RFC 8030, 8291, 8292), and decrypts it.
 */
import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PushPayload, pushPayload } from '../../../../protocol/rest/push.ts';
import { decrypt, type SubscriberKeys } from './decrypt.ts';

const DAY_S = 86_400;
const MAX_BODY_BYTES = 4096;

export interface ReceivedPush {
  payload: PushPayload;
  ttlS: number;
  urgency: string | undefined;
  topic: string | undefined;
  /** Bytes of the encrypted message. */
  size: number;
}

/** A browser's subscription. */
export interface Subscriber {
  /** The body of `PUT /api/v1/me/push`. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** In the order in which they came. */
  received: ReceivedPush[];
  /** What the service responds instead of accepting: a status, and headers. */
  respond?: { status: number; headers?: Record<string, string> } | undefined;
  /** Called at every accepted message. */
  onPush?: (push: ReceivedPush) => void;
}

export class PushService {
  readonly port: number;
  /** Why messages were refused that a real service would refuse, too. */
  readonly faults: string[] = [];
  /** Messages that are being handled, and the most that were at once. */
  atOnce = { now: 0, most: 0 };
  /** How long it takes over each message. */
  delayMs = 0;
  /** What it responds instead of accepting messages. */
  respond: Subscriber['respond'];
  readonly #server: Server;
  readonly #subscribers = new Map<
    string,
    { subscriber: Subscriber; keys: SubscriberKeys; serverKey: string }
  >();

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on('request', (request, response) => {
      this.#receive(request).then(
        ({ status, headers }) => response.writeHead(status, headers).end(),
        (error) => {
          this.faults.push(String(error));
          response.writeHead(400).end();
        },
      );
    });
  }

  /** Listens on 127.0.0.1; `port` 0 takes a free one. */
  static async start(port = 0): Promise<PushService> {
    const server = createServer();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new PushService(server);
  }

  /** The item of OUTGOING_ALLOW that lets a server reach it. */
  get allow(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** A new browser, which takes messages of this server key alone (`GET /api/v1/me/push/key`). */
  subscribe(serverKey: string, host = '127.0.0.1'): Subscriber {
    const path = `/push/${randomBytes(16).toString('base64url')}`;
    const pair = createECDH('prime256v1');
    const p256dh = pair.generateKeys('base64url');
    const auth = randomBytes(16).toString('base64url');
    const endpoint = `http://${host}:${this.port}${path}`;
    const subscriber: Subscriber = { subscription: { endpoint, keys: { p256dh, auth } }, received: [] };
    const keys = { privateKey: pair.getPrivateKey('base64url'), p256dh, auth };
    this.#subscribers.set(path, { subscriber, keys, serverKey });
    return subscriber;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #receive(request: IncomingMessage): Promise<{ status: number; headers?: Record<string, string> }> {
    this.atOnce.most = Math.max(this.atOnce.most, ++this.atOnce.now);
    try {
      const body = await readAll(request);
      if (this.delayMs > 0) await sleep(this.delayMs);
      if (this.respond) return this.respond;
      const found = this.#subscribers.get(request.url ?? '');
      if (found === undefined) return { status: 404 };
      const { subscriber, keys, serverKey } = found;
      checkVapid(request, `http://${request.headers.host}`, serverKey);
      if (request.method !== 'POST') throw new Error(`the method is ${request.method}`);
      if (request.headers['content-encoding'] !== 'aes128gcm')
        throw new Error('the encoding is not aes128gcm');
      if (body.length > MAX_BODY_BYTES) throw new Error(`${body.length} bytes`);
      const { ttl, urgency, topic } = request.headers;
      if (!/^\d+$/.test(String(ttl))) throw new Error(`the TTL is ${ttl}`);
      if (topic !== undefined && !/^[\w-]{1,32}$/.test(String(topic)))
        throw new Error(`the topic is ${topic}`);
      const payload = pushPayload.parse(JSON.parse(decrypt(body, keys).toString('utf8')));
      if (subscriber.respond) return subscriber.respond;
      const push = {
        payload,
        ttlS: Number(ttl),
        urgency: first(urgency),
        topic: first(topic),
        size: body.length,
      };
      subscriber.received.push(push);
      subscriber.onPush?.(push);
      return { status: 201 };
    } finally {
      this.atOnce.now--;
    }
  }
}

/** Throws unless the request has a token of the key that the browser subscribed with (RFC 8292 §2 and §4.2). */
function checkVapid(request: IncomingMessage, audience: string, serverKey: string): void {
  const header = request.headers.authorization ?? '';
  const token = /(?:^vapid |, ?)t=([^, ]+)/.exec(header)?.[1] ?? '';
  const key = /(?:^vapid |, ?)k=([^, ]+)/.exec(header)?.[1];
  if (key !== serverKey) throw new Error('the key is not the one of the subscription');
  const [head = '', claims = '', signature = ''] = token.split('.');
  if (JSON.parse(decode(head)).alg !== 'ES256') throw new Error('the token is not signed with ES256');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' };
  const publicKey = { key: createPublicKey({ format: 'jwk', key: jwk }), dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url')))
    throw new Error('the signature is wrong');
  const { aud, exp, sub } = JSON.parse(decode(claims)) as { aud?: unknown; exp?: unknown; sub?: unknown };
  const now = Date.now() / 1000;
  if (aud !== audience) throw new Error(`the token is for ${aud}`);
  if (typeof exp !== 'number' || exp <= now || exp > now + DAY_S)
    throw new Error(`the token expires at ${exp}`);
  if (!/^(mailto:|https:)/.test(String(sub))) throw new Error(`the contact is ${sub}`);
}

function decode(part: string): string {
  return Buffer.from(part, 'base64url').toString('utf8');
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
