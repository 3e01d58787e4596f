/** Changes its messages over a line, all of them at once: when one is answered, it is changed again. */
import { MarkerSearch } from './marker-search.ts';
import type { ChangePlan } from './plan.ts';
import type { RawSocket } from './raw-socket.ts';

export class Changer {
  sent = 0;
  answers = 0;
  readonly #plan: ChangePlan;
  readonly #socket: RawSocket;
  readonly #answer = new MarkerSearch('"type":"changed"');
  /** Changes of each message so far. */
  readonly #counts: number[];
  #isHalted = false;

  constructor(plan: ChangePlan, socket: RawSocket) {
    this.#plan = plan;
    this.#socket = socket;
    this.#counts = plan.messages.map(() => 0);
    socket.ear = (bytes, length) => this.#hear(this.#answer.take(bytes, length));
  }

  start(): void {
    for (const index of this.#counts.keys()) this.#send(index);
  }

  /** What is on the way is still answered, and reactions that are there are taken back. */
  halt(): void {
    this.#isHalted = true;
  }

  #hear(answers: number): void {
    for (let count = 0; count < answers; count++) {
      // A line answers in the order of the changes, and each message had one change on the way.
      const index = this.answers++ % this.#counts.length;
      const isOn = this.#plan.kind === 'react' && (this.#counts[index] ?? 0) % 2 === 1;
      if (!this.#isHalted || isOn) this.#send(index);
    }
  }

  #send(index: number): void {
    const { roomId, kind, messages } = this.#plan;
    const { id = 0, revision = 0 } = messages[index] ?? {};
    const count = this.#counts[index] ?? 0;
    this.#counts[index] = count + 1;
    this.sent++;
    const base = revision + count;
    const change =
      kind === 'react'
        ? `"emoji":"🦊","on":${count % 2 === 0}`
        : `"content":"text ${base + 1}","base_revision":${base}`;
    this.#socket.send(`{"type":"${kind}","room_id":${roomId},"id":${id},"ref":"${this.sent}",${change}}`);
  }
}
