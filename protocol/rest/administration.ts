/** Administration and moderation: requests and responses. */
import { z } from 'zod';
import { auditAction, registrationSchema, reportReason } from '../administration.ts';
import { fileKey } from '../attached-files.ts';
import { count, id, time } from '../fields.ts';
import {
  ADMIN_PAGE,
  BAN_DELETES_MAX_S,
  KEEP_ACCOUNTS_MAX,
  MAX_ID,
  NOTE_MAX,
  SERVER_NAME_MAX,
} from '../limits.ts';
import { normalizePassword, normalizeRoomName, normalizeUsername, oneLine } from '../names.ts';
import { userRole } from '../people.ts';
import { roomKind } from '../rooms.ts';
import { queryInteger, querySearch, queryTime, textOf } from './fields.ts';
import { createdInvite, inviteSchema } from './rooms.ts';

const person = z.object({ user_id: id, username: z.string() });
const note = textOf((raw) => oneLine(raw, NOTE_MAX));
const limit = queryInteger('invalid_limit', ADMIN_PAGE.max);
const beforeId = queryInteger('invalid_before_id', MAX_ID);

export const adminUsersQuery = z.object({
  limit,
  after_id: queryInteger('invalid_after_id', MAX_ID),
  q: querySearch,
  suspended: z.enum(['true', 'false']).optional(),
});
/** `reason` is for the person concerned, and for the audit log. */
export const patchUserBody = z.object({
  role: userRole.optional(),
  suspended: z.boolean().optional(),
  /** Another name. The person is signed out, and signs in by it. */
  username: textOf(normalizeUsername).optional(),
  reason: note.optional(),
});
/** `texts`: what becomes of all that the person wrote. */
export const removeUserQuery = z.object({ texts: z.enum(['keep', 'delete']), reason: note.optional() });
export const adminUser = z.object({
  id,
  username: z.string(),
  display_name: z.string(),
  role: userRole,
  suspended_at: time.nullable(),
  created_at: time,
  /** The latest use of a session. */
  last_used_at: time.nullable(),
  /** Live sessions. */
  sessions: count,
  /** With those that are not sent yet. */
  files: count,
  file_bytes: count,
});
export const adminUsersResponse = z.object({ users: z.array(adminUser), has_more: z.boolean() });

export const registrationsQuery = z.object({
  since: queryTime('invalid_payload'),
  until: queryTime('invalid_payload'),
  /** Only the address of this account. */
  user_id: queryInteger('invalid_payload', MAX_ID),
});
/** From where accounts were registered in the last 7 days; those with the most accounts first. */
export const registrationsResponse = z.object({
  addresses: z.array(
    z.object({
      /** An IPv4 address, or the /64 of an IPv6 address. */
      address: z.string(),
      accounts: count,
      suspended: count,
      first_at: time,
      last_at: time,
    }),
  ),
  has_more: z.boolean(),
});
/** Accounts that were registered in a span of time, from one address or from any. */
export const endRegistrationsBody = z.object({
  /** Null: any. */
  address: z.string().max(64).nullable(),
  since: time,
  /** Without it: now. */
  until: time.optional(),
  /** `remove`: for good, with all texts. */
  act: z.enum(['suspend', 'remove']),
  /** Accounts that are left alone. */
  keep: z.array(id).max(KEEP_ACCOUNTS_MAX).optional(),
  reason: note.optional(),
  /** Only counts. */
  dry_run: z.boolean().optional(),
});
/** `spared`: admins, those who moderate rooms of others, and `keep`. `has_more`: send it again. */
export const endedRegistrations = z.object({ accounts: count, spared: count, has_more: z.boolean() });

/** The code is returned this once. */
export const resetLink = z.object({ user: person, code: z.string(), url: z.string(), expires_at: time });
/** `password`: the new one. */
export const useResetBody = z.object({ code: z.string().max(128), password: textOf(normalizePassword) });
export const findResetBody = useResetBody.pick({ code: true });
export const resetUser = z.object({ user: person });

/** What anybody may know of the server. */
export const serverSettings = z.object({
  registration: registrationSchema,
  name: z.string(),
  /** The key of the server's picture; absent: it has the one of Roomful. */
  icon: fileKey.optional(),
});
/** Null or empty: the default. It is read as null then. */
export const newServerName = textOf((raw) => oneLine(raw, SERVER_NAME_MAX))
  .nullable()
  .transform((name) => name || null);
/** What it names is changed, and it names something. */
export const patchSettingsBody = z
  .object({ registration: registrationSchema.optional(), name: newServerName.optional() })
  .refine((body) => Object.values(body).some((value) => value !== undefined));
export const serverInvitesResponse = z.object({ invites: z.array(inviteSchema) });
export const createdServerInvite = createdInvite.pick({ id: true, code: true, url: true, expires_at: true });

export const auditQuery = z.object({
  limit,
  before_id: beforeId,
  user_id: queryInteger('invalid_payload', MAX_ID),
});
export const ownAuditQuery = auditQuery.omit({ user_id: true });
/** `actor` null: the operator of the server. `details`: what the action says beyond that, such as `reason` and `until`. */
export const auditEntry = z.object({
  id,
  at: time,
  action: auditAction,
  actor: person.nullable(),
  room: z.object({ id, name: z.string() }).nullable(),
  user: person.nullable(),
  message_id: id.nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
});
export const auditResponse = z.object({ entries: z.array(auditEntry), has_more: z.boolean() });

/** Rooms that can be restored. `members`: who come back with it. `purged_at`: when it is gone for good. */
export const deletedRoom = z.object({
  id,
  kind: roomKind,
  name: z.string(),
  members: count,
  messages: count,
  deleted_at: time,
  purged_at: time,
});
export const deletedRoomsResponse = z.object({ rooms: z.array(deletedRoom) });
/** `name`: a new one, where the old one is taken. */
export const restoreRoomBody = z.object({ name: textOf(normalizeRoomName).optional() });

/** How far the index of the search has come. The numbers of messages are about right. */
export const searchStatus = z.object({
  /** It has the messages of all times. */
  is_complete: z.boolean(),
  messages: count,
  messages_left: count,
  /** The time of the oldest message in it, while it is being filled from the newest ones back; else null. */
  indexed_from: time.nullable(),
  /** On the disk. */
  bytes: count,
});

export const usageResponse = z.object({
  users: count,
  suspended: count,
  guests: count,
  active_day: count,
  active_month: count,
  sessions: count,
  rooms: count,
  dms: count,
  messages: count,
  open_reports: count,
  files: count,
  file_bytes: count,
  /** The 20 people whose files take the most bytes, in that order. */
  file_people: z.array(person.extend({ files: count, bytes: count })),
  search: searchStatus,
  version: z.string(),
});

/** Without `until` it does not end. */
export const muteBody = z.object({ until: time.nullable().optional(), reason: note.optional() });
/** `delete_last_s`: the person's texts of the last seconds are deleted, too. */
export const banBody = muteBody.extend({ delete_last_s: z.int().min(1).max(BAN_DELETES_MAX_S).optional() });
export const restrictedResponse = z.object({
  people: z.array(
    person.extend({
      /** Null: not muted. `9999-12-31T23:59:59.999Z`: without an end. */
      muted_until: time.nullable(),
      banned_until: time.nullable(),
    }),
  ),
});

export const reportBody = z.object({ reason: reportReason, note: note.optional() });
export const reportsQuery = z.object({
  limit,
  before_id: beforeId,
  state: z.enum(['open', 'closed']).optional(),
});
export const closeReportBody = z.object({
  resolution: z.enum(['acted', 'dismissed']),
  note: note.optional(),
});
export const reportSchema = z.object({
  id,
  room: z.object({ id, name: z.string(), kind: roomKind }),
  message_id: id,
  author: person,
  reporter: person,
  reason: reportReason,
  note: z.string(),
  /** The text as it was reported. */
  excerpt: z.string(),
  created_at: time,
  closed_at: time.nullable(),
  closed_by: person.nullable(),
  resolution: z.string().nullable(),
});
export const reportsResponse = z.object({ reports: z.array(reportSchema), has_more: z.boolean() });

export type ServerSettings = z.infer<typeof serverSettings>;
export type DeletedRoom = z.infer<typeof deletedRoom>;
export type AdminUser = z.infer<typeof adminUser>;
export type AdminUsersPage = z.infer<typeof adminUsersResponse>;
export type Registrations = z.infer<typeof registrationsResponse>;
export type EndedRegistrations = z.infer<typeof endedRegistrations>;
export type ResetLink = z.infer<typeof resetLink>;
export type CreatedServerInvite = z.infer<typeof createdServerInvite>;
export type AuditPage = z.infer<typeof auditResponse>;
export type SearchStatus = z.infer<typeof searchStatus>;
export type Usage = z.infer<typeof usageResponse>;
export type Report = z.infer<typeof reportSchema>;
export type ReportsPage = z.infer<typeof reportsResponse>;
export type Restricted = z.infer<typeof restrictedResponse>;
