/** A socket for all rooms of a user. A room that it opens comes whole; the others on the user's list come in brief. */
import { CLOSE } from '../../../../../protocol/constants.ts';
import { AppError } from '../../../../../protocol/errors.ts';
import { START_TIMEOUT_MS } from '../../../../../protocol/limits.ts';
import type { Profile, UserRole } from '../../../../../protocol/people.ts';
import type { NotifyNotice } from '../../../../data/bus/bus.ts';
import type { Tickets } from '../../../../features/identity/tickets.ts';
import { type Accepted, Connection, type ConnectionParts } from '../../connection/connection.ts';
import type { Outlet } from '../../fanout/outlet.ts';
import { CLOSE_ABOVE_BYTES } from '../../fanout/turn.ts';
import type { Restrictions, Seat, TakenOut } from '../../room/seat.ts';
import type { UserLog, UserLogReader, UserLogRow } from '../../user-log/user-log.ts';
import { encodeNotify } from '../../wire/own-rows.ts';
import { encodeRooms, encodeV2, lineWire } from '../../wire/v2.ts';
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
import { Greeting } from './greeting.ts';
import { type Channels, type Opener, OpenRooms } from './open-rooms.ts';
import { Sight, type SightLine } from './sight.ts';
import { type Known, type Starting, start } from './start.ts';

export interface LineParts extends ConnectionParts, LineCommandParts {
  tickets: Pick<Tickets, 'issueReturn'>;
  hub: Channels & { readonly outlet: Outlet; readonly lines: Lines };
}

export class Line
  extends Connection
  implements LineSocket, Opener, Starting, UserLogReader, BriefLine, MembershipLine, SightLine, Watcher
{
  readonly wire = lineWire;
  readonly open: OpenRooms;
  /** The epoch that the client named in `start`. */
  knownEpoch: string | undefined;
  changesInFlight = 0;
  readonly #parts: LineParts;
  readonly #lines: Lines;
  readonly #sight: Sight;
  /** The rooms on the user's list. */
  readonly brief: BriefRooms;
  readonly #memberships: Memberships;
  #openedAt = performance.now();
  readonly #greeting: Greeting;
  #log: Promise<UserLog> | null = null;
  /** The same, once it is open. */
  #userLog: UserLog | null = null;
  #hasStarted = false;
  caughtUp: Promise<void> = Promise.resolve();
  /** Made by the first question. */
  #unread: Unread | null = null;
  /** Made by the first list of people. */
  #watched: Watched | null = null;

  constructor(accepted: Accepted, parts: LineParts) {
    super(accepted, parts);
    this.#parts = parts;
    this.#lines = parts.hub.lines;
    const { tickets } = parts;
    this.#greeting = new Greeting(this, { tickets, lines: this.#lines, admittedAt: accepted.admittedAt });
    this.open = new OpenRooms(this, this.#lines, parts.hub);
    this.brief = new BriefRooms(this, this.#lines);
    this.#sight = new Sight(this, this.#lines, parts.hub);
    this.#memberships = new Memberships(this, this.#lines, parts.hub.outlet);
  }

  get isHidden(): boolean {
    return this.#sight.isHidden;
  }

  begin(): void {
    this.#log = this.#greeting.open();
    this.#log.then((log) => this.#hello(log)).catch((error) => this.fail(error));
  }

  /** What is sent before `hello` follows it. */
  send(json: string | null): void {
    if (json === null || !this.isOpen()) return;
    if (this.#greeting.keep(json)) return;
    if (this.writer.unsentBytes > CLOSE_ABOVE_BYTES) this.onOverflow();
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
  beginAt(userSeq: number, lost: readonly number[]): void {
    this.#memberships.beginAt(userSeq, lost);
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

  judge(role: UserRole): void {
    this.open.judge(role);
    this.#watched
      ?.again()
      .catch((error) => this.#parts.log.warn({ err: error }, 'people could not be watched again'));
  }

  left(roomId: number): void {
    const seat = this.open.seat(roomId);
    if (seat) seat.channel.takeOut(seat, 'left');
    else this.#memberships.onOut(roomId, false);
  }

  restrict(roomId: number, restrictions: Restrictions): void {
    const seat = this.open.seat(roomId);
    if (!seat) return;
    seat.restrict(restrictions);
    this.#sight.onRestricted(seat);
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
    this.#sight.look(roomId);
  }

  welcome(seat: Seat, entry: Entry): string {
    return this.open.welcome(seat, entry);
  }

  onSeated(seat: Seat): void {
    this.#sight.onSeated(seat);
  }

  onRefused(roomId: number, error: unknown): void {
    if (!(error instanceof AppError)) {
      this.#parts.log.error({ err: error, roomId }, 'a room could not be opened');
    }
    this.brief.onClosed(roomId);
    // It may have been open, and in sight, before it was to be opened anew.
    this.#sight.leaveAtOnce(roomId);
    this.#sight.onClosing(roomId);
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
    this.#sight.leaveAtOnce(roomId);
    this.closeRoom(roomId);
  }

  onOut(roomId: number, isRemoved: boolean): void {
    this.#memberships.onOut(roomId, isRemoved);
  }

  closeRoom(roomId: number): void {
    this.#lines.heads.catchUp(this);
    this.#sight.onClosing(roomId);
    if (this.open.isWanted(roomId)) this.brief.onClosed(roomId, this.open.seat(roomId));
    this.open.close(roomId);
  }

  closed(isStop: boolean): void {
    this.#sight.end(isStop);
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
    this.#sight.tick(now);
    if (this.writer.unsentBytes > 0) return;
    this.#greeting.renewTicket(now);
    this.open.showMissed();
    void this.brief.pay();
  }

  #hello(log: UserLog): void {
    this.#userLog = log;
    log.attach(this);
    this.#greeting.sayHello(log.head);
  }
}
