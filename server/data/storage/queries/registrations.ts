/** The end of a flood of accounts: by address and time. */
import { mayAdminister } from '../../../rules/admin-access.ts';
import type { AddressRow, Flood, FloodRun, RegistrationReads, RegistrationWrites } from '../store.ts';
import { begin, endSessionsOf, suspend } from './administration.ts';
import { roleOf } from './audit.ts';
import { leaveRooms, removePerson } from './removal.ts';
import { REMOVED } from './removed-names.ts';
import { endResetsOf } from './resets.ts';
import { list, type Sql, sql } from './sql.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';

export const registrationWrites: AsSteps<RegistrationWrites> = {
  *endRegistered({ actorId, userId, flood, run: floodRun, now }) {
    const person = yield* begin(actorId, userId);
    if ('outcome' in person) return person;
    const found = yield* first(sql`
      SELECT users.id FROM ${JOINED} WHERE users.id = ${userId} AND ${isOf(flood)} AND NOT ${isSpared(flood)}`);
    if (!found) return { outcome: 'unchanged', user: person.user };
    const auditId = yield* noteRun(flood, floodRun, actorId, now);
    if (flood.act === 'remove')
      return { ...(yield* removePerson(person, { actorId, deletesTexts: true, now })), auditId };
    const ended = yield* endSessionsOf(userId, now);
    yield* endResetsOf(userId);
    const left = yield* leaveRooms(person.user, actorId, now);
    return { ...(yield* suspend(person, ended, now)), ...left, auditId };
  },
};

export const registrationReads: AsSteps<RegistrationReads> = {
  *addresses({ actorId, since, until, userId, limit }) {
    if (!mayAdminister(yield* roleOf(actorId))) return undefined;
    const which =
      userId === undefined
        ? sql`true`
        : sql`address = (SELECT address FROM registrations WHERE user_id = ${userId})`;
    return yield* all<AddressRow>(sql`
      SELECT address, count(*) AS accounts,
        CAST(sum(CASE WHEN suspended_at IS NULL THEN 0 ELSE 1 END) AS BIGINT) AS suspended,
        min(at) AS "firstAt", max(at) AS "lastAt"
      FROM ${JOINED} WHERE at >= ${since} AND at <= ${until} AND ${which}
      GROUP BY address ORDER BY count(*) DESC, max(at) DESC, address LIMIT ${limit}`);
  },

  *registered({ actorId, flood, afterId, limit }) {
    if (!mayAdminister(yield* roleOf(actorId))) return undefined;
    return yield* all<{ id: number }>(sql`
      SELECT users.id FROM ${JOINED}
      WHERE users.id > ${afterId} AND ${isOf(flood)} AND NOT ${isSpared(flood)} ORDER BY users.id LIMIT ${limit}`);
  },

  *countRegistered({ actorId, flood }) {
    if (!mayAdminister(yield* roleOf(actorId))) return undefined;
    return yield* first<{ accounts: number; spared: number }>(sql`
      SELECT CAST(coalesce(sum(CASE WHEN ${isSpared(flood)} THEN 0 ELSE 1 END), 0) AS BIGINT) AS accounts,
        CAST(coalesce(sum(CASE WHEN ${isSpared(flood)} THEN 1 ELSE 0 END), 0) AS BIGINT) AS spared
      FROM ${JOINED} WHERE ${isOf(flood)}`);
  },
};

const JOINED = sql`registrations JOIN users ON users.id = registrations.user_id`;

/** Which accounts the act is about, those that it spares included. */
function isOf({ since, until, address, act }: Flood): Sql {
  const from = address === undefined ? sql`true` : sql`address = ${address}`;
  const state = act === 'remove' ? sql`true` : sql`users.suspended_at IS NULL`;
  return sql`(at >= ${since} AND at <= ${until} AND ${from} AND ${state} AND users.kind <> ${REMOVED})`;
}

/**
 * Admins, accounts that are named, and those who moderate a room whose owner is not of the flood. A flood could make
 * rooms of its own, and moderators there.
 */
function isSpared({ since, until, address, keep }: Flood): Sql {
  const isFromThere = address === undefined ? sql`true` : sql`owners.address = ${address}`;
  const isNamed = keep.length === 0 ? sql`false` : sql`users.id IN (${list(keep)})`;
  return sql`(users.role = 'admin' OR ${isNamed} OR EXISTS (
    SELECT 1 FROM members JOIN rooms ON rooms.id = members.room_id
    WHERE members.user_id = users.id AND members.left_at IS NULL AND members.role IN ('owner', 'moderator')
      AND rooms.kind IN ('public', 'private') AND NOT EXISTS (
        SELECT 1 FROM registrations AS owners
        WHERE owners.user_id = rooms.owner_id AND owners.at >= ${since} AND owners.at <= ${until}
          AND ${isFromThere})))`;
}

/** The address is not in the row: it is kept for a week, and the log for longer. */
function* noteRun(
  flood: Flood,
  { auditId, accounts, reason }: FloodRun,
  actorId: number | null,
  now: number,
): Steps<number> {
  const details = {
    ...{
      act: flood.act,
      accounts: accounts + 1,
      of: flood.address === undefined ? 'any address' : 'one address',
    },
    registered_since: toText(flood.since),
    registered_until: toText(flood.until),
    ...(reason !== '' && { reason }),
  };
  if (auditId !== null) {
    yield* run(sql`
      UPDATE audit_log SET details = ${JSON.stringify(details)}
      WHERE id = ${auditId} AND action = 'registrations_ended'`);
    return auditId;
  }
  const row = yield* first<{ id: number }>(sql`
    INSERT INTO audit_log (at, actor_id, action, details)
    VALUES (${now}, ${actorId}, 'registrations_ended', ${JSON.stringify(details)}) RETURNING id`);
  if (!row) throw new Error('a row of the audit log was inserted and returned no id');
  return row.id;
}

function toText(time: number): string {
  return new Date(time).toISOString();
}
