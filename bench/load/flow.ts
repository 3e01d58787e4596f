/** Sends a number of messages a second, whether they are acknowledged or not: people do not wait for a slow server. */
import { setInterval } from 'node:timers';
import { messageContent, nowUs } from './content.ts';
import { MarkerSearch } from './marker-search.ts';
import type { Door } from './plan.ts';
import type { RawSocket } from './raw-socket.ts';
import type { Recorder } from './recorder.ts';

const TICK_MS = 5;
const RETRY = Buffer.from('"retry_after_ms":', 'latin1');
const CID = Buffer.from('"cid":"', 'latin1');
const TIME_DIGITS = 16;
/** Where the time to wait is not in the bytes at hand. */
const USUAL_RETRY_MS = 4000;

/** One socket of a flow. A refused sender is silent for as long as the refusal says, as the SDK is. */
class FlowSender {
  sent = 0;
  acks = 0;
  refusals = 0;
  #silentUntilUs = 0;
  readonly #id: number;
  readonly #socket: RawSocket;
  readonly #door: Door;
  readonly #latency: Recorder;
  readonly #ack = new MarkerSearch('"type":"ack"');
  readonly #error = new MarkerSearch('"type":"error"');

  constructor(id: number, socket: RawSocket, door: Door, latency: Recorder) {
    this.#id = id;
    this.#socket = socket;
    this.#door = door;
    this.#latency = latency;
    socket.ear = (bytes, length) => this.#hear(bytes, length);
  }

  isSilent(now: number): boolean {
    return now < this.#silentUntilUs;
  }

  send(now: number): void {
    const { frame, ack } = this.#door;
    if (ack === null) throw new Error('a flow needs acks');
    this.sent++;
    const cid = `${String(now).padStart(TIME_DIGITS, '0')}-${this.#id}-${this.sent}`;
    this.#socket.send(`${frame[0]}${messageContent(this.#id, now)}${ack.suffix[0]}${cid}${ack.suffix[1]}`);
  }

  #hear(bytes: Buffer, length: number): void {
    const acks = this.#ack.take(bytes, length);
    const refusals = this.#error.take(bytes, length);
    this.acks += acks;
    this.refusals += refusals;
    if (acks === 0 && refusals === 0) return;
    const chunk = bytes.subarray(0, length);
    const now = nowUs();
    if (acks > 0) this.#time(chunk, now);
    if (refusals === 0 || this.isSilent(now)) return;
    const at = chunk.indexOf(RETRY);
    const ms =
      at < 0 ? Number.NaN : Number.parseInt(chunk.toString('latin1', at + RETRY.length, at + 25), 10);
    this.#silentUntilUs = now + (Number.isNaN(ms) ? USUAL_RETRY_MS : ms) * 1000;
  }

  /** The first ack of a chunk stands for all of them. */
  #time(chunk: Buffer, now: number): void {
    const at = chunk.indexOf(CID, chunk.indexOf('"type":"ack"', 0, 'latin1')) + CID.length;
    const sentAt = Number(chunk.toString('latin1', at, at + TIME_DIGITS));
    if (sentAt > 0) this.#latency.record((now - sentAt) / 1000);
  }
}

export interface FlowSource {
  id: number;
  socket: RawSocket;
  door: Door;
}

/** The flow of one load process, over all of its senders in turn. */
export class Flow {
  /** What silent senders would have sent. */
  heldBack = 0;
  readonly #senders: FlowSender[];
  #timer: NodeJS.Timeout | undefined;
  #next = 0;

  constructor(sources: readonly FlowSource[], latency: Recorder) {
    this.#senders = sources.map(({ id, socket, door }) => new FlowSender(id, socket, door, latency));
  }

  get counts() {
    const sum = (pick: (sender: FlowSender) => number) =>
      this.#senders.reduce((total, sender) => total + pick(sender), 0);
    return {
      sent: sum(({ sent }) => sent),
      acks: sum(({ acks }) => acks),
      refusals: sum(({ refusals }) => refusals),
      heldBack: this.heldBack,
    };
  }

  /** 0 a second ends it. */
  start(perSecond: number): void {
    clearInterval(this.#timer);
    if (perSecond === 0) return;
    const startedAt = nowUs();
    let due = 0;
    this.#timer = setInterval(() => {
      const now = nowUs();
      for (const total = ((now - startedAt) / 1e6) * perSecond; due < total; due++) this.#sendOne();
    }, TICK_MS);
  }

  #sendOne(): void {
    const sender = this.#senders[this.#next++ % this.#senders.length];
    const now = nowUs();
    if (sender === undefined || sender.isSilent(now)) this.heldBack++;
    else sender.send(now);
  }
}
