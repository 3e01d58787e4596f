/** Invitations by link. */
import { INVITATION_PEOPLE, LIVE_INVITES_MAX } from '../../../../protocol/limits.ts';
import { memberStateOf, verdictOn } from '../../../rules/standing.ts';
import type { Invitation, InviteReads, InviteRow, InviteWrites, ShownPerson } from '../store.ts';
import { enter } from './members.ts';
import { findRoom } from './room-rows.ts';
import { beginWork } from './room-work.ts';
import { isLiveServerInvite } from './server-invites.ts';
import { type Sql, sql } from './sql.ts';
import { findStanding } from './standing.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';

/** A room may have any number of members who are suspended, and anybody with a code may ask. */
const MEMBERS_SEARCHED = 100;

interface StoredInvite {
  id: number;
  roomId: number;
  createdBy: number;
  /** Its maker is a guest now, who may bring people to the room, and nobody to the server. */
  isByGuest: boolean;
}

/** No room, and nobody. */
const NOWHERE = { roomId: 0, createdBy: 0 } as const;

export const inviteWrites: AsSteps<InviteWrites> = {
  *createInvite({ codeHash, roomId, createdBy, expiresAt, maxUses, now }) {
    const standing = yield* findStanding({ roomId, userId: createdBy });
    const verdict = standing && verdictOn('invite', standing, now);
    if (!standing || verdict === 'hidden') return { outcome: 'room_not_found' };
    if (verdict === 'forbidden') return { outcome: 'not_allowed' };
    const live = yield* first<{ count: number }>(
      sql`SELECT count(*) AS count FROM invites AS invite WHERE room_id = ${roomId} AND ${isLive(now)}`,
    );
    if ((live?.count ?? 0) >= LIVE_INVITES_MAX) return { outcome: 'too_many' };
    const created = yield* first<{ id: number }>(sql`
      INSERT INTO invites (code_hash, room_id, created_by, created_at, expires_at, max_uses)
      VALUES (${codeHash}, ${roomId}, ${createdBy}, ${now}, ${expiresAt}, ${maxUses}) RETURNING id`);
    const [invite] = yield* findInvites(sql`invite.id = ${created?.id ?? 0}`);
    if (!invite) throw new Error('an invitation was inserted and is not there');
    return { outcome: 'created', invite };
  },

  /** Commands of a room run one after another, so only one of several users at once gets the last use. */
  *acceptInvite({ codeHash, userId, hasTakenUse = false, now }) {
    const invite = yield* findByCode(codeHash, now, hasTakenUse ? isOpen(now) : isLive(now));
    if (!invite) return { outcome: 'invite_not_found' };
    const work = yield* beginWork({ roomId: invite.roomId, actorId: userId, now });
    if ('outcome' in work) return work;
    const isBanned = work.member !== null && memberStateOf(work.member, now).isBanned;
    // A private room does not exist for users who are banned there.
    if (isBanned) return { outcome: work.room.kind === 'private' ? 'invite_not_found' : 'not_allowed' };
    const change = yield* enter(work, invite.createdBy);
    if (change.outcome === 'changed' && !hasTakenUse)
      yield* run(sql`UPDATE invites SET uses = uses + 1 WHERE id = ${invite.id}`);
    return change;
  },

  *revokeInvite({ roomId, inviteId, actorId, now }) {
    const standing = yield* findStanding({ roomId, userId: actorId });
    if (!standing || verdictOn('invite', standing, now) !== 'allowed') return false;
    // It ends now, so that it is deleted with those that expire now.
    const revoked = yield* first(sql`
      UPDATE invites AS invite SET revoked_at = ${now}, expires_at = ${now}
      WHERE id = ${inviteId} AND room_id = ${roomId} AND ${isLive(now)} RETURNING id`);
    return revoked !== undefined;
  },
};

export const inviteReads: AsSteps<InviteReads> = {
  *liveInvites({ roomId, now }) {
    return yield* findInvites(sql`invite.room_id = ${roomId} AND ${isLive(now)}`);
  },

  *inviteScope(codeHash) {
    const invite = yield* first<{ roomId: number | null }>(
      sql`SELECT room_id AS "roomId" FROM invites WHERE code_hash = ${codeHash}`,
    );
    return invite && (invite.roomId === null ? 'server' : 'room');
  },

  *findInvitation({ codeHash, now }) {
    const invite = yield* findByCode(codeHash, now);
    if (!invite) return yield* findServerInvitation(codeHash, now);
    const room = yield* findRoom(invite.roomId);
    const inviter = yield* first<ShownPerson>(sql`
      SELECT username, display_name AS "displayName" FROM users WHERE id = ${invite.createdBy}`);
    if (!room || !inviter) return undefined;
    const { id, name, emoji, hue, topic, members } = room;
    const people = yield* firstMembers(id, now);
    return { room: { id, name, emoji, hue, topic, members, people }, inviter };
  },
};

/** By id, as members are listed. Whoever is suspended or banned is not shown, and does not make the search longer. */
function* firstMembers(roomId: number, now: number): Steps<ShownPerson[]> {
  return yield* all<ShownPerson>(sql`
    SELECT person.username, person.display_name AS "displayName"
    FROM (
      SELECT user_id, banned_until FROM members WHERE room_id = ${roomId} AND left_at IS NULL
      ORDER BY user_id LIMIT ${MEMBERS_SEARCHED}
    ) AS member JOIN users AS person ON person.id = member.user_id
    WHERE person.suspended_at IS NULL AND (member.banned_until IS NULL OR member.banned_until <= ${now})
    ORDER BY person.id LIMIT ${INVITATION_PEOPLE}`);
}

function* findServerInvitation(codeHash: string, now: number): Steps<Invitation | undefined> {
  const found = yield* first<ShownPerson & { byOperator: number }>(sql`
    SELECT by_operator AS "byOperator", username, display_name AS "displayName"
    FROM invites JOIN users ON users.id = created_by
    WHERE code_hash = ${codeHash} AND ${isLiveServerInvite(now)}`);
  if (!found) return undefined;
  const { byOperator, ...inviter } = found;
  return { room: null, inviter: byOperator === 1 ? null : inviter };
}

/** A condition on `invites AS invite`: it has not expired, has uses left, and is not revoked. */
function isLive(now: number): Sql {
  return sql`(${isOpen(now)} AND (invite.max_uses IS NULL OR invite.uses < invite.max_uses))`;
}

/** The same, with uses left or not. */
function isOpen(now: number): Sql {
  return sql`(invite.revoked_at IS NULL AND invite.expires_at > ${now})`;
}

/**
 * Whether there was a use to take. Somebody who registers takes it in the same transaction: if it were taken on entering
 * the room, more people could register than the invitation is for.
 */
export function* takeUse(codeHash: string, now: number): Steps<boolean> {
  const taken = yield* first(sql`
    UPDATE invites AS invite SET uses = uses + 1 WHERE code_hash = ${codeHash} AND ${isLive(now)} RETURNING id`);
  return taken !== undefined;
}

/** A live invitation to a room, whose maker may still invite. */
export function* findByCode(
  codeHash: string,
  now: number,
  which = isLive(now),
): Steps<StoredInvite | undefined> {
  const invite = yield* first<Omit<StoredInvite, 'isByGuest'>>(sql`
    SELECT id, room_id AS "roomId", created_by AS "createdBy" FROM invites AS invite
    WHERE code_hash = ${codeHash} AND room_id IS NOT NULL AND ${which}`);
  // A standing is asked for in any case: the time of a refusal does not tell whether the code leads anywhere.
  const { roomId, createdBy: userId } = invite ?? NOWHERE;
  const maker = yield* findStanding({ roomId, userId });
  if (!invite || !maker || verdictOn('invite', maker, now) !== 'allowed') return undefined;
  return { ...invite, isByGuest: maker.userRole === 'guest' };
}

/** Newest first. */
function* findInvites(which: Sql): Steps<InviteRow[]> {
  const rows = yield* all<Omit<InviteRow, 'createdBy'> & { userId: number; username: string }>(sql`
    SELECT invite.id, invite.room_id AS "roomId", maker.id AS "userId", maker.username,
      invite.expires_at AS "expiresAt", invite.max_uses AS "maxUses", invite.uses
    FROM invites AS invite JOIN users AS maker ON maker.id = invite.created_by
    WHERE ${which} ORDER BY invite.id DESC`);
  return rows.map(({ userId, username, ...invite }) => ({ ...invite, createdBy: { userId, username } }));
}
