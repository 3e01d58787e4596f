/** One-time tickets for the WebSocket: signed tokens that name user, session and room, spent by a database row. */
import { z } from 'zod';
import { AppError } from '../../protocol/errors.ts';
import type { Ticket } from '../../protocol/rest/accounts.ts';
import type { Store } from '../storage/store.ts';
import type { Keys } from './secret.ts';
import type { Sessions } from './sessions.ts';
import { type Identity, SignedTokens } from './tokens.ts';

const TICKET = { audience: 'roomful:ticket', extra: z.object({ room: z.int() }) };
/** Deadlines that are kept; the oldest are forgotten first, and the ticket's own expiry still holds. */
const MAX_DEADLINES = 100_000;

export interface VerifiedTicket extends Identity {
  roomId: number;
  jti: string;
  /** Unix milliseconds. */
  issuedAt: number;
  expiresAt: number;
}

export interface TicketsOptions {
  store: Store;
  sessions: Sessions;
  keys: Keys;
  ttlS: number;
  /** Unix milliseconds. */
  now?: () => number;
}

export class Tickets {
  readonly #store: Store;
  readonly #sessions: Sessions;
  readonly #ttlS: number;
  readonly #tokens: SignedTokens<{ room: number }>;
  /**
   * A ticket's jti to its deadline in monotonic milliseconds, oldest first: setting the time of day back does not
   * revive an expired ticket.
   */
  readonly #deadlines = new Map<string, number>();

  constructor({ store, sessions, keys, ttlS, now = Date.now }: TicketsOptions) {
    this.#store = store;
    this.#sessions = sessions;
    this.#ttlS = ttlS;
    this.#tokens = new SignedTokens(TICKET, { signingKey: keys.ticket, ttlS, now });
  }

  async issue(owner: Identity, roomId: number): Promise<Ticket> {
    if (!(await this.#store.findRoom(roomId))) throw new AppError('room_not_found');
    const { token, jti } = this.#tokens.sign(owner, { room: roomId });
    this.#remember(jti, performance.now() + this.#ttlS * 1000);
    return { ticket: token, expires_in: this.#ttlS };
  }

  /** Validates a ticket without spending it. `roomId`, when given, must be the ticket's own. */
  async verify(ticket: string, roomId: number | undefined): Promise<VerifiedTicket> {
    const verified = this.#read(ticket);
    if (!verified || (roomId !== undefined && roomId !== verified.roomId))
      throw new AppError('invalid_ws_ticket');
    // A ticket that this process issued and has not spent needs no look at the database: spending it decides.
    const isKnown = this.#deadlines.has(verified.jti);
    if (!isKnown && (await this.#store.isTicketSpent(verified.jti))) throw new AppError('invalid_ws_ticket');
    return verified;
  }

  /** Spends the ticket, durably, for exactly one caller; every other one gets `invalid_ws_ticket`. */
  async spend({ jti, expiresAt }: VerifiedTicket): Promise<void> {
    const won = await this.#store.spendTicket({ jti, expiresAt });
    this.#deadlines.delete(jti);
    if (!won) throw new AppError('invalid_ws_ticket');
  }

  #read(ticket: string): VerifiedTicket | undefined {
    const token = this.#tokens.verify(ticket);
    if (!token || this.#sessions.isRevoked(token)) return undefined;
    const { extra, ...rest } = token;
    if (performance.now() > (this.#deadlines.get(token.jti) ?? Number.POSITIVE_INFINITY)) return undefined;
    return { ...rest, roomId: extra.room };
  }

  #remember(jti: string, deadline: number): void {
    this.#deadlines.set(jti, deadline);
    const [oldest] = this.#deadlines.keys();
    if (this.#deadlines.size > MAX_DEADLINES && oldest !== undefined) this.#deadlines.delete(oldest);
  }
}
