/**
 * Roomful on several processes as a discrete-event simulation: senders with messages in flight, processes that work in
 * turns, one PostgreSQL with its row locks and flushes, one Redis, and the cores that they run on.
 */
import type { Costs } from './costs.ts';
import { Machine, Thread } from './cpu.ts';
import { Database } from './database.ts';
import { Events } from './events.ts';
import { ModelProcess, type Sender } from './process.ts';
import { Turns } from './turns.ts';

export interface Shape {
  processes: number;
  rooms: number;
  /** Senders of a room, spread over the processes, and the messages that each keeps in flight. */
  senders: number;
  window: number;
  /** Cores that all parts and the clients share; undefined: every part has its own, and the clients cost nothing. */
  sharedCores?: number;
  /** Processes of the clients, and their CPU microseconds for a message. */
  clients: number;
  clientUs: number;
  postgresCores: number;
}

export interface Predicted {
  messagesPerSecond: number;
  /** CPU microseconds of all processes for a message. */
  processUs: number;
  postgresUs: number;
  /** Messages of a batch, on average. */
  batch: number;
  /** Calls of the system by all processes, for a message. */
  reads: number;
  writes: number;
  ackP50Ms: number;
}

const WARM_UP_US = 1_000_000;
const MEASURED_US = 2_000_000;

/** Plays three seconds of the model's time, and returns what the last two had. The same arguments give the same result. */
export function predict(shape: Shape, costs: Costs): Predicted {
  const events = new Events();
  const shared = shape.sharedCores === undefined ? undefined : new Machine(events, shape.sharedCores);
  const own = (cores: number) => shared ?? new Machine(events, cores);
  const database = new Database(events, own(shape.postgresCores), costs);
  const redis = new Thread(own(1));
  const clientUs = shared ? shape.clientUs : 0;
  const clients = Array.from({ length: shape.clients }, () => createClient(new Thread(own(1)), clientUs));
  const threads: Thread[] = [];
  const processes: ModelProcess[] = [];
  let [batches, reads, writes] = [0, 0, 0];
  let waits: number[] = [];

  for (let index = 0; index < shape.processes; index++) {
    const thread = new Thread(own(1));
    const process: ModelProcess = new ModelProcess({
      name: String(index),
      thread,
      database,
      costs,
      socketsOf: () => shape.senders / shape.processes,
      onBatch: () => batches++,
      onCalls(ofTurn, writesOfTurn) {
        reads += ofTurn;
        writes += writesOfTurn;
      },
      publish(copies) {
        const others = processes.filter((other) => other !== process);
        const messages = [...copies.values()].reduce((sum, count) => sum + count, 0);
        redis.run(messages * (costs.redisUs + others.length * costs.redisCopyUs), () => {
          for (const other of others) other.receive(copies);
        });
      },
    });
    threads.push(thread);
    processes.push(process);
  }

  for (let index = 0; index < shape.rooms * shape.senders; index++) {
    const process = processes[index % processes.length];
    const client = clients[index % clients.length];
    if (!process || !client) continue;
    startSender({
      room: Math.floor(index / shape.senders),
      window: shape.window,
      client,
      process,
      events,
      onAck: (us) => waits.push(us),
    });
  }

  events.runUntil(WARM_UP_US);
  const used = () => threads.reduce((sum, { usedUs }) => sum + usedUs, 0);
  const before = { processes: used(), postgres: database.usedUs };
  [batches, reads, writes] = [0, 0, 0];
  waits = [];
  events.runUntil(WARM_UP_US + MEASURED_US);
  const messages = waits.length;
  return {
    messagesPerSecond: (messages / MEASURED_US) * 1e6,
    processUs: (used() - before.processes) / messages,
    postgresUs: (database.usedUs - before.postgres) / messages,
    batch: messages / batches,
    reads: reads / messages,
    writes: writes / messages,
    ackP50Ms: (waits.sort((one, other) => one - other)[messages >> 1] ?? Number.NaN) / 1000,
  };
}

/** A process of the clients, whose senders share its turns. */
type Client = Turns<{ count: number; send(): void }>;

function createClient(thread: Thread, messageUs: number): Client {
  return new Turns(thread, (sends) => ({
    us: sends.reduce((sum, { count }) => sum + count * messageUs, 0),
    end() {
      for (const { send } of sends) send();
    },
  }));
}

interface SenderParts {
  room: number;
  /** The messages that it keeps in flight. */
  window: number;
  client: Client;
  process: ModelProcess;
  events: Events;
  /** A message was acked, so many microseconds after it was sent. */
  onAck(us: number): void;
}

/** Sends a window of messages, and another message for each ack. */
function startSender({ room, window, client, process, events, onAck }: SenderParts): void {
  let sentAt: number[] = [];
  const later = (count: number) =>
    client.take({
      count,
      send() {
        for (let message = 0; message < count; message++) sentAt.push(events.now);
        process.send(sender, count);
      },
    });
  const sender: Sender = {
    room,
    acked(count) {
      for (const at of sentAt.slice(0, count)) onAck(events.now - at);
      sentAt = sentAt.slice(count);
      later(count);
    },
  };
  later(window);
}
