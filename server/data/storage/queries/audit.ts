/** The audit log: a row for each act of an admin or a moderator, in the transaction of the act. */
import type { AuditAction } from '../../../../protocol/administration.ts';
import { mayAdminister } from '../../../rules/admin-access.ts';
import { verdictOn } from '../../../rules/standing.ts';
import type { AdministrationReads, AuditQuery, AuditRow } from '../store.ts';
import { type Sql, sql } from './sql.ts';
import { findStanding, findStandings } from './standing.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';

export interface Act {
  action: AuditAction;
  actorId: number | null;
  now: number;
  roomId?: number;
  userId?: number;
  messageId?: number;
  details?: Readonly<Record<string, unknown>>;
}

export function* addAudit(act: Act): Steps<void> {
  const { action, actorId, now, roomId = null, userId = null, messageId = null, details = {} } = act;
  yield* run(sql`
    INSERT INTO audit_log (at, actor_id, action, room_id, user_id, message_id, details)
    VALUES (${now}, ${actorId}, ${action}, ${roomId}, ${userId}, ${messageId}, ${JSON.stringify(details)})`);
}

interface StoredAudit extends Omit<AuditRow, 'actor' | 'room' | 'user'> {
  actorId: number | null;
  actorName: string | null;
  roomId: number | null;
  roomName: string | null;
  userId: number | null;
  username: string | null;
}

export const auditReads: AsSteps<Pick<AdministrationReads, 'audit'>> = {
  *audit(query) {
    const which = yield* visible(query);
    if (!which) return undefined;
    const { beforeId = Number.MAX_SAFE_INTEGER, limit } = query;
    const rows = yield* all<StoredAudit>(sql`
      SELECT entry.id, entry.at, entry.action, entry.message_id AS "messageId", entry.details,
        actor.id AS "actorId", actor.username AS "actorName", room.id AS "roomId", room.name AS "roomName",
        person.id AS "userId", person.username
      FROM audit_log AS entry
        LEFT JOIN users AS actor ON actor.id = entry.actor_id
        LEFT JOIN rooms AS room ON room.id = entry.room_id
        LEFT JOIN users AS person ON person.id = entry.user_id
      WHERE entry.id < ${beforeId} AND ${which} ORDER BY entry.id DESC LIMIT ${limit}`);
    const { viewerId, scope, now } = query;
    if (scope.of !== 'own' || viewerId === null) return rows.map(toRow);
    // The log outlives the user's right to see a room, whose name may be another one by now.
    const roomIds = [...new Set(rows.flatMap(({ roomId }) => (roomId === null ? [] : [roomId])))];
    const standings = yield* findStandings(viewerId, roomIds);
    const isSeen = ({ roomId }: StoredAudit) => {
      const standing = roomId === null ? undefined : standings.get(roomId);
      return standing !== undefined && verdictOn('see', standing, now) === 'allowed';
    };
    return rows.map((row) => toRow(isSeen(row) ? row : { ...row, roomName: '' }));
  },
};

/** A condition on `audit_log AS entry`; undefined: the viewer may not read any of it. */
function* visible({ viewerId, scope, now }: AuditQuery): Steps<Sql | undefined> {
  if (scope.of === 'own') return sql`entry.user_id = ${viewerId}`;
  if (scope.of === 'room') {
    if (viewerId === null) return undefined;
    const standing = yield* findStanding({ roomId: scope.roomId, userId: viewerId });
    const isSeen = standing && verdictOn('moderate', standing, now) === 'allowed';
    return isSeen ? sql`entry.room_id = ${scope.roomId}` : undefined;
  }
  const viewer = yield* roleOf(viewerId);
  if (!mayAdminister(viewer)) return undefined;
  return scope.userId === undefined ? sql`true` : sql`entry.user_id = ${scope.userId}`;
}

/** The actor's role now; a guest's for a user who is not there. */
export function* roleOf(actorId: number | null) {
  if (actorId === null) return 'operator' as const;
  const actor = yield* first<{ role: 'admin' | 'member' | 'guest' }>(
    sql`SELECT role FROM users WHERE id = ${actorId} AND suspended_at IS NULL`,
  );
  return actor?.role ?? ('guest' as const);
}

function toRow(row: StoredAudit): AuditRow {
  const { actorId, actorName, roomId, roomName, userId, username, ...rest } = row;
  return {
    ...rest,
    actor: actorId === null ? null : { id: actorId, username: actorName ?? '' },
    room: roomId === null ? null : { id: roomId, name: roomName ?? '' },
    user: userId === null ? null : { id: userId, username: username ?? '' },
  };
}
