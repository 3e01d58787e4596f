/**
 * Finds changes of profiles that the bus has lost: compares the profiles that lines watch with the database, all of
 * them within half a minute.
 */
import { USERS_PAGE } from '../../../../../protocol/limits.ts';
import type { People } from '../../../../features/identity/people.ts';

/** Calls of `tick` in which everybody is compared once. */
const TICKS = 30;

export class ProfilePoll {
  readonly #people: Pick<People, 'profiles'>;
  readonly #onChanged: (userId: number) => void;
  /** By user: the latest version that was sent to their watchers. */
  readonly #versions = new Map<number, number>();
  #round: Iterator<number> | null = null;
  #isReading = false;

  /** `onChanged`: is called for a user whose watchers lack a version. */
  constructor(people: Pick<People, 'profiles'>, onChanged: (userId: number) => void) {
    this.#people = people;
    this.#onChanged = onChanged;
  }

  /** Some watcher of this user has this version. Others may still lack it. */
  found(userId: number, version: number): void {
    const sent = this.#versions.get(userId);
    if (sent === undefined) this.#versions.set(userId, version);
    else if (sent < version) this.#onChanged(userId);
  }

  /** All watchers of this user, if there are any, were sent this version. */
  sent(userId: number, version: number): void {
    const before = this.#versions.get(userId);
    if (before !== undefined && before < version) this.#versions.set(userId, version);
  }

  /** Nobody watches this user any more. */
  forget(userId: number): void {
    this.#versions.delete(userId);
  }

  /** Called each second. Resolves when its part was compared; never rejects. */
  async tick(): Promise<void> {
    // A database that is slow is not asked more and more.
    if (this.#isReading) return;
    this.#isReading = true;
    await this.#compareSome();
    this.#isReading = false;
  }

  async #compareSome(): Promise<void> {
    const userIds = this.#next(Math.ceil(this.#versions.size / TICKS));
    for (let at = 0; at < userIds.length; at += USERS_PAGE) {
      // What cannot be read now is compared in the next round.
      const profiles = await this.#people.profiles(userIds.slice(at, at + USERS_PAGE)).catch(() => []);
      for (const { id, version } of profiles) this.found(id, version);
    }
  }

  #next(count: number): number[] {
    const userIds: number[] = [];
    while (userIds.length < count) {
      this.#round ??= this.#versions.keys();
      const { value, done } = this.#round.next();
      if (done !== true) userIds.push(value);
      else {
        this.#round = null;
        break;
      }
    }
    return userIds;
  }
}
