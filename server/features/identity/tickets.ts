/**
 * One-time tickets for the WebSocket: signed tokens that name a user, a session, and one room or all of them, spent by
 * a database row.
 */
import { z } from 'zod';
import { AppError } from '../../../protocol/errors.ts';
import type { Ticket } from '../../../protocol/rest/accounts.ts';
import type { Store } from '../../data/storage/store.ts';
import { permit } from '../rooms/permit.ts';
import type { Keys } from './secret.ts';
import type { Sessions } from './sessions.ts';
import { type Identity, SignedTokens } from './tokens.ts';

const FOR_ALL_ROOMS = { scope: 'user' } as const;
const SCOPE = z.union([z.object({ room: z.int() }), z.object({ scope: z.literal(FOR_ALL_ROOMS.scope) })]);
const TICKET = { audience: 'roomful:ticket', extra: SCOPE };
/** Deadlines that are kept; the oldest are forgotten first, and the ticket's own expiry still holds. */
const MAX_DEADLINES = 100_000;

export interface VerifiedTicket extends Identity {
  /** Null: all rooms of the user. */
  roomId: number | null;
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
  readonly #now: () => number;
  readonly #tokens: SignedTokens<z.infer<typeof SCOPE>>;
  /**
   * A ticket's jti to its deadline in monotonic milliseconds, oldest first: setting the time of day back does not
   * revive an expired ticket.
   */
  readonly #deadlines = new Map<string, number>();

  constructor({ store, sessions, keys, ttlS, now = Date.now }: TicketsOptions) {
    this.#store = store;
    this.#sessions = sessions;
    this.#ttlS = ttlS;
    this.#now = now;
    this.#tokens = new SignedTokens(TICKET, { signingKey: keys.ticket, ttlS, now });
  }

  /** For all rooms of the user: what they may enter is checked when they do. */
  issueForUser(owner: Identity): Ticket {
    return this.#issue(owner, FOR_ALL_ROOMS);
  }

  /** For one room. Throws `room_not_found`, also for a direct conversation, which has no socket of its own. */
  async issue(owner: Identity, roomId: number): Promise<Ticket> {
    const where = { roomId, userId: owner.userId };
    const { room } = await permit(this.#store, 'read', where, this.#now());
    if (room.kind === 'dm') throw new AppError('room_not_found');
    return this.#issue(owner, { room: roomId });
  }

  #issue(owner: Identity, scope: z.infer<typeof SCOPE>): Ticket {
    const { token, jti } = this.#tokens.sign(owner, scope);
    this.#remember(jti, performance.now() + this.#ttlS * 1000);
    return { ticket: token, expires_in: this.#ttlS };
  }

  /** Validates a ticket without spending it. */
  async verify(ticket: string): Promise<VerifiedTicket> {
    const verified = this.#read(ticket);
    if (!verified) throw new AppError('invalid_ws_ticket');
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
    return { ...rest, roomId: 'room' in extra ? extra.room : null };
  }

  #remember(jti: string, deadline: number): void {
    this.#deadlines.set(jti, deadline);
    const [oldest] = this.#deadlines.keys();
    if (this.#deadlines.size > MAX_DEADLINES && oldest !== undefined) this.#deadlines.delete(oldest);
  }
}
