/** An HTTP client for tests: it normalises nothing, retries nothing, and opens one connection per request. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { expectDescribed } from './conformance.ts';

/** Where a server listens; `ServerProcess` is one. */
export interface Target {
  port: number;
}

export interface RequestOptions {
  method?: string;
  /** Sent as `Authorization: Bearer …`. */
  token?: string;
  /** Sent as JSON with its Content-Type. */
  json?: unknown;
  /** Sent as it is, without a Content-Type; an array of chunks goes out chunked. */
  body?: string | Uint8Array | Uint8Array[];
  headers?: OutgoingHttpHeaders;
  /** The loopback address to connect from (all of 127.0.0.0/8 is local), so that a test can be several clients. */
  localAddress?: string;
}

export interface HttpReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed body, or `undefined` when the body is not JSON. */
  json: unknown;
}

/** Sends one request. The path is sent byte for byte. Rejects when the response is not as the OpenAPI document says. */
export async function send(target: Target, path: string, options: RequestOptions = {}): Promise<HttpReply> {
  const request = httpRequest({
    host: '127.0.0.1',
    port: target.port,
    path,
    method: options.method ?? 'GET',
    headers: headersOf(options),
    agent: false,
    ...(options.localAddress === undefined ? {} : { localAddress: options.localAddress }),
  });
  const reply = new Promise<HttpReply>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parseJson(text) });
      });
    });
  });
  if (Array.isArray(options.body)) {
    for (const chunk of options.body) request.write(chunk);
    request.end();
  } else {
    request.end(bodyOf(options));
  }
  const response = await reply;
  expectDescribed(options.method ?? 'GET', path, response);
  return response;
}

/** A `POST` with a JSON body. */
export function post(target: Target, path: string, json: unknown, options: RequestOptions = {}) {
  return send(target, path, { method: 'POST', json, ...options });
}

/** How long a busy machine may take to begin a response. */
const FIRST_BYTE_MS = 10_000;

/**
 * Writes bytes to a new connection; returns what arrives until the server closes it, or is silent for `quietMs` after
 * the first byte.
 */
export async function sendRaw(
  target: Target,
  bytes: string | Uint8Array,
  { quietMs = 5000 }: { quietMs?: number } = {},
): Promise<{ text: string; closed: boolean }> {
  const socket = connect({ host: '127.0.0.1', port: target.port });
  const chunks: Buffer[] = [];
  let closed = false;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    socket.setTimeout(quietMs);
  });
  socket.on('error', () => {
    closed = true;
  });
  const ended = Promise.race([
    once(socket, 'close').then(() => {
      closed = true;
    }),
    once(socket, 'end').then(() => {
      closed = true;
    }),
    once(socket.setTimeout(Math.max(quietMs, FIRST_BYTE_MS)), 'timeout'),
  ]);
  socket.write(bytes);
  await ended;
  socket.destroy();
  return { text: Buffer.concat(chunks).toString('latin1'), closed };
}

function headersOf(options: RequestOptions): OutgoingHttpHeaders {
  const body = bodyOf(options);
  return {
    // Node's client sends no length of a DELETE or OPTIONS body by itself.
    ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    ...(options.json === undefined ? {} : { 'content-type': 'application/json' }),
    ...options.headers,
  };
}

function bodyOf(options: RequestOptions): string | Uint8Array | undefined {
  if (options.json !== undefined) return JSON.stringify(options.json);
  return Array.isArray(options.body) ? undefined : options.body;
}

/** Parses JSON; `undefined` when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
