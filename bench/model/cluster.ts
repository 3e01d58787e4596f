/**
 * Roomful on several processes as a model: senders with messages in flight, processes with lanes and writers, one
 * PostgreSQL, one Redis. It has the queues and locks of the real thing, and the measured CPU time of each step.
 */
import { Machine, Thread } from './cpu.ts';
import { Database, type DatabaseCosts } from './database.ts';
import { Events } from './events.ts';

const LANES = 64;
const WRITERS = 4;
const FULL_BATCH = 64;

export interface Costs extends DatabaseCosts {
  /** CPU of a process: for a message, for a batch, and for a message of another process that it receives. */
  messageUs: number;
  callUs: number;
  foreignUs: number;
  /** CPU of Redis for a message, and for each other process that receives it. */
  redisUs: number;
  redisCopyUs: number;
  /** CPU of the clients for a message: nonzero where they share the cores. */
  clientUs: number;
}

export interface Shape {
  processes: number;
  rooms: number;
  /** Senders of a room, spread over the processes, and the messages that each has in flight. */
  senders: number;
  window: number;
  /** Cores that all parts and the clients share; undefined: each process, PostgreSQL and Redis have their own. */
  sharedCores?: number;
  postgresCores: number;
}

export interface Predicted {
  messagesPerSecond: number;
  ackMs: { p50: number; p99: number };
  /** Messages of a batch, on average. */
  batch: number;
}

const WARM_UP_US = 500_000;
const MEASURED_US = 2_000_000;

/** Plays 2.5 s of the model's time, and returns what the last 2 s had. The same arguments give the same result. */
export function predict(shape: Shape, costs: Costs): Predicted {
  const events = new Events();
  const shared = shape.sharedCores === undefined ? undefined : new Machine(events, shape.sharedCores);
  const own = (cores: number) => shared ?? new Machine(events, cores);
  const database = new Database(events, own(shape.postgresCores), costs);
  const redis = new Thread(own(1));
  const clients = new Thread(own(1));
  const tally = new Tally();
  const processes: ModelProcess[] = [];
  for (let index = 0; index < shape.processes; index++)
    processes.push(new ModelProcess(index, { thread: new Thread(own(1)), database, costs, tally }));

  function send(process: ModelProcess, room: number): void {
    const sentAt = events.now;
    clients.run(costs.clientUs, () =>
      process.post(room, () => {
        tally.acked(events.now - sentAt);
        const others = processes.length - 1;
        if (others > 0)
          redis.run(costs.redisUs + others * costs.redisCopyUs, () => {
            for (const other of processes) if (other !== process) other.thread.run(costs.foreignUs, ignore);
          });
        send(process, room);
      }),
    );
  }
  for (let room = 0; room < shape.rooms; room++) {
    for (let sender = 0; sender < shape.senders; sender++) {
      const process = processes[(room + sender) % processes.length];
      for (let message = 0; process && message < shape.window; message++) send(process, room);
    }
  }
  events.runUntil(WARM_UP_US);
  tally.reset();
  events.runUntil(WARM_UP_US + MEASURED_US);
  return tally.result();
}

class Tally {
  #waits: number[] = [];
  #batches = 0;

  acked(us: number): void {
    this.#waits.push(us);
  }

  batch(): void {
    this.#batches++;
  }

  reset(): void {
    this.#waits = [];
    this.#batches = 0;
  }

  result(): Predicted {
    const sorted = this.#waits.sort((one, other) => one - other);
    const at = (share: number) => (sorted[Math.floor(share * sorted.length)] ?? Number.NaN) / 1000;
    return {
      messagesPerSecond: (sorted.length / MEASURED_US) * 1e6,
      ackMs: { p50: at(0.5), p99: at(0.99) },
      batch: sorted.length / this.#batches,
    };
  }
}

interface Waiting {
  room: number;
  done(): void;
}

interface Lane {
  waiting: Waiting[];
  isBusy: boolean;
}

interface ProcessParts {
  thread: Thread;
  database: Database;
  costs: Costs;
  tally: Tally;
}

/** The lanes and writers of server/storage/room-lanes.ts. */
class ModelProcess {
  readonly thread: Thread;
  readonly #index: number;
  readonly #parts: ProcessParts;
  readonly #lanes: Lane[] = Array.from({ length: LANES }, () => ({
    waiting: [],
    isBusy: false,
  }));
  readonly #ready = new Set<Lane>();
  readonly #free = Array.from({ length: WRITERS }, (_, writer) => writer);

  constructor(index: number, parts: ProcessParts) {
    this.#index = index;
    this.#parts = parts;
    this.thread = parts.thread;
  }

  post(room: number, done: () => void): void {
    this.thread.run(this.#parts.costs.messageUs, () => {
      const lane = this.#lanes[room % LANES];
      if (!lane) return;
      lane.waiting.push({ room, done });
      if (!lane.isBusy) this.#ready.add(lane);
      this.#start();
    });
  }

  #start(): void {
    const { costs, database, tally } = this.#parts;
    while (this.#ready.size > 0) {
      const writer = this.#free.pop();
      if (writer === undefined) return;
      const lanes: Lane[] = [];
      const batch: Waiting[] = [];
      for (const lane of this.#ready) {
        if (batch.length >= FULL_BATCH) break;
        batch.push(...lane.waiting.splice(0));
        lane.isBusy = true;
        lanes.push(lane);
        this.#ready.delete(lane);
      }
      tally.batch();
      this.thread.run(costs.callUs, () =>
        database.store(
          `${this.#index} ${writer}`,
          batch.map(({ room }) => room),
          () => {
            for (const { done } of batch) done();
            for (const lane of lanes) {
              lane.isBusy = false;
              if (lane.waiting.length > 0) this.#ready.add(lane);
            }
            this.#free.push(writer);
            this.#start();
          },
        ),
      );
    }
  }
}

function ignore(): void {
  // The CPU time is all that counts.
}
