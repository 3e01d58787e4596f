/** Invitations by link. */
import { LIVE_INVITES_MAX } from '../../../../protocol/limits.ts';
import { memberStateOf, verdictOn } from '../../../rules/standing.ts';
import type { Invitation, InviteReads, InviteRow, InviteWrites } from '../store.ts';
import { enter } from './members.ts';
import { beginWork } from './room-work.ts';
import { isLiveServerInvite } from './server-invites.ts';
import { type Sql, sql } from './sql.ts';
import { findStanding } from './standing.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';

interface StoredInvite {
  id: number;
  roomId: number;
  createdBy: number;
  /** Its maker is a guest now, who may bring people to the room, and nobody to the server. */
  isByGuest: boolean;
}

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
  *acceptInvite({ codeHash, userId, now }) {
    const invite = yield* findByCode(codeHash, now);
    if (!invite) return { outcome: 'invite_not_found' };
    const work = yield* beginWork({ roomId: invite.roomId, actorId: userId, now });
    if ('outcome' in work) return work;
    const isBanned = work.member !== null && memberStateOf(work.member, now).isBanned;
    // A private room does not exist for users who are banned there.
    if (isBanned) return { outcome: work.room.kind === 'private' ? 'invite_not_found' : 'not_allowed' };
    const change = yield* enter(work, invite.createdBy);
    if (change.outcome === 'changed')
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
    return yield* first(sql`
      SELECT room.id AS "roomId", room.name AS "roomName", room.emoji AS "roomEmoji", room.members,
        inviter.username AS inviter
      FROM rooms AS room JOIN users AS inviter ON inviter.id = ${invite.createdBy} WHERE room.id = ${invite.roomId}`);
  },
};

function* findServerInvitation(codeHash: string, now: number): Steps<Invitation | undefined> {
  const maker = yield* first<{ inviter: string }>(sql`
    SELECT username AS inviter FROM invites JOIN users ON users.id = created_by
    WHERE code_hash = ${codeHash} AND ${isLiveServerInvite(now)}`);
  return maker && { roomId: null, roomName: '', roomEmoji: null, members: 0, ...maker };
}

/** A condition on `invites AS invite`: it has not expired, has uses left, and is not revoked. */
function isLive(now: number): Sql {
  return sql`(invite.revoked_at IS NULL AND invite.expires_at > ${now}
    AND (invite.max_uses IS NULL OR invite.uses < invite.max_uses))`;
}

/** A live invitation whose maker may still invite. */
export function* findByCode(codeHash: string, now: number): Steps<StoredInvite | undefined> {
  const invite = yield* first<Omit<StoredInvite, 'isByGuest'>>(sql`
    SELECT id, room_id AS "roomId", created_by AS "createdBy" FROM invites AS invite
    WHERE code_hash = ${codeHash} AND room_id IS NOT NULL AND ${isLive(now)}`);
  const maker = invite && (yield* findStanding({ roomId: invite.roomId, userId: invite.createdBy }));
  if (!maker || verdictOn('invite', maker, now) !== 'allowed') return undefined;
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
