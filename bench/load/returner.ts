/** A socket that is cut and comes back, and counts what it gets of what it missed. */
import { MarkerSearch } from './marker-search.ts';
import type { ComeBack, Door } from './plan.ts';
import { RawSocket } from './raw-socket.ts';
import { fetchTicket } from './ticket.ts';

const EVENT_MARKER = '"type":"message"';
/** An event's number within its room; no other frame has it behind a time. */
const EVENT_SEQ = /"created_at":"[^"]*","seq":(\d+)/g;

export class Returner {
  events = 0;
  liveAt = Number.NaN;
  readonly isAudited: boolean;
  /** What was heard: before the cut for what must be remembered, after it when it is audited. */
  #heard = '';
  #lastSeq = 0;
  #socket: RawSocket | undefined;
  readonly #door: Door;
  readonly #onProgress: () => void;

  /** `onProgress` is called when an event came, and when it is live. */
  constructor(door: Door, isAudited: boolean, onProgress: () => void) {
    this.#door = door;
    this.isAudited = isAudited;
    this.#onProgress = onProgress;
  }

  async open(): Promise<void> {
    this.#socket = await RawSocket.open(this.#door, await ticketFor(this.#door), (bytes, length) => {
      this.#heard += bytes.toString('latin1', 0, length);
    });
  }

  cut(): void {
    this.#socket?.close();
  }

  /** Resolves when it is live again; what it missed may still be on its way. */
  async comeBack(): Promise<void> {
    const { comeBack } = this.#door;
    const door = comeBack ? withMemory(this.#door, comeBack, this.#heard) : this.#door;
    this.#lastSeq = seqsIn(this.#heard).at(-1) ?? 0;
    this.#heard = '';
    const events = new MarkerSearch(EVENT_MARKER);
    const ticket = await ticketFor(door);
    this.#socket = await RawSocket.open(door, ticket, (bytes, length) => {
      if (this.isAudited) this.#heard += bytes.toString('latin1', 0, length);
      const found = events.take(bytes, length);
      this.events += found;
      if (found > 0) this.#onProgress();
    });
    this.liveAt = performance.now();
    this.#onProgress();
  }

  /** Whether the events were `missed` in number, and followed on from the last one before the cut without a gap. */
  isRight(missed: number): boolean {
    const seqs = seqsIn(this.#heard);
    return seqs.length === missed && seqs.every((seq, index) => seq === this.#lastSeq + index + 1);
  }

  close(): void {
    this.#socket?.close();
  }
}

async function ticketFor(door: Door): Promise<string | null> {
  return door.ticket && (await fetchTicket(door.port, door.ticket));
}

function seqsIn(heard: string): number[] {
  return [...heard.matchAll(EVENT_SEQ)].map(([, seq]) => Number(seq));
}

function withMemory(door: Door, { remember, path, hello, liveMarker }: ComeBack, heard: string): Door {
  const memory = Object.entries(remember).map(([name, pattern]) => {
    const value = [...heard.matchAll(new RegExp(pattern, 'g'))].at(-1)?.[1];
    if (value === undefined) throw new Error(`nothing to remember as ${name}`);
    return [name, value] as const;
  });
  const fill = (text: string) =>
    memory.reduce((filled, [name, value]) => filled.replace(`{${name}}`, value), text);
  return { ...door, path: fill(path), hello: hello.map(fill), readyMarker: liveMarker };
}
