/** From an HTTP upgrade to a connection in a room, or to a plain refusal. No refusal spends the ticket. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { SUBPROTOCOLS, type Subprotocol, TICKET_PROTOCOL_PREFIX } from '../../../protocol/constants.ts';
import { AppError, type ErrorCode } from '../../../protocol/errors.ts';
import { MAX_FRAME_BYTES, MAX_FRAME_FRAGMENTS } from '../../../protocol/limits.ts';
import { parseId, parseSeq } from '../../../protocol/text.ts';
import { refuseOnSocket, toAppError, tooManyRequests } from '../../http/errors.ts';
import type { Sessions } from '../../identity/sessions.ts';
import type { Tickets, VerifiedTicket } from '../../identity/tickets.ts';
import type { RequestLimit } from '../../limits/request-limit.ts';
import { Slots } from '../../limits/slots.ts';
import { addressKey, type ClientAddressOf } from '../../net/client-address.ts';
import type { OriginPolicy } from '../../net/origin.ts';
import type { ProxyWarnings } from '../../net/proxy-warnings.ts';
import { refuseOddHead } from '../../net/request-head.ts';
import { BudgetBook } from '../connection/budgets.ts';
import { Connection, type ConnectionParts } from '../connection/connection.ts';
import type { Hub } from '../hub.ts';
import type { Place } from '../room/resume.ts';
import { wireV1 } from '../wire/v1.ts';
import { wireV2 } from '../wire/v2.ts';
import type { Wire } from '../wire/wire.ts';

const WIRES: Readonly<Record<Subprotocol, Wire>> = { 'chatroom.v1': wireV1, 'chatroom.v2': wireV2 };
/** A client that offers no subprotocol speaks the base. */
const DEFAULT_SUBPROTOCOL: Subprotocol = 'chatroom.v1';

export interface UpgraderParts extends ConnectionParts {
  hub: Hub;
  tickets: Tickets;
  sessions: Sessions;
  requestLimit: RequestLimit;
  clientAddressOf: ClientAddressOf;
  origins: OriginPolicy;
  proxyWarnings: ProxyWarnings;
  /** Undefined: unlimited. */
  messageLimit: { perSecond: number; burst: number } | undefined;
  socketsPerUser: number;
  socketsPerAddress: number;
}

/** An HTTP upgrade as Node hands it over. */
interface Upgrade {
  /** The address that limits count by; undefined: it is exempt from them. */
  limitedKey: string | undefined;
  request: IncomingMessage;
  socket: Socket;
  head: Buffer;
}

/** What a client asks for in the URL and the subprotocols. */
interface Wish {
  roomId: number | undefined;
  place: Place | undefined;
  subprotocol: Subprotocol;
  /** False: the client named none, so none is named to it. */
  offered: boolean;
  ticket: string | undefined;
}

export class Upgrader {
  readonly #parts: UpgraderParts;
  readonly #byUser: Slots;
  readonly #byAddress: Slots;
  readonly #budgets: BudgetBook;
  readonly #websockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    maxFragments: MAX_FRAME_FRAGMENTS,
    clientTracking: false,
    autoPong: false,
    handleProtocols: (offered) => SUBPROTOCOLS.find((name) => offered.has(name)) ?? false,
  });

  constructor(parts: UpgraderParts) {
    this.#parts = parts;
    this.#budgets = new BudgetBook(parts.messageLimit);
    this.#byUser = new Slots(parts.socketsPerUser);
    this.#byAddress = new Slots(parts.socketsPerAddress);
  }

  /** Handles `GET /ws` with an upgrade; answers on the socket in every case. */
  async handle(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    try {
      await this.#admit(request, socket, head);
    } catch (error) {
      const refusal = toAppError(error);
      const { log, clientAddressOf } = this.#parts;
      if (refusal.status >= 500) log.error({ err: refusal.cause ?? refusal }, 'an upgrade failed');
      else log.debug({ address: clientAddressOf(request), refusal: refusal.code }, 'upgrade refused');
      refuseOnSocket(socket, refusal);
    }
  }

  /** The judgement, in the order that the protocol gives it. */
  async #admit(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const { requestLimit, lifecycle, tickets, clientAddressOf } = this.#parts;
    const address = clientAddressOf(request);
    const decision = requestLimit.take(address, request.url ?? '', true);
    if (!decision.allowed) throw tooManyRequests(decision);
    refuseOddHead(request);
    const where = whereOf(request.url);
    this.#refuseBadHandshake(request);
    const wish: Wish = { ...where, ...wishOf(request) };
    this.#parts.origins.checkUpgrade(request);

    const key = addressKey(address);
    const isExempt = requestLimit.isExempt(address);
    const ticket = await this.#withPlace(
      this.#byAddress,
      key,
      async () => {
        if (lifecycle.draining) throw new AppError('service_unavailable', { retryAfterMs: 1000 });
        if (wish.ticket === undefined) throw new AppError('missing_ws_ticket');
        const verified = await tickets.verify(wish.ticket, wish.roomId);
        const limitedKey = isExempt ? undefined : key;
        await this.#enterRoom({ request, socket, head, limitedKey }, verified, wish);
        return verified;
      },
      isExempt,
    );
    this.#giveBackWhenGone(socket, key, ticket.userId);
  }

  async #enterRoom(
    { request, socket, head, limitedKey }: Upgrade,
    ticket: VerifiedTicket,
    wish: Wish,
  ): Promise<void> {
    const { hub, tickets, sessions, lifecycle } = this.#parts;
    const channel = await hub.hold(ticket.roomId);
    let entered = false;
    try {
      await this.#withPlace(this.#byUser, String(ticket.userId), async () => {
        if (lifecycle.draining) throw new AppError('service_unavailable', { retryAfterMs: 1000 });
        await tickets.spend(ticket);
        // From here to the room nothing waits, so neither a logout nor a stop can slip in between.
        if (sessions.isRevoked(ticket)) throw new AppError('invalid_ws_ticket');
        if (lifecycle.draining) throw new AppError('service_unavailable', { retryAfterMs: 1000 });
        if (!socket.writable) throw new AppError('bad_request');
        // ws is shown the name that was chosen, so that it has nothing to refuse now that the ticket is spent.
        if (wish.offered) request.headers['sec-websocket-protocol'] = wish.subprotocol;
        else delete request.headers['sec-websocket-protocol'];
        this.#websockets.handleUpgrade(request, socket, head, (websocket) => {
          entered = true;
          const wire = WIRES[wish.subprotocol];
          // The rest of the ticket is of no more use, and would be kept as long as the socket.
          const { userId, username, sessionId } = ticket;
          const user = { userId, username, sessionId };
          const of = { websocket, socket, wire, user, channel, addressKey: limitedKey };
          const budgets = this.#budgets.open(userId);
          hub.enter(new Connection(of, this.#parts, budgets), channel, wish.place);
        });
      });
    } finally {
      if (!entered) hub.release(ticket.roomId);
    }
  }

  /** A place is kept from before the ticket is spent. */
  async #withPlace<T>(counter: Slots, key: string, enter: () => Promise<T>, isExempt = false): Promise<T> {
    if (!counter.tryTake(key, isExempt)) throw new AppError('too_many_requests', { retryAfterMs: 5000 });
    try {
      return await enter();
    } catch (error) {
      counter.giveBack(key);
      throw error;
    }
  }

  /** The places of who got in. A method of its own: what a listener's surroundings hold lives as long as the socket. */
  #giveBackWhenGone(socket: Socket, addressKey: string, userId: number): void {
    const giveBack = () => {
      this.#byAddress.giveBack(addressKey);
      this.#byUser.giveBack(String(userId));
    };
    if (socket.closed) giveBack();
    else socket.on('close', giveBack);
  }

  /** What makes a request a WebSocket handshake (RFC 6455 §4.2.1); HTTP/1.0 knows no upgrade (RFC 9110 §7.8). */
  #refuseBadHandshake({ headers, httpVersion }: IncomingMessage): void {
    if (httpVersion === '1.0') this.#parts.proxyWarnings.oldHttpVersion();
    const { upgrade, 'sec-websocket-version': version, 'sec-websocket-key': key } = headers;
    const isHandshake =
      upgrade?.toLowerCase() === 'websocket' && version === '13' && /^[+/0-9A-Za-z]{22}==$/.test(key ?? '');
    if (!isHandshake || httpVersion === '1.0') throw new AppError('upgrade_required');
  }
}

/** What is asked for in the URL; a value given twice is no value. */
export function whereOf(url: string | undefined): { roomId: number | undefined; place: Place | undefined } {
  const query = queryOf(url);
  const roomId = single(query, 'room_id', parseId, 'invalid_ws_room_id');
  const since = single(query, 'since', parseSeq, 'invalid_since');
  return {
    roomId,
    place: since === undefined ? undefined : { since, epoch: query.get('epoch') ?? undefined },
  };
}

function single<T>(
  query: URLSearchParams,
  name: string,
  parse: (text: string) => T | null,
  refusal: ErrorCode,
): T | undefined {
  const values = query.getAll(name);
  if (values.length === 0) return undefined;
  const value = values.length === 1 ? parse(values[0] ?? '') : null;
  if (value === null) throw new AppError(refusal);
  return value;
}

function queryOf(url: string | undefined): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(url ?? '')?.[1] ?? '');
}

function wishOf(request: IncomingMessage): Pick<Wish, 'subprotocol' | 'offered' | 'ticket'> {
  const offered = (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const names = offered.filter((name) => !name.startsWith(TICKET_PROTOCOL_PREFIX));
  const subprotocol =
    names.length === 0 ? DEFAULT_SUBPROTOCOL : SUBPROTOCOLS.find((name) => names.includes(name));
  if (!subprotocol) throw new AppError('unsupported_protocol');
  const carried = offered
    .find((name) => name.startsWith(TICKET_PROTOCOL_PREFIX))
    ?.slice(TICKET_PROTOCOL_PREFIX.length);
  return {
    subprotocol,
    offered: names.length > 0,
    ticket: carried ?? queryOf(request.url).get('ticket') ?? undefined,
  };
}
