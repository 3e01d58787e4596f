/** Invitations to the server: with one, people register while registration is by invitation. */
import { LIVE_INVITES_MAX } from '../../../../protocol/limits.ts';
import { mayAdminister } from '../../../rules/admin-access.ts';
import type { AdministrationReads, AdministrationWrites, ServerInviteRow } from '../store.ts';
import { addAudit, roleOf } from './audit.ts';
import { type Sql, sql } from './sql.ts';
import { type AsSteps, all, first } from './steps.ts';

export const serverInviteWrites: AsSteps<
  Pick<AdministrationWrites, 'createServerInvite' | 'revokeServerInvite'>
> = {
  *createServerInvite({ actorId, codeHash, expiresAt, maxUses, now }) {
    if (!mayAdminister(yield* roleOf(actorId))) return { outcome: 'not_found' };
    const live = yield* first<{ count: number }>(
      sql`SELECT count(*) AS count FROM invites WHERE ${isLiveServerInvite(now)}`,
    );
    if ((live?.count ?? 0) >= LIVE_INVITES_MAX) return { outcome: 'too_many' };
    // The operator has no account, so the first one stands in the row. Nobody is shown as the one who invites.
    const maker = actorId === null ? sql`(SELECT min(id) FROM users)` : sql`${actorId}`;
    const created = yield* first<{ id: number }>(sql`
      INSERT INTO invites (code_hash, room_id, created_by, by_operator, created_at, expires_at, max_uses)
      SELECT ${codeHash}, NULL, ${maker}, ${actorId === null ? 1 : 0}, ${now}, ${expiresAt}, ${maxUses} RETURNING id`);
    if (!created) throw new Error('an invitation was inserted and is not there');
    yield* addAudit({ action: 'server_invite', actorId, now, details: { max_uses: maxUses } });
    return { outcome: 'created', id: created.id };
  },

  *revokeServerInvite({ actorId, inviteId, now }) {
    if (!mayAdminister(yield* roleOf(actorId))) return { outcome: 'not_found' };
    const revoked = yield* first(sql`
      UPDATE invites SET revoked_at = ${now}, expires_at = ${now}
      WHERE id = ${inviteId} AND ${isLiveServerInvite(now)} RETURNING id`);
    if (!revoked) return { outcome: 'invite_not_found' };
    yield* addAudit({ action: 'server_invite_revoked', actorId, now });
    return { outcome: 'changed' };
  },
};

export const serverInviteReads: AsSteps<Pick<AdministrationReads, 'serverInvites'>> = {
  *serverInvites({ actorId, now }) {
    if (!mayAdminister(yield* roleOf(actorId))) return undefined;
    const rows = yield* all<Omit<ServerInviteRow, 'createdBy'> & { userId: number; username: string }>(sql`
      SELECT invites.id, expires_at AS "expiresAt", max_uses AS "maxUses", uses, maker.id AS "userId", maker.username
      FROM invites JOIN users AS maker ON maker.id = created_by
      WHERE ${isLiveServerInvite(now)} ORDER BY invites.id DESC`);
    return rows.map(({ userId, username, ...invite }) => ({
      ...invite,
      createdBy: { id: userId, username },
    }));
  },
};

/**
 * A condition on `invites`: to the server, not expired, with uses left, not revoked, and its maker is the operator or
 * may still administer.
 */
export function isLiveServerInvite(now: number): Sql {
  return sql`(room_id IS NULL AND revoked_at IS NULL AND expires_at > ${now}
    AND (max_uses IS NULL OR uses < max_uses)
    AND (by_operator = 1 OR created_by IN (SELECT id FROM users WHERE role = 'admin' AND suspended_at IS NULL)))`;
}
