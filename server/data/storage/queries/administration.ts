/** Administration of the server: accounts, registration, and what there is. */
import type { Registration } from '../../../../protocol/administration.ts';
import { FILE_PEOPLE_LISTED } from '../../../../protocol/limits.ts';
import type { UserRole } from '../../../../protocol/people.ts';
import { mayActOn, mayAdminister, mayGive } from '../../../rules/admin-access.ts';
import type {
  AccountChange,
  AdministrationReads,
  AdministrationWrites,
  AdminRefusal,
  AdminUserRow,
  UsageRow,
  UserRow,
} from '../store.ts';
import { addAudit, roleOf } from './audit.ts';
import { peopleWithFiles, TOTAL_USAGE } from './files.ts';
import { addLooks, dropLooks, looksFree } from './looks.ts';
import { NAME_FORM } from './name-forms.ts';
import { endPushOf } from './push.ts';
import { REMOVED } from './removed-names.ts';
import { endResetsOf, endSignInLinksOf } from './resets.ts';
import type { serverInviteReads, serverInviteWrites } from './server-invites.ts';
import { endSetup } from './setup.ts';
import { type Sql, sql } from './sql.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';
import { writeMeta } from './upkeep.ts';
import { nextUserSeq } from './user-log.ts';
import { beginsWith, putWords } from './user-words.ts';

/** In `meta`. */
const REGISTRATION = 'registration';
const DAY_MS = 86_400_000;

type Writes = Omit<
  AdministrationWrites,
  | 'mute'
  | 'ban'
  | 'report'
  | 'closeReport'
  | 'setServerName'
  | 'setServerIcon'
  | keyof typeof serverInviteWrites
>;
type Reads = Omit<
  AdministrationReads,
  | 'audit'
  | 'reports'
  | 'restricted'
  | 'recentTexts'
  | 'serverName'
  | 'serverIcon'
  | keyof typeof serverInviteReads
>;

export const administrationWrites: AsSteps<Writes> = {
  *setSuspended({ actorId, userId, suspended, reason, now }) {
    const person = yield* begin(actorId, userId);
    if ('outcome' in person) return person;
    if ((person.suspendedAt !== null) === suspended) return { outcome: 'unchanged', user: person.user };
    const action = suspended ? 'suspended' : 'resumed';
    yield* addAudit({ action, actorId, userId, now, details: reason === '' ? {} : { reason } });
    const ended = suspended ? yield* endSessionsOf(userId, now) : [];
    if (suspended) yield* endResetsOf(userId);
    return suspended
      ? yield* suspend(person, ended, now)
      : yield* change(person, sql`suspended_at = ${null}`, ended);
  },

  *setRole({ actorId, userId, role, now }) {
    const person = yield* begin(actorId, userId);
    if ('outcome' in person) return person;
    if (!mayGive(yield* roleOf(actorId), role)) return { outcome: 'not_allowed' };
    if (person.role === role) return { outcome: 'unchanged', user: person.user };
    yield* addAudit({ action: 'role', actorId, userId, now, details: { from: person.role, to: role } });
    yield* endResetsOf(userId);
    if (role === 'admin') yield* endSetup();
    const changed = yield* change(person, sql`role = ${role}`, []);
    // It has a number in the user's log, at which all that the user has open is judged again.
    const userSeq = yield* nextUserSeq(userId);
    return { ...changed, role: { role, userSeq } };
  },

  *renameUser({ actorId, userId, now, ...names }) {
    const person = yield* begin(actorId, userId);
    if ('outcome' in person) return person;
    const { username, key } = names;
    const { user } = person;
    if (user.username === username) return { outcome: 'unchanged', user };
    const isFree = yield* first(sql`
      SELECT 1 WHERE ${looksFree('user', names, userId)}
        AND NOT EXISTS (SELECT 1 FROM users WHERE username_key = ${key} AND id <> ${userId})`);
    if (!isFree) return { outcome: 'taken' };
    const details = { from: user.username, to: username };
    yield* addAudit({ action: 'user_renamed', actorId, userId, now, details });
    yield* dropLooks('user', userId);
    yield* addLooks('user', userId, names);
    yield* putWords(userId, [username, person.displayName]);
    const ended = yield* endSessionsOf(userId, now);
    const set = sql`username = ${username}, username_key = ${key}, name_form = ${NAME_FORM}`;
    const changed = yield* change(person, set, ended);
    return { ...changed, user: { id: userId, username } };
  },

  *endSessions({ actorId, userId, now }) {
    const person = yield* begin(actorId, userId);
    if ('outcome' in person) return person;
    const ended = yield* endSessionsOf(userId, now);
    yield* endSignInLinksOf(userId);
    if (ended.length === 0) return { outcome: 'unchanged', user: person.user };
    yield* addAudit({ action: 'sessions_ended', actorId, userId, now, details: { count: ended.length } });
    return { outcome: 'changed', user: person.user, version: person.version, ended };
  },

  createReset: (link) => createLink(link, 'reset_made'),

  *useReset({ codeHash, passwordHash, now }) {
    const user = yield* findReset(codeHash, now);
    if (!user) return undefined;
    yield* run(sql`UPDATE users SET password_hash = ${passwordHash} WHERE id = ${user.id}`);
    yield* endResetsOf(user.id);
    const ended = yield* endSessionsOf(user.id, now);
    yield* addAudit({ action: 'reset_used', actorId: user.id, userId: user.id, now });
    return { user, ended };
  },

  *setRegistration({ actorId, registration, now }) {
    if (!mayAdminister(yield* roleOf(actorId))) return { outcome: 'not_found' };
    const from = yield* findRegistration();
    if (from === registration) return { outcome: 'unchanged' };
    yield* writeMeta(REGISTRATION, registration);
    yield* addAudit({ action: 'registration', actorId, now, details: { from, to: registration } });
    return { outcome: 'changed' };
  },
};

export const administrationReads: AsSteps<Reads> = {
  *registration() {
    return yield* findRegistration();
  },

  *adminUsers({ actorId, limit, afterId = 0, start = '', suspended, now }) {
    if (!mayAdminister(yield* roleOf(actorId))) return undefined;
    const named =
      start === ''
        ? sql`true`
        : sql`EXISTS (SELECT 1 FROM user_words WHERE user_id = users.id AND ${beginsWith(start)})`;
    const state =
      suspended === undefined
        ? sql`true`
        : suspended
          ? sql`suspended_at IS NOT NULL`
          : sql`suspended_at IS NULL`;
    return yield* all<AdminUserRow>(sql`
      SELECT id, username, display_name AS "displayName", role, suspended_at AS "suspendedAt",
        created_at AS "createdAt",
        (SELECT max(last_used_at) FROM sessions WHERE user_id = users.id) AS "lastUsedAt",
        (SELECT count(*) FROM sessions
         WHERE user_id = users.id AND revoked_at IS NULL AND expires_at > ${now}) AS sessions,
        coalesce((SELECT files FROM file_usage WHERE user_id = users.id), 0) AS files,
        coalesce((SELECT bytes FROM file_usage WHERE user_id = users.id), 0) AS "fileBytes"
      FROM users WHERE id > ${afterId} AND kind <> 'removed' AND ${named} AND ${state} ORDER BY id LIMIT ${limit}`);
  },

  *usage({ actorId, now }) {
    if (!mayAdminister(yield* roleOf(actorId))) return undefined;
    const counts = yield* first<Omit<UsageRow, 'filePeople'>>(sql`
      SELECT
        (SELECT count(*) FROM users WHERE kind <> 'removed') AS users,
        (SELECT count(*) FROM users WHERE suspended_at IS NOT NULL AND kind <> 'removed') AS suspended,
        (SELECT count(*) FROM users WHERE role = 'guest') AS guests,
        (SELECT count(DISTINCT user_id) FROM sessions WHERE last_used_at > ${now - DAY_MS}) AS "activeDay",
        (SELECT count(DISTINCT user_id) FROM sessions WHERE last_used_at > ${now - 30 * DAY_MS}) AS "activeMonth",
        (SELECT count(*) FROM sessions WHERE revoked_at IS NULL AND expires_at > ${now}) AS sessions,
        (SELECT count(*) FROM rooms WHERE kind IN ('public', 'private')) AS rooms,
        (SELECT count(*) FROM rooms WHERE kind = 'dm') AS dms,
        (SELECT CAST(coalesce(sum(number), 0) AS BIGINT) FROM rooms) AS messages,
        (SELECT count(*) FROM reports WHERE closed_at IS NULL) AS "openReports",
        ${TOTAL_USAGE}`);
    return counts && { ...counts, filePeople: yield* peopleWithFiles(FILE_PEOPLE_LISTED) };
  },

  *findReset({ codeHash, now }) {
    const user = yield* findReset(codeHash, now);
    return user && { user };
  },

  *suspension(userId) {
    const person = yield* first<{ at: number | null }>(
      sql`SELECT suspended_at AS at FROM users WHERE id = ${userId}`,
    );
    if (!person || person.at === null) return undefined;
    const entry = yield* first<{ details: string }>(sql`
      SELECT details FROM audit_log WHERE user_id = ${userId} AND action = 'suspended' AND at = ${person.at}
      ORDER BY id DESC LIMIT 1`);
    const { reason = '' } = JSON.parse(entry?.details ?? '{}') as { reason?: string };
    return { at: person.at, reason };
  },
};

/** Who may register now. */
export function* findRegistration(): Steps<Registration> {
  const row = yield* first<{ value: Registration }>(sql`SELECT value FROM meta WHERE key = ${REGISTRATION}`);
  return row?.value ?? 'open';
}

/** A link for the person. It ends the one before, of either kind. */
export function* createLink(
  link: { actorId: number | null; userId: number; codeHash: string; expiresAt: number; now: number },
  action: 'reset_made' | 'sign_in_link_made',
): Steps<{ outcome: 'created'; user: UserRow } | AdminRefusal> {
  const { actorId, userId, codeHash, expiresAt, now } = link;
  const person = yield* begin(actorId, userId);
  if ('outcome' in person) return person;
  yield* run(sql`DELETE FROM password_resets WHERE user_id = ${userId}`);
  yield* run(sql`
    INSERT INTO password_resets (code_hash, user_id, created_by, created_at, expires_at)
    VALUES (${codeHash}, ${userId}, ${actorId}, ${now}, ${expiresAt})`);
  yield* addAudit({ action, actorId, userId, now });
  return { outcome: 'created', user: person.user };
}

/** The person whose password the link sets. Undefined for somebody who is suspended, and as `findLink`. */
function* findReset(codeHash: string, now: number): Steps<UserRow | undefined> {
  const person = yield* findLink(codeHash, now);
  return person?.suspendedAt === null ? person.user : undefined;
}

/** Whom a link is for. Undefined when its maker may no longer act on the person, or when the person is removed. */
export function* findLink(codeHash: string, now: number): Steps<Person | undefined> {
  const link = yield* first<{ userId: number; createdBy: number | null }>(sql`
    SELECT user_id AS "userId", created_by AS "createdBy" FROM password_resets
    WHERE code_hash = ${codeHash} AND expires_at > ${now}`);
  const person = link && (yield* begin(link.createdBy, link.userId));
  return person && 'user' in person ? person : undefined;
}

export interface Person {
  user: UserRow;
  displayName: string;
  role: UserRole;
  kind: string;
  suspendedAt: number | null;
  version: number;
}

/** The person on whom the actor may act. A removed account is nobody any more. */
export function* begin(actorId: number | null, userId: number): Steps<Person | AdminRefusal> {
  const person = yield* beginRemoval(actorId, userId);
  return 'kind' in person && person.kind === REMOVED ? { outcome: 'user_not_found' } : person;
}

/** The same, or a removed account. */
export function* beginRemoval(actorId: number | null, userId: number): Steps<Person | AdminRefusal> {
  const actor = yield* roleOf(actorId);
  if (!mayAdminister(actor)) return { outcome: 'not_found' };
  const found = yield* first<UserRow & Omit<Person, 'user'>>(sql`
    SELECT id, username, display_name AS "displayName", role, kind, suspended_at AS "suspendedAt", version FROM users WHERE id = ${userId}`);
  if (!found) return { outcome: 'user_not_found' };
  const { id, username, ...rest } = found;
  if (!mayActOn(actor, rest.role)) return { outcome: 'not_allowed' };
  return { user: { id, username }, ...rest };
}

function* change(
  { user }: Person,
  set: Sql,
  ended: number[],
): Steps<Extract<AccountChange, { outcome: 'changed' }>> {
  const changed = yield* first<{ version: number }>(sql`
    UPDATE users SET version = version + 1, ${set} WHERE id = ${user.id} RETURNING version`);
  return { outcome: 'changed', user, version: changed?.version ?? 0, ended };
}

/** `ended`: the person's sessions, which the caller has ended. */
export function* suspend(person: Person, ended: number[], now: number) {
  return yield* change(person, sql`suspended_at = ${now}`, ended);
}

/** Ends all live sessions of the user; their ids. */
export function* endSessionsOf(userId: number, now: number): Steps<number[]> {
  const ended = yield* all<{ id: number }>(sql`
    UPDATE sessions SET revoked_at = ${now}
    WHERE user_id = ${userId} AND revoked_at IS NULL AND expires_at > ${now} RETURNING id`);
  for (const { id } of ended) yield* endPushOf(id);
  return ended.map(({ id }) => id);
}
