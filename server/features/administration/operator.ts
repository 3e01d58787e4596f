/**
 * What the operator can ask of the server from the command line. The same commands run in the server, which takes them
 * through its control socket, and in the command's own process while no server runs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { registrationSchema } from '../../../protocol/administration.ts';
import { AppError } from '../../../protocol/errors.ts';
import { id } from '../../../protocol/fields.ts';
import { KEEP_ACCOUNTS_MAX, LIVE_INVITES_MAX, SERVER_NAME_MAX } from '../../../protocol/limits.ts';
import { normalizePassword, normalizeUsername, usernameKeys } from '../../../protocol/names.ts';
import { userRole } from '../../../protocol/people.ts';
import { type AdminUser, newServerName } from '../../../protocol/rest/administration.ts';
import { textOf } from '../../../protocol/rest/fields.ts';
import { formsOfUsername } from '../../rules/names/username.ts';
import { createSignInLink } from '../identity/sign-in-links.ts';
import { announceToUsers } from '../rooms/announce.ts';
import { toTime } from '../rooms/shapes.ts';
import { command, OperatorError, type OperatorParts } from './operator-command.ts';
import { FILE_COMMANDS } from './operator-files.ts';
import { ROOM_COMMANDS } from './operator-rooms.ts';
import { SEARCH_COMMANDS } from './operator-search.ts';
import { RETENTION_COMMANDS } from './retention.ts';

/** Accounts of a flood in one piece. */
const ENDED_AT_ONCE = 50;

/** An answer that comes later than this is given up by the command line. */
const DELETING_MS = 10_000;

const named = z.object({ name: z.string().max(512) });

/** Each command with its arguments and what it returns, which is JSON. */
const COMMANDS = {
  listUsers: command(
    z.object({ q: z.string().max(512).optional(), suspended: z.boolean().optional() }),
    async ({ administration }, query) => {
      const users: AdminUser[] = [];
      for (let afterId = 0, hasMore = true; hasMore; afterId = users.at(-1)?.id ?? 0) {
        const page = await administration.users(null, { ...query, limit: 500, afterId });
        users.push(...page.users);
        hasMore = page.has_more && page.users.length > 0;
      }
      return { users };
    },
  ),
  createUser: command(
    z.object({ username: textOf(normalizeUsername), password: textOf(normalizePassword) }),
    async ({ store, bus, passwords }, { username, password }) => {
      const names = formsOfUsername(username);
      const passwordHash = await passwords.hash(password, 'operator');
      const now = Date.now();
      const created = await store.createUser({ ...names, passwordHash, isByOperator: true, now });
      if (created.outcome !== 'created') throw new AppError('username_taken');
      announceToUsers(bus, await store.joinDefaultRooms({ userId: created.user.id, now }));
      return { user: created.user };
    },
  ),
  changeUser: command(
    named.extend({
      suspended: z.boolean().optional(),
      role: userRole.optional(),
      reason: z.string().max(500).optional(),
    }),
    async (parts, { name, ...change }) => {
      const { id: userId } = await find(parts, name);
      const before = await parts.administration.user(null, userId);
      const user = await parts.administration.change(null, userId, change);
      const changed = before.role !== user.role || before.suspended_at !== user.suspended_at;
      return { user, changed, has_admin: await parts.store.hasAdmin() };
    },
  ),
  renameUser: command(named.extend({ to: textOf(normalizeUsername) }), async (parts, { name, to }) => {
    const before = await find(parts, name);
    const user = await parts.administration.change(null, before.id, { username: to });
    return { from: before.username, user };
  }),
  removeUser: command(
    named.extend({ texts: z.enum(['keep', 'delete']), reason: z.string().max(500).optional() }),
    async (parts, { name, ...terms }) => {
      const user = await find(parts, name);
      await parts.removal.remove(null, user.id, terms);
      return { user, has_admin: await parts.store.hasAdmin() };
    },
  ),
  /** Runs for a few seconds at most. `done: false`: call it again. */
  deleteTexts: command(z.object({}), async ({ removal }) => ({
    done: await Promise.race([
      removal.deleteTexts().then(() => true),
      sleep(DELETING_MS, false, { ref: false }),
    ]),
  })),
  /** `like`: only the address of this account. */
  registrations: command(
    z.object({ since: z.int().nonnegative(), like: z.string().max(512).optional() }),
    async (parts, { since, like }) => {
      const userId = like === undefined ? undefined : (await find(parts, like)).id;
      return await parts.registrations.addresses(null, { since, userId });
    },
  ),
  /** A piece; `audit_id` and `done` are of the pieces before. */
  endRegistrations: command(
    z.object({
      address: z.string().max(64).optional(),
      since: z.int().nonnegative(),
      until: z.int().nonnegative(),
      act: z.enum(['suspend', 'remove']),
      keep: z.array(z.string().max(512)).max(KEEP_ACCOUNTS_MAX),
      reason: z.string().max(500).optional(),
      dry: z.boolean(),
      audit_id: id.nullable(),
      done: z.int().nonnegative(),
    }),
    async (parts, { keep, reason, dry, audit_id, done, ...rest }) => {
      const kept: number[] = [];
      for (const name of keep) kept.push((await find(parts, name)).id);
      const terms = { ...rest, keep: kept };
      if (dry) {
        const counted = await parts.registrations.count(null, terms);
        return { ...counted, audit_id, names: await parts.registrations.names(terms) };
      }
      const progress = { auditId: audit_id, accounts: done };
      const { auditId, ...ended } = await parts.registrations.end(null, terms, {
        limit: ENDED_AT_ONCE,
        reason,
        progress,
      });
      return { ...ended, audit_id: auditId, names: [] };
    },
  ),
  resetPassword: command(named, async (parts, { name }) => {
    const { id: userId } = await find(parts, name);
    return await parts.administration.createReset(null, userId, parts.origin);
  }),
  signInLink: command(named, async ({ store, origin }, { name }) => {
    const { id: userId } = await find({ store }, name);
    return await createSignInLink({ store, now: Date.now }, userId, origin);
  }),
  listSessions: command(named, async (parts, { name }) => {
    const user = await find(parts, name);
    const sessions = await parts.store.liveSessions({ userId: user.id, now: Date.now() });
    return {
      user,
      sessions: sessions.map(({ sessionId, createdAt, lastUsedAt, userAgent }) => ({
        id: sessionId,
        user_agent: userAgent,
        created_at: toTime(createdAt),
        last_used_at: toTime(lastUsedAt),
      })),
    };
  }),
  endSessions: command(named, async (parts, { name }) => {
    const user = await find(parts, name);
    return { user, ended: await parts.administration.endSessions(null, user.id) };
  }),
  registration: command(
    z.object({ registration: registrationSchema.optional() }),
    async ({ administration }, { registration }) => {
      if (registration !== undefined) await administration.setRegistration(null, registration);
      return { registration: await administration.registration() };
    },
  ),
  /** Null: the default. */
  serverName: command(
    z.object({ server_name: newServerName.optional() }),
    async ({ serverName }, { server_name: name }) => {
      if (name !== undefined) await serverName.set(null, name);
      return { name: await serverName.current() };
    },
  ),
  invite: command(
    z.object({
      expires_in: z.int().positive().optional(),
      max_uses: z.int().min(1).max(1000).optional(),
    }),
    async ({ administration, origin }, terms) => {
      const { users } = await administration.users(null, { limit: 1, afterId: 0 });
      if (users.length === 0) throw new OperatorError(NO_ACCOUNT);
      return await administration.createInvite(null, terms, origin);
    },
  ),
  revokeInvite: command(z.object({ id }), async ({ administration }, { id: inviteId }) => {
    await administration.revokeInvite(null, inviteId);
    return {};
  }),
  usage: command(z.object({}), ({ administration }) => administration.usage(null)),
  ...FILE_COMMANDS,
  ...ROOM_COMMANDS,
  ...RETENTION_COMMANDS,
  ...SEARCH_COMMANDS,
  audit: command(
    z.object({ limit: z.int().min(1).max(1000), before_id: id.optional() }),
    ({ administration }, { limit, before_id: beforeId }) =>
      administration.audit(null, { of: 'all' }, { limit, beforeId }),
  ),
} as const;

type Commands = typeof COMMANDS;
export type CommandName = keyof Commands;
export type CommandArgs<Name extends CommandName> = z.input<Commands[Name]['args']>;
export type CommandResult<Name extends CommandName> = Awaited<ReturnType<Commands[Name]['run']>>;

const NO_ACCOUNT = 'There is no account yet. Make the first one: roomful user create NAME.';

/** Checks the arguments and runs the command. Throws `OperatorError`. */
export async function runOperator(parts: OperatorParts, name: string, args: unknown): Promise<unknown> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name as CommandName] : undefined;
  if (!command) throw new OperatorError(`This server knows no command ${JSON.stringify(name)}.`);
  const { success, data, error } = command.args.safeParse(args);
  if (!success) throw new OperatorError(explain(error));
  try {
    return await (command.run as (parts: OperatorParts, args: unknown) => Promise<unknown>)(parts, data);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new OperatorError(SENTENCES[error.code] ?? `It was refused: ${error.message}.`);
  }
}

const SENTENCES: Partial<Record<string, string>> = {
  invalid_payload: 'The address is none: 192.0.2.1, or an address of IPv6, or its /64.',
  username_taken: 'There is a user with this name, or with one that looks like it.',
  too_many: `There are ${LIVE_INVITES_MAX} live invitations. Revoke one first.`,
  invite_not_found: 'There is no such invitation, or it has ended.',
  room_not_found: 'There is no such room.',
  not_allowed:
    'That cannot be done here: direct conversations stay as they are, and an archived room must be unarchived first.',
  service_unavailable: 'The database takes no writes now. Try again.',
};

function explain({ issues: [issue] }: z.ZodError): string {
  const where = issue?.path.join('.') || 'the arguments';
  if (where === 'username' || where === 'to')
    return 'The username is not allowed: 3 to 32 characters, without blanks.';
  if (where === 'server_name')
    return `The name is not allowed: one line of ${SERVER_NAME_MAX} characters at most.`;
  if (where === 'password') return 'The password is not allowed: 8 characters at least.';
  return `Wrong value of ${where}: ${issue?.message}.`;
}

/** By any form of the name. A removed account has a name of its own. */
async function find(
  { store }: Pick<OperatorParts, 'store'>,
  name: string,
): Promise<{ id: number; username: string }> {
  const removedId = /^Removed user ([1-9][0-9]{0,15})$/.exec(name)?.[1];
  if (removedId !== undefined) {
    const [removed] = await store.profiles([Number(removedId)]);
    if (removed?.kind === 'removed') return { id: removed.id, username: removed.username };
  }
  for (const key of usernameKeys(name)) {
    const user = await store.findUser(key);
    if (user) return { id: user.id, username: user.username };
  }
  throw new OperatorError(`There is no user ${JSON.stringify(name)}.`);
}
