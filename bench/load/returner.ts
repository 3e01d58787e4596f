/** A socket that is cut and reconnects, and counts the missed events that it gets. */
import { MarkerSearch } from './marker-search.ts';
import type { ComeBack, Door } from './plan.ts';
import { RawSocket } from './raw-socket.ts';
import { fetchTicket } from './ticket.ts';

const EVENT_MARKER = '"type":"message"';
/** Finds the seq of an event; only events have it after a time. */
const EVENT_SEQ = /"created_at":"[^"]*","seq":(\d+)/g;

export class Returner {
  events = 0;
  begunAt = Number.NaN;
  liveAt = Number.NaN;
  readonly isAudited: boolean;
  /** The received text: before the cut, to find what must be remembered; after it, if the socket is audited. */
  #heard = '';
  #lastSeq = 0;
  #socket: RawSocket | undefined;
  readonly #door: Door;
  readonly #onProgress: () => void;

  /** `onProgress` is called at each event, and when the socket is live. */
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

  /** Reconnects; resolves when it is live again. Missed events may arrive later. */
  async comeBack(): Promise<void> {
    this.begunAt = performance.now();
    const { comeBack } = this.#door;
    const own = comeBack?.ticket ? lastMatch(this.#heard, comeBack.ticket) : undefined;
    const door = comeBack ? withMemory(this.#door, comeBack, this.#heard) : this.#door;
    this.#lastSeq = seqsIn(this.#heard).at(-1) ?? 0;
    this.#heard = '';
    const events = new MarkerSearch(EVENT_MARKER);
    const ticket = own ?? (await ticketFor(door));
    this.#socket = await RawSocket.open(door, ticket, (bytes, length) => {
      if (this.isAudited) this.#heard += bytes.toString('latin1', 0, length);
      const found = events.take(bytes, length);
      this.events += found;
      if (found > 0) this.#onProgress();
    });
    this.liveAt = performance.now();
    this.#onProgress();
  }

  /** Whether it got `missed` events, which follow the last one before the cut without a gap. */
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

function lastMatch(heard: string, pattern: string): string | undefined {
  return [...heard.matchAll(new RegExp(pattern, 'g'))].at(-1)?.[1];
}

function withMemory(door: Door, { remember, path, hello, liveMarker }: ComeBack, heard: string): Door {
  const memory = Object.entries(remember).map(([name, pattern]) => {
    const value = lastMatch(heard, pattern);
    if (value === undefined) throw new Error(`nothing to remember as ${name}`);
    return [name, value] as const;
  });
  const fill = (text: string) =>
    memory.reduce((filled, [name, value]) => filled.replace(`{${name}}`, value), text);
  return { ...door, path: fill(path), hello: hello.map(fill), readyMarker: liveMarker };
}
