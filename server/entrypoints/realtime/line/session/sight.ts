/**
 * What a line shows: the room that is in sight once it is open, and what was withheld from the line while it showed
 * none.
 */
import { HEAD_EVERY_MS } from '../../../../../protocol/limits.ts';
import type { Seat } from '../../room/seat.ts';
import type { HeadLine } from '../heads/heads.ts';
import type { Lines } from '../lines.ts';
import type { BriefRooms } from '../room-list/brief-rooms.ts';
import { Here } from './here.ts';
import type { Channels, OpenRooms } from './open-rooms.ts';

/** The line. */
export interface SightLine extends HeadLine {
  readonly user: { userId: number; username: string };
  readonly open: Pick<OpenRooms, 'seat'>;
  readonly brief: Pick<BriefRooms, 'tellWithheld'>;
}

export class Sight {
  readonly #line: SightLine;
  readonly #lines: Lines;
  readonly #here: Here;
  /** The room that is in sight once it is open. */
  #wanted: number | null = null;
  /** When withheld heads were last sent; and whether more are due. */
  #withheldToldAt = Number.NEGATIVE_INFINITY;
  #awaitsWithheld = false;

  constructor(line: SightLine, lines: Lines, channels: Channels) {
    this.#line = line;
    this.#lines = lines;
    this.#here = new Here(line.user, channels);
  }

  /** No room is shown, or what was withheld meanwhile has not been sent yet. */
  get isHidden(): boolean {
    return this.#wanted === null || this.#awaitsWithheld;
  }

  /** Null: no room is in sight. */
  look(roomId: number | null): void {
    this.#lines.heads.catchUp(this.#line);
    const wasHidden = this.isHidden;
    this.#wanted = roomId;
    this.#awaitsWithheld = wasHidden && roomId !== null;
    const seat = roomId === null ? undefined : this.#line.open.seat(roomId);
    this.#look(seat ?? null);
    this.#tellWithheld(performance.now());
  }

  onSeated(seat: Seat): void {
    if (seat.channel.roomId === this.#wanted) this.#look(seat);
  }

  /** Mutes and bans of the user in this seat's room have changed. */
  onRestricted(seat: Seat): void {
    if (this.#here.roomId === seat.channel.roomId) this.#look(seat);
  }

  /** The line is about to close this room. */
  onClosing(roomId: number): void {
    if (this.#wanted === roomId) this.look(null);
  }

  /** The user may not be in this room any more. */
  leaveAtOnce(roomId: number): void {
    this.#here.leaveAtOnce(roomId);
  }

  /** Called each second; `now`: monotonic milliseconds. */
  tick(now: number): void {
    this.#here.tick(now);
    const { unseen } = this.#here;
    // A ban ends by its time, too.
    if (unseen && !this.#isBanned(unseen)) this.#look(unseen);
    this.#tellWithheld(now);
  }

  /** The socket has closed. `isStop`: for a restart, over which nobody leaves. */
  end(isStop: boolean): void {
    this.#here.end(isStop);
  }

  #look(seat: Seat | null): void {
    this.#here.look(seat, performance.now(), seat !== null && this.#isBanned(seat));
  }

  #isBanned(seat: Seat): boolean {
    return seat.isBanned(this.#lines.parts.now());
  }

  /** At most once a second: a client may hide and show a room more often. Until then the line counts as hidden. */
  #tellWithheld(now: number): void {
    if (!this.#awaitsWithheld || now - this.#withheldToldAt < HEAD_EVERY_MS) return;
    this.#lines.heads.catchUp(this.#line);
    this.#awaitsWithheld = false;
    this.#withheldToldAt = now;
    this.#line.brief.tellWithheld();
  }
}
