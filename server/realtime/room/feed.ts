/** A room's durable events in order, for the sockets that have it open, and what such a socket has missed. */
import type { MessageRow } from '../../storage/store.ts';
import { InOrder, type Page } from '../log/in-order.ts';
import type { Patience } from '../log/patience.ts';
import { encodeMessage } from '../wire/shared-frames.ts';
import type { EncodedMessage } from '../wire/wire.ts';
import { type Batch, Missed } from './missed.ts';
import { Recent } from './recent.ts';
import type { RoomLog } from './room-log.ts';

/** Messages in one read after a gap. */
const CATCH_UP_PAGE = 200;

export class Feed extends InOrder<MessageRow> {
  /** Sockets that are resuming; while there are any, more recent events are kept. */
  resuming = 0;
  readonly #log: RoomLog;
  readonly #deliver: (message: EncodedMessage) => void;
  readonly #recent = new Recent();
  readonly #missed: Missed;

  /** `deliver` is called for each event in order. */
  constructor(log: RoomLog, deliver: (message: EncodedMessage) => void, patience?: Patience) {
    super(patience);
    this.#log = log;
    this.#deliver = deliver;
    const announce = (number: number) => this.announceUnheard(number);
    this.#missed = new Missed(log, this.#recent, { head: () => this.head, announce });
  }

  override startAt(head: number): void {
    this.#recent.startAt(head);
    super.startAt(head);
  }

  /** Resolves when the events up to `seq` have been delivered, or when the room does not have them. */
  reach(seq: number): Promise<void> {
    return this.deliverUpTo(seq, () => this.#log.head());
  }

  /** The next batch of events after `seq`; null while there is none to be read. Every batch needs one `release`. */
  hold(seq: number): Promise<Batch | null> {
    return this.#missed.hold(seq);
  }

  release(batch: Batch): void {
    this.#missed.release(batch);
  }

  protected numberOf(row: MessageRow): number {
    return row.changedSeq;
  }

  protected override sizeOf({ content, notice }: MessageRow): number {
    return content.length + (notice?.length ?? 0);
  }

  protected async readAfter(seq: number): Promise<Page<MessageRow>> {
    return { rows: await this.#log.after({ seq, limit: CATCH_UP_PAGE }) };
  }

  protected deliver(row: MessageRow): void {
    const message = encodeMessage(row);
    this.#recent.push({ seq: row.changedSeq, json: message.json }, this.resuming > 0);
    this.#deliver(message);
  }
}
