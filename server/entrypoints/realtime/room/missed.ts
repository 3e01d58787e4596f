/**
 * The events that sockets have missed, as `batch` frames of limited size. Sockets that miss the same events share the
 * read and the bytes, so a thousand slow clients in one room cost little more memory than one.
 */
import { BATCH_MAX_EVENTS } from '../../../../protocol/limits.ts';
import type { MessageRow } from '../../../data/storage/store.ts';
import { encodeTextFrame } from '../fanout/text-frame.ts';
import { encodeMessage } from '../wire/shared-frames.ts';
import { encodeBatch } from '../wire/v2.ts';
import type { Recent, RecentEvent } from './recent.ts';
import type { RoomLog } from './room-log.ts';

/** A batch ends after about this much text, so that none is larger than what a slow socket may owe. */
const BATCH_MAX_BYTES = 64 * 1024;

export interface Batch {
  /** A whole text frame. */
  readonly frame: Buffer;
  /** The seq of its last event. */
  readonly last: number;
}

interface HeldBatch extends Batch {
  /** The seq that it follows. */
  readonly after: number;
  /** There were more events when it was built, so it stays the right one when the room goes on. */
  readonly isFull: boolean;
  holders: number;
}

/** The part of a feed that says how far it has delivered, and hears that there is more. */
interface FeedHead {
  head: () => number;
  announce: (number: number) => void;
}

export class Missed {
  readonly #log: RoomLog;
  readonly #recent: Recent;
  /** The seq of the last event that was delivered; nothing beyond it goes into a batch. */
  readonly #head: () => number;
  readonly #announce: (number: number) => void;
  readonly #reading = new Map<number, Promise<HeldBatch | null>>();
  /** Messages that have changed while something is being read, which may have their earlier state. */
  readonly #changed = new Map<number, number>();
  /** The batches that sockets still have to send, by the seq that they follow. */
  readonly #held = new Map<number, HeldBatch>();

  constructor(log: RoomLog, recent: Recent, feed: FeedHead) {
    this.#log = log;
    this.#recent = recent;
    this.#head = feed.head;
    this.#announce = feed.announce;
  }

  /** The next batch after `seq`; null while there is none to be read. Every batch needs one `release`. */
  async hold(seq: number): Promise<Batch | null> {
    const batch = this.#shared(seq) ?? this.#fromMemory(seq) ?? (await this.#fromLog(seq));
    if (!batch) return null;
    batch.holders++;
    this.#held.set(seq, batch);
    return batch;
  }

  release(batch: Batch): void {
    const held = batch as HeldBatch;
    held.holders--;
    if (held.holders === 0 && this.#held.get(held.after) === held) this.#held.delete(held.after);
  }

  /** The message has changed: no batch with its earlier state is sent to anybody from now on. */
  forget({ id, changedSeq }: MessageRow): void {
    this.#held.clear();
    if (this.#reading.size > 0) this.#changed.set(id, changedSeq);
  }

  #shared(seq: number): HeldBatch | undefined {
    const batch = this.#held.get(seq);
    return batch && (batch.isFull || batch.last >= this.#head()) ? batch : undefined;
  }

  #fromMemory(seq: number): HeldBatch | null {
    const events = this.#recent.after(seq);
    return events && this.#toBatch(seq, firstOf(events, limitAfter(seq)));
  }

  #fromLog(seq: number): Promise<HeldBatch | null> {
    let reading = this.#reading.get(seq);
    if (!reading) {
      reading = this.#read(seq).finally(() => {
        this.#reading.delete(seq);
        if (this.#reading.size === 0) this.#changed.clear();
      });
      this.#reading.set(seq, reading);
    }
    return reading;
  }

  async #read(seq: number): Promise<HeldBatch | null> {
    const rows = await this.#log.after({ seq, limit: limitAfter(seq), maxBytes: BATCH_MAX_BYTES });
    // Events beyond the head are delivered live once the socket has caught up. They are committed, and their
    // announcement may be lost: without them there may be nothing to send, as a message has its place at its latest
    // change.
    const ahead = rows.at(-1)?.changedSeq ?? 0;
    if (ahead > this.#head()) this.#announce(ahead);
    const delivered = rows.filter((row) => row.changedSeq <= this.#head() && !this.#hasChanged(row));
    return this.#toBatch(
      seq,
      delivered.map((row) => ({ seq: row.changedSeq, id: row.id, json: encodeMessage(row).json })),
    );
  }

  #hasChanged({ id, changedSeq }: MessageRow): boolean {
    return (this.#changed.get(id) ?? 0) > changedSeq;
  }

  #toBatch(after: number, events: readonly RecentEvent[]): HeldBatch | null {
    const last = events.at(-1);
    if (!last) return null;
    const json = events.map((event) => event.json);
    const frame = encodeTextFrame(encodeBatch(this.#log.roomId, json));
    return { frame, after, last: last.seq, isFull: last.seq < this.#head(), holders: 0 };
  }
}

/** Batches end at the same boundaries for all, so sockets that come from different positions soon share them. */
function limitAfter(seq: number): number {
  return BATCH_MAX_EVENTS - (seq % BATCH_MAX_EVENTS);
}

/** As many of the events as fit into a batch; at least one, if there is one. */
function firstOf(events: readonly RecentEvent[], limit: number): readonly RecentEvent[] {
  let characters = 0;
  const end = events.findIndex(({ json }, index) => {
    characters += json.length;
    return index >= limit || (index > 0 && characters > BATCH_MAX_BYTES);
  });
  return end < 0 ? events : events.slice(0, end);
}
