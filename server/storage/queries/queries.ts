/** Every named query. A command writes and runs whole in one transaction; a read runs on a snapshot. */
import * as accounts from './accounts.ts';
import * as messages from './messages.ts';
import * as meta from './meta.ts';
import * as rooms from './rooms.ts';
import type { Steps } from './steps.ts';
import * as tickets from './tickets.ts';

/** Rows of a kind that one purge deletes: others wait for its commit. */
const PURGE_ROWS = 2000;

/** Deletes some of what has expired; true when there may be more. */
function* purge({ now }: { now: number }): Steps<boolean> {
  const moreAccounts = yield* accounts.purgeAccounts({ now, limit: PURGE_ROWS });
  const moreTickets = yield* tickets.purgeTickets({ now, limit: PURGE_ROWS });
  return moreAccounts || moreTickets;
}

export const COMMANDS = {
  createUser: accounts.createUser,
  createSession: accounts.createSession,
  exchangeRefreshToken: accounts.exchangeRefreshToken,
  revokeSession: accounts.revokeSession,
  createRoom: rooms.createRoom,
  spendTicket: tickets.spendTicket,
  purge,
  touch: meta.touch,
  saveRoster: meta.saveRoster,
  takeRoster: meta.takeRoster,
};

export const READS = {
  findUser: accounts.findUser,
  sessionsRevokedSince: accounts.sessionsRevokedSince,
  findRoom: rooms.findRoom,
  listRooms: rooms.listRooms,
  history: messages.history,
  messagesAfter: messages.messagesAfter,
  isTicketSpent: tickets.isTicketSpent,
};

type Named<Table> = Table extends Record<string, (args: never) => Steps<unknown>> ? Table : never;

export type Commands = Named<typeof COMMANDS>;
export type Reads = Named<typeof READS>;
export type CommandName = keyof Commands;
export type ReadName = keyof Reads;
/** What a named query takes, and what it answers. */
export type ArgsOf<F> = F extends (args: infer Args) => Steps<unknown> ? Args : never;
export type ResultOf<F> = F extends (args: never) => Steps<infer Result> ? Result : never;
