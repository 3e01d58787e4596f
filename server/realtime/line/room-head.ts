/**
 * A room in brief: its number and who here has it on their list. It costs a room with nobody in it some hundred bytes
 * for the process, and keeps a change only until it is sent.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerFrameV2 } from '../../../protocol/frames/v2.ts';
import { HEAD_LIST_MAX } from '../../../protocol/limits.ts';
import type { Notice } from '../../../protocol/notices.ts';
import { toLast, toRoom } from '../../rooms/shapes.ts';
import type { MessageRow, RoomRow, Store } from '../../storage/store.ts';
import { encodeTextFrame } from '../fanout/text-frame.ts';
import { InOrder, type Page } from '../log/in-order.ts';
import type { Patience } from '../log/patience.ts';
import { encodeV2 } from '../wire/v2.ts';

const CATCH_UP_PAGE = 200;
/** The pause before a room that could not be read is read again. */
const RETRY_MS = 1000;
/** Characters of a message that its excerpt is made from. */
const START_MAX = 1000;

/** A line. */
export interface HeadReader {
  readonly userId: number;
  /** If it has the room on its list: the user has lost it, by leaving or by a removal. */
  onOut(roomId: number, isRemoved: boolean): void;
}

/** What is still to be sent. There are two: a client that shows no room gets it less often. */
interface Untold {
  from: number;
  /** Texts after `from`, with their authors; null: too many. */
  texts: [seq: number, userId: number][] | null;
  last: MessageRow | null;
  /** The room, when it has changed. */
  room: RoomRow | null;
  /** Its frame, once it was asked for. */
  frame: Buffer | null;
}

export type Audience = 'inSight' | 'hidden';

export interface HeadParts {
  store: Pick<Store, 'findRoom' | 'messagesAfter'>;
  patience: { forRooms: Patience; forDms: Patience };
  online(roomId: number): number;
  /** All lines of a user, whether or not they have the room. */
  linesOf(userId: number): Iterable<HeadReader>;
  /** Something has happened since the last frame. */
  onUntold(head: RoomHead): void;
}

export class RoomHead extends InOrder<MessageRow> {
  readonly roomId: number;
  readonly isDm: boolean;
  /** Lines that have the room on their list. They are only counted: fifty rooms of each socket would be as many entries. */
  #followers = 0;
  /** Of a direct conversation: its people here, with the number of their lines. */
  readonly #people: Map<number, number> | null;
  readonly #parts: HeadParts;
  #number = 0;
  #inSight: Untold | null = null;
  #hidden: Untold | null = null;

  /** `room`: as it was read. */
  constructor(room: RoomRow, parts: HeadParts) {
    const isDm = room.kind === 'dm';
    super(isDm ? parts.patience.forDms : parts.patience.forRooms);
    this.roomId = room.id;
    this.isDm = isDm;
    this.#people = this.isDm ? new Map() : null;
    this.#number = room.number;
    this.#parts = parts;
    this.startAt(room.seq);
  }

  followed({ userId }: HeadReader): void {
    this.#followers++;
    this.#people?.set(userId, (this.#people.get(userId) ?? 0) + 1);
  }

  /** False when nobody follows it any more. Every call needs a `followed` before it. */
  unfollowed({ userId }: HeadReader): boolean {
    const left = (this.#people?.get(userId) ?? 1) - 1;
    if (left > 0) this.#people?.set(userId, left);
    else this.#people?.delete(userId);
    return --this.#followers > 0;
  }

  /** The users here who have this direct conversation. */
  people(): Iterable<number> {
    return this.#people?.keys() ?? [];
  }

  /** The frame with everything since the last one of this audience. */
  frame(audience: Audience): Buffer | null {
    const untold = audience === 'hidden' ? this.#hidden : this.#inSight;
    if (!untold) return null;
    untold.frame ??= this.#encode(untold);
    return untold.frame;
  }

  /** This audience has got its frame. */
  told(audience: Audience): void {
    if (audience === 'hidden') this.#hidden = null;
    else this.#inSight = null;
  }

  protected numberOf(row: MessageRow): number {
    return row.changedSeq;
  }

  protected override sizeOf({ content, notice }: MessageRow): number {
    return content.length + (notice?.length ?? 0);
  }

  protected async readAfter(seq: number): Promise<Page<MessageRow>> {
    const query = { roomId: this.roomId, seq, limit: CATCH_UP_PAGE };
    return { rows: await this.#parts.store.messagesAfter(query) };
  }

  /** `before`: between it and the row are only numbers that later changes superseded. */
  protected deliver(row: MessageRow, before: number): void {
    const isText = row.notice === null;
    const isNew = row.changedSeq === row.seq;
    if (isText && isNew) this.#number++;
    for (const untold of this.#untold(before)) {
      if (isText) (isNew ? listText : listChange)(untold, row);
    }
    if (row.notice !== null) this.#obey(JSON.parse(row.notice));
    this.#parts.onUntold(this);
  }

  #encode({ from, texts, last, room }: Untold): Buffer {
    const frame: Extract<ServerFrameV2, { type: 'head' }> = {
      ...{ type: 'head', room_id: this.roomId, from, seq: this.head, number: this.#number },
      ...(room && { room: toRoom(room, { online: this.#parts.online(this.roomId) }) }),
      ...(last && { last: toLast({ ...last, start: last.content.slice(0, START_MAX) }) }),
      ...(texts && { texts }),
    };
    return encodeTextFrame(encodeV2(frame));
  }

  /** The two, which are about to change. */
  #untold(from: number): Untold[] {
    this.#inSight ??= { from, texts: [], last: null, room: null, frame: null };
    this.#hidden ??= { from, texts: [], last: null, room: null, frame: null };
    const both = [this.#inSight, this.#hidden];
    for (const untold of both) untold.frame = null;
    return both;
  }

  #obey(notice: Notice): void {
    if ('room' in notice) return void this.#readRoom();
    // From this number on nothing of the room is theirs.
    if (notice.kind !== 'removed' && notice.kind !== 'left') return;
    for (const line of this.#parts.linesOf(notice.member.user_id)) {
      line.onOut(this.roomId, notice.kind === 'removed');
    }
  }

  /**
   * The notice has the room's facts; the room has its numbers, too. No later head brings them, so a read that failed is
   * repeated.
   */
  async #readRoom(): Promise<void> {
    do {
      try {
        const room = await this.#parts.store.findRoom(this.roomId);
        if (room) this.#setRoom(room);
        return;
      } catch {
        await sleep(RETRY_MS);
      }
    } while (this.#followers > 0);
  }

  #setRoom(room: RoomRow): void {
    for (const untold of this.#untold(this.head)) untold.room = room;
    this.#parts.onUntold(this);
  }
}

function listText(untold: Untold, row: MessageRow): void {
  untold.last = row;
  if (untold.texts && untold.texts.length < HEAD_LIST_MAX) untold.texts.push([row.seq, row.userId]);
  else untold.texts = null;
}

function listChange(untold: Untold, row: MessageRow): void {
  if (untold.last?.seq === row.seq) untold.last = row;
  // It is new to the clients, and was read only after it had changed: they ask for their counts.
  const isListed = untold.texts?.some(([seq]) => seq === row.seq);
  if (row.seq > untold.from && !isListed) untold.texts = null;
}
