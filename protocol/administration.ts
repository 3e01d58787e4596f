/** Administration: who may register, and what the audit log records. */
import { z } from 'zod';

/** Everybody; those who have an invitation; nobody. */
export const registrationSchema = z.enum(['open', 'invite', 'closed']);

/** What a row of the audit log says was done. */
export const auditAction = z.enum([
  'suspended',
  'resumed',
  'role',
  'sessions_ended',
  'reset_made',
  'reset_used',
  'sign_in_link_made',
  'sign_in_link_used',
  'registration',
  'server_named',
  'server_icon',
  'server_invite',
  'server_invite_revoked',
  'muted',
  'unmuted',
  'banned',
  'unbanned',
  'removed',
  'room_role',
  'room_changed',
  'room_deleted',
  'room_restored',
  'room_imported',
  'message_deleted',
  'previews_removed',
  'emoji_deleted',
  'report_closed',
  'user_created',
  'user_removed',
  'user_renamed',
  'registrations_ended',
  'messages_pruned',
  'audit_pruned',
]);

/** Why somebody reports a message. */
export const reportReason = z.enum(['spam', 'harassment', 'confidential', 'other']);

export type Registration = z.infer<typeof registrationSchema>;
export type AuditAction = z.infer<typeof auditAction>;
export type ReportReason = z.infer<typeof reportReason>;
