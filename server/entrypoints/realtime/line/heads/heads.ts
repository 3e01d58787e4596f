/**
 * The rooms that users of this process have on their lists, in brief. What changed goes out each second on one tick for
 * the whole process; direct conversations at once; and every fifteenth time to lines that show no room.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HEAD_EVERY_HIDDEN_MS, HEAD_EVERY_MS } from '../../../../../protocol/limits.ts';
import type { Notice } from '../../../../../protocol/notices.ts';
import type { Bus } from '../../../../data/bus/bus.ts';
import type { MessageRow, RoomRow, Store } from '../../../../data/storage/store.ts';
import type { Presence } from '../../../../features/presence/presence.ts';
import { patienceWith } from '../../log/patience.ts';
import { Meantime, type RoomEvent } from './meantime.ts';
import { type Audience, type HeadParts, type HeadReader, RoomHead } from './room-head.ts';

/**
 * Of a room that no client of this process has open, the bus brings numbers alone. It is read this often at most, as
 * heads go out each second.
 */
const QUIET_ROW_MS = 250;
/** Lines in one turn of the event loop. */
const LINES_A_TURN = 500;
const HIDDEN_TICKS = HEAD_EVERY_HIDDEN_MS / HEAD_EVERY_MS;

/** Frames to send, by room. */
export type HeadFrames = ReadonlyMap<RoomHead, Buffer>;

export interface HeadLine extends HeadReader {
  /** It shows no room, or has not yet got what was withheld while it showed none. */
  readonly isHidden: boolean;
  tellHeads(frames: HeadFrames): void;
}

/** What one tick sends. */
interface Round {
  readonly inSight: HeadFrames;
  readonly hidden: HeadFrames;
  /** The lines that have not got theirs. */
  readonly waiting: Set<HeadLine>;
}

export class Heads {
  readonly #headParts: HeadParts;
  readonly #heads = new Map<number, RoomHead>();
  /** By user. */
  readonly #lines = new Map<number, readonly HeadLine[]>();
  readonly #untold = { inSight: new Set<RoomHead>(), hidden: new Set<RoomHead>() };
  /** Direct conversations in which something has happened in this turn. */
  readonly #urgent = new Set<RoomHead>();
  /** Events of rooms that have no head yet, and losses. */
  readonly #meantime = new Meantime();
  #ticks = 0;
  #round: Round | null = null;

  constructor({
    store,
    presence,
    bus,
  }: { store: Store; presence: Presence; bus: Pick<Bus, 'crossingMs' | 'crossed'> }) {
    this.#headParts = {
      store,
      patience: { forRooms: patienceWith(bus, QUIET_ROW_MS), forDms: patienceWith(bus) },
      online: (roomId) => presence.online(roomId),
      linesOf: (userId) => this.#lines.get(userId) ?? [],
      onUntold: (head) => this.#onUntold(head),
    };
  }

  add(line: HeadLine): void {
    this.#lines.set(line.userId, [...(this.#lines.get(line.userId) ?? []), line]);
  }

  delete(line: HeadLine): void {
    const others = this.#lines.get(line.userId)?.filter((other) => other !== line) ?? [];
    if (others.length > 0) this.#lines.set(line.userId, others);
    else this.#lines.delete(line.userId);
    this.#round?.waiting.delete(line);
  }

  /** Reads rooms that are to get heads, so that no message falls between the read and `attach`. */
  reading<T>(read: () => Promise<T>): Promise<T> {
    return this.#meantime.during(read);
  }

  /** The line has this room on its list; `room` is as it was read. */
  attach(line: HeadLine, room: RoomRow): RoomHead {
    this.catchUp(line);
    let head = this.#heads.get(room.id);
    if (!head) {
      head = new RoomHead(room, this.#headParts);
      this.#heads.set(room.id, head);
      const latest = this.#meantime.latestIn(room.id);
      if (latest) head.announce(latest.seq, latest.message);
    }
    head.attach(line);
    return head;
  }

  /** Whether a removal came between the read of this room and `attach`: the head may have delivered it by then. */
  hasLost(userId: number, room: RoomRow): boolean {
    return this.#meantime.lostAt(room.id, userId) > room.seq;
  }

  detach(line: HeadLine, head: RoomHead): void {
    if (head.detach(line)) return;
    this.#heads.delete(head.roomId);
    for (const heads of [this.#untold.inSight, this.#untold.hidden, this.#urgent]) heads.delete(head);
  }

  /** All rooms that somebody here has on a list. */
  all(): Iterable<RoomHead> {
    return this.#heads.values();
  }

  /** The number up to which everything of this room has been delivered; infinite where nobody has it on a list. */
  deliveredIn(roomId: number): number {
    return this.#heads.get(roomId)?.head ?? Number.POSITIVE_INFINITY;
  }

  hear(message: MessageRow): void {
    if (this.#meantime.isOpen && message.notice !== null) this.#noteLoss(message, JSON.parse(message.notice));
    this.#announce(message.roomId, { seq: message.changedSeq, message });
  }

  /** The room's log has reached this number. */
  hearHead(roomId: number, seq: number): void {
    this.#announce(roomId, { seq });
  }

  #announce(roomId: number, event: RoomEvent): void {
    const head = this.#heads.get(roomId);
    if (head) head.announce(event.seq, event.message);
    else if (this.#meantime.isOpen) this.#meantime.noteEvent(roomId, event);
  }

  #noteLoss({ roomId, changedSeq }: MessageRow, notice: Notice): void {
    if (notice.kind !== 'removed' && notice.kind !== 'left') return;
    this.#meantime.noteLoss(roomId, notice.member.user_id, changedSeq);
  }

  /** Called each second. */
  tick(): void {
    this.#ticks++;
    if (this.#round) return;
    const inSight = this.#take('inSight');
    const hidden = this.#ticks % HIDDEN_TICKS === 0 ? this.#take('hidden') : new Map<RoomHead, Buffer>();
    if (inSight.size > 0 || hidden.size > 0) void this.#tell(inSight, hidden);
  }

  /**
   * A round goes over several turns of the event loop. This line gets its frames of the round under way now: what
   * follows is newer than they are, or the line is about to be hidden or shown, and they were made for what it is.
   */
  catchUp(line: HeadLine): void {
    if (this.#round?.waiting.delete(line)) this.#tellOne(line, this.#round);
  }

  async #tell(inSight: HeadFrames, hidden: HeadFrames): Promise<void> {
    const round = { inSight, hidden, waiting: new Set([...this.#lines.values()].flat()) };
    this.#round = round;
    try {
      let told = 0;
      for (const line of round.waiting) {
        round.waiting.delete(line);
        if (this.#tellOne(line, round) && ++told % LINES_A_TURN === 0) await nextTurn();
      }
    } finally {
      this.#round = null;
    }
  }

  /** False when there is nothing for it. */
  #tellOne(line: HeadLine, { inSight, hidden }: Round): boolean {
    const frames = line.isHidden ? hidden : inSight;
    if (frames.size > 0) line.tellHeads(frames);
    return frames.size > 0;
  }

  #take(audience: Audience): Map<RoomHead, Buffer> {
    const frames = new Map<RoomHead, Buffer>();
    for (const head of this.#untold[audience]) {
      const frame = head.frame(audience);
      head.told(audience);
      if (frame) frames.set(head, frame);
    }
    this.#untold[audience].clear();
    return frames;
  }

  #onUntold(head: RoomHead): void {
    if (!this.#heads.has(head.roomId)) return;
    this.#untold.inSight.add(head);
    this.#untold.hidden.add(head);
    if (!head.isDm) return;
    if (this.#urgent.size === 0) setImmediate(() => this.#tellUrgent());
    this.#urgent.add(head);
  }

  /** To everybody who has the conversation, whether their page is hidden or not. */
  #tellUrgent(): void {
    const heads = [...this.#urgent];
    this.#urgent.clear();
    for (const head of heads) {
      const frames = { inSight: head.frame('inSight'), hidden: head.frame('hidden') };
      for (const audience of ['inSight', 'hidden'] as const) {
        head.told(audience);
        this.#untold[audience].delete(head);
      }
      for (const userId of head.people()) {
        for (const line of this.#lines.get(userId) ?? []) {
          this.catchUp(line);
          const frame = line.isHidden ? frames.hidden : frames.inSight;
          if (frame) line.tellHeads(new Map([[head, frame]]));
        }
      }
    }
  }
}
