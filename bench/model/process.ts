/**
 * A process of Roomful in the model. It takes what has arrived in turns, as Node's event loop does: what comes together
 * shares batches, envelopes and writes to sockets. Its lanes and writers are those of
 * server/data/storage/room-lanes.ts.
 */
import type { Costs } from './costs.ts';
import type { Thread } from './cpu.ts';
import type { Database } from './database.ts';
import { type Turn, Turns } from './turns.ts';

const LANES = 64;
const WRITERS = 4;
const FULL_BATCH = 64;

/** A client socket that sends. */
export interface Sender {
  room: number;
  /** Its messages are stored: this many acks, with one write. */
  acked(count: number): void;
}

type Input =
  | { kind: 'sent'; sender: Sender; count: number }
  | { kind: 'stored'; batch: readonly Sender[]; writer: number; lanes: readonly Lane[] }
  | { kind: 'received'; copies: Copies };

/** Messages by room. */
export type Copies = ReadonlyMap<number, number>;

interface Lane {
  waiting: Sender[];
  isBusy: boolean;
}

export interface ProcessParts {
  name: string;
  thread: Thread;
  database: Database;
  costs: Costs;
  /** The sockets of a room on this process. */
  socketsOf(room: number): number;
  /** Goes to the other processes. */
  publish(copies: Copies): void;
  onBatch(): void;
  /** Reads and writes of a turn. */
  onCalls(reads: number, writes: number): void;
}

export class ModelProcess {
  readonly #parts: ProcessParts;
  readonly #lanes: Lane[] = Array.from({ length: LANES }, () => ({ waiting: [], isBusy: false }));
  readonly #ready = new Set<Lane>();
  readonly #free = Array.from({ length: WRITERS }, (_, writer) => writer);
  readonly #turns: Turns<Input>;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    this.#turns = new Turns(parts.thread, (inputs) => this.#turn(inputs));
  }

  send(sender: Sender, count: number): void {
    this.#turns.take({ kind: 'sent', sender, count });
  }

  receive(copies: Copies): void {
    this.#turns.take({ kind: 'received', copies });
  }

  #turn(inputs: readonly Input[]): Turn {
    const { costs, publish, socketsOf, onCalls } = this.#parts;
    const touched = new Set<number>();
    const own = new Map<number, number>();
    const acks = new Map<Sender, number>();
    let us = 0;
    let reads = 0;
    let hasReceived = false;
    for (const input of inputs) {
      switch (input.kind) {
        case 'sent':
          reads++;
          us += input.count * costs.messageUs;
          this.#wait(input.sender, input.count);
          break;
        case 'stored':
          reads++;
          for (const sender of input.batch) {
            touched.add(sender.room);
            add(own, sender.room, 1);
            add(acks, sender, 1);
          }
          this.#end(input.writer, input.lanes);
          break;
        case 'received':
          hasReceived = true;
          for (const [room, count] of input.copies) {
            touched.add(room);
            us += count * costs.copyUs;
          }
      }
    }
    const calls = this.#start();
    // What is published is one write, and its replies are one read.
    let writes = calls.length + (own.size > 0 ? 1 : 0);
    reads += (own.size > 0 ? 1 : 0) + (hasReceived ? 1 : 0);
    for (const room of touched) writes += socketsOf(room);
    onCalls(reads, writes);
    const end = () => {
      for (const call of calls) call();
      if (own.size > 0) publish(own);
      for (const [sender, count] of acks) sender.acked(count);
    };
    return { us: us + reads * costs.readUs + writes * costs.writeUs, end };
  }

  #wait(sender: Sender, count: number): void {
    const lane = this.#lanes[sender.room % LANES];
    if (!lane) return;
    for (let message = 0; message < count; message++) lane.waiting.push(sender);
    if (!lane.isBusy) this.#ready.add(lane);
  }

  #end(writer: number, lanes: readonly Lane[]): void {
    this.#free.push(writer);
    for (const lane of lanes) {
      lane.isBusy = false;
      if (lane.waiting.length > 0) this.#ready.add(lane);
    }
  }

  /** The batches that begin at the end of this turn. */
  #start(): (() => void)[] {
    const { name, database, onBatch } = this.#parts;
    const calls: (() => void)[] = [];
    while (this.#ready.size > 0) {
      const writer = this.#free.pop();
      if (writer === undefined) break;
      const lanes: Lane[] = [];
      const batch: Sender[] = [];
      for (const lane of this.#ready) {
        if (batch.length >= FULL_BATCH) break;
        batch.push(...lane.waiting.splice(0));
        lane.isBusy = true;
        lanes.push(lane);
        this.#ready.delete(lane);
      }
      onBatch();
      const rooms = batch.map(({ room }) => room);
      const onStored = () => this.#turns.take({ kind: 'stored', batch, writer, lanes });
      calls.push(() => database.store(`${name} ${writer}`, rooms, onStored));
    }
    return calls;
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
