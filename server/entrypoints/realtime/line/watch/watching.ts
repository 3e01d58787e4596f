/**
 * The people whom lines watch: changes of their profiles, and whether they are online. Both are collected from tick to
 * tick, so that a person who changes or comes and goes often costs each watcher one frame a second.
 */
import { HERE_LINGER_MS, USERS_PAGE } from '../../../../../protocol/limits.ts';
import type { Profile } from '../../../../../protocol/people.ts';
import type { People } from '../../../../features/identity/people.ts';
import { ONLINE, type Presence } from '../../../../features/presence/presence.ts';
import { ProfilePoll } from './profile-poll.ts';

export interface WatchingParts {
  people: People;
  presence: Presence;
  /** Several processes change profiles, and the bus between them may lose that. */
  isShared?: boolean;
}

/** A line. */
export interface Watcher {
  readonly userId: number;
  isOpen(): boolean;
  tellProfile(profile: Profile): void;
  tellPeople(people: { online: number[]; offline: number[] }): void;
}

export class Watching {
  readonly #people: People;
  readonly #presence: Presence;
  readonly #watchers = new Map<number, Set<Watcher>>();
  /**
   * Users whose last socket of this process has closed, and when. They stay online for a little longer: a page that is
   * loaded again is back at once.
   */
  readonly #leaving = new Map<number, number>();
  /** Users who came online (true) or went since the last tick. */
  readonly #changed = new Map<number, boolean>();
  /** Users whose profile has changed since the last tick. */
  readonly #profiles = new Set<number>();
  /** Watchers who are guests, each with the end of what is still to be sent to them. */
  readonly #guests = new Map<Watcher, Promise<void>>();
  /** Null: this process alone changes profiles. */
  readonly #poll: ProfilePoll | null;

  constructor({ people, presence, isShared = false }: WatchingParts) {
    this.#people = people;
    this.#presence = presence;
    this.#poll = isShared ? new ProfilePoll(people, (userId) => this.changed(userId)) : null;
  }

  /**
   * The line watches these users, by the version of their profile that it has, and gets the profiles that differ. Users
   * whom it may not see are left out. Ends early when it is not current any more: what it has read may be out of date.
   */
  async watch(
    watcher: Watcher,
    versions: ReadonlyMap<number, number>,
    isCurrent: () => boolean,
  ): Promise<void> {
    const wanted = [...versions.keys()];
    const userIds: number[] = [];
    const isGuest = await this.#people.isGuest(watcher.userId);
    if (!isCurrent()) return;
    if (isGuest) this.#guests.set(watcher, Promise.resolve());
    for (let at = 0; at < wanted.length; at += USERS_PAGE) {
      const profiles = await this.#people.byIds(watcher.userId, wanted.slice(at, at + USERS_PAGE));
      if (!isCurrent()) return;
      for (const profile of profiles) {
        userIds.push(profile.id);
        this.#add(watcher, profile.id);
        this.#poll?.found(profile.id, profile.version);
        if (profile.version !== versions.get(profile.id)) watcher.tellProfile(profile);
      }
    }
    watcher.tellPeople({ online: userIds.filter((userId) => this.isOnline(userId)), offline: [] });
  }

  /** The line watches nobody any more; `userIds`: those whom it has watched. */
  unwatch(watcher: Watcher, userIds: readonly number[]): void {
    this.#guests.delete(watcher);
    for (const userId of userIds) this.#remove(watcher, userId);
  }

  isOnline(userId: number): boolean {
    return this.#presence.has(ONLINE, userId);
  }

  /** What others see of this user has changed. */
  changed(userId: number): void {
    if (this.#watchers.has(userId)) this.#profiles.add(userId);
  }

  /** A socket of this user has opened. */
  came(user: { userId: number; username: string }): void {
    // A user who is leaving is still counted once, which now counts for this socket.
    if (this.#leaving.delete(user.userId)) return;
    if (this.#presence.enter(ONLINE, user).changed) this.#changed.set(user.userId, true);
  }

  /** A socket of this user has closed; `now` is monotonic milliseconds. */
  went(userId: number, now: number): void {
    if (this.#presence.sockets(ONLINE, userId) > 1) this.#presence.leave(ONLINE, userId);
    else this.#leaving.set(userId, now);
  }

  /** A user has come online or gone offline without a socket of this process. */
  changedElsewhere(userId: number, isOnline: boolean): void {
    this.#changed.set(userId, isOnline);
  }

  /** Sends what has changed since the last tick; `now` is monotonic milliseconds. */
  tick(now: number): void {
    const profiles = [...this.#profiles];
    this.#profiles.clear();
    for (let at = 0; at < profiles.length; at += USERS_PAGE)
      void this.#tellProfiles(profiles.slice(at, at + USERS_PAGE));
    void this.#poll?.tick();
    this.#tellPeople(now);
  }

  #tellPeople(now: number): void {
    for (const [userId, since] of this.#leaving) {
      if (now - since < HERE_LINGER_MS) break;
      this.#leaving.delete(userId);
      if (this.#presence.leave(ONLINE, userId).changed) this.#changed.set(userId, false);
    }
    if (this.#changed.size === 0) return;
    const people = new Map<Watcher, { online: number[]; offline: number[] }>();
    for (const [userId, isOnline] of this.#changed) {
      for (const watcher of this.#watchers.get(userId) ?? []) {
        const told = people.get(watcher) ?? { online: [], offline: [] };
        told[isOnline ? 'online' : 'offline'].push(userId);
        people.set(watcher, told);
      }
    }
    this.#changed.clear();
    for (const [watcher, told] of people) {
      this.#tell(watcher, [...told.online, ...told.offline], (seen) => {
        const [online, offline] = [told.online.filter(seen), told.offline.filter(seen)];
        if (online.length + offline.length > 0) watcher.tellPeople({ online, offline });
      });
    }
  }

  /**
   * Sends something about these users, in the order of the calls. A guest gets it only about people with whom they are
   * still in a room: no event says that the last one has ended, so it is read. Others are not watched any more.
   */
  #tell(watcher: Watcher, userIds: readonly number[], send: (seen: (id: number) => boolean) => void): void {
    const earlier = this.#guests.get(watcher);
    if (!earlier) return send(() => true);
    const tell = async () => {
      // The watcher has another list since, or is a guest no more.
      if (!this.#guests.has(watcher)) return;
      const seen = await this.#people.seenByGuest(watcher.userId, userIds);
      for (const userId of userIds) if (!seen.has(userId)) this.#remove(watcher, userId);
      send((userId) => seen.has(userId));
    };
    // A failed read sends nothing: a client that watches again gets the present state.
    this.#guests.set(
      watcher,
      earlier.then(tell).catch(() => undefined),
    );
  }

  #remove(watcher: Watcher, userId: number): void {
    const watchers = this.#watchers.get(userId);
    watchers?.delete(watcher);
    if (watchers?.size !== 0) return;
    this.#watchers.delete(userId);
    this.#poll?.forget(userId);
  }

  #add(watcher: Watcher, userId: number): void {
    const watchers = this.#watchers.get(userId);
    if (watchers) watchers.add(watcher);
    else this.#watchers.set(userId, new Set([watcher]));
  }

  async #tellProfiles(userIds: readonly number[]): Promise<void> {
    // A failed read loses nothing for good: a client that watches again names the versions that it has.
    for (const profile of await this.#people.profiles(userIds).catch(() => [])) {
      this.#poll?.sent(profile.id, profile.version);
      for (const watcher of this.#watchers.get(profile.id) ?? []) {
        this.#tell(watcher, [profile.id], (seen) => {
          if (seen(profile.id)) watcher.tellProfile(profile);
        });
      }
    }
  }
}
