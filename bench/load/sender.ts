/** Keeps a window of messages in flight: when its own message comes back, the next one goes out. */
import { messageContent, nowUs, senderMarker } from './content.ts';
import { MarkerSearch } from './marker-search.ts';
import type { RawSocket } from './raw-socket.ts';
import type { Recorder } from './recorder.ts';

export class Sender {
  sent = 0;
  echoes = 0;
  #isSending = false;
  /** Send times of what is in flight; a room's order is the order of sending. */
  #inFlight: number[] = [];
  readonly #id: number;
  readonly #socket: RawSocket;
  readonly #frame: [prefix: string, suffix: string];
  readonly #echoLatency: Recorder;
  readonly #own: MarkerSearch;

  constructor(id: number, socket: RawSocket, frame: [prefix: string, suffix: string], echoLatency: Recorder) {
    this.#id = id;
    this.#socket = socket;
    this.#frame = frame;
    this.#echoLatency = echoLatency;
    this.#own = new MarkerSearch(senderMarker(id));
    socket.ear = (bytes, length) => this.#hear(this.#own.take(bytes, length));
  }

  start(window: number): void {
    this.#isSending = true;
    while (this.#inFlight.length < window) this.#send();
  }

  halt(): void {
    this.#isSending = false;
  }

  #hear(own: number): void {
    if (own === 0) return;
    const now = nowUs();
    this.echoes += own;
    for (let index = 0; index < own; index++) {
      const sentAt = this.#inFlight.shift() ?? now;
      this.#echoLatency.record((now - sentAt) / 1000);
      if (this.#isSending) this.#send();
    }
  }

  #send(): void {
    const now = nowUs();
    const [prefix, suffix] = this.#frame;
    this.#inFlight.push(now);
    this.sent++;
    this.#socket.send(`${prefix}${messageContent(this.#id, now)}${suffix}`);
  }
}
