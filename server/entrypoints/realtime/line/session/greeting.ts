/**
 * How a line greets its client: with `hello`, once the user's log is open, and then what was to be sent before. `hello`
 * has a ticket to come back with, and the client gets another from time to time.
 */
import { RETURN_TICKET_EVERY_MS, type Tickets } from '../../../../features/identity/tickets.ts';
import type { Identity } from '../../../../features/identity/tokens.ts';
import type { UserLog } from '../../user-log/user-log.ts';
import { encodeHello, encodeV2, type Hello } from '../../wire/v2.ts';
import type { Lines } from '../lines.ts';

/** The line. */
export interface Greeter {
  readonly user: Identity;
  send(json: string): void;
}

export interface GreetingParts {
  tickets: Pick<Tickets, 'issueReturn'>;
  lines: Lines;
  /** When the client last showed an access token, in Unix milliseconds. */
  admittedAt: number;
}

export class Greeting {
  readonly #line: Greeter;
  readonly #parts: GreetingParts;
  /** What `hello` says of the server. */
  #server: Pick<Hello, 'serverName' | 'emoji'> = { serverName: '' };
  /** Frames that wait for `hello`; null once it is sent. */
  #early: string[] | null = [];
  /** When the client was last given a return ticket, in monotonic milliseconds. */
  #ticketAt = performance.now();

  constructor(line: Greeter, parts: GreetingParts) {
    this.#line = line;
    this.#parts = parts;
  }

  /** Resolves with the user's log, held. */
  async open(): Promise<UserLog> {
    const { userLogs, parts } = this.#parts.lines;
    // The server first: `hello` follows the log at once, before a line that was closed meanwhile lets go of it.
    const { serverName, serverEmoji } = parts;
    const [name, emoji] = await Promise.all([serverName.current(), serverEmoji?.stamp()]);
    this.#server = { serverName: name, emoji };
    return await userLogs.hold(this.#line.user.userId);
  }

  /** Keeps what is sent before `hello`. False: `hello` is sent. */
  keep(json: string): boolean {
    this.#early?.push(json);
    return this.#early !== null;
  }

  /** Sends `hello`, and what was kept. The client has the user's log from this number. */
  sayHello(userSeq: number): void {
    const { tickets, lines, admittedAt } = this.#parts;
    const { epoch, messageLimit, fileBytes = 0, linkPreviews = false } = lines.parts;
    const { user } = this.#line;
    const early = this.#early ?? [];
    this.#early = null;
    const returnTicket = tickets.issueReturn(user, admittedAt);
    const own = { messageLimit, fileBytes, linkPreviews, returnTicket };
    this.#line.send(encodeHello({ user, epoch, userSeq, ...own, ...this.#server }));
    for (const json of early) this.#line.send(json);
  }

  /** Gives the client another ticket to come back with, when it is time. `now`: monotonic milliseconds. */
  renewTicket(now: number): void {
    if (now - this.#ticketAt <= RETURN_TICKET_EVERY_MS) return;
    this.#ticketAt = now;
    const ticket = this.#parts.tickets.issueReturn(this.#line.user, this.#parts.admittedAt);
    if (ticket) this.#line.send(encodeV2({ type: 'return_ticket', ...ticket }));
  }
}
