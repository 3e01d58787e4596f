/**
 * A room in brief: its number and who here has it on their list. It costs a room with nobody in it some hundred bytes
 * for the process, and keeps a change only until it is sent.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerFrameV2 } from '../../../../../protocol/frames/v2.ts';
import { HEAD_LIST_MAX } from '../../../../../protocol/limits.ts';
import type { Notice } from '../../../../../protocol/notices.ts';
import { roomKind } from '../../../../../protocol/rooms.ts';
import type { MessageRow, RoomRow, Store } from '../../../../data/storage/store.ts';
import { toLast, toRoom } from '../../../../features/rooms/shapes.ts';
import { filesOf } from '../../../../rules/attached-files.ts';
import { encodeTextFrame } from '../../fanout/text-frame.ts';
import { InOrder, type Page } from '../../log/in-order.ts';
import { LeftOut } from '../../log/left-out.ts';
import type { Patience } from '../../log/patience.ts';
import { sizeOfMessage } from '../../log/row-size.ts';
import { encodeV2 } from '../../wire/v2.ts';

const CATCH_UP_PAGE = 200;
/** The pause before a room that could not be read is read again. */
const RETRY_MS = 1000;

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
  /** Texts up to `from` that were deleted, with their authors. */
  gone: [seq: number, userId: number][];
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
  /**
   * Lines that have the room on their list. They are only counted: fifty rooms of each socket would be as many entries.
   */
  #lineCount = 0;
  /** The people of a direct conversation who are here, with the number of their lines. */
  readonly #people: Map<number, number> | null;
  readonly #parts: HeadParts;
  readonly #leftOut = new LeftOut();
  #number = 0;
  /** No text that came before has a higher seq. */
  #lastText: number;
  /** A text has come, so `#lastText` is that of the latest one. */
  #hasText = false;
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
    this.#lastText = room.seq;
    this.#parts = parts;
    this.startAt(room.seq);
  }

  attach({ userId }: HeadReader): void {
    this.#lineCount++;
    this.#people?.set(userId, (this.#people.get(userId) ?? 0) + 1);
  }

  /** False when no line is left. Every call needs an `attach` before it. */
  detach({ userId }: HeadReader): boolean {
    const left = (this.#people?.get(userId) ?? 1) - 1;
    if (left > 0) this.#people?.set(userId, left);
    else this.#people?.delete(userId);
    return --this.#lineCount > 0;
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

  protected override sizeOf(row: MessageRow): number {
    return sizeOfMessage(row);
  }

  protected async readAfter(seq: number): Promise<Page<MessageRow>> {
    const query = { roomId: this.roomId, seq, limit: CATCH_UP_PAGE };
    return { rows: await this.#parts.store.messagesAfter(query) };
  }

  /** `before`: between it and the row are only numbers that later changes superseded. */
  protected deliver(row: MessageRow, before: number): void {
    const isNew = this.#leftOut.pass(row, before);
    const both = this.#untold(before);
    if (row.notice !== null) this.#obey(JSON.parse(row.notice));
    // The replies of a thread have no place in the room's main flow.
    else if ((row.facts?.threadId ?? null) === null) this.#list(row, isNew, both);
    this.#parts.onUntold(this);
  }

  #list(row: MessageRow, isNew: boolean, both: readonly Untold[]): void {
    if (isNew) this.#number++;
    // Until a text comes, an earlier one that changes may be the latest: clients know which one is.
    const isLast = isNew ? row.seq > this.#lastText : !this.#hasText || row.seq === this.#lastText;
    if (isNew && isLast) {
      this.#lastText = row.seq;
      this.#hasText = true;
    }
    for (const untold of both) {
      if (isNew) listText(untold, row);
      else if (isDeleted(row)) listDeleted(untold, row);
      if (isLast && row.seq >= (untold.last?.seq ?? 0)) untold.last = row;
    }
  }

  #encode({ from, texts, gone, last, room }: Untold): Buffer {
    const frame: Extract<ServerFrameV2, { type: 'head' }> = {
      type: 'head',
      room_id: this.roomId,
      from,
      seq: this.head,
      number: this.#number,
      ...(room && { room: toRoom(room, { online: this.#parts.online(this.roomId) }) }),
      ...(last && { last: toLast({ ...last, start: last.content, files: filesOf(last.facts).length }) }),
      ...(texts && { texts }),
      ...(texts && gone.length > 0 && { gone }),
    };
    return encodeTextFrame(encodeV2(frame));
  }

  /** The two, which are about to change. */
  #untold(from: number): Untold[] {
    this.#inSight ??= { from, texts: [], gone: [], last: null, room: null, frame: null };
    this.#hidden ??= { from, texts: [], gone: [], last: null, room: null, frame: null };
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
        // A room that was deleted meanwhile has a kind that nobody knows. Its lines lose it by a frame of its own.
        if (room && roomKind.safeParse(room.kind).success) this.#setRoom(room);
        return;
      } catch {
        await sleep(RETRY_MS);
      }
    } while (this.#lineCount > 0);
  }

  #setRoom(room: RoomRow): void {
    for (const untold of this.#untold(this.head)) untold.room = room;
    this.#parts.onUntold(this);
  }
}

/** A text that was read only after it had changed is out of order: the clients ask for their counts. */
function listText(untold: Untold, row: MessageRow): void {
  const isInOrder = row.changedSeq === row.seq;
  if (isInOrder && untold.texts && untold.texts.length < HEAD_LIST_MAX)
    untold.texts.push([row.seq, row.userId]);
  else untold.texts = null;
}

function isDeleted({ facts }: MessageRow): boolean {
  return facts !== null && facts.deletedAt !== null;
}

/** A text that the clients have counted is gone, or one that they have not heard of yet. */
function listDeleted(untold: Untold, row: MessageRow): void {
  const place = untold.texts?.findIndex(([seq]) => seq === row.seq) ?? -1;
  if (place >= 0) untold.texts?.splice(place, 1);
  else if (untold.gone.length < HEAD_LIST_MAX) untold.gone.push([row.seq, row.userId]);
  else untold.texts = null;
}
