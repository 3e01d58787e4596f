/** From an HTTP upgrade to an open socket, or to a refusal. A refusal never spends the ticket. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { SUBPROTOCOLS, type Subprotocol } from '../../../../protocol/constants.ts';
import { AppError } from '../../../../protocol/errors.ts';
import { MAX_FRAME_BYTES, MAX_FRAME_FRAGMENTS } from '../../../../protocol/limits.ts';
import type { MembershipRow, Store } from '../../../data/storage/store.ts';
import type { Sessions } from '../../../features/identity/sessions.ts';
import type { Tickets, VerifiedTicket } from '../../../features/identity/tickets.ts';
import { permit } from '../../../features/rooms/permit.ts';
import type { RequestLimit } from '../../../platform/limits/request-limit.ts';
import type { MakeSlots } from '../../../platform/limits/slots.ts';
import { throttled } from '../../../platform/log.ts';
import { countOf, measures } from '../../../platform/metrics/measures.ts';
import { addressKey, type ClientAddressOf } from '../../../platform/net/client-address.ts';
import type { OriginPolicy } from '../../../platform/net/origin.ts';
import type { ProxyWarnings } from '../../../platform/net/proxy-warnings.ts';
import { refuseOddHead } from '../../../platform/net/request-head.ts';
import { RefusalLog } from '../../../platform/refusal-log.ts';
import { refuseOnSocket, toAppError, tooManyRequests } from '../../http/errors.ts';
import { BudgetBook } from '../connection/budgets.ts';
import type { Accepted, Connection } from '../connection/connection.ts';
import { RoomConnection, type RoomConnectionParts } from '../connection/room-connection.ts';
import { ServerWebSocket } from '../connection/server-web-socket.ts';
import type { Hub } from '../hub.ts';
import { Line, type LineParts } from '../line/session/line.ts';
import type { Place } from '../room/channel.ts';
import type { UserLogReader } from '../user-log/user-log.ts';
import { isHandshake, type Offer, offerOf, refuseTarget, type Target, targetOf } from './handshake.ts';
import { SocketSlots } from './socket-slots.ts';

export interface UpgraderParts extends RoomConnectionParts, LineParts {
  hub: Hub;
  store: Store;
  tickets: Tickets;
  sessions: Sessions;
  requestLimit: RequestLimit;
  clientAddressOf: ClientAddressOf;
  origins: OriginPolicy;
  proxyWarnings: ProxyWarnings;
  /** Undefined means unlimited. */
  messageLimit: { perSecond: number; burst: number } | undefined;
  socketsPerUser: number;
  socketsPerAddress: number;
  /** Where sockets are counted; by default in this process. */
  makeSlots?: MakeSlots | undefined;
}

/** A request for an upgrade, validated but for its ticket. */
interface Upgrade extends Target, Offer {
  request: IncomingMessage;
  socket: Socket;
  head: Buffer;
  /** The address that limits count by; undefined when it is exempt from them. */
  limitedKey: string | undefined;
}

/** The right to a room, which was read, and may be lost while the ticket is spent. */
interface RoomRight {
  place: Place;
  /** Reads it again. Throws `room_not_found`. */
  mayRead: () => Promise<unknown>;
}

export class Upgrader {
  readonly #parts: UpgraderParts;
  readonly #slots: SocketSlots;
  readonly #budgets: BudgetBook;
  readonly #logFailed: (cause: unknown) => void;
  readonly #refusals: RefusalLog;
  readonly #websockets = new WebSocketServer({
    noServer: true,
    WebSocket: ServerWebSocket,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    maxFragments: MAX_FRAME_FRAGMENTS,
    clientTracking: false,
    autoPong: false,
    handleProtocols: (offered) => SUBPROTOCOLS.find((name) => offered.has(name)) ?? false,
  });

  constructor(parts: UpgraderParts) {
    this.#parts = parts;
    this.#refusals = new RefusalLog(parts.log);
    this.#logFailed = throttled((err, count) => parts.log.error({ err, count }, 'upgrades failed'));
    this.#budgets = new BudgetBook(parts.messageLimit);
    const limits = { perAddress: parts.socketsPerAddress, perUser: parts.socketsPerUser };
    this.#slots = new SocketSlots(limits, parts.makeSlots);
  }

  /** Handles `GET /ws` with an upgrade; responds on the socket in every case. */
  async handle(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    try {
      await this.#admit(request, socket, head);
    } catch (error) {
      const refusal = toAppError(error);
      countOf(measures.refusedUpgrades, refusal.code);
      const { clientAddressOf } = this.#parts;
      // A refusal without a cause is meant, be it a 503: after a restart is announced, sockets come back by the
      // thousand.
      if (refusal.cause !== undefined && refusal.status >= 500) this.#logFailed(refusal.cause);
      else
        this.#refusals.write('upgrade refused', { address: clientAddressOf(request), refusal: refusal.code });
      refuseOnSocket(socket, refusal);
    }
  }

  /** The checks, in the order in which docs/PROTOCOL.md lists their errors. */
  async #admit(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const { requestLimit, tickets, clientAddressOf, origins, proxyWarnings } = this.#parts;
    const address = clientAddressOf(request);
    const isForeign = origins.isForeign(request);
    const decision = await requestLimit.take({ address, target: request.url ?? '', isReal: true, isForeign });
    if (!decision.allowed) throw tooManyRequests(decision);
    refuseOddHead(request);
    const target = targetOf(request.url);
    if (request.httpVersion === '1.0') proxyWarnings.oldHttpVersion();
    if (!isHandshake(request)) throw new AppError('upgrade_required');
    const offer = offerOf(request);
    origins.checkUpgrade(request);

    const key = addressKey(address);
    const isExempt = requestLimit.isExempt(address);
    const limitedKey = isExempt ? undefined : key;
    const userId = await this.#slots.withAddressSlot(key, isExempt, async () => {
      this.#refuseNewWork();
      if (offer.ticket === undefined) throw new AppError('missing_ws_ticket');
      const ticket = tickets.verify(offer.ticket);
      const upgrade = { request, socket, head, limitedKey, ...target, ...offer };
      try {
        if (ticket.roomId === null) await this.#openLine(upgrade, ticket);
        else await this.#enterRoom(upgrade, ticket, ticket.roomId);
      } catch (error) {
        throw await tickets.refusalOf(ticket, error);
      }
      return ticket.userId;
    });
    this.#slots.giveBackOnClose(socket, key, userId);
  }

  async #enterRoom(upgrade: Upgrade, ticket: VerifiedTicket, roomId: number): Promise<void> {
    const { hub } = this.#parts;
    if (upgrade.roomId !== undefined && upgrade.roomId !== roomId) throw new AppError('invalid_ws_ticket');
    refuseOtherThan('chatroom.v1', upgrade);
    const { userId } = ticket;
    const { userLogs } = hub.lines;
    const channel = await hub.hold(roomId);
    const log = await userLogs.hold(userId).catch((error) => {
      hub.release(roomId);
      throw error;
    });
    // What the read below does not find is delivered to this place: by the room, or by the user's log.
    const place = channel.reserve(userId);
    const doubt = () => {
      place.isTaken = true;
    };
    const reader: UserLogReader = { knows: () => true, tell: doubt, judge: doubt, left: doubt, notify() {} };
    log.add(reader);
    let isEntered = false;
    try {
      const where = { roomId, userId };
      let member: MembershipRow | null = null;
      const mayRead = async () => {
        ({ member } = await permit(this.#parts.store, 'read', where, this.#parts.now()));
      };
      await mayRead();
      const right = { place, mayRead };
      await this.#accept(upgrade, ticket, { subprotocol: 'chatroom.v1', right }, (accepted) => {
        isEntered = true;
        this.#begin(new RoomConnection(accepted, this.#parts, { channel, log, member }));
      });
    } finally {
      channel.giveBack(place);
      log.delete(reader);
      if (!isEntered) {
        hub.release(roomId);
        userLogs.release(userId);
      }
    }
  }

  async #openLine(upgrade: Upgrade, ticket: VerifiedTicket): Promise<void> {
    refuseOtherThan('chatroom.v2', upgrade);
    refuseTarget(upgrade);
    await this.#accept(upgrade, ticket, { subprotocol: 'chatroom.v2' }, (accepted) => {
      this.#begin(new Line(accepted, this.#parts));
    });
  }

  #begin(connection: Connection): void {
    this.#parts.log.debug(connection.logFields(), 'socket opened');
    this.#parts.hub.enter(connection);
  }

  /** Spends the ticket and completes the handshake. From then on `use` owns the socket. */
  async #accept(
    upgrade: Upgrade,
    ticket: VerifiedTicket,
    { subprotocol, right }: { subprotocol: Subprotocol; right?: RoomRight },
    use: (accepted: Accepted) => void,
  ): Promise<void> {
    const { tickets, sessions } = this.#parts;
    await this.#slots.withUserSlot(ticket.userId, async () => {
      this.#refuseNewWork();
      await tickets.spend(ticket);
      // A public room stays open to users who were removed from it, and a room that was made private to its members.
      while (right?.place.isTaken) {
        right.place.isTaken = false;
        await right.mayRead();
      }
      // From here to `use` there is no `await`, so neither a logout nor a stop can come in between.
      if (sessions.isRevoked(ticket)) throw new AppError('invalid_ws_ticket');
      // The ticket is spent: only a stop refuses the socket now.
      if (this.#parts.lifecycle.draining) this.#refuseNewWork();
      const { request, socket, head, isNamed, limitedKey } = upgrade;
      if (!socket.writable) throw new AppError('bad_request');
      // ws sees only the chosen subprotocol, so that it has no reason to refuse after the ticket is spent.
      if (isNamed) request.headers['sec-websocket-protocol'] = subprotocol;
      else delete request.headers['sec-websocket-protocol'];
      this.#websockets.handleUpgrade(request, socket, head, (websocket) => {
        // The rest of the ticket is left out: it would stay in memory as long as the socket.
        const { userId, username, sessionId, admittedAt } = ticket;
        const user = { userId, username, sessionId };
        const budgets = this.#budgets.open(userId);
        use({ websocket, socket, user, admittedAt, addressKey: limitedKey, budgets });
      });
    });
  }

  #refuseNewWork(): void {
    const { refusal } = this.#parts.lifecycle;
    if (refusal !== undefined) throw refusal;
  }
}

/** The ticket picks the protocol, which the client must have offered. */
function refuseOtherThan(subprotocol: Subprotocol, { subprotocols }: Offer): void {
  if (!subprotocols.includes(subprotocol)) throw new AppError('unsupported_protocol');
}
