/**
 * Upgrade requests: each waits for the responses before it, then opens a WebSocket or is served as a plain request.
 * A CONNECT, which Node hands over in the same way, is refused in its turn.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../protocol/errors.ts';
import { Slots } from '../../platform/limits/slots.ts';
import { addressKey, type ClientAddressOf } from '../../platform/net/client-address.ts';
import type { RequestOrder } from '../../platform/net/request-order.ts';
import { refuseOnSocket } from './errors.ts';
import { isWsTarget } from './paths.ts';

/** Timeout from a handshake to an open WebSocket or a refusal. Node's own timeouts end with the handshake. */
const UPGRADE_TIMEOUT_MS = 20_000;
/** Limit of an address's upgrades that wait behind earlier responses. Browsers do not pipeline upgrades. */
const MAX_WAITING_PER_ADDRESS = 16;

export interface UpgradeParts {
  clientAddressOf: ClientAddressOf;
  /** Responds to `GET /ws` on the socket; resolves when the WebSocket is open or the request is refused. */
  openWebSocket(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void>;
}

/** Takes the `upgrade` events of `app`'s server. */
export function serveUpgrades(app: FastifyInstance, order: RequestOrder, parts: UpgradeParts): void {
  const waiting = new Slots(MAX_WAITING_PER_ADDRESS);

  function onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const endTimeout = destroyAfter(socket, UPGRADE_TIMEOUT_MS);
    const begin = () => {
      if (request.method === 'CONNECT') {
        refuseOnSocket(socket, new AppError('bad_request'));
      } else if (request.method === 'GET' && isWsTarget(request.url ?? '')) {
        void parts.openWebSocket(request, socket, head).finally(endTimeout);
      } else {
        endTimeout();
        serveWithoutUpgrade(app, request, socket, head);
      }
    };
    if (!order.isBusy(socket)) return begin();

    const key = addressKey(parts.clientAddressOf(request));
    if (!waiting.tryTake(key)) return void socket.destroy();
    const giveBack = () => waiting.giveBack(key);
    socket.once('close', giveBack);
    order.afterAll(socket, () => {
      socket.off('close', giveBack);
      giveBack();
      begin();
    });
  }
  app.server.on('upgrade', onUpgrade);
  // Without a listener Node cuts the connection, and with it the responses to earlier requests.
  app.server.on('connect', onUpgrade);
}

/** Destroys the socket after `ms` milliseconds, unless the returned function is called before. */
function destroyAfter(socket: Socket, ms: number): () => void {
  const timer = setTimeout(() => socket.destroy(), ms);
  const end = () => {
    clearTimeout(timer);
    socket.off('close', end);
  };
  socket.once('close', end);
  return end;
}

/**
 * Serves a request with any other `Upgrade` as if it had none. RFC 9110 §7.8 lets a server ignore the header,
 * and curl and Java's client send one for HTTP/2. Node has stopped parsing behind the request's head, so the socket is
 * handed back to be parsed again, from a head without that header, and with the body still to come.
 */
function serveWithoutUpgrade(
  app: FastifyInstance,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(index, index + 2);
    if (/^upgrade$/i.test(name)) continue;
    lines.push(`${name}: ${/^connection$/i.test(name) ? withoutUpgrade(value) : value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  app.server.emit('connection', socket);
}

/** The other options of a `Connection` header, such as `close`. */
function withoutUpgrade(options: string): string {
  return options
    .split(',')
    .map((option) => option.trim())
    .filter((option) => !/^upgrade$/i.test(option))
    .join(', ');
}
