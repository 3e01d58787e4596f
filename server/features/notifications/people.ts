/** What decisions about the people of one room depend on, read once for a page of its log. */
import type { AudienceRow, Store } from '../../data/storage/store.ts';
import type { Person, ThreadStanding } from './decide.ts';

const READ_MAX = 200;

export interface PeopleParts {
  store: Pick<Store, 'audience' | 'threadPeople'>;
  isOnline(userId: number): boolean;
}

export class RoomPeople {
  readonly #parts: PeopleParts;
  readonly #roomId: number;
  readonly #authorIds: readonly number[];
  readonly #rows = new Map<number, AudienceRow>();
  readonly #threads = new Map<number, Map<number, ThreadStanding>>();

  constructor(parts: PeopleParts, roomId: number, authorIds: readonly number[]) {
    this.#parts = parts;
    this.#roomId = roomId;
    this.#authorIds = [...new Set(authorIds)];
  }

  async load(userIds: Iterable<number>): Promise<void> {
    const missing = [...new Set(userIds)].filter((userId) => !this.#rows.has(userId));
    for (let start = 0; start < missing.length; start += READ_MAX)
      await this.#read({ userIds: missing.slice(start, start + READ_MAX) });
  }

  /** All members, in pages. */
  async *members(): AsyncGenerator<readonly AudienceRow[]> {
    for (let afterUserId = 0; ; ) {
      const rows = await this.#read({ afterUserId });
      const last = rows.at(-1);
      if (!last) return;
      yield rows;
      afterUserId = last.userId;
    }
  }

  /** Loads how these people stand to the thread. Returns those who follow it. */
  async loadThread(threadId: number, userIds: readonly number[]): Promise<number[]> {
    const known = this.#threads.get(threadId) ?? new Map<number, ThreadStanding>();
    this.#threads.set(threadId, known);
    const of = { roomId: this.#roomId, threadId };
    // Mostly one read: it has the followers, and the first of these people.
    for (let start = 0; start === 0 || start < userIds.length; start += READ_MAX) {
      const some = userIds.slice(start, start + READ_MAX);
      const read = await this.#parts.store.threadPeople({ ...of, userIds: some, withFollowers: start === 0 });
      for (const { userId, ...standing } of read) if (!known.has(userId)) known.set(userId, standing);
    }
    return [...known].flatMap(([userId, { isFollowing }]) => (isFollowing ? [userId] : []));
  }

  /** The user follows the thread from now on, unless they do already, or have left it. Whether this is new. */
  follow(threadId: number, userId: number, readSeq: number): boolean {
    const thread = this.#threads.get(threadId);
    const { member } = this.#rows.get(userId) ?? {};
    const before = thread?.get(userId);
    if (!thread || (before?.isFollowing ?? null) !== null || !member || member.hasLeft) return false;
    // In a room of which they want no threads, this is remembered, and counts once they want them again.
    const isFollowing = member.threads !== 'none';
    thread.set(userId, { isFollowing, readSeq: Math.max(readSeq, before?.readSeq ?? 0) });
    return true;
  }

  row(userId: number): AudienceRow | undefined {
    return this.#rows.get(userId);
  }

  person(row: AudienceRow, threadId: number | null): Person {
    const thread = threadId === null ? undefined : this.#threads.get(threadId)?.get(row.userId);
    return { row, thread: thread ?? null, isOnline: this.#parts.isOnline(row.userId) };
  }

  async #read(which: { userIds?: readonly number[]; afterUserId?: number }): Promise<AudienceRow[]> {
    const query = { roomId: this.#roomId, authorIds: this.#authorIds, ...which };
    const rows = await this.#parts.store.audience(query);
    for (const row of rows) this.#rows.set(row.userId, row);
    return rows;
  }
}
