/**
 * Administration of the server: people, registration, the audit log, and usage. `actor`: a user's id, or null for the
 * operator at the command line. For somebody who is no admin there is no administration: `not_found`.
 */
import { randomBytes } from 'node:crypto';
import type { Registration } from '../../../protocol/administration.ts';
import { AppError } from '../../../protocol/errors.ts';
import { INVITE_TTL_S, RESET_TTL_S } from '../../../protocol/limits.ts';
import type { UserRole } from '../../../protocol/people.ts';
import type {
  AdminUser,
  AdminUsersPage,
  AuditPage,
  CreatedServerInvite,
  ResetLink,
  SearchStatus,
  Usage,
} from '../../../protocol/rest/administration.ts';
import type { Invite } from '../../../protocol/rest/rooms.ts';
import { searchStart } from '../../../protocol/search/names.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type {
  AccountChange,
  AdminUserRow,
  AuditRow,
  AuditScope,
  Store,
  UserRow,
} from '../../data/storage/store.ts';
import { checkOrRefuse, type Limiter, takeOrRefuse } from '../../platform/limits/limiter.ts';
import { formsOfUsername } from '../../rules/names/username.ts';
import { type From, hashOf } from '../rooms/invites.ts';
import { permit } from '../rooms/permit.ts';
import { toTime } from '../rooms/shapes.ts';

/** The codes of links have 128 random bits, of which the database keeps the hash. */
const CODE_BYTES = 16;

export interface AdministrationOptions {
  store: Store;
  bus: Bus;
  /** Ends sessions in this process at once, and announces their end. */
  announceEnd(sessionId: number): void;
  /** Counts wrong codes, by address; undefined: no limit. */
  attempts: Limiter | undefined;
  version: string;
  searchStatus(): Promise<SearchStatus>;
  /** Unix milliseconds. */
  now: () => number;
}

export interface PersonChange {
  role?: UserRole | undefined;
  suspended?: boolean | undefined;
  /** In its normal form. */
  username?: string | undefined;
  reason?: string | undefined;
}

export class Administration {
  readonly #options: AdministrationOptions;

  constructor(options: AdministrationOptions) {
    this.#options = options;
  }

  async users(
    actorId: number | null,
    query: {
      limit: number;
      afterId?: number | undefined;
      q?: string | undefined;
      suspended?: boolean | undefined;
    },
  ): Promise<AdminUsersPage> {
    const { store, now } = this.#options;
    const { limit, afterId, q, suspended } = query;
    const start = q === undefined ? undefined : searchStart(q);
    const rows = await store.adminUsers({ actorId, limit: limit + 1, afterId, start, suspended, now: now() });
    if (!rows) throw new AppError('not_found');
    return { users: rows.slice(0, limit).map(toUser), has_more: rows.length > limit };
  }

  /**
   * Throws `not_found`, `user_not_found`, `not_allowed` for somebody of an equal or higher role, and `username_taken`
   * for a name that somebody has or that nobody may have.
   */
  async change(
    actorId: number | null,
    userId: number,
    { role, suspended, username, reason = '' }: PersonChange,
  ): Promise<AdminUser> {
    const { store, now } = this.#options;
    if (username !== undefined) {
      const renamed = await store.renameUser({ actorId, userId, ...formsOfUsername(username), now: now() });
      if (renamed.outcome === 'taken') throw new AppError('username_taken');
      this.#announce(renamed);
    }
    if (suspended !== undefined)
      this.#announce(await store.setSuspended({ actorId, userId, suspended, reason, now: now() }));
    if (role !== undefined) this.#announce(await store.setRole({ actorId, userId, role, now: now() }));
    return await this.user(actorId, userId);
  }

  async user(actorId: number | null, userId: number): Promise<AdminUser> {
    const { store, now } = this.#options;
    const rows = await store.adminUsers({ actorId, limit: 1, afterId: userId - 1, now: now() });
    if (!rows) throw new AppError('not_found');
    const [row] = rows;
    if (row?.id !== userId) throw new AppError('user_not_found');
    return toUser(row);
  }

  /** Ends all sessions of a person; how many. */
  async endSessions(actorId: number | null, userId: number): Promise<number> {
    const { store, now } = this.#options;
    const change = await store.endSessions({ actorId, userId, now: now() });
    this.#announce(change);
    return change.outcome === 'changed' ? change.ended.length : 0;
  }

  /** A link with which the person sets a new password, once, within a day. `origin`: where the web client is. */
  async createReset(actorId: number | null, userId: number, origin: string): Promise<ResetLink> {
    const { store, now } = this.#options;
    const code = newCode();
    const expiresAt = now() + RESET_TTL_S * 1000;
    const created = await store.createReset({
      actorId,
      userId,
      codeHash: hashOf(code),
      expiresAt,
      now: now(),
    });
    if (created.outcome !== 'created') throw new AppError(created.outcome);
    const user = toPerson(created.user);
    return { user, code, url: `${origin}/reset/${code}`, expires_at: toTime(expiresAt) };
  }

  /** Whose password the link sets. Throws `reset_not_found`, and `too_many_requests` after too many wrong codes. */
  async findReset(code: string, from: From): Promise<{ user: { user_id: number; username: string } }> {
    const { store, attempts, now } = this.#options;
    await checkOrRefuse(attempts, from.key);
    const found = await store.findReset({ codeHash: hashOf(code), now: now() });
    if (!found) {
      await takeOrRefuse(attempts, from.key);
      throw new AppError('reset_not_found');
    }
    return { user: toPerson(found.user) };
  }

  /** Sets the password and ends every session. `hash` is called once the link is known to be live. */
  async useReset(code: string, hash: () => Promise<string>, from: From) {
    const { store, now } = this.#options;
    await this.findReset(code, from);
    const used = await store.useReset({ codeHash: hashOf(code), passwordHash: await hash(), now: now() });
    if (!used) throw new AppError('reset_not_found');
    for (const sessionId of used.ended) this.#options.announceEnd(sessionId);
    return { user: toPerson(used.user) };
  }

  async registration(): Promise<Registration> {
    return await this.#options.store.registration();
  }

  async setRegistration(actorId: number | null, registration: Registration): Promise<void> {
    const { store, now } = this.#options;
    const { outcome } = await store.setRegistration({ actorId, registration, now: now() });
    if (outcome === 'not_found') throw new AppError('not_found');
  }

  async createInvite(
    actorId: number | null,
    terms: { expires_in?: number | undefined; max_uses?: number | undefined },
    origin: string,
  ): Promise<CreatedServerInvite> {
    const { store, now } = this.#options;
    const code = newCode();
    const expiresAt = now() + (terms.expires_in ?? INVITE_TTL_S.default) * 1000;
    const maxUses = terms.max_uses ?? null;
    const created = await store.createServerInvite({
      actorId,
      codeHash: hashOf(code),
      expiresAt,
      maxUses,
      now: now(),
    });
    if (created.outcome !== 'created') throw new AppError(created.outcome);
    return { id: created.id, code, url: `${origin}/invite/${code}`, expires_at: toTime(expiresAt) };
  }

  async invites(actorId: number | null): Promise<Invite[]> {
    const { store, now } = this.#options;
    const rows = await store.serverInvites({ actorId, now: now() });
    if (!rows) throw new AppError('not_found');
    return rows.map(({ id, createdBy, expiresAt, maxUses, uses }) => ({
      id,
      max_uses: maxUses,
      uses,
      expires_at: toTime(expiresAt),
      created_by: createdBy ? toPerson(createdBy) : { user_id: 1, username: '' },
    }));
  }

  async revokeInvite(actorId: number | null, inviteId: number): Promise<void> {
    const { store, now } = this.#options;
    const { outcome } = await store.revokeServerInvite({ actorId, inviteId, now: now() });
    if (outcome !== 'changed') throw new AppError(outcome);
  }

  /** Throws `not_found`, and `room_not_found` for the log of a room, where the viewer may not read it. */
  async audit(
    viewerId: number | null,
    scope: AuditScope,
    { limit, beforeId }: { limit: number; beforeId?: number | undefined },
  ): Promise<AuditPage> {
    const { store, now } = this.#options;
    if (scope.of === 'room' && viewerId !== null)
      await permit(store, 'moderate', { roomId: scope.roomId, userId: viewerId }, now());
    const rows = await store.audit({ viewerId, scope, limit: limit + 1, beforeId, now: now() });
    if (!rows) throw new AppError(scope.of === 'room' ? 'room_not_found' : 'not_found');
    return { entries: rows.slice(0, limit).map(toEntry), has_more: rows.length > limit };
  }

  async usage(actorId: number | null): Promise<Usage> {
    const { store, version, searchStatus, now } = this.#options;
    const usage = await store.usage({ actorId, now: now() });
    if (!usage) throw new AppError('not_found');
    const { activeDay, activeMonth, openReports, fileBytes, filePeople, ...rest } = usage;
    return {
      ...rest,
      active_day: activeDay,
      active_month: activeMonth,
      open_reports: openReports,
      file_bytes: fileBytes,
      file_people: filePeople.map(({ files, bytes, ...user }) => ({ ...toPerson(user), files, bytes })),
      search: await searchStatus(),
      version,
    };
  }

  #announce(change: AccountChange): void {
    if (change.outcome !== 'changed' && change.outcome !== 'unchanged') throw new AppError(change.outcome);
    if (change.outcome === 'unchanged') return;
    for (const sessionId of change.ended) this.#options.announceEnd(sessionId);
    if (change.role) {
      const { role: userRole, userSeq: seq } = change.role;
      this.#options.bus.publish({ type: 'user_log', userId: change.user.id, seq, userRole });
    }
    this.#options.bus.publish({ type: 'profile', userId: change.user.id, version: change.version });
  }
}

function newCode(): string {
  return randomBytes(CODE_BYTES).toString('base64url');
}

function toPerson({ id, username }: UserRow) {
  return { user_id: id, username };
}

function toUser(row: AdminUserRow): AdminUser {
  const { id, username, displayName, role, suspendedAt, createdAt, lastUsedAt, sessions, files, fileBytes } =
    row;
  return {
    id,
    username,
    display_name: displayName,
    role,
    sessions,
    files,
    file_bytes: fileBytes,
    suspended_at: suspendedAt === null ? null : toTime(suspendedAt),
    created_at: toTime(createdAt),
    last_used_at: lastUsedAt === null ? null : toTime(lastUsedAt),
  };
}

function toEntry({
  id,
  at,
  action,
  actor,
  room,
  user,
  messageId,
  details,
}: AuditRow): AuditPage['entries'][number] {
  const { until, ...told } = JSON.parse(details) as Record<string, string | number | null>;
  return {
    id,
    at: toTime(at),
    action,
    room,
    message_id: messageId,
    actor: actor && toPerson(actor),
    user: user && toPerson(user),
    details: { ...told, ...(typeof until === 'number' && { until: toTime(until) }) },
  };
}
