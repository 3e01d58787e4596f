/**
 * Administration, moderation and links for a new password. Not part of `ChatApi`, so that a page loads it when needed.
 */

import type { Registration, ReportReason } from '../../protocol/administration.ts';
import { DEFAULT_SERVER_NAME } from '../../protocol/constants.ts';
import type { RequestPath } from '../../protocol/endpoints.ts';
import type { UserRole } from '../../protocol/people.ts';
import type {
  AdminUser,
  AdminUsersPage,
  AuditPage,
  CreatedServerInvite,
  DeletedRoom,
  ReportsPage,
  ResetLink,
  Restricted,
  ServerSettings,
  Usage,
} from '../../protocol/rest/administration.ts';
import type { Invitation, Invite } from '../../protocol/rest/rooms.ts';
import { checkedPaths } from './checked-paths.ts';
import { type Check, isFlag, isNatural, isText, listOf, oneOf, some } from './checks.ts';
import { type Http, queryString, request } from './http.ts';
import type { Requests } from './requests.ts';

/** Until when, and why; without `until` it does not end. */
export interface RestrictionTerms {
  readonly until?: string;
  readonly reason?: string;
}

/** For admins; 404 for everybody else. Every method rejects with an `ApiError`. */
export interface AdminApi {
  users(query?: { q?: string; suspended?: boolean; afterId?: number }): Promise<AdminUsersPage>;
  /** 403 for somebody of an equal or higher role. */
  changeUser(
    userId: number,
    change: { role?: UserRole; suspended?: boolean; username?: string; reason?: string },
  ): Promise<AdminUser>;
  /** For good. `texts`: what becomes of all that the person wrote. 403 as for a change. */
  removeUser(userId: number, texts: 'keep' | 'delete', reason?: string): Promise<void>;
  endSessions(userId: number): Promise<void>;
  resetPassword(userId: number): Promise<ResetLink>;
  /** Rooms that can be restored, the latest deleted first. */
  deletedRooms(): Promise<DeletedRoom[]>;
  /** `name`: another one. Rejects with 409 when the name of a public room is taken. */
  restoreRoom(roomId: number, name?: string): Promise<void>;
  setRegistration(registration: Registration): Promise<void>;
  /** The name of the server from now on; null: the default. Returns it as it is shown. */
  setServerName(name: string | null): Promise<string>;
  /** The picture of the server, for everybody: a PNG, JPEG, WebP, GIF or AVIF of at most 256 KiB and 512 × 512. */
  setServerIcon(picture: Blob): Promise<ServerSettings>;
  removeServerIcon(): Promise<ServerSettings>;
  invites(): Promise<Invite[]>;
  invite(terms?: { expires_in?: number; max_uses?: number }): Promise<CreatedServerInvite>;
  revokeInvite(inviteId: number): Promise<void>;
  /** The latest first. */
  audit(query?: { beforeId?: number }): Promise<AuditPage>;
  reports(query?: { state?: 'open' | 'closed'; beforeId?: number }): Promise<ReportsPage>;
  usage(): Promise<Usage>;
}

/** For moderators of a room; reporting, and what concerns oneself, for everybody. */
export interface ModerationApi {
  mute(roomId: number, userId: number, terms?: RestrictionTerms): Promise<void>;
  unmute(roomId: number, userId: number): Promise<void>;
  /** `delete_last_s`: deletes what the person has posted in the last seconds. */
  ban(roomId: number, userId: number, terms?: RestrictionTerms & { delete_last_s?: number }): Promise<void>;
  unban(roomId: number, userId: number): Promise<void>;
  restricted(roomId: number): Promise<Restricted['people']>;
  report(roomId: number, messageId: number, reason: ReportReason, note?: string): Promise<void>;
  reports(roomId: number): Promise<ReportsPage>;
  closeReport(reportId: number, resolution: 'acted' | 'dismissed', note?: string): Promise<void>;
  /** The room's part of the audit log, the latest first. */
  roomAudit(roomId: number, query?: { beforeId?: number }): Promise<AuditPage>;
  /** What admins and moderators did about the user. */
  ownAudit(): Promise<AuditPage>;
}

const person = some<{ user_id: number; username: string }>({ user_id: isNatural, username: isText });
const isUser = some<AdminUser>({ id: isNatural, username: isText, sessions: isNatural });
const isUsers = some<AdminUsersPage>({ users: listOf(isUser), has_more: isFlag });
const isReset = some<ResetLink>({ user: person, url: isText, expires_at: isText });
const isRegistration: Check<{ registration: Registration }> = some({
  registration: oneOf('open', 'invite', 'closed'),
});
const isServer = some<ServerSettings>({ registration: oneOf('open', 'invite', 'closed'), name: isText });
const isInvites: Check<{ invites: Invite[] }> = some({ invites: listOf(some<Invite>({ id: isNatural })) });
const isInvite = some<CreatedServerInvite>({ id: isNatural, url: isText });
const isAudit = some<AuditPage>({
  entries: listOf(some<AuditPage['entries'][number]>({ id: isNatural, at: isText })),
  has_more: isFlag,
});
const isDeletedRooms: Check<{ rooms: DeletedRoom[] }> = some({
  rooms: listOf(some<DeletedRoom>({ id: isNatural, name: isText })),
});
const isReports = some<ReportsPage>({
  reports: listOf(some<ReportsPage['reports'][number]>({ id: isNatural, author: person, reporter: person })),
  has_more: isFlag,
});
const isUsage = some<Usage>({ users: isNatural, messages: isNatural });
const isRestricted: Check<Restricted> = some({
  people: listOf(person as Check<Restricted['people'][number]>),
});
const isInvitation = some<Invitation>({ inviter: isText });
const isResetUser: Check<{ user: { user_id: number; username: string } }> = some({ user: person });

/** `requests`: those of `ChatClient.api`. */
export function adminApi(requests: Requests): AdminApi {
  const { ask, tell } = checkedPaths(requests);
  return {
    users: ({ q, suspended, afterId } = {}) => {
      const query = {
        q,
        suspended: suspended === undefined ? undefined : String(suspended),
        after_id: afterId,
      };
      return ask('GET', `/admin/users${queryString(query)}`, isUsers);
    },
    changeUser: (userId, change) => ask('PATCH', `/admin/users/${userId}`, isUser, change),
    removeUser: (userId, texts, reason) =>
      tell('DELETE', `/admin/users/${userId}${queryString({ texts, reason })}`),
    endSessions: (userId) => tell('DELETE', `/admin/users/${userId}/sessions`),
    resetPassword: (userId) => ask('POST', `/admin/users/${userId}/reset`, isReset),
    setRegistration: async (registration) =>
      void (await ask('PATCH', '/admin/settings', isRegistration, { registration })),
    setServerName: async (name) => (await ask('PATCH', '/admin/settings', isServer, { name })).name,
    setServerIcon: (picture) => ask('PUT', '/admin/icon', isServer, picture),
    removeServerIcon: () => ask('DELETE', '/admin/icon', isServer),
    invites: async () => (await ask('GET', '/admin/invites', isInvites)).invites,
    invite: (terms = {}) => ask('POST', '/admin/invites', isInvite, terms),
    revokeInvite: (inviteId) => tell('DELETE', `/admin/invites/${inviteId}`),
    audit: ({ beforeId } = {}) => ask('GET', `/admin/audit${queryString({ before_id: beforeId })}`, isAudit),
    reports: ({ state, beforeId } = {}) =>
      ask('GET', `/admin/reports${queryString({ state, before_id: beforeId })}`, isReports),
    deletedRooms: async () => (await ask('GET', '/admin/rooms/deleted', isDeletedRooms)).rooms,
    restoreRoom: (roomId, name) => tell('POST', `/admin/rooms/${roomId}/restore`, { name }),
    usage: () => ask('GET', '/admin/usage', isUsage),
  };
}

/** `requests`: those of `ChatClient.api`. */
export function moderationApi(requests: Requests): ModerationApi {
  const { ask, tell } = checkedPaths(requests);
  const about = (roomId: number, what: 'mutes' | 'bans', userId: number) =>
    `/rooms/${roomId}/${what}/${userId}` as const;
  return {
    mute: (roomId, userId, terms = {}) => tell('PUT', about(roomId, 'mutes', userId), terms),
    unmute: (roomId, userId) => tell('DELETE', about(roomId, 'mutes', userId)),
    ban: (roomId, userId, terms = {}) => tell('PUT', about(roomId, 'bans', userId), terms),
    unban: (roomId, userId) => tell('DELETE', about(roomId, 'bans', userId)),
    restricted: async (roomId) => (await ask('GET', `/rooms/${roomId}/restricted`, isRestricted)).people,
    report: (roomId, messageId, reason, note = '') =>
      tell('POST', `/rooms/${roomId}/messages/${messageId}/reports`, { reason, note }),
    reports: (roomId) => ask('GET', `/rooms/${roomId}/reports`, isReports),
    closeReport: (reportId, resolution, note = '') =>
      tell('POST', `/reports/${reportId}/close`, { resolution, note }),
    roomAudit: (roomId, { beforeId } = {}) =>
      ask('GET', `/rooms/${roomId}/audit${queryString({ before_id: beforeId })}`, isAudit),
    ownAudit: () => ask('GET', '/me/audit', isAudit),
  };
}

/** Without a session: who may register, and setting a password with a link. 404 for a link that has ended. */
export interface DoorApi {
  registration(): Promise<Registration>;
  /** What the server is called, and who may register, in one request. */
  server(): Promise<ServerSettings>;
  /** What an invitation leads to: a room, or to the server as a whole. */
  invitation(code: string): Promise<Invitation>;
  findReset(code: string): Promise<{ user_id: number; username: string }>;
  /** Whom a link signs in, which `ChatClient.signInByLink` uses up. */
  findSignInLink(code: string): Promise<{ user_id: number; username: string }>;
  /** Ends all sessions of the person. */
  reset(code: string, password: string): Promise<void>;
}

export function doorApi(http: Http): DoorApi {
  const post = (path: RequestPath<'POST'>, body: unknown) =>
    request(http, { method: 'POST', path, body, response: isResetUser });
  return {
    registration: async () =>
      (await request(http, { method: 'GET', path: '/server', response: isRegistration })).registration,
    server: async () => {
      const known = await request(http, { method: 'GET', path: '/server', response: isRegistration });
      // An older server has no name of its own.
      return { name: DEFAULT_SERVER_NAME, ...known };
    },
    invitation: (code) =>
      request(http, { method: 'GET', path: `/invites/${encodeURIComponent(code)}`, response: isInvitation }),
    findReset: async (code) => (await post('/auth/reset/find', { code })).user,
    findSignInLink: async (code) => (await post('/auth/sign-in-link/find', { code })).user,
    reset: async (code, password) => void (await post('/auth/reset', { code, password })),
  };
}
