/**
 * Removes accounts. Texts that are to go with them are deleted afterwards, in pieces, so that others write in between.
 */
import { AppError } from '../../../protocol/errors.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { Store } from '../../data/storage/store.ts';
import { announceToUsers } from '../rooms/announce.ts';

/** Read at once; a piece stops other writes of its room for some 20 ms when all of it is by one person. */
const MESSAGES_AT_ONCE = 200;

export interface RemovalOptions {
  store: Store;
  bus: Bus;
  /** Ends sessions in this process at once, and announces their end. */
  announceEnd(sessionId: number): void;
  /** Unix milliseconds. */
  now: () => number;
}

export interface RemovalTerms {
  texts: 'keep' | 'delete';
  /** For the audit log. */
  reason?: string | undefined;
}

export class Removal {
  readonly #options: RemovalOptions;
  #running: Promise<void> | undefined;

  constructor(options: RemovalOptions) {
    this.#options = options;
  }

  /**
   * Removes the account; `actorId` null: the operator. Removing it again can only add that its texts go, too, which
   * `deleteTexts` does. Throws `not_found`, `user_not_found`, and `not_allowed` for somebody of an equal or higher
   * role.
   */
  async remove(actorId: number | null, userId: number, { texts, reason = '' }: RemovalTerms): Promise<void> {
    const { store, bus, now } = this.#options;
    const terms = { deletesTexts: texts === 'delete', reason, now: now() };
    const removed = await store.removeUser({ actorId, userId, ...terms });
    if (removed.outcome === 'unchanged') return;
    if (removed.outcome !== 'changed') throw new AppError(removed.outcome);
    const { ended, version, notices, changes } = removed;
    for (const sessionId of ended) this.#options.announceEnd(sessionId);
    for (const message of notices) bus.publish({ type: 'message', roomId: message.roomId, message });
    announceToUsers(bus, changes);
    bus.publish({ type: 'profile', userId, version });
  }

  /** Deletes the texts of removed accounts that are to go. A stop in between loses nothing: the next call goes on. */
  deleteTexts(): Promise<void> {
    this.#running ??= this.#deleteTexts().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #deleteTexts(): Promise<void> {
    const { store } = this.#options;
    for (const { userId, roomIds } of await store.textsToDelete()) {
      for (const roomId of roomIds) await this.#deleteIn(roomId, userId);
      await store.textsDeleted(userId);
    }
  }

  async #deleteIn(roomId: number, userId: number): Promise<void> {
    const { store, bus, now } = this.#options;
    const before = Number.MAX_SAFE_INTEGER;
    for (let afterSeq: number | undefined = 0; afterSeq !== undefined; ) {
      const query = { roomId, afterSeq, before, userId, limit: MESSAGES_AT_ONCE, now: now() };
      const piece: Awaited<ReturnType<Store['oldTexts']>> = await store.oldTexts(query);
      const { messageIds } = piece;
      if (messageIds.length > 0) {
        const { changed } = await store.pruneTexts({ roomId, messageIds, now: now() });
        for (const message of changed) bus.publish({ type: 'message', roomId, message });
      }
      afterSeq = piece.reached;
    }
  }
}
