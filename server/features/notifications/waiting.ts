/**
 * Notifications that wait to be pushed. Each is decided again when it is due: the user may have read the message, have
 * left the room, or want no notifications by now. A push that was sent is noted after it: after a crash in between it
 * is sent once more.
 */
import type { NotifyRow, Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import { type Logger, throttled } from '../../platform/log.ts';
import { ONLINE, type Presence } from '../presence/presence.ts';
import type { PushResult, Sender } from '../push/sender.ts';
import { decide, hasRead, occasionOf } from './decide.ts';
import { noticeFor, payloadOf } from './notice.ts';
import { RoomPeople } from './people.ts';

const ROWS = 200;
/**
 * People to whom something is being sent. Each of them is sent one notification at a time, and none waits for another:
 * a push service may take as long as it likes.
 */
const MAX_SENDING = 400;
/** What could not be sent, mostly as a push service was busy, is tried again, later and later, for this long. */
const TRY_FOR_MS = 3_600_000;
const TRY_AGAIN = { leastMs: 5000, mostMs: 600_000 };
const RETRY_MS = 2000;

export interface WaitingParts {
  store: Store;
  presence: Pick<Presence, 'has'>;
  sender: Pick<Sender, 'send'>;
  log: Logger;
  now: Now;
}

type Settled = Pick<NotifyRow, 'userId' | 'messageId' | 'decision' | 'detail' | 'dueAt'>;

export class Waiting {
  readonly #parts: WaitingParts;
  readonly #onError: (error: unknown) => void;
  readonly #onFailure: (failure: { err: unknown; roomId: number; messageId: number }) => void;
  #timer: NodeJS.Timeout | undefined;
  #next = Number.POSITIVE_INFINITY;
  #running: Promise<void> | null = null;
  /** By user. */
  readonly #sending = new Map<number, Promise<void>>();
  /** What is to be written. */
  #settled: Settled[] = [];
  #writing: Promise<void> | null = null;
  #isStopped = true;

  constructor(parts: WaitingParts) {
    this.#parts = parts;
    this.#onError = throttled((error, count) =>
      parts.log.warn(
        { err: error, count },
        'notifications that are due could not be sent, and are tried again',
      ),
    );
    this.#onFailure = throttled((failure, count) =>
      parts.log.error({ ...failure, count }, 'a notification could not be made, and waits for another try'),
    );
  }

  start(): void {
    this.#isStopped = false;
    this.expect(0);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#next = Number.POSITIVE_INFINITY;
    await this.#running;
    await Promise.all(this.#sending.values());
  }

  /** A notification is due then (Unix milliseconds). */
  expect(dueAt: number): void {
    if (this.#isStopped || dueAt >= this.#next) return;
    this.#next = dueAt;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#begin(), Math.max(0, dueAt - this.#parts.now())).unref();
  }

  #begin(): void {
    if (this.#running) return;
    this.#next = Number.POSITIVE_INFINITY;
    this.#running = this.#run()
      .catch((error) => {
        if (!this.#isStopped) this.#onError(error);
        return this.#parts.now() + RETRY_MS;
      })
      .then((next) => {
        this.#running = null;
        const expected = this.#next;
        this.#next = Number.POSITIVE_INFINITY;
        this.expect(Math.min(next, expected));
      });
  }

  /** Returns when the next one is due of those to whom nothing is being sent. */
  async #run(): Promise<number> {
    const { store, now } = this.#parts;
    while (!this.#isStopped && this.#sending.size < MAX_SENDING) {
      const rows = await store.waitingNotices({ limit: ROWS, exceptUserIds: [...this.#sending.keys()] });
      const due = firstOfEach(rows.filter(({ dueAt }) => dueAt !== null && dueAt <= now()));
      if (due.length === 0) return rows[0]?.dueAt ?? Number.POSITIVE_INFINITY;
      const rooms = new Set(due.map(({ roomId }) => roomId));
      await Promise.all(
        [...rooms].map((roomId) =>
          this.#sendIn(
            roomId,
            due.filter((row) => row.roomId === roomId),
          ),
        ),
      );
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Resolves when all is under way. What fails in one room, or for one person, keeps nothing from others. */
  async #sendIn(roomId: number, rows: readonly NotifyRow[]): Promise<void> {
    const send = await this.#sendingIn(roomId, rows).catch((error) => () => Promise.reject<Settled>(error));
    for (const row of rows) this.#sending.set(row.userId, this.#finish(row, send(row)));
  }

  /** Reads what these notifications depend on, and returns what sends one of them. */
  async #sendingIn(
    roomId: number,
    rows: readonly NotifyRow[],
  ): Promise<(row: NotifyRow) => Promise<Settled>> {
    const { store, presence, now } = this.#parts;
    const room = await store.findRoom(roomId);
    const ids = [...new Set(rows.map(({ messageId }) => messageId))];
    const messages = new Map(
      (await store.messagesById({ roomId, ids })).map((message) => [message.id, message]),
    );
    const authorIds = [...messages.values()].map(({ userId }) => userId);
    const isOnline = (userId: number) => presence.has(ONLINE, userId);
    const people = new RoomPeople({ store, isOnline }, roomId, authorIds);
    const userIds = [...new Set(rows.map(({ userId }) => userId))];
    await people.load([...userIds, ...authorIds]);
    for (const { facts } of messages.values())
      if (facts?.threadId != null) await people.loadThread(facts.threadId, userIds);

    return async (row) => {
      const message = messages.get(row.messageId);
      const to = people.row(row.userId);
      if (!room || !message || !to) return off(row, 'deleted');
      const occasion = occasionOf(message, room.kind);
      const person = people.person(to, occasion.threadId);
      const verdict = decide(occasion, person, now());
      if (verdict.off !== null || verdict.reason === null) return off(row, verdict.off ?? 'no_reason');
      if (hasRead(occasion, person)) return { ...row, decision: 'read_first', detail: null, dueAt: null };
      const author = people.row(message.userId);
      const notice = noticeFor({ occasion, roomName: room.name, author }, verdict.reason, to);
      const urgency = verdict.reason === 'all' || verdict.reason === 'thread' ? 'normal' : 'high';
      const payload = payloadOf(notice, occasion);
      const results = await this.#parts.sender.send(row.userId, payload, { urgency });
      return this.#settle(row, results, person.isOnline);
    };
  }

  /** Never rejects. What could not be written is still due, and is sent once more. */
  async #finish(row: NotifyRow, sent: Promise<Settled>): Promise<void> {
    let again = 0;
    const { userId, roomId, messageId } = row;
    const settled = sent.catch((err) => {
      if (!this.#isStopped) this.#onFailure({ err, roomId, messageId });
      return this.#postpone(row);
    });
    try {
      await this.#write(await settled);
    } catch (error) {
      again = this.#parts.now() + RETRY_MS;
      if (!this.#isStopped) this.#onError(error);
    }
    this.#sending.delete(userId);
    this.expect(again);
  }

  /** What is settled while another command is under way comes in the next one. */
  #write(settled: Settled): Promise<void> {
    this.#settled.push(settled);
    this.#writing ??= this.#writeAll();
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#settled.length > 0) await this.#parts.store.settleNotices(this.#settled.splice(0, ROWS));
    } finally {
      this.#settled = [];
      this.#writing = null;
    }
  }

  #settle(row: NotifyRow, results: readonly PushResult[], isOnline: boolean): Settled {
    const has = (outcome: PushResult['outcome']) => results.some((result) => result.outcome === outcome);
    if (has('delivered')) return { ...row, decision: 'pushed', detail: null, dueAt: null };
    if (has('later'))
      return this.#postpone(
        row,
        results.map(({ retryAfterMs = 0 }) => retryAfterMs),
      );
    if (isOnline) return { ...row, decision: 'shown', detail: null, dueAt: null };
    return off(row, has('failed') ? 'failed' : 'no_device');
  }

  /** It is tried again, later and later, until it is too old. */
  #postpone(row: NotifyRow, asked: readonly number[] = []): Settled {
    const now = this.#parts.now();
    const age = now - row.createdAt;
    if (age > TRY_FOR_MS) return off(row, 'failed');
    const wait = Math.min(Math.max(TRY_AGAIN.leastMs, age, ...asked), TRY_AGAIN.mostMs);
    return { ...row, decision: 'waited', dueAt: now + wait };
  }
}

function firstOfEach(rows: readonly NotifyRow[]): NotifyRow[] {
  const first = new Map<number, NotifyRow>();
  for (const row of rows) if (!first.has(row.userId)) first.set(row.userId, row);
  return [...first.values()];
}

function off(row: NotifyRow, detail: string): Settled {
  return { ...row, decision: 'off', detail, dueAt: null };
}
