/**
 * One-time tickets for the WebSocket: signed tokens that name a user, a session, and one room or all of them, spent by
 * a database row. A line gives its client another one for the way back.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../../protocol/errors.ts';
import type { Ticket } from '../../../protocol/rest/accounts.ts';
import type { Store } from '../../data/storage/store.ts';
import { permit } from '../rooms/permit.ts';
import type { Keys } from './secret.ts';
import type { Sessions } from './sessions.ts';
import { type Identity, SignedTokens, type VerifiedToken } from './tokens.ts';

/** Which process issued the ticket, and until when it holds by the clock of that process that only moves forward. */
const CLOCK = { run: z.string(), until: z.int() };
const SCOPE = z.union([
  z.object({ ...CLOCK, room: z.int() }),
  z.object({ ...CLOCK, scope: z.literal('user') }),
]);
const TICKET = { audience: 'roomful:ticket', extra: SCOPE };
/** `admitted`: when the client last showed an access token on the way to this ticket, in Unix milliseconds. */
const RETURN_TICKET = {
  audience: 'roomful:return-ticket',
  extra: z.object({ ...CLOCK, admitted: z.int() }),
};
/** Long enough for a restart, a tunnel, or a walk to another room; far shorter than a token of a session is remembered. */
const RETURN_TTL_S = 900;
/** A line gives a new return ticket this often: the latest has at least ten minutes. */
export const RETURN_TICKET_EVERY_MS = 300_000;

export interface VerifiedTicket extends Identity {
  /** Null: all rooms of the user. */
  roomId: number | null;
  jti: string;
  /** Unix milliseconds. */
  issuedAt: number;
  expiresAt: number;
  /** When the client last showed an access token, in Unix milliseconds. */
  admittedAt: number;
  isSpent: boolean;
}

export interface TicketsOptions {
  store: Store;
  sessions: Sessions;
  keys: Keys;
  ttlS: number;
  /** Of a login whose refresh token is not used. */
  refreshTtlS: number;
  /** Of an access token. */
  accessTtlS: number;
  /** Unix milliseconds. */
  now?: () => number;
}

export class Tickets {
  readonly #store: Store;
  readonly #sessions: Sessions;
  readonly #ttlS: number;
  readonly #now: () => number;
  readonly #tokens: SignedTokens<z.infer<typeof SCOPE>>;
  readonly #returns: SignedTokens<z.infer<typeof RETURN_TICKET.extra>>;
  /** From an access token on, return tickets are given for so long: no longer than its login certainly lives. */
  readonly #returnsMs: number;
  readonly #run = randomBytes(6).toString('base64url');

  constructor({ store, sessions, keys, ttlS, refreshTtlS, accessTtlS, now = Date.now }: TicketsOptions) {
    this.#store = store;
    this.#sessions = sessions;
    this.#ttlS = ttlS;
    this.#now = now;
    this.#tokens = new SignedTokens(TICKET, { signingKey: keys.ticket, ttlS, now });
    this.#returns = new SignedTokens(RETURN_TICKET, {
      ...{ signingKey: keys.returnTicket, ttlS: RETURN_TTL_S, now },
    });
    this.#returnsMs = (refreshTtlS - accessTtlS) * 1000;
  }

  /** For all rooms of the user: what they may enter is checked when they do. */
  issueForUser(owner: Identity): Ticket {
    return this.#issue(owner, { scope: 'user' });
  }

  /** For one room. Throws `room_not_found`, also for a direct conversation, which has no socket of its own. */
  async issue(owner: Identity, roomId: number): Promise<Ticket> {
    const where = { roomId, userId: owner.userId };
    const { room } = await permit(this.#store, 'read', where, this.#now());
    if (room.kind === 'dm') throw new AppError('room_not_found');
    return this.#issue(owner, { room: roomId });
  }

  /**
   * For another socket for all rooms, once this one has ended. Undefined: the client is to show an access token once
   * more, as the login may end before the ticket would.
   */
  issueReturn(owner: Identity, admittedAt: number): Ticket | undefined {
    if (this.#now() + RETURN_TTL_S * 1000 > admittedAt + this.#returnsMs) return undefined;
    const extra = { run: this.#run, until: untilIn(RETURN_TTL_S), admitted: admittedAt };
    const { token } = this.#returns.sign(owner, extra);
    return { ticket: token, expires_in: RETURN_TTL_S };
  }

  #issue(owner: Identity, scope: { room: number } | { scope: 'user' }): Ticket {
    const { token } = this.#tokens.sign(owner, { run: this.#run, until: untilIn(this.#ttlS), ...scope });
    return { ticket: token, expires_in: this.#ttlS };
  }

  /**
   * Validates a ticket, but does not look whether it is spent: spending it does, and `refusalOf` where it comes to no
   * spending. Throws `invalid_ws_ticket`.
   */
  verify(ticket: string): VerifiedTicket {
    const verified = this.#read(ticket) ?? this.#readReturn(ticket);
    if (!verified || this.#sessions.isRevoked(verified)) throw new AppError('invalid_ws_ticket');
    return verified;
  }

  /** Spends the ticket, durably, for exactly one caller; every other one gets `invalid_ws_ticket`. */
  async spend(ticket: VerifiedTicket): Promise<void> {
    const { jti, expiresAt } = ticket;
    const won = await this.#store.spendTicket({ jti, expiresAt });
    if (!won) throw new AppError('invalid_ws_ticket');
    ticket.isSpent = true;
  }

  /** Why an attempt with this ticket is refused: a ticket that another one has spent says nothing else. */
  async refusalOf({ jti, isSpent }: VerifiedTicket, error: unknown): Promise<unknown> {
    if (!isSpent && (await this.#store.isTicketSpent(jti))) return new AppError('invalid_ws_ticket');
    return error;
  }

  #read(ticket: string): VerifiedTicket | undefined {
    const token = this.#tokens.verify(ticket);
    if (!token || this.#isOver(token.extra)) return undefined;
    const { extra, ...rest } = token;
    const roomId = 'room' in extra ? extra.room : null;
    return { roomId, ...rest, admittedAt: token.issuedAt, isSpent: false };
  }

  #readReturn(ticket: string): VerifiedTicket | undefined {
    const token: VerifiedToken<z.infer<typeof RETURN_TICKET.extra>> | undefined =
      this.#returns.verify(ticket);
    if (!token || this.#isOver(token.extra)) return undefined;
    const { extra, ...rest } = token;
    return { roomId: null, ...rest, admittedAt: extra.admitted, isSpent: false };
  }

  /** By the clock of this process: setting the time of day back does not revive an expired ticket. */
  #isOver({ run, until }: { run: string; until: number }): boolean {
    return run === this.#run && performance.now() > until;
  }
}

/** By the clock of this process that only moves forward. */
function untilIn(seconds: number): number {
  return Math.ceil(performance.now() + seconds * 1000);
}
