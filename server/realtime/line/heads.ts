/**
 * The rooms that users of this process have on their lists, in brief. What changed goes out each second on one tick for
 * the whole process; direct conversations at once; and every fifteenth time to lines that show no room.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HEAD_EVERY_HIDDEN_MS, HEAD_EVERY_MS } from '../../../protocol/limits.ts';
import type { Notice } from '../../../protocol/notices.ts';
import type { Presence } from '../../presence/presence.ts';
import type { MessageRow, RoomRow, Store } from '../../storage/store.ts';
import { type Audience, type HeadParts, type HeadReader, RoomHead } from './room-head.ts';

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

export class Heads {
  readonly #headParts: HeadParts;
  readonly #heads = new Map<number, RoomHead>();
  /** By user. The lists are replaced and never changed, as they are walked in several turns. */
  readonly #lines = new Map<number, readonly HeadLine[]>();
  readonly #untold = { inSight: new Set<RoomHead>(), hidden: new Set<RoomHead>() };
  /** Direct conversations in which something has happened in this turn. */
  readonly #urgent = new Set<RoomHead>();
  /** While lists of rooms are being read: the latest message of each room that has no head yet. */
  readonly #unheard = new Map<number, MessageRow>();
  /** In the same time: the numbers at which users lost rooms, by room and user. */
  readonly #lost = new Map<string, number>();
  #reading = 0;
  #ticks = 0;
  #isTelling = false;

  constructor({ store, presence }: { store: Store; presence: Presence }) {
    this.#headParts = {
      store,
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
  }

  /** Reads rooms that are to get heads, so that no message falls between the read and `follow`. */
  async reading<T>(read: () => Promise<T>): Promise<T> {
    this.#reading++;
    try {
      return await read();
    } finally {
      // The caller follows the rooms in the microtasks after this.
      setImmediate(() => {
        if (--this.#reading > 0) return;
        this.#unheard.clear();
        this.#lost.clear();
      });
    }
  }

  /** The line has this room on its list; `room` is as it was read. */
  follow(line: HeadLine, room: RoomRow): RoomHead {
    let head = this.#heads.get(room.id);
    if (!head) {
      head = new RoomHead(room, this.#headParts);
      this.#heads.set(room.id, head);
      const latest = this.#unheard.get(room.id);
      if (latest) head.announce(latest.changedSeq, latest);
    }
    head.followed(line);
    return head;
  }

  /** Whether a removal came between the read of this room and `follow`: the head may have delivered it by then. */
  hasLost(userId: number, room: RoomRow): boolean {
    return (this.#lost.get(`${room.id} ${userId}`) ?? 0) > room.seq;
  }

  unfollow(line: HeadLine, head: RoomHead): void {
    if (head.unfollowed(line)) return;
    this.#heads.delete(head.roomId);
    for (const heads of [this.#untold.inSight, this.#untold.hidden, this.#urgent]) heads.delete(head);
  }

  /** The number up to which everything of this room has been delivered; infinite where nobody has it on a list. */
  deliveredIn(roomId: number): number {
    return this.#heads.get(roomId)?.head ?? Number.POSITIVE_INFINITY;
  }

  hear(message: MessageRow): void {
    if (this.#reading > 0 && message.notice !== null) this.#noteLoss(message, JSON.parse(message.notice));
    const head = this.#heads.get(message.roomId);
    if (head) head.announce(message.changedSeq, message);
    else if (this.#reading > 0) this.#unheard.set(message.roomId, message);
  }

  #noteLoss({ roomId, changedSeq }: MessageRow, notice: Notice): void {
    if (notice.kind !== 'removed' && notice.kind !== 'left') return;
    this.#lost.set(`${roomId} ${notice.member.user_id}`, changedSeq);
  }

  /** Called each second. */
  tick(): void {
    this.#ticks++;
    if (this.#isTelling) return;
    const inSight = this.#take('inSight');
    const hidden = this.#ticks % HIDDEN_TICKS === 0 ? this.#take('hidden') : new Map<RoomHead, Buffer>();
    if (inSight.size > 0 || hidden.size > 0) void this.#tell(inSight, hidden);
  }

  async #tell(inSight: HeadFrames, hidden: HeadFrames): Promise<void> {
    this.#isTelling = true;
    try {
      let told = 0;
      for (const lines of this.#lines.values()) {
        for (const line of lines) {
          const frames = line.isHidden ? hidden : inSight;
          if (frames.size === 0) continue;
          line.tellHeads(frames);
          if (++told % LINES_A_TURN === 0) await nextTurn();
        }
      }
    } finally {
      this.#isTelling = false;
    }
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
          const frame = line.isHidden ? frames.hidden : frames.inSight;
          if (frame) line.tellHeads(new Map([[head, frame]]));
        }
      }
    }
  }
}
