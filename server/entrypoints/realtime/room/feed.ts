/** A room's durable events in order, for the sockets that have it open, and what such a socket has missed. */
import type { MessageRow } from '../../../data/storage/store.ts';
import { InOrder, type Page } from '../log/in-order.ts';
import { LeftOut } from '../log/left-out.ts';
import type { Patience } from '../log/patience.ts';
import { sizeOfMessage } from '../log/row-size.ts';
import { encodeMessage } from '../wire/shared-frames.ts';
import type { LiveMessage } from '../wire/wire.ts';
import { type Batch, Missed } from './missed.ts';
import { Recent } from './recent.ts';
import type { RoomLog } from './room-log.ts';

/** Messages in one read after a gap. */
const CATCH_UP_PAGE = 200;

export class Feed extends InOrder<MessageRow> {
  /** Sockets that are resuming; while there are any, more recent events are kept. */
  resuming = 0;
  readonly #log: RoomLog;
  readonly #deliver: (message: LiveMessage) => void;
  readonly #recent = new Recent();
  readonly #missed: Missed;
  readonly #leftOut = new LeftOut();

  /** `deliver` is called for each event in order. */
  constructor(log: RoomLog, deliver: (message: LiveMessage) => void, patience?: Patience) {
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

  protected override sizeOf(row: MessageRow): number {
    return sizeOfMessage(row);
  }

  protected async readAfter(seq: number): Promise<Page<MessageRow>> {
    return { rows: await this.#log.after({ seq, limit: CATCH_UP_PAGE }) };
  }

  protected deliver(row: MessageRow, before: number): void {
    const { json } = encodeMessage(row);
    const { id, seq, changedSeq } = row;
    const isChange = changedSeq !== seq;
    this.#recent.push({ seq: changedSeq, id, json }, { isChange, isResuming: this.resuming > 0 });
    if (isChange) this.#missed.forget(row);
    const isNew = this.#leftOut.pass(row, before);
    // Written out: a spread takes as long as everything else here.
    this.#deliver({ row, json, isNew, isAfterGap: changedSeq > before + 1 });
  }
}
