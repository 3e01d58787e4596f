/** The load side: several processes that a measure uses as one. */
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { spawnNode, stopProcess } from '../pinned-process.ts';
import type {
  ChangePlan,
  FlowCounts,
  Latencies,
  LoadAnswers,
  LoadCommand,
  LoadReply,
  Mark,
  Opened,
  Plan,
  Returned,
} from './plan.ts';

const LOAD_PROCESS = fileURLToPath(new URL('./load-process.js', import.meta.url));
/** Sockets that are being opened at once, over all processes. */
const OPENING_AT_ONCE = 64;
const DRAIN_CHECK_MS = 50;
const DRAIN_PATIENCE_MS = 10_000;

/** What happened between two marks. */
export interface Span {
  seconds: number;
  frames: number;
  answers: number;
  acks: number;
  sent: number;
  /** CPU seconds per second and process. A value of 1 means that the load side was the bottleneck. */
  cpuShare: number;
}

export class Load {
  readonly #processes: LoadProcess[];

  /** Starts `count` processes on `cores` (see `spawnNode`). */
  constructor(count: number, cores: string | null) {
    this.#processes = Array.from({ length: count }, () => new LoadProcess(cores));
  }

  async open(plan: Plan, concurrency = OPENING_AT_ONCE): Promise<Opened> {
    const count = this.#processes.length;
    const opened = await Promise.all(
      this.#processes.map((process, index) => {
        const sockets = plan.sockets.filter((_, position) => position % count === index);
        const share = Math.ceil(concurrency / count);
        return process.run({ name: 'open', plan: { ...plan, sockets }, concurrency: share });
      }),
    );
    return {
      seconds: Math.max(...opened.map(({ seconds }) => seconds)),
      latencies: join(opened.map(({ latencies }) => latencies)),
    };
  }

  /** Every sender keeps `window` messages in flight until `halt`. A polling load side never sleeps meanwhile. */
  async send(window: number, isPolling: boolean): Promise<void> {
    await this.#all({ name: 'send', window, isPolling });
  }

  /** These senders change messages over their lines until `halt`. */
  async change(plans: ChangePlan[], isPolling: boolean): Promise<void> {
    await this.#all({ name: 'change', plans, isPolling });
  }

  async mark(record: boolean): Promise<Mark[]> {
    return await this.#all({ name: 'mark', record });
  }

  async halt(): Promise<Latencies> {
    const latencies = await this.#all({ name: 'halt' });
    return {
      delivery: join(latencies.map(({ delivery }) => delivery)),
      answer: join(latencies.map(({ answer }) => answer)),
    };
  }

  /** Every sender sends `count` messages; resolves when all have their echo or ack. */
  async post(count: number): Promise<void> {
    await this.#all({ name: 'post', count });
  }

  /** All senders together send this number of messages a second from now on; 0 stops them. */
  async flow(perSecond: number): Promise<void> {
    const share = perSecond / this.#processes.length;
    await this.#all({ name: 'flow', perSecond: share });
  }

  /** The counters of the flow, of all processes. */
  async flowCounts(record: boolean): Promise<FlowCounts> {
    const parts = await this.#all({ name: 'flow-counts', record });
    const sum = (pick: (part: FlowCounts) => number) => parts.reduce((total, part) => total + pick(part), 0);
    return {
      atUs: sum(({ atUs }) => atUs) / parts.length,
      sent: sum(({ sent }) => sent),
      acks: sum(({ acks }) => acks),
      refusals: sum(({ refusals }) => refusals),
      heldBack: sum(({ heldBack }) => heldBack),
      frames: sum(({ frames }) => frames),
    };
  }

  /** Cuts all returners. */
  async cut(): Promise<void> {
    await this.#all({ name: 'cut' });
  }

  /** All returners reconnect, by default at once, after each has missed this number of events. */
  async comeBack(missed: number, concurrency = Number.MAX_SAFE_INTEGER): Promise<Returned> {
    const share = Math.ceil(concurrency / this.#processes.length);
    const parts = await this.#all({ name: 'return', missed, concurrency: share });
    const sum = (pick: (part: Returned) => number) => parts.reduce((total, part) => total + pick(part), 0);
    return {
      seconds: Math.max(...parts.map(({ seconds }) => seconds)),
      live: join(parts.map(({ live }) => live)),
      own: join(parts.map(({ own }) => own)),
      complete: sum(({ complete }) => complete),
      events: sum(({ events }) => events),
      audited: sum(({ audited }) => audited),
      auditedRight: sum(({ auditedRight }) => auditedRight),
    };
  }

  /**
   * Waits until each message sent since `from` has come back `copies` times, and its ack; throws when one does not, or
   * comes twice.
   */
  async drain(from: Mark[], copies: number): Promise<void> {
    let last = -1;
    for (let patience = DRAIN_PATIENCE_MS; patience > 0; patience -= DRAIN_CHECK_MS) {
      const { frames, sent, answers, acks } = span(from, await this.mark(false));
      const due = sent * copies + acks;
      if (answers === sent && frames === due && last === frames) return;
      if (frames > due) throw new Error(`${frames - due} frames too many`);
      if (last !== frames) patience = DRAIN_PATIENCE_MS;
      last = frames;
      await new Promise((resolve) => setTimeout(resolve, DRAIN_CHECK_MS));
    }
    throw new Error('some messages never arrived');
  }

  async closeSockets(): Promise<void> {
    await this.#all({ name: 'close' });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.stop()));
  }

  async #all<Name extends LoadCommand['name']>(
    command: Extract<LoadCommand, { name: Name }>,
  ): Promise<LoadAnswers[Name][]> {
    return await Promise.all(this.#processes.map((process) => process.run(command)));
  }
}

/** What happened from one mark to a later one. */
export function span(from: Mark[], to: Mark[]): Span {
  const result = { seconds: 0, frames: 0, answers: 0, acks: 0, sent: 0, cpuShare: 0 };
  for (const [index, end] of to.entries()) {
    const start = from[index];
    if (!start) throw new Error('marks of different loads');
    const seconds = (end.atUs - start.atUs) / 1e6;
    result.seconds += seconds / to.length;
    result.frames += end.frames - start.frames;
    result.answers += end.answers - start.answers;
    result.acks += end.acks - start.acks;
    result.sent += end.sent - start.sent;
    result.cpuShare += (end.cpuUs - start.cpuUs) / 1e6 / seconds / to.length;
  }
  return result;
}

class LoadProcess {
  readonly #child: ChildProcess;

  constructor(cores: string | null) {
    this.#child = spawnNode(cores, [LOAD_PROCESS], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
  }

  /** Runs one command at a time, so the next response belongs to it. */
  run<Name extends LoadCommand['name']>(
    command: Extract<LoadCommand, { name: Name }>,
  ): Promise<LoadAnswers[Name]> {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error('a load process ended'));
      this.#child.once('exit', onExit);
      this.#child.once('message', (reply: LoadReply) => {
        this.#child.off('exit', onExit);
        if (reply.ok) resolve(reply.answer as LoadAnswers[Name]);
        else reject(new Error(reply.error));
      });
      this.#child.send(command);
    });
  }

  async stop(): Promise<void> {
    await stopProcess(this.#child);
  }
}

function join(arrays: Float64Array[]): Float64Array {
  const joined = new Float64Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    joined.set(array, at);
    at += array.length;
  }
  return joined;
}
