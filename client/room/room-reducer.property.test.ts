/**
 * The reducer against a server and a network that do what they may: connections that are cut in the midst of
 * anything, frames that come twice, acks before or after their echoes, pages of history that are late, refusals,
 * restored backups.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message } from '../../protocol/events.ts';
import { RESUME_MAX_BEHIND } from '../../protocol/limits.ts';
import type { HistoryPage } from '../../protocol/rest/messages.ts';
import type { OutboxItem } from '../outbox/outbox-store.ts';
import { openedFrame } from '../testing/hello.ts';
import type { RoomFrame } from './room-frame.ts';
import { type RoomAction, reduceRoom } from './room-reducer.ts';
import {
  initialRoom,
  isLive,
  missing,
  type ReadAt,
  type RoomSnapshot,
  type RoomState,
  readAt,
  snapshotOf,
} from './room-state.ts';
import { hear, placeOf, type Stream } from './stream.ts';

const ME = { id: 7, username: 'ann' };
const PAGE = 4;
const BATCH = 3;
const KEEP = 5;
/** Instead of 5 000: a run has a few dozen messages. */
const MAX_BEHIND = 8;
expect(MAX_BEHIND).toBeLessThan(RESUME_MAX_BEHIND);

const STEPS = [
  'post',
  'post',
  'edit an old one',
  'edit a new one',
  'press send',
  'write',
  'write',
  'ack first',
  'refuse for now',
  'refuse for good',
  'retry',
  'deliver',
  'deliver',
  'deliver',
  'deliver twice',
  'cut',
  'connect',
  'connect',
  'ask for history',
  'page arrives',
  'ask for older',
  'older page arrives',
  'restore a backup',
  'reload the page',
  'the outbox is read',
  'the device keeps what is there',
  'reload the page',
  'what was kept is read',
] as const;
type Step = (typeof STEPS)[number];

class Model {
  state: RoomState = initialRoom(1, ME);
  #epoch = 1;
  /** Each message in its present state. */
  #log: Message[] = [];
  /** The number of the latest event. */
  #head = 0;
  #items: OutboxItem[] = [];
  #settledItems: OutboxItem[] = [];
  /** Items of the outbox that a page has not read yet after a reload. */
  #unread: OutboxItem[] = [];
  /** Frames on their way over the current connection; null without a connection. */
  #line: RoomFrame[] | null = null;
  /** The stored snapshot, and the one that a page has not read yet after a reload. */
  #kept: RoomSnapshot | null = null;
  #unreadKept: RoomSnapshot | null = null;
  #pages: { page: HistoryPage; at: ReadAt }[] = [];
  #olderPages: { page: HistoryPage; beforeId: number; at: ReadAt }[] = [];
  /** Messages that listeners must receive, and the database; null before the first `opened`. */
  #next: { epoch: string; due: Set<number> } | null = null;
  #told: Stream | null = null;
  #acked = new Set<string>();
  #written = new Set<string>();
  #count = 0;

  take(step: Step): void {
    switch (step) {
      case 'post':
        this.#append(8, undefined);
        return;
      case 'edit an old one':
        return this.#edit(this.#log[0]);
      case 'edit a new one':
        return this.#edit(this.#log.at(-2) ?? this.#log.at(-1));
      case 'press send':
        this.#items.push(newItem(++this.#count));
        this.#dispatch({ type: 'outbox', items: this.#items });
        return;
      case 'write':
      case 'ack first':
        return this.#write(step === 'ack first');
      case 'refuse for now':
      case 'refuse for good':
        return this.#refuse(step === 'refuse for now');
      case 'retry':
        this.#items = this.#items.map((item) => ({ ...item, refusal: null }));
        this.#dispatch({ type: 'outbox', items: this.#items });
        return;
      case 'deliver':
        return this.#deliver(1);
      case 'deliver twice':
        return this.#deliver(2);
      case 'cut':
        if (this.#line === null) return;
        this.#line = null;
        this.#dispatch({ type: 'connection', state: { status: 'waiting', retryAt: 0 } });
        return;
      case 'connect':
        return this.#connect();
      case 'ask for history':
        this.#pages.push({ page: this.#page(this.#log), at: readAt(this.state) });
        return;
      case 'ask for older': {
        const beforeId = this.state.messages[0]?.id;
        if (beforeId === undefined) return;
        // One is on its way at a time.
        if (this.#olderPages.length > 0) return;
        const before = this.#log.filter((message) => message.id < beforeId);
        this.#dispatch({ type: 'asked older' });
        this.#olderPages.push({ page: this.#page(before), beforeId, at: readAt(this.state) });
        return;
      }
      case 'older page arrives': {
        const next = this.#olderPages.shift();
        if (next !== undefined)
          this.#dispatch({ type: 'older', page: next.page, beforeId: next.beforeId, ...next.at });
        return;
      }
      case 'page arrives': {
        const next = this.#pages.shift();
        if (next === undefined) return;
        this.#dispatch({ type: 'latest', page: next.page, ...next.at });
        this.#found(this.state.messages);
        return;
      }
      case 'restore a backup':
        // The server was down meanwhile.
        this.take('cut');
        this.#epoch += 1;
        this.#log = this.#log.slice(0, -2).map(({ changed_seq: _, ...message }) => message);
        this.#head = this.#log.at(-1)?.seq ?? 0;
        // Messages that the backup lacks were acked by the earlier database.
        this.#acked = new Set(
          [...this.#acked].filter((cid) => this.#log.some((message) => message.cid === cid)),
        );
        return;
      case 'the outbox is read':
        this.#items = [...this.#unread.splice(0), ...this.#items].sort((a, b) => a.createdAt - b.createdAt);
        this.#dispatch({ type: 'outbox', items: this.#items });
        return;
      case 'the device keeps what is there':
        this.#kept = snapshotOf(this.state, KEEP) ?? this.#kept;
        return;
      case 'what was kept is read': {
        const snapshot = this.#unreadKept;
        this.#unreadKept = null;
        if (snapshot !== null) this.#dispatch({ type: 'restored', snapshot });
        return;
      }
      case 'reload the page':
        this.#unreadKept = this.#kept;
        this.state = initialRoom(1, ME);
        this.#line = null;
        this.#pages = [];
        this.#olderPages = [];
        this.#next = null;
        this.#told = null;
        this.#acked = new Set();
        // The last deletion from the outbox may not be committed yet.
        this.#unread = [...this.#settledItems.splice(0), ...this.#items];
        this.#items = [];
        return;
    }
  }

  /** From now on everything arrives, and everything missing is requested. */
  settle(): void {
    this.take('the outbox is read');
    for (let round = 0; round < 100; round++) {
      this.take('connect');
      this.take('retry');
      while ((this.#line?.length ?? 0) > 0) this.take('deliver');
      if (missing(this.state) === 'history') this.take('ask for history');
      if (missing(this.state) === 'resume') this.take('cut');
      while (this.#pages.length > 0) this.take('page arrives');
      for (const _ of [...this.#items]) this.take('write');
      if (isLive(this.state) && this.#items.length === 0 && this.#line?.length === 0) return;
    }
  }

  check(): void {
    const { messages, acked, pending } = this.state;
    const seqs = messages.map((message) => message.seq);
    expect(seqs, 'seqs ascend').toEqual([...new Set(seqs)].sort((a, b) => a - b));
    this.#checkComplete(seqs);
    const visible = [...messages, ...acked, ...pending].flatMap(({ cid }) =>
      cid === undefined ? [] : [cid],
    );
    expect(new Set(visible).size, 'each cid is visible at most once').toBe(visible.length);
    for (const { cid } of pending) expect(this.#acked.has(cid), `${cid} is acked and pending`).toBe(false);
  }

  /**
   * None is missing after the oldest. During a resume, and after a resume that was cut, a message that has changed
   * since `head` may still be on its way in its new state.
   */
  #checkComplete(seqs: readonly number[]): void {
    const { head, epoch } = this.state;
    const [first] = seqs;
    if (first === undefined || head === null || epoch !== `e${this.#epoch}`) return;
    const held = new Set(seqs);
    const mayBeMissing = (message: Message) => !isLive(this.state) && placeOf(message) > head;
    const due = this.#log.filter(
      (message) =>
        message.seq >= first && message.seq <= head && (held.has(message.seq) || !mayBeMissing(message)),
    );
    expect(
      seqs.filter((seq) => seq <= head),
      'none is missing',
    ).toEqual(due.map(({ seq }) => seq));
  }

  checkEnd(): void {
    expect(isLive(this.state)).toBe(true);
    expect(this.state.pending).toEqual([]);
    expect(this.state.acked).toEqual([]);
    expect([...(this.#next?.due ?? [])], 'all that was said was told').toEqual([]);
    expect(this.state.messages).toEqual(this.#log.slice(this.#log.length - this.state.messages.length));
    const own = this.#log.flatMap(({ cid }) => (cid === undefined ? [] : [cid]));
    expect(new Set(own).size, 'each cid is stored once').toBe(own.length);
    for (const { cid } of this.#items) expect(own).toContain(cid);
  }

  #dispatch(action: RoomAction): void {
    this.state = reduceRoom(this.state, action);
    this.check();
  }

  #append(userId: number, cid: string | undefined): Message {
    const seq = ++this.#head;
    const message: Message = {
      type: 'message',
      id: seq,
      room_id: 1,
      user_id: userId,
      username: userId === ME.id ? ME.username : 'bo',
      content: cid === undefined ? `m${seq}` : `own ${cid.slice(1)}`,
      created_at: new Date(seq).toISOString(),
      seq,
      ...(cid === undefined ? {} : { cid }),
    };
    this.#log.push(message);
    this.#line?.push(message);
    this.#next?.due.add(seq);
    return message;
  }

  #edit(message: Message | undefined): void {
    if (message === undefined) return;
    const edited = { ...message, content: `${message.content}!`, changed_seq: ++this.#head };
    this.#log = this.#log.map((one) => (one === message ? edited : one));
    this.#line?.push(edited);
  }

  /** The last page of these. */
  #page(messages: readonly Message[]): HistoryPage {
    const epoch = `e${this.#epoch}`;
    return { messages: messages.slice(-PAGE), has_more: messages.length > PAGE, epoch, seq: this.#head };
  }

  /** Sends the first queued message, which is stored unless it was before. */
  #write(ackFirst: boolean): void {
    const cid = this.#nextQueued();
    if (cid === undefined || this.#line === null) return;
    this.#written.add(cid);
    this.#dispatch({ type: 'written', cids: new Set([cid]) });
    const before = this.#line.length;
    const known = this.#log.find((message) => message.cid === cid);
    const { id, seq, created_at } = known ?? this.#append(ME.id, cid);
    const duplicate = known === undefined ? {} : { duplicate: true };
    this.#line.splice(ackFirst ? before : this.#line.length, 0, {
      type: 'ack',
      room_id: 1,
      cid,
      id,
      seq,
      created_at,
      ...duplicate,
    });
  }

  #refuse(retryable: boolean): void {
    const cid = this.#nextQueued();
    if (cid === undefined || this.#line === null || this.#log.some((message) => message.cid === cid)) return;
    this.#written.add(cid);
    this.#dispatch({ type: 'written', cids: new Set([cid]) });
    this.#line.push({ type: 'error', room_id: 1, content: 'no', code: 'internal_error', cid, retryable });
  }

  /** What the delivery would write next: each item once per connection. */
  #nextQueued(): string | undefined {
    return this.#items.find(({ cid, refusal }) => refusal === null && !this.#written.has(cid))?.cid;
  }

  #connect(): void {
    if (this.#line !== null) return;
    this.#written = new Set();
    const { stream } = this.state;
    const current = `e${this.#epoch}`;
    const at = stream?.epoch === current ? { since: stream.seq } : null;
    const seq = this.#head;
    const behind = at === null ? 0 : seq - at.since;
    const resumed = at !== null && behind >= 0 && behind <= MAX_BEHIND;
    this.#line = [{ ...openedFrame({ seq, resumed, users: [] }), epoch: current }];
    if (resumed) {
      const missed = this.#log
        .filter((message) => placeOf(message) > at.since)
        .sort((a, b) => placeOf(a) - placeOf(b));
      for (let i = 0; i < missed.length; i += BATCH) {
        this.#line.push({ type: 'batch', room_id: 1, events: missed.slice(i, i + BATCH) });
      }
      this.#line.push({ type: 'sync', room_id: 1, seq });
    } else if (at !== null) this.#line.push({ type: 'reset', room_id: 1, seq, epoch: current });
    this.#dispatch({ type: 'connection', state: { status: 'open' } });
  }

  #deliver(times: 1 | 2): void {
    const frame = this.#line?.shift();
    if (frame === undefined) return;
    const isEvent = frame.type === 'message' || frame.type === 'ack' || frame.type === 'batch';
    for (let time = 0; time < (isEvent ? times : 1); time++) this.#hear(frame);
  }

  #hear(frame: RoomFrame): void {
    if (frame.type === 'ack') this.#acked.add(frame.cid);
    this.#tell(frame);
    this.#dispatch({ type: 'frame', frame, now: 0 });
    if (frame.type === 'ack') this.#settled(frame.cid);
    if (frame.type === 'message') this.#found([frame]);
    if (frame.type === 'batch') this.#found(frame.events);
    if (frame.type === 'error') this.#written.delete(frame.cid ?? '');
    if (frame.type === 'error' && !frame.retryable) {
      this.#items = this.#items.map((item) =>
        item.cid === frame.cid ? { ...item, refusal: frame.code } : item,
      );
    }
  }

  /** Listeners receive each message once, from the first `opened` on, and every reset. */
  #tell(frame: RoomFrame): void {
    const { stream, messages, isReset } = hear(this.#told, frame);
    this.#told = stream;
    const before = this.#next;
    // What was posted since the server opened the room is still to come.
    const due = (after: number) => new Set(this.#log.flatMap(({ seq }) => (seq > after ? [seq] : [])));
    if (frame.type === 'opened' && before?.epoch !== frame.epoch)
      this.#next = { epoch: frame.epoch, due: due(frame.seq) };
    if (frame.type === 'reset') this.#next = { epoch: frame.epoch, due: due(frame.seq) };
    if (before === null) expect(isReset, 'the beginning is no reset').toBe(false);
    else if (before.epoch !== this.#next?.epoch) expect(isReset, 'another database is a reset').toBe(true);
    for (const { seq } of messages) {
      const isDue = this.#next?.due.delete(seq);
      // A message that was posted, received and then lost with its database is of an earlier connection.
      expect(isDue, `${seq} is reported once`).toBe(true);
    }
  }

  /** Removes stored messages from the outbox, as the delivery does. */
  #found(messages: readonly Message[]): void {
    for (const { cid, user_id } of messages) if (user_id === ME.id && cid !== undefined) this.#settled(cid);
  }

  #settled(cid: string): void {
    this.#settledItems = [...this.#items.filter((item) => item.cid === cid), ...this.#settledItems].slice(
      0,
      2,
    );
    this.#items = this.#items.filter((item) => item.cid !== cid);
  }
}

/** Runs that failed once. */
const KEPT: [Step[]][] = [
  [['ask for history', 'post', 'post', 'post', 'page arrives', 'post', 'edit a new one']],
  [['ask for history', 'page arrives', 'post', 'post', 'post', 'post', 'edit a new one']],
  [['ask for history', 'restore a backup', 'connect', 'deliver', 'cut', 'page arrives', 'post']],
];

function newItem(n: number): OutboxItem {
  return { cid: `c${n}`, roomId: 1, content: `own ${n}`, createdAt: n, refusal: null };
}

test('at any time seqs are contiguous, each cid is shown at most once, and nothing acked is pending', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STEPS), { maxLength: 150, size: 'max' }), (steps) => {
      const model = new Model();
      for (const step of steps) model.take(step);
      model.settle();
      model.checkEnd();
    }),
    { numRuns: 300, examples: KEPT },
  );
});
