/** Requests about people and the user's own account. Not part of `ChatApi`, so that a page loads it when needed. */
import type { RequestPath } from '../../protocol/endpoints.ts';
import type { Profile, Status } from '../../protocol/people.ts';
import type { BlocksPage, Me, SessionInfo, UserSettings } from '../../protocol/rest/people.ts';
import { checkedPaths } from './checked-paths.ts';
import { type Check, isFlag, isNatural, isText, listOf, some } from './checks.ts';
import { queryString } from './http.ts';
import { readAll } from './read-all.ts';
import type { Requests } from './requests.ts';

/** Changes of the user's own profile. Absent fields stay as they are. */
export interface MePatch {
  /** Empty: go by the username. */
  readonly display_name?: string;
  readonly status?: Status | null;
  /** An IANA name such as `Europe/Vienna`. */
  readonly time_zone?: string | null;
  readonly settings?: UserSettings;
}

/** Every method rejects with an `ApiError`. */
export interface PeopleApi {
  me(): Promise<Me>;
  updateMe(patch: MePatch): Promise<Me>;
  /**
   * The user's own picture, in place of the one before: a PNG, JPEG, WebP, GIF or AVIF of at most 256 KiB and 512 × 512.
   * Every profile has its key as `avatar`, and `filePath(avatar, 'avatar')` is where it is.
   */
  setAvatar(picture: Blob): Promise<Me>;
  removeAvatar(): Promise<Me>;
  /** At most 100. */
  byIds(ids: readonly number[]): Promise<Profile[]>;
  /** By how a word of the username or of the display name begins. */
  find(q: string): Promise<Profile[]>;
  blocked(): Promise<Profile[]>;
  block(userId: number): Promise<void>;
  unblock(userId: number): Promise<void>;
  /** Ends all other sessions of the user. 403 when `current` is wrong. */
  changePassword(current: string, next: string): Promise<void>;
  /** The logins of the user, on all devices. */
  sessions(): Promise<SessionInfo[]>;
  endSession(sessionId: number): Promise<void>;
  /** `code`: of the link in the server's log. 404 when it is wrong or spent, and when there is an admin. */
  becomeAdmin(code: string): Promise<Me>;
}

const profile = { id: isNatural, username: isText, version: isNatural };
const isMe = some<Me>(profile);
const areUsers = some<BlocksPage>({ users: listOf(some<Profile>(profile)) });
const areSessions: Check<{ sessions: SessionInfo[] }> = some({
  sessions: listOf(some<SessionInfo>({ id: isNatural, current: isFlag })),
});

/** `requests`: those of `ChatClient.api`. */
export function peopleApi(requests: Requests): PeopleApi {
  const { ask, tell } = checkedPaths(requests);
  const users = async (path: RequestPath<'GET'>) => (await ask('GET', path, areUsers)).users;
  return {
    me: () => ask('GET', '/me', isMe),
    updateMe: (patch) => ask('PATCH', '/me', isMe, patch),
    setAvatar: (picture) => ask('PUT', '/me/avatar', isMe, picture),
    removeAvatar: () => ask('DELETE', '/me/avatar', isMe),
    byIds: (ids) => users(`/users${queryString({ ids: ids.join(',') })}`),
    find: (q) => users(`/users${queryString({ q })}`),
    blocked: () =>
      readAll<BlocksPage, Profile>(
        (last) => ask('GET', `/me/blocks${queryString({ after_id: last?.id })}`, areUsers),
        (page) => page.users,
      ),
    block: (userId) => tell('PUT', `/me/blocks/${userId}`),
    unblock: (userId) => tell('DELETE', `/me/blocks/${userId}`),
    changePassword: (current, next) => tell('PUT', '/me/password', { current, next }),
    sessions: async () => (await ask('GET', '/me/sessions', areSessions)).sessions,
    endSession: (sessionId) => tell('DELETE', `/me/sessions/${sessionId}`),
    becomeAdmin: (code) => ask('POST', '/setup', isMe, { code }),
  };
}
