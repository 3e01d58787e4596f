/** A room in which texts are said in the main flow and in threads, for the tests of threads. */
import assert from 'node:assert/strict';
import type { Thread } from '../../../../protocol/events.ts';
import { extraOf } from '../../../rules/message.ts';
import type { MessageRow, PostOutcome, Store, UserRow } from '../store.ts';
import { NOW, newRoom, newUsers, unique } from './subject.ts';

type Stored = Extract<PostOutcome, { outcome: 'stored' }>;

export class ThreadStage {
  readonly store: Store;
  readonly roomId: number;
  /** The first one owns the room. */
  readonly users: readonly UserRow[];

  private constructor(store: Store, roomId: number, users: readonly UserRow[]) {
    this.store = store;
    this.roomId = roomId;
    this.users = users;
  }

  static async start(store: Store, people = 1): Promise<ThreadStage> {
    const users = await newUsers(store, people);
    const room = await newRoom(store, users[0]?.id ?? 0);
    return new ThreadStage(store, room.id, users);
  }

  userId(index = 0): number {
    return this.users[index]?.id ?? 0;
  }

  /** A text of the main flow, or a reply in a thread. */
  async say(threadId?: number, by = 0, at = NOW): Promise<Stored> {
    const outcome = await this.tryToSay({ threadId, by, at });
    assert(outcome.outcome === 'stored');
    return outcome;
  }

  tryToSay({
    threadId = undefined as number | undefined,
    by = 0,
    at = NOW,
    roomId = this.roomId,
    cid = unique('cid'),
  }) {
    const text = { roomId, userId: this.userId(by), cid, content: cid, now: at };
    return this.store.post({ ...text, threadId });
  }

  delete(messageId: number) {
    return this.store.deleteMessage({ roomId: this.roomId, messageId, actorId: this.userId(), now: NOW });
  }

  change(threadId: number, change: { title?: string; resolved?: boolean }, by = 0) {
    return this.store.changeThread({
      roomId: this.roomId,
      threadId,
      actorId: this.userId(by),
      now: NOW,
      ...change,
    });
  }

  async thread(threadId: number): Promise<Thread | undefined> {
    const root = await this.store.message({ roomId: this.roomId, messageId: threadId });
    return threadIn(root);
  }

  async head() {
    const room = await this.store.findRoom(this.roomId);
    return { seq: room?.seq, number: room?.number };
  }
}

export function threadIn(root: MessageRow | undefined): Thread | undefined {
  return root?.facts ? extraOf(root.facts).thread : undefined;
}
