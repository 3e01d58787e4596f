/** A WebSocket handshake as plain HTTP, so that a test sees the status and the body of a refusal. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { type HttpReply, parseJson, type Target } from './http.ts';

export interface UpgradeOptions {
  /** Subprotocols to offer, in order; `null` sends no header at all. */
  protocols?: string[] | null;
  /** Headers in addition to those of a correct handshake; `undefined` as a value removes one. */
  headers?: OutgoingHttpHeaders | undefined;
  method?: string;
  localAddress?: string;
}

/** A refusal, or status 101 with the open stream, which the caller must destroy. */
export interface UpgradeReply extends HttpReply {
  socket: Duplex | null;
}

/** Offers the base protocol and this ticket. */
export function offering(ticket: string): string[] {
  return ['chatroom.v1', `ticket.${ticket}`];
}

/** Sends an opening handshake for `path` (e.g. `/ws?room_id=1`). */
export async function upgrade(
  target: Target,
  path: string,
  options: UpgradeOptions = {},
): Promise<UpgradeReply> {
  const headers: OutgoingHttpHeaders = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  };
  if (options.protocols) headers['sec-websocket-protocol'] = options.protocols.join(', ');
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value === undefined) delete headers[name];
    else headers[name] = value;
  }
  const opening = request({
    host: '127.0.0.1',
    port: target.port,
    path,
    method: options.method ?? 'GET',
    headers,
    agent: false,
    ...(options.localAddress === undefined ? {} : { localAddress: options.localAddress }),
  });
  const upgraded = once(opening, 'upgrade') as Promise<[IncomingMessage, Duplex, Buffer]>;
  const answered = once(opening, 'response') as Promise<[IncomingMessage]>;
  upgraded.catch(() => undefined);
  answered.catch(() => undefined);
  opening.end();
  const [response, socket, head] = await Promise.race([upgraded, answered]);
  const status = response.statusCode ?? 0;
  if (socket !== undefined) {
    socket.on('error', () => undefined);
    // The first frames may arrive with the handshake.
    if (head && head.length > 0) socket.unshift(head);
    return { status, headers: response.headers, text: '', json: undefined, socket };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status,
    headers: response.headers,
    text,
    json: parseJson(text),
    socket: null,
  };
}

/** Like `upgrade`, but closes an opened socket at once, for tests of the response alone. */
export async function tryUpgrade(
  target: Target,
  path: string,
  options: UpgradeOptions = {},
): Promise<UpgradeReply> {
  const reply = await upgrade(target, path, options);
  reply.socket?.destroy();
  return reply;
}
