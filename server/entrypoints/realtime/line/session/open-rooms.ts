/** The rooms that a line has open, with a seat in each. They are opened one at a time, as only one may resume. */
import { AppError } from '../../../../../protocol/errors.ts';
import { OPEN_ROOMS_MAX } from '../../../../../protocol/limits.ts';
import type { UserRole } from '../../../../../protocol/people.ts';
import type { RoomRole } from '../../../../../protocol/rooms.ts';
import type { EntryRow, RoomRow, Standing } from '../../../../data/storage/store.ts';
import { permit } from '../../../../features/rooms/permit.ts';
import { roleOf, toRoom } from '../../../../features/rooms/shapes.ts';
import type { Channel, Place } from '../../room/channel.ts';
import type { Cursor } from '../../room/resume.ts';
import { type Restrictions, Seat, type SeatHolder } from '../../room/seat.ts';
import { encodeV2, wireOpen } from '../../wire/v2.ts';
import type { Entry, Refusal } from '../../wire/wire.ts';
import type { Lines } from '../lines.ts';

/** The channels of the process. Every `hold` needs one `release`. */
export interface Channels {
  hold(roomId: number): Promise<Channel>;
  release(roomId: number): void;
}

/** The line. */
export interface Opener extends SeatHolder {
  readonly userId: number;
  refuse(refusal: Refusal): void;
  /** Resolves when the client has what its log said while it was away, or when the socket is closed. */
  readonly caughtUp: Promise<void>;
  /** A seat is taken, and its first frame is sent. */
  onSeated(seat: Seat): void;
  /** The room cannot be opened. */
  onRefused(roomId: number, error: unknown): void;
}

/** A room, as `opened` describes it. */
interface Found {
  room: RoomRow;
  role: RoomRole | undefined;
  /** The people of a direct conversation. */
  people: EntryRow['people'] | undefined;
  restrictions: Restrictions | null;
}

interface Opening {
  roomId: number;
  cursor: Cursor | undefined;
  /** The room as the line's list had it, which was read while this waited; undefined once the user's log says more. */
  listed: EntryRow | undefined;
}

interface Seated {
  /** Resolves when the seat is live or closed. */
  entered: Promise<void>;
}

export class OpenRooms {
  readonly #line: Opener;
  readonly #lines: Lines;
  readonly #channels: Channels;
  readonly #seats = new Map<number, Seat>();
  /** The rooms that are still to be opened, the one that is being opened included. */
  readonly #waiting = new Map<number, Opening>();
  #isOpening = false;
  /** The list of the line's rooms was read. */
  #hasList = false;
  /** What `opened` says of the room that is being opened. */
  #found: Found | null = null;
  /** Kept for the room that is being opened. */
  #place: Place | null = null;
  /** How often what the user may read may have changed. */
  #doubts = 0;

  constructor(line: Opener, lines: Lines, channels: Channels) {
    this.#line = line;
    this.#lines = lines;
    this.#channels = channels;
  }

  has(roomId: number): boolean {
    return this.#seats.has(roomId);
  }

  /** Open, or to be opened. */
  isWanted(roomId: number): boolean {
    return this.#seats.has(roomId) || this.#waiting.has(roomId);
  }

  seat(roomId: number): Seat | undefined {
    return this.#seats.get(roomId);
  }

  seats(): Iterable<Seat> {
    return this.#seats.values();
  }

  /** The frame that says that the room of this seat is open; only while the seat is being taken. */
  welcome(seat: Seat, { roomId, head, online, users, resumed }: Entry): string {
    if (!this.#found) throw new Error(`room ${seat.channel.roomId} is not being opened`);
    const { room, role, people } = this.#found;
    return encodeV2({
      type: 'opened',
      room_id: roomId,
      seq: head,
      online,
      users: users(),
      resumed,
      room: toRoom({ ...room, seq: head }, { online, role, people }),
    });
  }

  /**
   * The line's list was just read. What waits to be opened waits for it, as it has what a member's `opened` says: a
   * line that comes back then needs no read for its rooms.
   */
  begin(entries: readonly EntryRow[]): void {
    this.#hasList = true;
    for (const entry of entries) {
      const opening = this.#waiting.get(entry.room.id);
      if (opening) opening.listed = entry;
    }
    if (!this.#isOpening) void this.#openAll();
  }

  /** The user's log says more about a room than the list did, and than what is being read of it. */
  forgetListed(roomId: number): void {
    const opening = this.#waiting.get(roomId);
    if (opening) opening.listed = undefined;
    this.doubt();
  }

  /** What the user may read may have changed: the right to the room that is being opened is read again. */
  doubt(): void {
    this.#doubts++;
    if (this.#place) this.#place.isTaken = true;
  }

  /**
   * The user's role has changed, or may have. A guest reads a room only as a member: each open room in which this line
   * knows of no membership is closed. A guest who is a member learns of the room
   * again from the user's log.
   */
  judge(role: UserRole): void {
    this.doubt();
    if (role !== 'guest') return;
    for (const roomId of [...this.#seats.keys()]) {
      // The end of another seat may have closed the socket, and with it all rooms.
      const seat = this.#seats.get(roomId);
      if (seat && !this.#line.isMember(roomId)) seat.channel.takeOut(seat, 'no_access');
    }
  }

  /** Sends who is online and who types to seats that were left out while the socket had much unsent. */
  showMissed(): void {
    for (const seat of this.#seats.values()) {
      if (!seat.missedEphemeral) continue;
      seat.missedEphemeral = false;
      seat.channel.showPresence(seat);
    }
  }

  /** Opens a room after those that are waiting; one that is already open is opened again. */
  open(roomId: number, cursor: Cursor | undefined): void {
    this.close(roomId);
    if (this.#seats.size + this.#waiting.size >= OPEN_ROOMS_MAX) {
      return this.#line.refuse({ code: 'invalid_frame', roomId });
    }
    this.#waiting.set(roomId, { roomId, cursor, listed: undefined });
    if (this.#hasList && !this.#isOpening) void this.#openAll();
  }

  /** The room is brief from now on; a resume under way ends. */
  close(roomId: number): void {
    this.#waiting.delete(roomId);
    const seat = this.#seats.get(roomId);
    if (!seat) return;
    this.#seats.delete(roomId);
    seat.channel.leave(seat);
    this.#channels.release(roomId);
  }

  closeAll(): void {
    this.#waiting.clear();
    for (const roomId of [...this.#seats.keys()]) this.close(roomId);
  }

  async #openAll(): Promise<void> {
    this.#isOpening = true;
    for (;;) {
      const [opening] = this.#waiting.values();
      if (!opening || !this.#line.isOpen()) break;
      try {
        await this.#open(opening);
      } catch (error) {
        // Whether the room is gone, and why, is told first.
        if (error instanceof AppError && error.code === 'room_not_found') await this.#line.caughtUp;
        // A room that was closed meanwhile needs no response, and one that was opened again gets that of the later
        // open.
        if (!this.#isWaiting(opening)) continue;
        this.#waiting.delete(opening.roomId);
        this.#line.onRefused(opening.roomId, error);
      }
    }
    this.#isOpening = false;
  }

  async #open(opening: Opening): Promise<void> {
    const { roomId } = opening;
    // Before anything is held: the time it takes must not reveal that the room exists, or that it is in use. The room
    // of a member needs no such care.
    const doubts = this.#doubts;
    let standing = this.#line.isMember(roomId) ? null : await this.#permit(roomId);
    const channel = await this.#channels.hold(roomId);
    let seated: Seated | null = null;
    try {
      if (opening.cursor) await channel.reach(opening.cursor);
      if (doubts !== this.#doubts) standing = null;
      while (!seated && this.#isWaiting(opening)) {
        seated = await this.#sit(opening, channel, standing);
        standing = null;
      }
    } finally {
      if (!seated) this.#channels.release(roomId);
    }
    await seated?.entered;
  }

  /** False once the room was closed, or opened again. */
  #isWaiting(opening: Opening): boolean {
    return this.#line.isOpen() && this.#waiting.get(opening.roomId) === opening;
  }

  /**
   * Takes the seat. If the user is removed while their membership is read, the place that was kept before that read is
   * taken away. What they may do is then read again, as a public room stays open to them.
   *
   * `standing` was read before. It is read anew if the channel has delivered something since: a later loss is delivered
   * to the place.
   */
  async #sit(opening: Opening, channel: Channel, standing: Standing | null): Promise<Seated | null> {
    const { roomId, cursor } = opening;
    const place = channel.reserve(this.#line.userId);
    this.#place = place;
    try {
      const isFresh = standing !== null && standing.room.seq >= channel.head;
      this.#found =
        this.#listed(opening, channel) ??
        (await this.#find(roomId, isFresh ? standing : await this.#permit(roomId)));
      if (place.isTaken || !this.#isWaiting(opening)) return null;
      this.#waiting.delete(roomId);
      const seat = new Seat(this.#line, channel, wireOpen);
      seat.restrict(this.#found.restrictions);
      this.#seats.set(roomId, seat);
      const entered = channel.enter(seat, cursor);
      this.#line.onSeated(seat);
      return { entered };
    } finally {
      this.#found = null;
      this.#place = null;
      channel.giveBack(place);
    }
  }

  /** What the list says, if nothing has been delivered since, neither of the room nor of the user's log. */
  #listed({ roomId, listed }: Opening, channel: Channel): Found | null {
    if (!listed || listed.room.seq < channel.head || !this.#line.isMember(roomId)) return null;
    const { room, member, people } = listed;
    return {
      room,
      role: roleOf(member),
      people: room.kind === 'dm' ? people : undefined,
      restrictions: member,
    };
  }

  /** Throws `AppError` `room_not_found`. */
  async #find(roomId: number, { room, member }: Standing): Promise<Found> {
    const { store } = this.#lines.parts;
    const { userId } = this.#line;
    const role = roleOf(member);
    const restrictions = member;
    if (room.kind !== 'dm') return { room, role, people: undefined, restrictions };
    const [entry] = await store.entries({ userId, roomIds: [roomId], maxDms: 1 });
    return { room, role, people: entry?.people ?? [], restrictions };
  }

  /** Throws `AppError` `room_not_found`. */
  async #permit(roomId: number): Promise<Standing> {
    const { userId } = this.#line;
    const { store, now } = this.#lines.parts;
    return await permit(store, 'read', { roomId, userId }, now());
  }
}
