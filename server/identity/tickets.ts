/** One-time tickets for the WebSocket: a JWT that names user, session and room; spent by a row in the database. */
import { randomBytes } from 'node:crypto';
import { AppError } from '../../protocol/errors.ts';
import type { Ticket } from '../../protocol/rest.ts';
import type { Store } from '../storage/store.ts';
import type { Keys } from './secret.ts';
import { type Identity, signJwt, type Tokens, verifyJwt } from './tokens.ts';

const AUDIENCE = 'roomful:ticket';

export interface VerifiedTicket extends Identity {
  roomId: number;
  jti: string;
  expiresAt: number;
}

export interface TicketsOptions {
  store: Store;
  tokens: Tokens;
  keys: Keys;
  ttlS: number;
  now?: () => number;
}

/**
 * Unspent tickets that are remembered: each has a deadline on a clock that only goes forward, so that a time of day
 * set back does not revive a dead one. The oldest are forgotten first; their own expiry still holds.
 */
const MAX_REMEMBERED = 100_000;

export class Tickets {
  readonly #options: Required<TicketsOptions>;
  /** A ticket's id to its deadline, in monotonic milliseconds; oldest first. */
  readonly #deadlines = new Map<string, number>();

  constructor(options: TicketsOptions) {
    this.#options = { now: Date.now, ...options };
  }

  async issue(owner: Identity, roomId: number): Promise<Ticket> {
    const { store, keys, ttlS, now } = this.#options;
    if (!(await store.findRoom(roomId))) throw new AppError('room_not_found');
    const jti = randomBytes(16).toString('base64url');
    this.#remember(jti, performance.now() + ttlS * 1000);
    const signing = { key: keys.ticket, kid: keys.kid, audience: AUDIENCE, ttlS, now: now() };
    return { ticket: await signJwt(owner, signing, { room: roomId, jti }), expires_in: ttlS };
  }

  /** Judges a ticket without spending it. `roomId`, when given, must be the ticket's own. */
  async verify(ticket: string, roomId: number | undefined): Promise<VerifiedTicket> {
    const { store, tokens, keys } = this.#options;
    const { identity, payload } = await verifyJwt(
      ticket,
      keys.ticket,
      keys.kid,
      AUDIENCE,
      'invalid_ws_ticket',
    );
    const { room, jti, exp } = payload;
    if (typeof room !== 'number' || typeof jti !== 'string' || typeof exp !== 'number')
      throw new AppError('invalid_ws_ticket');
    if (roomId !== undefined && roomId !== room) throw new AppError('invalid_ws_ticket');
    if (tokens.isRevoked(identity.sessionId)) throw new AppError('invalid_ws_ticket');
    if (performance.now() > (this.#deadlines.get(jti) ?? Number.POSITIVE_INFINITY))
      throw new AppError('invalid_ws_ticket');
    if (await store.isTicketSpent(jti)) throw new AppError('invalid_ws_ticket');
    return { ...identity, roomId: room, jti, expiresAt: exp * 1000 };
  }

  /** Spends it, durably, for exactly one caller; who comes second gets `invalid_ws_ticket`. */
  async spend({ jti, expiresAt }: VerifiedTicket): Promise<void> {
    const { store } = this.#options;
    const won = await store.spendTicket({ jti, expiresAt });
    this.#deadlines.delete(jti);
    if (!won) throw new AppError('invalid_ws_ticket');
  }

  #remember(jti: string, deadline: number): void {
    this.#deadlines.set(jti, deadline);
    const [oldest] = this.#deadlines.keys();
    if (this.#deadlines.size > MAX_REMEMBERED && oldest !== undefined) this.#deadlines.delete(oldest);
  }
}
