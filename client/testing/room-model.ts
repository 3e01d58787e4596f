/**
 * The reducer of a room against a server and a network that do what they may. Each step is one thing that happens; what
 * must hold is checked after each.
 */
import { expect } from 'vitest';
import type { Message } from '../../protocol/events.ts';
import type { HistoryPage } from '../../protocol/rest/messages.ts';
import type { ConnectionState } from '../connection/connection-state.ts';
import type { RoomFrame } from '../room/room-frame.ts';
import { type RoomAction, reduceRoom } from '../room/room-reducer.ts';
import {
  initialRoom,
  isLive,
  missing,
  type ReadAt,
  type RoomSnapshot,
  type RoomState,
  readAt,
  snapshotOf,
} from '../room/room-state.ts';
import { checkComplete } from './room-model-complete.ts';
import { ModelJumps } from './room-model-jumps.ts';
import { ModelListener } from './room-model-listener.ts';
import { ModelOutbox } from './room-model-outbox.ts';
import { ME, ModelServer } from './room-model-server.ts';
import type { Step } from './room-model-steps.ts';

const KEEP = 5;

export class Model {
  state: RoomState = initialRoom(1, ME);
  readonly #server = new ModelServer();
  readonly #outbox = new ModelOutbox();
  readonly #jumps = new ModelJumps(
    this.#server,
    () => this.state,
    (action) => this.#dispatch(action),
  );
  /** The stored snapshot, and the one that a page has not read yet after a reload. */
  #kept: RoomSnapshot | null = null;
  #unreadKept: RoomSnapshot | null = null;
  #pages: { page: HistoryPage; at: ReadAt }[] = [];
  #olderPages: RoomAction[] = [];
  #listener = new ModelListener();
  #acked = new Set<string>();
  #written = new Set<string>();

  /** What happens at each step. */
  readonly #steps: Record<Step, () => void> = {
    post: () => this.#append(8, undefined),
    'edit an old one': () => this.#server.edit(this.#server.log[0]),
    'react to an old one': () => this.#server.react(this.#server.log[0]),
    'edit a new one': () => this.#server.edit(this.#server.log.at(-2) ?? this.#server.log.at(-1)),
    'edit the newest twice, of which one is lost': () => {
      this.#server.edit(this.#server.log.at(-1), { isUnheard: true });
      this.#server.edit(this.#server.log.at(-1));
    },
    'post, and edit it before it is heard of': () => {
      this.#append(8, undefined, { isUnheard: true });
      const unheard = this.#server.log.at(-1);
      this.#append(8, undefined, { isUnheard: true });
      this.#server.edit(unheard);
    },
    'press send': () => {
      this.#outbox.add();
      this.#showOutbox();
    },
    write: () => this.#write(false),
    'ack first': () => this.#write(true),
    'refuse for now': () => this.#refuse(true),
    'refuse for good': () => this.#refuse(false),
    retry: () => {
      this.#outbox.retryAll();
      this.#showOutbox();
    },
    deliver: () => this.#deliver(1),
    'deliver twice': () => this.#deliver(2),
    cut: () => {
      this.#server.line = null;
      this.#turn({ status: 'waiting', retryAt: 0 });
    },
    'connect to a slow server': () => this.#turn({ status: 'open' }),
    connect: () => this.#connect(),
    'ask for history': () => {
      this.#pages.push({ page: this.#server.page(this.#server.log), at: readAt(this.state) });
    },
    'ask for older': () => this.#askForOlder(),
    'older page arrives': () => {
      const next = this.#olderPages.shift();
      if (next !== undefined) this.#dispatch(next);
    },
    'page arrives': () => {
      const next = this.#pages.shift();
      if (next === undefined) return;
      this.#dispatch({ type: 'latest', page: next.page, ...next.at });
      this.#found(this.state.messages);
    },
    jump: () => this.#jumps.jump(),
    'jump to the end': () => this.#jumps.toLatest(),
    'the page of a jump arrives': () => this.#jumps.arrive(),
    'the latest page of a jump arrives first': () => this.#jumps.arriveLatest(),
    'read on before the target': () => this.#jumps.read('older'),
    'read on after the target': () => this.#jumps.read('newer'),
    'restore a backup': () => this.#restoreBackup(),
    'the outbox is read': () => {
      this.#outbox.read();
      this.#showOutbox();
    },
    'the device keeps what is there': () => {
      this.#kept = snapshotOf(this.state, KEEP) ?? this.#kept;
    },
    'what was kept is read': () => {
      const snapshot = this.#unreadKept;
      this.#unreadKept = null;
      if (snapshot !== null) this.#dispatch({ type: 'restored', snapshot });
    },
    'reload the page': () => this.#reload(),
  };

  take(step: Step): void {
    this.#steps[step]();
  }

  /** From now on everything arrives, and everything missing is requested. */
  settle(): void {
    this.take('the outbox is read');
    for (let round = 0; round < 100; round++) {
      this.take('connect');
      this.take('retry');
      while ((this.#server.line?.length ?? 0) > 0) this.take('deliver');
      if (missing(this.state) === 'history') this.take('ask for history');
      if (missing(this.state) === 'resume') this.take('cut');
      while (this.#pages.length > 0) this.take('page arrives');
      this.#jumps.settle();
      for (const _ of [...this.#outbox.items]) this.take('write');
      if (isLive(this.state) && this.#outbox.items.length === 0 && this.#server.line?.length === 0) return;
    }
  }

  check(): void {
    const { messages, acked, pending } = this.state;
    const seqs = messages.map((message) => message.seq);
    expect(seqs, 'seqs ascend').toEqual([...new Set(seqs)].sort((a, b) => a - b));
    checkComplete(this.state, this.#server);
    this.#jumps.check();
    const visible = [...messages, ...acked, ...pending].flatMap(({ cid }) =>
      cid === undefined ? [] : [cid],
    );
    expect(new Set(visible).size, 'each cid is visible at most once').toBe(visible.length);
    for (const { cid } of pending) expect(this.#acked.has(cid), `${cid} is acked and pending`).toBe(false);
  }

  checkEnd(): void {
    expect(isLive(this.state)).toBe(true);
    expect(this.state.pending).toEqual([]);
    expect(this.state.acked).toEqual([]);
    this.#listener.checkEnd();
    this.#jumps.checkEnd();
    expect(this.state.messages).toEqual(
      this.#server.log.slice(this.#server.log.length - this.state.messages.length),
    );
    const own = this.#server.log.flatMap(({ cid }) => (cid === undefined ? [] : [cid]));
    expect(new Set(own).size, 'each cid is stored once').toBe(own.length);
    for (const { cid } of this.#outbox.items) expect(own).toContain(cid);
  }

  #dispatch(action: RoomAction): void {
    this.state = reduceRoom(this.state, action);
    this.check();
  }

  #showOutbox(): void {
    this.#dispatch({ type: 'outbox', items: this.#outbox.items });
  }

  #askForOlder(): void {
    const beforeId = this.state.messages[0]?.id;
    // One is on its way at a time.
    if (beforeId === undefined || this.#olderPages.length > 0) return;
    const page = this.#server.page(this.#server.log.filter((message) => message.id < beforeId));
    this.#dispatch({ type: 'asked' });
    this.#olderPages.push({ type: 'older', page, beforeId, ...readAt(this.state) });
  }

  #restoreBackup(): void {
    // The server was down meanwhile.
    this.take('cut');
    this.#server.restore();
    // Messages that the backup lacks were acked by the earlier database.
    this.#acked = new Set(
      [...this.#acked].filter((cid) => this.#server.log.some((message) => message.cid === cid)),
    );
  }

  #reload(): void {
    this.#unreadKept = this.#kept;
    this.state = initialRoom(1, ME);
    this.#server.line = null;
    this.#jumps.reload();
    this.#pages = [];
    this.#olderPages = [];
    this.#listener = new ModelListener();
    this.#acked = new Set();
    this.#outbox.reload();
  }

  #turn(state: ConnectionState): void {
    if ((state.status === 'open') === (this.state.connection.status === 'open')) return;
    this.#dispatch({ type: 'connection', state });
  }

  #append(userId: number, cid: string | undefined, options = { isUnheard: false }): Message {
    const message = this.#server.append(userId, cid, options);
    this.#listener.posted(message);
    return message;
  }

  /** Sends the first queued message, which is stored unless it was before. */
  #write(ackFirst: boolean): void {
    const cid = this.#nextQueued();
    if (cid === undefined || this.#server.line === null) return;
    this.#written.add(cid);
    this.#dispatch({ type: 'written', cids: new Set([cid]) });
    const before = this.#server.line.length;
    const known = this.#server.log.find((message) => message.cid === cid);
    const { id, seq, created_at } = known ?? this.#append(ME.id, cid);
    const duplicate = known === undefined ? {} : { duplicate: true };
    this.#server.line.splice(ackFirst ? before : this.#server.line.length, 0, {
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
    if (
      cid === undefined ||
      this.#server.line === null ||
      this.#server.log.some((message) => message.cid === cid)
    )
      return;
    this.#written.add(cid);
    this.#dispatch({ type: 'written', cids: new Set([cid]) });
    this.#server.line.push({
      type: 'error',
      room_id: 1,
      content: 'no',
      code: 'internal_error',
      cid,
      retryable,
    });
  }

  /** What the delivery would write next: each item once per connection. */
  #nextQueued(): string | undefined {
    return this.#outbox.items.find(({ cid, refusal }) => refusal === null && !this.#written.has(cid))?.cid;
  }

  #connect(): void {
    if (this.#server.line !== null) return;
    this.#written = new Set();
    this.#turn({ status: 'open' });
    this.#server.open(this.state.stream);
  }

  #deliver(times: 1 | 2): void {
    const frame = this.#server.line?.shift();
    if (frame === undefined) return;
    const isEvent = ['message', 'reaction', 'ack', 'batch'].includes(frame.type);
    for (let time = 0; time < (isEvent ? times : 1); time++) this.#hear(frame);
  }

  #hear(frame: RoomFrame): void {
    if (frame.type === 'ack') this.#acked.add(frame.cid);
    this.#listener.hear(frame, this.#server.log);
    this.#dispatch({ type: 'frame', frame, now: 0 });
    if (frame.type === 'ack') this.#outbox.settle(frame.cid);
    if (frame.type === 'message') this.#found([frame]);
    if (frame.type === 'batch') this.#found(frame.events);
    if (frame.type === 'error') this.#written.delete(frame.cid ?? '');
    if (frame.type === 'error' && !frame.retryable) this.#outbox.refuse(frame.cid, frame.code);
  }

  /** Removes stored messages from the outbox, as the delivery does. */
  #found(messages: readonly Message[]): void {
    for (const { cid, user_id } of messages)
      if (user_id === ME.id && cid !== undefined) this.#outbox.settle(cid);
  }
}
