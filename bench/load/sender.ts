/** Keeps a window of messages in flight: when one has its echo or ack, the next one is sent. */
import { messageContent, nowUs, senderMarker } from './content.ts';
import { MarkerSearch } from './marker-search.ts';
import type { Door } from './plan.ts';
import type { RawSocket } from './raw-socket.ts';
import type { Recorder } from './recorder.ts';

export class Sender {
  sent = 0;
  answers = 0;
  /** Whether it waits for acks, which arrive in addition to the echo. */
  readonly isAcked: boolean;
  /** The number of messages that it may still send. */
  #left = 0;
  /** The send times of the messages in flight. A room's order is the order of sending. */
  #inFlight: number[] = [];
  #onAllAnswered: (() => void) | null = null;
  readonly id: number;
  readonly socket: RawSocket;
  readonly #door: Door;
  readonly #latency: Recorder;
  readonly #answer: MarkerSearch;

  constructor(
    { id, answer }: { id: number; answer: 'echo' | 'ack' },
    socket: RawSocket,
    door: Door,
    latency: Recorder,
  ) {
    this.id = id;
    this.socket = socket;
    this.#door = answer === 'ack' ? door : { ...door, ack: null };
    this.#latency = latency;
    this.isAcked = this.#door.ack !== null;
    this.#answer = new MarkerSearch(this.#door.ack?.marker ?? senderMarker(id));
    this.listen();
  }

  /** From now on it hears what its socket gets. */
  listen(): void {
    this.socket.ear = (bytes, length) => this.#hear(this.#answer.take(bytes, length));
  }

  start(window: number, count = Number.POSITIVE_INFINITY): void {
    this.#left = count;
    while (this.#inFlight.length < window && this.#left > 0) this.#send();
  }

  /** Sends `count` messages; resolves when the last has its echo or ack. */
  post(window: number, count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onAllAnswered = resolve;
      this.start(window, count);
    });
  }

  halt(): void {
    this.#left = 0;
  }

  #hear(answers: number): void {
    if (answers === 0) return;
    const now = nowUs();
    this.answers += answers;
    for (let index = 0; index < answers; index++) {
      const sentAt = this.#inFlight.shift() ?? now;
      this.#latency.record((now - sentAt) / 1000);
      if (this.#left > 0) this.#send();
    }
    if (this.#inFlight.length === 0) this.#onAllAnswered?.();
  }

  #send(): void {
    const now = nowUs();
    this.#left--;
    this.#inFlight.push(now);
    this.sent++;
    const { frame, ack } = this.#door;
    const [prefix, suffix] = frame;
    const end = ack ? `${ack.suffix[0]}${this.id}-${this.sent}${ack.suffix[1]}` : suffix;
    this.socket.send(`${prefix}${messageContent(this.id, now)}${end}`);
  }
}
