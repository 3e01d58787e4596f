/**
 * Administration of the server. `actorId` is a user, or null for the operator at the command line. Each write judges
 * the actor and writes its row of the audit log within its transaction. `not_found`: the actor is no admin, for whom
 * there is no administration.
 */
import type { AuditAction, Registration } from '../../../../protocol/administration.ts';
import type { UserRole } from '../../../../protocol/people.ts';
import type { RoomChange } from './room-changes.ts';
import type { UserRow } from './users.ts';

export type AdminRefusal = { outcome: 'not_found' | 'user_not_found' | 'not_allowed' };

/** `ended`: the sessions that the change has ended. `version`: of the profile. */
/** A role that was given, and the number of that in the user's log. */
export interface NewRole {
  role: UserRole;
  userSeq: number;
}

export type AccountChange =
  | { outcome: 'changed'; user: UserRow; version: number; ended: number[]; role?: NewRole }
  | { outcome: 'unchanged'; user: UserRow }
  | AdminRefusal;

interface ByActor {
  actorId: number | null;
  now: number;
}

export interface AdminUserRow extends UserRow {
  displayName: string;
  role: UserRole;
  suspendedAt: number | null;
  createdAt: number;
  /** The latest use of a session; null: none is on record. */
  lastUsedAt: number | null;
  /** Live sessions. */
  sessions: number;
  /** Of the person's files, with those that are not sent. */
  files: number;
  fileBytes: number;
}

export interface AdminUsersQuery {
  actorId: number | null;
  limit: number;
  afterId?: number | undefined;
  /** How a word of the username or of the display name begins, as a key. */
  start?: string | undefined;
  /** Only people who are suspended, or only those who are not. */
  suspended?: boolean | undefined;
  now: number;
}

export interface AuditRow {
  id: number;
  at: number;
  action: AuditAction;
  /** Null: the operator. */
  actor: UserRow | null;
  /** `name`: as it is now. Direct conversations have none. */
  room: { id: number; name: string } | null;
  user: UserRow | null;
  messageId: number | null;
  /** JSON. */
  details: string;
}

/** The part of the log that is asked for. `all` is for admins, `room` for its moderators, `own` for anybody. */
export type AuditScope =
  | { of: 'all'; userId?: number | undefined }
  | { of: 'room'; roomId: number }
  | { of: 'own' };

export interface AuditQuery {
  viewerId: number | null;
  scope: AuditScope;
  limit: number;
  beforeId?: number | undefined;
  now: number;
}

export interface ServerInviteRow {
  id: number;
  createdBy: UserRow | null;
  expiresAt: number;
  maxUses: number | null;
  uses: number;
}

export interface UsageRow {
  users: number;
  suspended: number;
  guests: number;
  /** People with a session that was used after this day's beginning, or after 30 days ago. */
  activeDay: number;
  activeMonth: number;
  sessions: number;
  rooms: number;
  dms: number;
  /** Texts in the main flows of all rooms, deleted ones too. */
  messages: number;
  openReports: number;
  files: number;
  fileBytes: number;
  /** The people whose files take the most bytes, in that order. */
  filePeople: FilePersonRow[];
}

export interface FilePersonRow extends UserRow {
  files: number;
  bytes: number;
}

export interface ReportRow {
  id: number;
  room: { id: number; name: string; kind: string };
  messageId: number;
  author: UserRow;
  reporter: UserRow;
  reason: string;
  note: string;
  excerpt: string;
  createdAt: number;
  closedAt: number | null;
  closedBy: UserRow | null;
  resolution: string | null;
}

/** Null lifts it. */
export interface Restriction {
  roomId: number;
  actorId: number;
  userId: number;
  until: number | null;
  reason: string;
  now: number;
}

export interface RestrictedRow extends UserRow {
  silencedUntil: number | null;
  bannedUntil: number | null;
}

export interface AdministrationWrites {
  /** Suspending ends every session. */
  setSuspended(set: ByActor & { userId: number; suspended: boolean; reason: string }): AccountChange;
  setRole(set: ByActor & { userId: number; role: UserRole }): AccountChange;
  /** Another username; it ends every session, as tokens and sockets carry the old one. `taken`: also by its looks. */
  renameUser(
    rename: ByActor & {
      userId: number;
      username: string;
      key: string;
      looks: readonly string[];
      isDisguised: boolean;
    },
  ): AccountChange | { outcome: 'taken' };
  /** And the links that would begin another one: those that sign in. */
  endSessions(of: ByActor & { userId: number }): AccountChange;
  /** A link that sets a new password; earlier ones of the same user end. */
  createReset(
    reset: ByActor & { userId: number; codeHash: string; expiresAt: number },
  ): { outcome: 'created'; user: UserRow } | AdminRefusal;
  /** Sets the password, and ends the link and every session. Undefined: there is no such link. */
  useReset(use: {
    codeHash: string;
    passwordHash: string;
    now: number;
  }): { user: UserRow; ended: number[] } | undefined;
  setRegistration(set: ByActor & { registration: Registration }): {
    outcome: 'changed' | 'unchanged' | 'not_found';
  };
  /** Null: the default. */
  setServerName(set: ByActor & { name: string | null }): { outcome: 'changed' | 'unchanged' | 'not_found' };
  /**
   * Null: no picture. `key`: of a picture that the admin uploaded for this and that is ready; the one before is deleted.
   * `not_found`: the actor is no admin, or there is no such picture.
   */
  setServerIcon(set: { actorId: number; key: string | null; now: number }): {
    outcome: 'changed' | 'unchanged' | 'not_found';
  };
  createServerInvite(
    invite: ByActor & { codeHash: string; expiresAt: number; maxUses: number | null },
  ): { outcome: 'created'; id: number } | { outcome: 'not_found' | 'too_many' };
  revokeServerInvite(revoke: ByActor & { inviteId: number }): {
    outcome: 'changed' | 'not_found' | 'invite_not_found';
  };

  /** In a room: the person reads and does not write. */
  mute(mute: Restriction): RoomChange;
  /** In a room: the person is out, and cannot come back. */
  ban(ban: Restriction): RoomChange;
  report(report: {
    roomId: number;
    messageId: number;
    reporterId: number;
    reason: string;
    note: string;
    now: number;
  }): { outcome: 'reported' | 'room_not_found' | 'message_not_found' | 'not_allowed' };
  closeReport(close: { reportId: number; actorId: number; resolution: string; note: string; now: number }): {
    outcome: 'closed' | 'report_not_found';
  };
}

export interface AdministrationReads {
  registration(): Registration;
  /** Undefined: nobody has given it one. */
  serverName(): string | undefined;
  /** The key of its picture. Undefined: there is none. */
  serverIcon(): string | undefined;
  /** By id; undefined for a viewer who is no admin, as in all reads here that have an `actorId`. */
  adminUsers(query: AdminUsersQuery): AdminUserRow[] | undefined;
  /** The latest first. Undefined: the viewer may not read it. */
  audit(query: AuditQuery): AuditRow[] | undefined;
  serverInvites(of: { actorId: number | null; now: number }): ServerInviteRow[] | undefined;
  usage(of: { actorId: number | null; now: number }): UsageRow | undefined;
  /** Whose password the link sets; undefined for a code that leads nowhere. */
  findReset(of: { codeHash: string; now: number }): { user: UserRow } | undefined;
  /** Why the user was suspended; undefined: is not. */
  suspension(userId: number): { at: number; reason: string } | undefined;
  /** Reports that the viewer may judge: an admin all, a moderator those of the room, nobody those about themselves. */
  reports(of: {
    viewerId: number;
    roomId?: number | undefined;
    isOpen: boolean;
    limit: number;
    beforeId?: number | undefined;
    now: number;
  }): ReportRow[] | undefined;
  /** Who is muted or banned in the room now; undefined: the viewer may not moderate it. */
  restricted(of: { roomId: number; viewerId: number; now: number }): RestrictedRow[] | undefined;
  /** The ids of a person's texts since a time, the latest first. */
  recentTexts(of: { roomId: number; userId: number; since: number; limit: number }): number[];
}
