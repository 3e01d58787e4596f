/** Edits, deletions, reactions, pins and bookmarks. Nothing is announced before it is durable. */
import { AppError } from '../../../protocol/errors.ts';
import type { Message } from '../../../protocol/events.ts';
import type { PinsPage, ReactionsPage, RevisionsPage, SavedPage } from '../../../protocol/rest/messages.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { MessageChange, MessageRow, RevisionRow, SavedRow, Store } from '../../data/storage/store.ts';
import { type Limiter, takeOrRefuse } from '../../platform/limits/limiter.ts';
import { type Json, listJson } from '../../platform/written-list.ts';
import { toMessage } from '../../rules/message.ts';
import { announceToUsers } from '../rooms/announce.ts';
import { permit, type Where } from '../rooms/permit.ts';
import { mentionsOf } from './mentions.ts';
import { isBefore, MESSAGES, type PlaceInTime, withMessage } from './page.ts';

export interface ChangesOptions {
  store: Store;
  bus: Bus;
  /** Counts changes of messages, by user; undefined: no limit. */
  budget?: Limiter | undefined;
  /** Unix milliseconds. */
  now?: () => number;
}

/** A message, and the user who reads or changes it. */
export interface MessageOf extends Where {
  messageId: number;
}

export interface Edit extends MessageOf {
  content: string;
  /** The revision that the author has edited. */
  baseRevision: number;
}

export class Changes {
  readonly #options: Required<ChangesOptions>;

  constructor(options: ChangesOptions) {
    this.#options = { now: Date.now, budget: undefined, ...options };
  }

  /**
   * As every change here, throws `room_not_found`, `message_not_found`, `not_allowed` and `too_many_requests`. An edit
   * of another revision throws `message_changed`, and nothing is lost. Returns the message as it is now.
   */
  async edit({ roomId, userId, messageId, content, baseRevision }: Edit): Promise<MessageRow> {
    const target = await this.#target({ roomId, userId, messageId });
    const edit = { content, baseRevision, mentions: mentionsOf(content), ...target };
    return this.#announce(await this.#options.store.editMessage(edit));
  }

  /** Deletes a text of somebody else, as a part of an act that has its own limit. */
  async moderate({ roomId, userId: actorId, messageId }: MessageOf): Promise<void> {
    const { store, now } = this.#options;
    this.#announce(await store.deleteMessage({ roomId, messageId, actorId, now: now() }));
  }

  async delete(of: MessageOf): Promise<MessageRow> {
    return this.#announce(await this.#options.store.deleteMessage(await this.#target(of)));
  }

  /** Charges something that a user posts by a request to the budget of changes. */
  async charge(userId: number): Promise<void> {
    await takeOrRefuse(this.#options.budget, String(userId));
  }

  /** What stands for a file where it cannot be seen. Throws `file_not_found`. */
  async describeFile(of: MessageOf, key: string, alt: string): Promise<MessageRow> {
    const { store } = this.#options;
    return this.#announce(await store.describeFile({ key, alt, ...(await this.#target(of)) }));
  }

  /** Throws `file_not_found`. */
  async deleteFile(of: MessageOf, key: string): Promise<void> {
    this.#announce(await this.#options.store.deleteFile({ key, ...(await this.#target(of)) }));
  }

  /** The message gets none again. */
  async removePreviews(of: MessageOf): Promise<void> {
    this.#announce(await this.#options.store.removePreviews(await this.#target(of)));
  }

  /** Throws `too_many` beyond the cap of different emoji at one message. */
  async react(of: MessageOf, emoji: string, on: boolean): Promise<MessageRow> {
    return this.#announce(await this.#options.store.react({ emoji, on, ...(await this.#target(of)) }));
  }

  /** Throws `too_many` beyond the cap of pins in one room. */
  async pin(of: MessageOf, on: boolean): Promise<void> {
    this.#announce(await this.#options.store.pin({ on, ...(await this.#target(of)) }));
  }

  /** Without `note` a bookmark keeps its own. Throws `too_many` beyond the cap of bookmarks. */
  async save(of: MessageOf, bookmark: { on: boolean; note?: string | undefined }): Promise<void> {
    const { store, bus } = this.#options;
    const saved = await store.save({ ...(await this.#target(of)), ...bookmark });
    if (saved.outcome !== 'saved') throw new AppError(refusalOf(saved.outcome));
    if (saved.change) announceToUsers(bus, [saved.change]);
  }

  async get(of: MessageOf): Promise<Message> {
    return toMessage(await this.#find(of));
  }

  /** The earlier texts of a message, the oldest first; `from`: a revision. */
  async revisions(of: MessageOf, from = 0): Promise<Json<RevisionsPage>> {
    await this.#find(of);
    const rows = (await this.#options.store.revisions(of)).filter(({ revision }) => revision >= from);
    return await listJson<RevisionsPage, RevisionRow>('revisions', rows, {
      lengthOf: ({ content }) => content.length,
      write: ({ revision, content, editedAt }) =>
        JSON.stringify({ revision, content, edited_at: new Date(editedAt).toISOString() }),
    });
  }

  async reactions(of: MessageOf): Promise<ReactionsPage> {
    await this.#find(of);
    const rows = await this.#options.store.reactionsOf(of);
    return {
      reactions: rows.map(({ emoji, count, people }) => ({
        emoji,
        count,
        people: people.map(({ userId, username }) => ({ user_id: userId, username })),
      })),
    };
  }

  /** The latest pinned first; those after a place in this order. */
  async pins(where: Where, after?: PlaceInTime): Promise<Json<PinsPage>> {
    const { store, now } = this.#options;
    await permit(store, 'read', where, now());
    const rows = (await store.pins(where)).filter((row) => isBefore(row, row.facts?.pinnedAt ?? 0, after));
    return await listJson<PinsPage, MessageRow>('messages', rows, MESSAGES);
  }

  /** The user's bookmarks, the latest saved or changed first. `before`: a `user_seq`; only earlier ones. */
  async saved(query: {
    userId: number;
    limit: number;
    before?: number | undefined;
  }): Promise<Json<SavedPage>> {
    const { store, now } = this.#options;
    const { bookmarks, hasMore } = await store.saved({ ...query, now: now() });
    const writing = withMessage<SavedRow>(({ note, savedAt, userSeq }) => ({
      note,
      user_seq: userSeq,
      saved_at: new Date(savedAt).toISOString(),
    }));
    return await listJson<SavedPage, SavedRow>('saved', bookmarks, writing, hasMore);
  }

  /** A text. Throws `message_not_found`, also for a notice. */
  async #find({ roomId, userId, messageId }: MessageOf): Promise<MessageRow> {
    const { store, now } = this.#options;
    await permit(store, 'read', { roomId, userId }, now());
    const message = await store.message({ roomId, messageId });
    if (!message || message.notice !== null) throw new AppError('message_not_found');
    return message;
  }

  async #target({ roomId, userId, messageId }: MessageOf) {
    const { budget, now } = this.#options;
    await takeOrRefuse(budget, String(userId));
    return { roomId, messageId, actorId: userId, now: now() };
  }

  #announce(change: MessageChange): MessageRow {
    if (change.outcome !== 'changed' && change.outcome !== 'unchanged')
      throw new AppError(refusalOf(change.outcome));
    const { message } = change;
    if (change.outcome === 'changed') {
      for (const changed of change.root ? [message, change.root] : [message])
        this.#options.bus.publish({ type: 'message', roomId: message.roomId, message: changed });
    }
    return message;
  }
}

/** The code for a change that the store has refused. Without `user_not_found`: the user of a valid token is gone. */
export function refusalOf(outcome: Exclude<MessageChange, { message: MessageRow }>['outcome']) {
  return outcome === 'user_not_found' ? 'invalid_token' : outcome;
}
