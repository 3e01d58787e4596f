/** Measures delays in a room, and the memory of the server. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { eventually } from '../support/eventually.ts';
import { RoomLine } from '../support/room-line.ts';
import type { ServerProcess } from '../support/server-process.ts';
import type { Login } from '../support/users.ts';

export interface MeasuredRoomOptions {
  /** The number of sockets whose delays are measured. */
  probes: number;
  messagesPerSecond: number;
  contentLength: number;
}

/** A room with one sender at a steady rate, and listeners that measure the delays. */
export class MeasuredRoom {
  /** The number of leaves that were announced. */
  leaves = 0;
  readonly #server: ServerProcess;
  readonly #login: Login;
  readonly #roomId: number;
  readonly #options: MeasuredRoomOptions;
  readonly #probes: RoomLine[] = [];
  readonly #heard: number[] = [];
  #delays: number[] = [];
  #speaker: RoomLine | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(server: ServerProcess, login: Login, roomId: number, options: MeasuredRoomOptions) {
    this.#server = server;
    this.#login = login;
    this.#roomId = roomId;
    this.#options = options;
  }

  async open(): Promise<void> {
    for (let index = 0; index < this.#options.probes; index++) {
      const probe = await RoomLine.open(this.#server, this.#login, this.#roomId, {
        keep: false,
        onFrame: (frame) => {
          if (frame.type === 'presence' && index === 0) this.leaves += frame.left.length;
          if (frame.type !== 'message') return;
          this.#heard[index] = (this.#heard[index] ?? 0) + 1;
          this.#delays.push(performance.now() - Number.parseFloat(frame.content));
        },
      });
      this.#probes.push(probe);
    }
    const speaker = await RoomLine.enter(this.#server, this.#login, this.#roomId);
    this.#speaker = speaker;
    const content = 'x'.repeat(this.#options.contentLength);
    const speak = () => speaker.say(`${performance.now()} ${content}`);
    this.#timer = setInterval(speak, 1000 / this.#options.messagesPerSecond);
  }

  startMeasuring(): void {
    this.#delays = [];
  }

  p99(): number {
    const delays = this.#delays.sort((a, b) => a - b);
    return delays[Math.floor(delays.length * 0.99)] ?? Number.NaN;
  }

  /** Stops sending, waits until everything that was sent is durable, and returns the room's last seq. */
  async close(): Promise<number> {
    clearInterval(this.#timer);
    const last = await this.#speaker?.post('the end');
    return last?.seq ?? 0;
  }

  /** Checks that every probe is still connected and receives everything. */
  async expectAll(count: number): Promise<void> {
    for (const [index, probe] of this.#probes.entries()) {
      assert(probe.isOpen, 'a healthy socket was closed');
      await eventually('all received', () => (this.#heard[index] === count ? true : undefined));
    }
  }
}

/** Samples the resident size of a process until it is stopped, and keeps the largest. */
export function sampleRss(pid: number) {
  let largest = 0;
  const look = async () => {
    const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
    largest = Math.max(largest, Number(kibibytes) * 1024);
  };
  const timer = setInterval(() => void look(), 200);
  return {
    async stop(): Promise<number> {
      clearInterval(timer);
      await look();
      return largest;
    },
  };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
