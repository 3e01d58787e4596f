/** Posting a message. Nothing is announced or acknowledged before it is durable. Posting makes a member. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../protocol/errors.ts';
import { isMessageContent } from '../../../protocol/text.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { AppendOutcome, MessageRow, PostOutcome, Store } from '../../data/storage/store.ts';
import { measures } from '../../platform/metrics/measures.ts';
import { isPlain, type MessageDraft } from '../../rules/message-draft.ts';
import { announce, announceToUsers } from '../rooms/announce.ts';
import { mentionsOf } from './mentions.ts';

/** An author who is at the cap of memberships becomes a member by the first message after this long. */
const JOIN_AGAIN_MS = 10 * 60_000;
const MAX_NOT_JOINED = 10_000;

export interface NewPost {
  roomId: number;
  author: { userId: number; username: string };
  draft: MessageDraft;
}

export interface Posted {
  id: number;
  seq: number;
  createdAt: number;
  /** The same cid was posted before. These are the first message's numbers, and nothing was announced. */
  duplicate: boolean;
}

export class Posting {
  readonly #store: Store;
  readonly #bus: Bus;
  readonly #onRefused: (error: unknown) => void;
  readonly #now: () => number;
  /**
   * By user and room: authors who became no member, and until when (Unix milliseconds) that is not tried again. An
   * author at the cap of memberships would otherwise cost a second write for each message.
   */
  readonly #notJoined = new Map<string, number>();
  /** Users and rooms for which a membership is being written. */
  readonly #joining = new Set<string>();
  #pending = 0;

  /** `onRefused` is called with the error of each message that the store did not take. */
  constructor(options: { store: Store; bus: Bus; onRefused?: (error: unknown) => void; now?: () => number }) {
    this.#store = options.store;
    this.#bus = options.bus;
    this.#onRefused = options.onRefused ?? (() => undefined);
    this.#now = options.now ?? Date.now;
  }

  /**
   * Stores the message, then announces it to the room. Resolves in the order of the room's seq. Throws `AppError` with
   * `invalid_content`, `cid_conflict`, `room_not_found`, `message_not_found` (what it answers, or the root of its
   * thread), `invalid_files`, `not_allowed`, `not_delivered` or `invalid_token` (the user is gone).
   */
  async post({ roomId, author, draft }: NewPost): Promise<Posted> {
    const { content, cid } = draft;
    const mayBeEmpty = draft.files !== undefined && draft.files.length > 0;
    if (!isMessageContent(content) && !(mayBeEmpty && content === '')) throw new AppError('invalid_content');
    const { userId } = author;
    this.#pending++;
    const now = this.#now();
    let stored: AppendOutcome | PostOutcome;
    try {
      const mentions = mentionsOf(content);
      stored = await (isPlain(draft) && mentions === undefined
        ? this.#store.append({ roomId, userId, cid, content, now })
        : this.#store.post({ mentions, ...draft, roomId, userId, now }));
    } catch (error) {
      this.#onRefused(error);
      throw error;
    } finally {
      this.#pending--;
    }
    switch (stored.outcome) {
      case 'stored': {
        measures.acked++;
        const { id, seq, createdAt } = stored;
        if ('message' in stored) {
          this.#bus.publish({ type: 'message', roomId, message: stored.message });
          if (stored.root) this.#bus.publish({ type: 'message', roomId, message: stored.root });
        } else {
          // Nearly all messages come here. The fields are written out: a spread takes several times as long.
          const message = plainMessage(stored, { roomId, author, draft });
          this.#bus.publish({ type: 'message', roomId, message });
        }
        announceToUsers(this.#bus, stored.shown ?? []);
        if (!stored.isMember) void this.#join(roomId, userId);
        return { id, seq, createdAt, duplicate: false };
      }
      case 'duplicate':
        return { id: stored.id, seq: stored.seq, createdAt: stored.createdAt, duplicate: true };
      case 'cid_conflict':
      case 'room_not_found':
      case 'not_allowed':
      case 'not_delivered':
      case 'message_not_found':
      case 'invalid_files':
        throw new AppError(stored.outcome);
      case 'user_not_found':
        throw new AppError('invalid_token');
    }
  }

  /** Posting makes a member, without a notice. At the cap of memberships or of members it does not. */
  async #join(roomId: number, userId: number): Promise<void> {
    const key = `${userId} ${roomId}`;
    if (this.#joining.has(key) || (this.#notJoined.get(key) ?? 0) > this.#now()) return;
    this.#joining.add(key);
    this.#pending++;
    try {
      const change = await this.#store.joinRoom({ roomId, userId, now: this.#now(), isSilent: true });
      if (change.outcome === 'changed') announce(this.#bus, change);
      if (change.outcome === 'too_many') this.#postpone(key);
    } catch (error) {
      this.#onRefused(error);
    } finally {
      this.#pending--;
      this.#joining.delete(key);
    }
  }

  /** The next message after this long tries again. */
  #postpone(key: string): void {
    this.#notJoined.delete(key);
    this.#notJoined.set(key, this.#now() + JOIN_AGAIN_MS);
    const [oldest] = this.#notJoined.keys();
    if (this.#notJoined.size > MAX_NOT_JOINED && oldest !== undefined) this.#notJoined.delete(oldest);
  }

  /** Resolves when no message is being stored any more, at the latest after `timeoutMs`. */
  async idle(timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (this.#pending > 0 && performance.now() < deadline) await sleep(5);
  }
}

function plainMessage(
  { id, seq, createdAt }: { id: number; seq: number; createdAt: number },
  { roomId, author, draft }: NewPost,
): MessageRow {
  const { userId, username } = author;
  const { cid, content } = draft;
  return {
    id,
    roomId,
    seq,
    changedSeq: seq,
    userId,
    username,
    cid,
    content,
    createdAt,
    notice: null,
    facts: null,
  };
}
