/** Threads: reading them, their titles, and which of them a user follows. Replies are posted as other messages are. */
import { AppError } from '../../../protocol/errors.ts';
import type { Message } from '../../../protocol/events.ts';
import type {
  FollowedThreads,
  ThreadPage,
  ThreadPatch,
  ThreadsPage,
} from '../../../protocol/rest/threads.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type {
  MessageRow,
  Store,
  ThreadMemberChange,
  ThreadPageQuery,
  ThreadsQuery,
} from '../../data/storage/store.ts';
import { type Limiter, takeOrRefuse } from '../../platform/limits/limiter.ts';
import { type Json, jsonBytes, listJson } from '../../platform/written-list.ts';
import { extraOf, toMessage } from '../../rules/message.ts';
import { announceToUsers } from '../rooms/announce.ts';
import { refusalOf } from './changes.ts';
import { isBefore, type PlaceInTime, pageJson, quotedIn, withMessage, writeMessages } from './page.ts';

export interface ThreadsOptions {
  store: Store;
  bus: Bus;
  /** Identifies the database's history. */
  epoch: string;
  /** Counts changes of messages, by user; undefined: no limit. */
  budget?: Limiter | undefined;
  /** Unix milliseconds. */
  now?: () => number;
}

/** A thread, by its root, and the user who reads or changes it. */
export interface ThreadWhere {
  roomId: number;
  threadId: number;
  userId: number;
}

/**
 * As everything about messages, throws `room_not_found`, `message_not_found`, `not_allowed` and `too_many_requests`.
 */
export class Threads {
  readonly #options: Required<ThreadsOptions>;

  constructor(options: ThreadsOptions) {
    this.#options = { now: Date.now, budget: undefined, ...options };
  }

  /** The threads of a room, that with the latest reply first. */
  async list(query: Omit<ThreadsQuery, 'reader'>, userId: number): Promise<Json<ThreadsPage>> {
    const { store, now } = this.#options;
    const found = await store.threads({ ...query, reader: { userId, now: now() } });
    if (!found) throw new AppError('room_not_found');
    const { rows, json } = await writeMessages(found.roots);
    const last = rows.at(-1);
    const isCut = rows.length < found.roots.length && last?.facts;
    const next = isCut ? (extraOf(isCut).thread?.last_seq ?? found.next) : found.next;
    return jsonBytes('{"threads":[', json, `],"next_before_seq":${next}}`);
  }

  /** The root, and a page of replies. */
  async page(query: Omit<ThreadPageQuery, 'reader'>, userId: number): Promise<Json<ThreadPage>> {
    const { store, epoch, now } = this.#options;
    const { roomId, threadId, limit } = query;
    const [found, member] = await Promise.all([
      // One row more than requested shows whether there are more.
      store.threadPage({ ...query, limit: limit + 1, reader: { userId, now: now() } }),
      // The user's own row, which takes the same work for any thread.
      store.threadMember({ roomId, threadId, userId }),
    ]);
    if (found === undefined) throw new AppError('room_not_found');
    if (!found) throw new AppError('message_not_found');
    const { root, rows, seq, hasBeyond } = found;
    const isForward = query.afterId !== undefined;
    const page = await writeMessages(rows, { limit, isForward });
    const hasMore = page.rows.length < rows.length;
    return pageJson<ThreadPage>({
      root: toMessage(root),
      messages: page.json,
      ...(await quotedIn(store, roomId, page.rows)),
      has_more: isForward ? hasBeyond : hasMore,
      has_more_after: isForward ? hasMore : hasBeyond,
      epoch,
      seq,
      me: { following: member.following, read_seq: member.readSeq },
    });
  }

  /** Changes the title, or whether the thread is resolved. Returns the root. */
  async change({ roomId, threadId, userId }: ThreadWhere, patch: ThreadPatch): Promise<Message> {
    const { store, bus, budget, now } = this.#options;
    await takeOrRefuse(budget, String(userId));
    const change = await store.changeThread({ roomId, threadId, actorId: userId, now: now(), ...patch });
    if (change.outcome !== 'changed' && change.outcome !== 'unchanged')
      throw new AppError(refusalOf(change.outcome));
    const { message } = change;
    if (change.outcome === 'changed') bus.publish({ type: 'message', roomId, message });
    return toMessage(message);
  }

  async follow(where: ThreadWhere, following: boolean): Promise<void> {
    const { store, budget, now } = this.#options;
    await takeOrRefuse(budget, String(where.userId));
    this.#announce(await store.followThread({ ...where, now: now(), following }));
  }

  /** The user has read the thread up to this number of the room's log. The mark only rises. */
  async read(where: ThreadWhere, seq: number): Promise<void> {
    const { store, budget, now } = this.#options;
    await takeOrRefuse(budget, String(where.userId));
    this.#announce(await store.readThread({ ...where, now: now(), seq }));
  }

  /** The threads that the user follows, that with the latest reply first. */
  async followed(userId: number, after?: PlaceInTime): Promise<Json<FollowedThreads>> {
    const { store, now } = this.#options;
    const all = await store.followedThreads({ userId, now: now() });
    const rows = all.map(({ root: message, ...member }) => ({ message, ...member }));
    const writing = withMessage<(typeof rows)[number]>(
      ({ following, readSeq, unread }) => ({ following, read_seq: readSeq, unread }),
      'root',
    );
    const rest = rows.filter(({ message }) => isBefore(message, lastTimeOf(message), after));
    return await listJson<FollowedThreads, (typeof rows)[number]>('threads', rest, writing);
  }

  #announce(change: ThreadMemberChange): void {
    if (change.outcome !== 'set') throw new AppError(change.outcome);
    if (change.change) announceToUsers(this.#options.bus, [change.change]);
  }
}

/** When the thread had its latest reply, in Unix milliseconds; without replies, when its root was posted. */
function lastTimeOf({ facts, createdAt }: MessageRow): number {
  const at = facts ? extraOf(facts).thread?.last_at : undefined;
  return at === undefined ? createdAt : Date.parse(at);
}
