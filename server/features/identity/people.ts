/** Profiles and blocks. */
import { AppError } from '../../../protocol/errors.ts';
import { BLOCKS_PAGE, MAX_ID, USERS_PAGE } from '../../../protocol/limits.ts';
import { type Profile, type Status, statusSchema } from '../../../protocol/people.ts';
import { type BlocksPage, type Me, type UserSettings, userSettings } from '../../../protocol/rest/people.ts';
import { searchStart } from '../../../protocol/search/names.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { OwnProfile, ProfileChange, ProfileRow, Store } from '../../data/storage/store.ts';
import { type Limiter, takeOrRefuse } from '../../platform/limits/limiter.ts';

/** What the user changes; null removes. */
export interface MeChange {
  display_name?: string | undefined;
  status?: Status | null | undefined;
  time_zone?: string | null | undefined;
  settings?: UserSettings | undefined;
}

export interface PeopleOptions {
  store: Store;
  bus: Bus;
  /** Counts changes of profiles, by user; undefined: no limit. */
  changes?: Limiter | undefined;
  /** Unix milliseconds. */
  now?: () => number;
}

export class People {
  readonly #store: Store;
  readonly #bus: Bus;
  readonly #changes: Limiter | undefined;
  readonly #now: () => number;

  constructor({ store, bus, changes, now = Date.now }: PeopleOptions) {
    this.#store = store;
    this.#bus = bus;
    this.#changes = changes;
    this.#now = now;
  }

  async me(userId: number): Promise<Me> {
    return this.#toMe(await this.#own(userId));
  }

  /**
   * Settings that are not named stay. Throws `invalid_payload` for a time zone that does not exist, and
   * `too_many_requests`: everybody who has this person in sight receives each new profile.
   */
  async changeMe(userId: number, change: MeChange): Promise<Me> {
    const { display_name: name, status, time_zone: timeZone, settings } = change;
    if (typeof timeZone === 'string' && !isTimeZone(timeZone)) throw new AppError('invalid_payload');
    await this.chargeChange(userId);
    return await this.#change({
      userId,
      timeZone,
      settings,
      displayName: name,
      status: status && JSON.stringify(status),
    });
  }

  /** Throws `too_many_requests` before the bytes of a new picture are taken. */
  async chargeChange(userId: number): Promise<void> {
    await takeOrRefuse(this.#changes, String(userId));
  }

  /** `key`: of a picture of this user that is ready; null removes the picture. */
  async setAvatar(userId: number, key: string | null): Promise<Me> {
    return await this.#change({ userId, avatarKey: key });
  }

  async #change(change: ProfileChange): Promise<Me> {
    const after = await this.#store.changeProfile(change);
    if (!after) throw new AppError('invalid_token');
    const { userId } = change;
    const { version } = after.profile;
    if (after.isShown) this.#bus.publish({ type: 'profile', userId, version });
    return this.#toMe(after);
  }

  /** By ids, for any viewer. Leaves out unknown ids. */
  async profiles(ids: readonly number[]): Promise<Profile[]> {
    return (await this.#store.profiles(ids)).map((row) => this.#toProfile(row));
  }

  /** By ids. Leaves out unknown ids, and people whom a guest may not see. */
  async byIds(viewerId: number, ids: readonly number[]): Promise<Profile[]> {
    const rows = await this.#store.profiles(ids);
    if (!(await this.isGuest(viewerId))) return rows.map((row) => this.#toProfile(row));
    const seen = await this.seenByGuest(
      viewerId,
      rows.map(({ id }) => id),
    );
    return rows.filter(({ id }) => seen.has(id)).map((row) => this.#toProfile(row));
  }

  async isGuest(userId: number): Promise<boolean> {
    return (await this.#own(userId)).profile.role === 'guest';
  }

  /** Those of the users whom this guest sees, because they are in a room together. */
  async seenByGuest(guestId: number, ids: readonly number[]): Promise<Set<number>> {
    const seen = await Promise.all(ids.map((id) => this.#sharesRoom(guestId, id)));
    return new Set(ids.filter((_, index) => seen[index]));
  }

  /** By how a word of the username or of the display name begins. Guests find the people they share a room with. */
  async search(viewerId: number, start: string): Promise<Profile[]> {
    const rows = await this.#store.searchPeople({
      start: searchStart(start),
      limit: USERS_PAGE,
      viewerId,
      amongPeopleOf: (await this.isGuest(viewerId)) ? viewerId : undefined,
    });
    return rows.map((row) => this.#toProfile(row));
  }

  /** A page of the people whom the user has blocked, by id; `afterId`: the last of the page before. */
  async blocked(userId: number, afterId = 0): Promise<BlocksPage> {
    const after = (await this.#store.blockedBy(userId)).filter((id) => id > afterId);
    const ids = after.slice(0, BLOCKS_PAGE);
    const pages = Array.from({ length: Math.ceil(ids.length / USERS_PAGE) }, (_, page) =>
      this.#store.profiles(ids.slice(page * USERS_PAGE, (page + 1) * USERS_PAGE)),
    );
    const users = (await Promise.all(pages)).flat().map((row) => this.#toProfile(row));
    return { users, has_more: after.length > ids.length };
  }

  /** Throws `user_not_found`, also for people whom a guest may not see, and `invalid_payload` for oneself. */
  async setBlock(userId: number, blockedId: number, isBlocked: boolean): Promise<void> {
    if (userId === blockedId) throw new AppError('invalid_payload');
    // Whom a guest has blocked can be unblocked, seen or not.
    const isHidden =
      (await this.isGuest(userId)) &&
      !(await this.#sharesRoom(userId, blockedId)) &&
      (isBlocked || !(await this.#store.blockedBy(userId)).includes(blockedId));
    const set = isHidden ? false : await this.#store.setBlock({ userId, blockedId, isBlocked });
    if (set === false) throw new AppError('user_not_found');
    if (set) this.#bus.publish({ type: 'user_log', userId, seq: set.userSeq });
  }

  async #own(userId: number): Promise<OwnProfile> {
    const own = await this.#store.ownProfile(userId);
    // The user of a valid token is gone.
    if (!own) throw new AppError('invalid_token');
    return own;
  }

  async #sharesRoom(userId: number, otherId: number): Promise<boolean> {
    return userId === otherId || (await this.#store.shareRoom({ userId, otherId }));
  }

  #toMe({ profile, settings }: OwnProfile): Me {
    return { ...this.#toProfile(profile), settings: userSettings.parse(JSON.parse(settings)) };
  }

  #toProfile(row: ProfileRow): Profile {
    return toProfile(row, this.#now());
  }
}

/** A profile as others see it at `now`: a status that has ended is gone. */
export function toProfile(row: ProfileRow, now: number): Profile {
  const { id, username, version, kind, role, displayName, avatarKey, timeZone, suspendedAt } = row;
  const status = row.status === null ? null : statusSchema.parse(JSON.parse(row.status));
  const isOver = status?.until !== undefined && Date.parse(status.until) <= now;
  return {
    id,
    username,
    version,
    kind,
    role,
    display_name: displayName,
    status: isOver ? null : status,
    ...(avatarKey !== null && { avatar: avatarKey }),
    time_zone: timeZone,
    suspended: suspendedAt !== null,
  };
}

/** The ids of a list separated by commas, at most `USERS_PAGE`; null when it is anything else. */
export function parseIds(list: string): number[] | null {
  const parts = list.split(',');
  if (parts.length > USERS_PAGE || !parts.every((part) => /^[1-9][0-9]{0,15}$/.test(part))) return null;
  const ids = parts.map(Number);
  return ids.every((id) => id <= MAX_ID) ? ids : null;
}

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
