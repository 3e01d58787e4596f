/** A socket for all rooms of a user. A room that it opens comes whole; the others on the user's list come in brief. */
import { CLOSE } from '../../../protocol/constants.ts';
import { AppError } from '../../../protocol/errors.ts';
import { START_TIMEOUT_MS } from '../../../protocol/limits.ts';
import type { Profile } from '../../../protocol/people.ts';
import { toMembership, toRoom } from '../../rooms/shapes.ts';
import { type Accepted, Connection, type ConnectionParts } from '../connection/connection.ts';
import type { Outlet } from '../fanout/outlet.ts';
import { CLOSE_ABOVE_BYTES } from '../fanout/turn.ts';
import type { Seat, TakenOut } from '../room/seat.ts';
import { encodeHello, encodeRooms, encodeV2, lineWire } from '../wire/v2.ts';
import type { Entry } from '../wire/wire.ts';
import { type BriefLine, BriefRooms } from './brief-rooms.ts';
import { type LineCommandParts, type LineSocket, perform } from './commands.ts';
import type { HeadFrames } from './heads.ts';
import { Here } from './here.ts';
import type { Lines } from './lines.ts';
import { type Channels, type Opener, OpenRooms } from './open-rooms.ts';
import { entryOf, type RoomsFrame } from './rooms-frame.ts';
import { type Known, type Starting, start } from './start.ts';
import { Unread } from './unread.ts';
import type { UserLog, UserLogReader, UserLogRow } from './user-log.ts';
import { Watched } from './watched.ts';
import type { Watcher } from './watching.ts';

export interface LineParts extends ConnectionParts, LineCommandParts {
  hub: Channels & { readonly outlet: Outlet; readonly lines: Lines };
}

export class Line
  extends Connection
  implements LineSocket, Opener, Starting, UserLogReader, BriefLine, Watcher
{
  readonly wire = lineWire;
  readonly open: OpenRooms;
  /** The epoch that the client named in `start`. */
  knownEpoch: string | undefined;
  readonly #parts: LineParts;
  readonly #lines: Lines;
  readonly #here: Here;
  /** The rooms on the user's list. */
  readonly brief: BriefRooms;
  /** Rooms that somebody removed the user from, until the user's log says so. */
  readonly #removedFrom = new Set<number>();
  readonly #openedAt = performance.now();
  #log: Promise<UserLog> | null = null;
  #hasStarted = false;
  /** Frames that wait for `hello`; null once it is sent. */
  #early: string[] | null = [];
  /** The number in the user's log up to which the client has everything. */
  #toldSeq = 0;
  /** The room that is in sight once it is open. */
  #wantedHere: number | null = null;
  /** Made by the first question. */
  #unread: Unread | null = null;
  /** Made by the first list of people. */
  #watched: Watched | null = null;

  constructor(accepted: Accepted, parts: LineParts) {
    super(accepted, parts);
    this.#parts = parts;
    this.#lines = parts.hub.lines;
    this.open = new OpenRooms(this, this.#lines, parts.hub);
    this.#here = new Here(this.user, parts.hub);
    this.brief = new BriefRooms(this, this.#lines);
  }

  get isHidden(): boolean {
    return this.#wantedHere === null;
  }

  begin(): void {
    this.#log = this.#lines.userLogs.hold(this.userId);
    this.#log.then((log) => this.#hello(log)).catch((error) => this.fail(error));
  }

  /** What is sent before `hello` follows it. */
  send(json: string | null): void {
    if (json === null || !this.isOpen()) return;
    if (this.#early) this.#early.push(json);
    else if (this.writer.unsentBytes > CLOSE_ABOVE_BYTES) this.onOverflow();
    else this.#parts.hub.outlet.send(this.writer, json);
  }

  override logFields(): Record<string, unknown> {
    return { userId: this.userId, version: 2 };
  }

  /** The first frame of the client. */
  start(known: Known): void {
    this.#hasStarted = true;
    this.knownEpoch = known.epoch;
    this.#lines.heads.add(this);
    this.#log?.then((log) => start(this, log, known, this.#lines)).catch((error) => this.fail(error));
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** The client has the user's log up to this number. */
  beginAt(userSeq: number): void {
    this.#toldSeq = userSeq;
  }

  knows(roomId: number): boolean {
    return this.brief.has(roomId);
  }

  hasOpen(roomId: number): boolean {
    return this.open.isWanted(roomId);
  }

  isLosing(roomId: number): boolean {
    return this.#removedFrom.has(roomId);
  }

  askUnread(roomIds: readonly number[]): void {
    this.#unread ??= new Unread(this, this.#lines, this.#parts.log);
    this.#unread.ask(roomIds);
  }

  sendRooms(frame: RoomsFrame): void {
    this.send(encodeRooms(frame.entries, frame));
  }

  /** A change in the user's own log. */
  tell({ member, entry }: UserLogRow): void {
    const { roomId, userSeq } = member;
    if (userSeq <= this.#toldSeq) return;
    this.#toldSeq = userSeq;
    if (member.leftAt !== null || member.hidden) {
      const isRemoved = this.#removedFrom.delete(roomId);
      const reason = member.leftAt === null ? 'hidden' : isRemoved ? 'removed' : 'left';
      return this.#gone(roomId, reason, userSeq);
    }
    // Out and in again, in one change: the client had the room, and has it no more.
    if (this.#removedFrom.delete(roomId)) this.#gone(roomId, 'removed', userSeq);
    if (this.knows(roomId)) {
      return this.send(
        encodeV2({ type: 'me', room_id: roomId, me: toMembership(member), user_seq: userSeq }),
      );
    }
    // Without an entry the user has left again, which the log tells next.
    if (!entry) return;
    this.brief.follow(entry);
    this.send(encodeV2({ type: 'room', ...entryOf(entry, this.#lines), user_seq: userSeq }));
  }

  tellHeads(frames: HeadFrames): void {
    this.brief.tell(frames);
  }

  sendFramed(bytes: Buffer): void {
    this.#parts.hub.outlet.sendFramed(this.writer, bytes);
  }

  tellProfile(user: Profile): void {
    this.send(encodeV2({ type: 'user', user }));
  }

  tellPeople(people: { online: number[]; offline: number[] }): void {
    this.send(encodeV2({ type: 'people', ...people }));
  }

  async watch(versions: ReadonlyMap<number, number>): Promise<void> {
    this.#watched ??= new Watched(this, this.#lines.watching);
    await this.#watched.replace(versions);
  }

  /** Null: no room is in sight. */
  look(roomId: number | null): void {
    const wasHidden = this.isHidden;
    this.#wantedHere = roomId;
    const seat = roomId === null ? undefined : this.open.seat(roomId);
    this.#here.look(seat ?? null, performance.now());
    if (wasHidden && !this.isHidden) this.brief.tellWithheld();
  }

  welcome(seat: Seat, { roomId, head, online, users, resumed }: Entry): string {
    const standing = this.open.standing;
    if (!standing) throw new Error(`room ${seat.channel.roomId} is not being opened`);
    const { room, role, people } = standing;
    return encodeV2({
      ...{ type: 'opened', room_id: roomId, seq: head, online, users: users(), resumed },
      room: toRoom({ ...room, seq: head }, { online, role, people }),
    });
  }

  onSeated(seat: Seat): void {
    if (seat.channel.roomId === this.#wantedHere) this.#here.look(seat, performance.now());
  }

  onRefused(roomId: number, error: unknown): void {
    if (!(error instanceof AppError)) {
      this.#parts.log.error({ err: error, roomId }, 'a room could not be opened');
    }
    this.brief.onClosed(roomId);
    // It may have been open, and in sight, before it was to be opened anew.
    this.#here.leaveAtOnce(roomId);
    if (this.#wantedHere === roomId) this.look(null);
    const { code, retryAfterMs } = error instanceof AppError ? error : new AppError('internal_error');
    this.refuse({ code, roomId, retryAfterMs });
  }

  isMember(roomId: number): boolean {
    return this.knows(roomId);
  }

  /** A member hears of it from the user's log. */
  onTakenOut(seat: Seat, why: TakenOut): void {
    const { roomId } = seat.channel;
    this.#here.leaveAtOnce(roomId);
    this.closeRoom(roomId);
    if (why === 'removed') this.#removedFrom.add(roomId);
    if (why === 'made_private')
      this.send(encodeV2({ type: 'gone', room_id: roomId, reason: 'removed', user_seq: this.#toldSeq }));
  }

  onOut(roomId: number, isRemoved: boolean): void {
    if (!this.knows(roomId)) return;
    if (isRemoved) this.#removedFrom.add(roomId);
    this.brief.forget(roomId);
  }

  closeRoom(roomId: number): void {
    if (this.#wantedHere === roomId) this.look(null);
    if (this.open.isWanted(roomId)) this.brief.onClosed(roomId, this.open.seat(roomId));
    this.open.close(roomId);
  }

  closed(isStop: boolean): void {
    this.#here.end(isStop);
    this.open.closeAll();
    this.#lines.heads.delete(this);
    this.brief.forgetAll();
    this.#watched?.clear();
    const { userLogs } = this.#lines;
    this.#log?.then(
      (log) => {
        log.delete(this);
        userLogs.release(this.userId);
      },
      () => {},
    );
  }

  protected receive(text: string, bytes: number): void {
    const frame = this.wire.parse(text);
    if ('refused' in frame) {
      return this.refuse({ code: frame.refused, cid: frame.cid, roomId: frame.roomId });
    }
    perform(frame, bytes, this, this.#parts);
  }

  protected ticked(now: number): void {
    if (!this.#hasStarted && now - this.#openedAt > START_TIMEOUT_MS) return this.close(CLOSE.abuse);
    this.#here.tick(now);
    if (this.writer.unsentBytes > 0) return;
    for (const seat of this.open.seats()) {
      if (!seat.missedEphemeral) continue;
      seat.missedEphemeral = false;
      seat.channel.showPresence(seat);
    }
    void this.brief.pay();
  }

  #hello(log: UserLog): void {
    const { epoch, messageLimit } = this.#lines.parts;
    const early = this.#early ?? [];
    this.#early = null;
    this.send(encodeHello({ user: this.user, epoch, userSeq: log.head, messageLimit }));
    for (const json of early) this.send(json);
  }

  /** Nothing of the room is sent after this frame. */
  #gone(roomId: number, reason: 'left' | 'removed' | 'hidden', userSeq: number): void {
    const seat = this.open.seat(roomId);
    if (seat && reason !== 'hidden') {
      this.#parts.hub.outlet.flush();
      this.onTakenOut(seat, 'left');
    }
    this.brief.forget(roomId);
    this.send(encodeV2({ type: 'gone', room_id: roomId, reason, user_seq: userSeq }));
  }
}
