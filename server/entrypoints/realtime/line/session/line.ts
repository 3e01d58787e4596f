/** A socket for all rooms of a user. A room that it opens comes whole; the others on the user's list come in brief. */
import { CLOSE } from '../../../../../protocol/constants.ts';
import { AppError } from '../../../../../protocol/errors.ts';
import { HEAD_EVERY_MS, START_TIMEOUT_MS } from '../../../../../protocol/limits.ts';
import type { Profile, UserRole } from '../../../../../protocol/people.ts';
import type { NotifyNotice } from '../../../../data/bus/bus.ts';
import { toRoom } from '../../../../features/rooms/shapes.ts';
import { type Accepted, Connection, type ConnectionParts } from '../../connection/connection.ts';
import type { Outlet } from '../../fanout/outlet.ts';
import { CLOSE_ABOVE_BYTES } from '../../fanout/turn.ts';
import type { Restrictions, Seat, TakenOut } from '../../room/seat.ts';
import type { UserLog, UserLogReader, UserLogRow } from '../../user-log/user-log.ts';
import { encodeNotify } from '../../wire/own-rows.ts';
import { encodeHello, encodeRooms, encodeV2, lineWire } from '../../wire/v2.ts';
import type { Entry } from '../../wire/wire.ts';
import type { HeadFrames } from '../heads/heads.ts';
import type { Lines } from '../lines.ts';
import { type BriefLine, BriefRooms } from '../room-list/brief-rooms.ts';
import { type MembershipLine, Memberships } from '../room-list/memberships.ts';
import type { RoomsFrame } from '../room-list/rooms-frame.ts';
import { Unread } from '../room-list/unread.ts';
import { Watched } from '../watch/watched.ts';
import type { Watcher } from '../watch/watching.ts';
import { type LineCommandParts, type LineSocket, perform } from './commands.ts';
import { Here } from './here.ts';
import { type Channels, type Opener, OpenRooms } from './open-rooms.ts';
import { type Known, type Starting, start } from './start.ts';

export interface LineParts extends ConnectionParts, LineCommandParts {
  hub: Channels & { readonly outlet: Outlet; readonly lines: Lines };
}

export class Line
  extends Connection
  implements LineSocket, Opener, Starting, UserLogReader, BriefLine, MembershipLine, Watcher
{
  readonly wire = lineWire;
  readonly open: OpenRooms;
  /** The epoch that the client named in `start`. */
  knownEpoch: string | undefined;
  changesInFlight = 0;
  readonly #parts: LineParts;
  readonly #lines: Lines;
  readonly #here: Here;
  /** The rooms on the user's list. */
  readonly brief: BriefRooms;
  readonly #memberships: Memberships;
  #openedAt = performance.now();
  #log: Promise<UserLog> | null = null;
  /** The same, once it is open. */
  #userLog: UserLog | null = null;
  #hasStarted = false;
  caughtUp: Promise<void> = Promise.resolve();
  /** Frames that wait for `hello`; null once it is sent. */
  #early: string[] | null = [];
  /** The room that is in sight once it is open. */
  #wantedHere: number | null = null;
  /** When withheld heads were last sent; and whether more are due. */
  #withheldToldAt = Number.NEGATIVE_INFINITY;
  #awaitsWithheld = false;
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
    this.#memberships = new Memberships(this, this.#lines, parts.hub.outlet);
  }

  get isHidden(): boolean {
    return this.#wantedHere === null || this.#awaitsWithheld;
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
    if (!this.#log) return;
    this.caughtUp = this.#log
      .then((log) => start(this, log, known, this.#lines))
      .catch((error) => this.fail(error));
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** The client has the user's log up to this number. */
  beginAt(userSeq: number): void {
    this.#memberships.beginAt(userSeq);
  }

  override stoodStill(ms: number): void {
    super.stoodStill(ms);
    this.#openedAt += ms;
  }

  get isLive(): boolean {
    return this.#userLog?.isRead(this) === true;
  }

  get isGuest(): boolean {
    return this.#userLog?.role === 'guest';
  }

  knows(roomId: number): boolean {
    return this.brief.has(roomId);
  }

  hasOpen(roomId: number): boolean {
    return this.open.isWanted(roomId);
  }

  isLosing(roomId: number): boolean {
    return this.#memberships.isLosing(roomId);
  }

  askUnread(roomIds: readonly number[]): void {
    this.#unread ??= new Unread(this, this.#lines, this.#parts.log);
    this.#unread.ask(roomIds);
  }

  sendRooms(frame: RoomsFrame): void {
    this.#lines.heads.catchUp(this);
    this.send(encodeRooms(frame.entries, frame));
  }

  tell(row: UserLogRow): void {
    if (row.kind === 'member') this.open.forgetListed(row.member.roomId);
    this.#memberships.tell(row);
  }

  /**
   * A guest reads rooms as a member only. What a guest has open, and is not surely a member of, is closed; whoever is
   * one gets the room anew.
   */
  judge(role: UserRole): void {
    this.open.doubt();
    this.#watched
      ?.again()
      .catch((error) => this.#parts.log.warn({ err: error }, 'people could not be watched again'));
    if (role !== 'guest') return;
    for (const { channel } of [...this.open.seats()]) {
      const seat = this.open.seat(channel.roomId);
      if (seat && !this.isMember(channel.roomId)) channel.takeOut(seat, 'no_access');
    }
  }

  left(roomId: number): void {
    const seat = this.open.seat(roomId);
    if (seat) seat.channel.takeOut(seat, 'left');
    else this.#memberships.onOut(roomId, false);
  }

  restrict(roomId: number, restrictions: Restrictions): void {
    const seat = this.open.seat(roomId);
    seat?.restrict(restrictions);
    if (seat && this.#here.roomId === roomId) this.#look(seat);
  }

  #look(seat: Seat | null): void {
    this.#here.look(seat, performance.now(), seat?.isBanned(this.#parts.now()));
  }

  /** Says nothing more about a room that the user has left, or is losing. */
  notify(notice: NotifyNotice): void {
    const { roomId } = notice;
    if (this.#hasStarted && this.knows(roomId) && !this.isLosing(roomId)) this.send(encodeNotify(notice));
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
    this.#lines.heads.catchUp(this);
    const wasHidden = this.isHidden;
    this.#wantedHere = roomId;
    this.#awaitsWithheld = wasHidden && roomId !== null;
    const seat = roomId === null ? undefined : this.open.seat(roomId);
    this.#look(seat ?? null);
    this.#tellWithheld(performance.now());
  }

  /** At most once a second: a client may hide and show a room more often. Until then the line counts as hidden. */
  #tellWithheld(now: number): void {
    if (!this.#awaitsWithheld || now - this.#withheldToldAt < HEAD_EVERY_MS) return;
    this.#lines.heads.catchUp(this);
    this.#awaitsWithheld = false;
    this.#withheldToldAt = now;
    this.brief.tellWithheld();
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
    if (seat.channel.roomId === this.#wantedHere) this.#look(seat);
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

  /** A leave in a public room has no notice: while a change of the user's is being read, it may be this one. */
  isMember(roomId: number): boolean {
    return this.knows(roomId) && this.#userLog?.isBehind === false;
  }

  /** A member hears of it from the user's log. */
  onTakenOut(seat: Seat, why: TakenOut): void {
    const { roomId } = seat.channel;
    this.leave(roomId);
    this.#memberships.onTakenOut(roomId, why);
  }

  leave(roomId: number): void {
    this.#here.leaveAtOnce(roomId);
    this.closeRoom(roomId);
  }

  onOut(roomId: number, isRemoved: boolean): void {
    this.#memberships.onOut(roomId, isRemoved);
  }

  closeRoom(roomId: number): void {
    this.#lines.heads.catchUp(this);
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
      return this.refuse({ ...frame, code: frame.refused });
    }
    perform(frame, bytes, this, this.#parts);
  }

  protected ticked(now: number): void {
    if (!this.#hasStarted && now - this.#openedAt > START_TIMEOUT_MS) return this.close(CLOSE.abuse);
    this.#here.tick(now);
    const { unseen } = this.#here;
    // A ban ends by its time, too.
    if (unseen && !unseen.isBanned(this.#parts.now())) this.#look(unseen);
    this.#tellWithheld(now);
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
    this.#userLog = log;
    log.attach(this);
    const early = this.#early ?? [];
    this.#early = null;
    this.send(encodeHello({ user: this.user, epoch, userSeq: log.head, messageLimit }));
    for (const json of early) this.send(json);
  }
}
