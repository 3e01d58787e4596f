/** A room, as this process serves it: the seats that are in it, and what they are sent. */
import type { Person } from '../../../../protocol/events.ts';
import { HELLO_MAX_USERS } from '../../../../protocol/limits.ts';
import type { Notice } from '../../../../protocol/notices.ts';
import type { Bus } from '../../../data/bus/bus.ts';
import type { MessageRow, RoomRow, Store } from '../../../data/storage/store.ts';
import type { ChangeElsewhere, Presence } from '../../../features/presence/presence.ts';
import type { Typing } from '../../../features/presence/typing.ts';
import { Fanout } from '../fanout/fanout.ts';
import type { Outlet } from '../fanout/outlet.ts';
import type { RoomFrame } from '../fanout/turn.ts';
import { patienceWith } from '../log/patience.ts';
import { encodeV2 } from '../wire/v2.ts';
import type { LiveMessage, RoomView, TypingChange } from '../wire/wire.ts';
import { Feed } from './feed.ts';
import { TypingBudget } from './large-room.ts';
import { PresenceNotices } from './presence-notices.ts';
import { type Cursor, canResume, resume } from './resume.ts';
import { roomLogOf } from './room-log.ts';
import type { Seat, SeatRoom, TakenOut } from './seat.ts';

/** Notices that are kept for a resuming seat. */
const MAX_KEPT_NOTICES = 200;

export interface ChannelParts {
  store: Pick<Store, 'messagesAfter' | 'heads'>;
  presence: Presence;
  typing: Typing;
  outlet: Outlet;
  bus: Pick<Bus, 'crossingMs' | 'crossed'>;
  /** Identifies the database's history. */
  epoch: string;
}

/** Kept for a user from before their membership is read until they have a seat. */
export interface Place {
  readonly userId: number;
  /** The user was removed meanwhile. */
  isTaken: boolean;
}

interface User {
  userId: number;
  username: string;
}

export class Channel implements SeatRoom {
  readonly roomId: number;
  readonly fanout: Fanout<Seat>;
  readonly #parts: ChannelParts;
  readonly #feed: Feed;
  readonly #notices: PresenceNotices;
  /** Seats that are resuming, and the presence notices that are kept for each until it goes live. */
  readonly #resuming = new Map<Seat, RoomFrame[]>();
  /** Places of users whose right to be here is being read. */
  readonly #reserved = new Set<Place>();
  readonly #typingBudget = new TypingBudget();
  #isArchived = false;
  #isDm = false;

  constructor(roomId: number, parts: ChannelParts) {
    this.roomId = roomId;
    this.fanout = new Fanout(parts.outlet);
    this.#parts = parts;
    const { store, bus } = parts;
    this.#feed = new Feed(roomLogOf(store, roomId), (message) => this.#deliver(message), patienceWith(bus));
    this.#notices = new PresenceNotices(
      roomId,
      (frame) => this.#broadcastNotice(frame),
      (userIds) => this.#refreshLater(new Set(userIds)),
    );
  }

  get head(): number {
    return this.#feed.head;
  }

  get isDm(): boolean {
    return this.#isDm;
  }

  /** Messages up to the head of the room, as it was read, are history for every seat. */
  startAt({ seq, archivedAt, kind }: Pick<RoomRow, 'seq' | 'archivedAt' | 'kind'>): void {
    this.#isDm = kind === 'dm';
    this.#isArchived = archivedAt !== null;
    this.#feed.startAt(seq);
  }

  /** The bus announced an event of this room, with its row or without. */
  announce(seq: number, message?: MessageRow): void {
    this.#feed.announce(seq, message);
  }

  /** In an archived room nobody can post, so nobody types there. In a large room some changes are not told. */
  tellTyping(change: TypingChange): void {
    if (this.#isArchived && change.isTyping) return;
    if (!this.#typingBudget.tells(change, this.fanout.size)) return;
    const encode: RoomFrame['encode'] = (wire) => wire.typing(change);
    this.fanout.broadcast({ encode, ephemeral: true, exceptUserIds: [change.userId] });
  }

  /**
   * Keeps a place for a user whose membership is still to be read: a removal that was committed before that read is
   * found by it, and one that comes later takes the place. Every call needs one `giveBack`.
   */
  reserve(userId: number): Place {
    const place = { userId, isTaken: false };
    this.#reserved.add(place);
    return place;
  }

  giveBack(place: Place): void {
    this.#reserved.delete(place);
  }

  /**
   * A client may come from another process with events that are still on their way to this one. Resolves when they have
   * arrived, or when the room does not have them. One process alone has delivered everything that a client can have.
   */
  async reach({ since, epoch }: Cursor): Promise<void> {
    const mayBeOnItsWay = this.#parts.bus.crossingMs > 0 && epoch === this.#parts.epoch;
    if (mayBeOnItsWay && since > this.#feed.head) await this.#feed.reach(since);
  }

  /**
   * A seat is taken: it gets the state of the room, then its events after `cursor`, or from now on. Only lines have a
   * cursor: chatroom.v1 does not resume. Resolves when the seat is live or closed.
   */
  async enter(seat: Seat, cursor?: Cursor): Promise<void> {
    const { epoch, presence } = this.#parts;
    this.#notices.shown(seat.userId);
    const { head } = this.#feed;
    const resumed = cursor !== undefined && canResume(cursor, head, epoch);
    const view = this.#view(seat, presence.online(this.roomId));
    seat.send(seat.holder.welcome(seat, { head, resumed, ...view }));
    if (resumed) return await this.#catchUp(seat, cursor);
    if (cursor) seat.send(encodeV2({ type: 'reset', room_id: this.roomId, seq: head }));
    this.#goLive(seat);
  }

  leave(seat: Seat): void {
    seat.phase = 'closed';
    this.fanout.delete(seat);
    this.#endResume(seat);
  }

  arrive(user: User): void {
    const { changed, online } = this.#parts.presence.enter(this.roomId, user);
    if (changed) this.#notices.changed('join', personOf(user), online);
  }

  depart(user: User): void {
    const { presence, typing } = this.#parts;
    const { changed, online } = presence.leave(this.roomId, user.userId);
    if (!changed) return;
    typing.stop(this.roomId, user);
    this.#notices.changed('leave', personOf(user), online);
  }

  /** A user has come or left without a socket of this process. */
  changedElsewhere({ isHere, online, ...user }: ChangeElsewhere): void {
    this.#notices.changed(isHere ? 'join' : 'leave', personOf(user), online);
  }

  showPresence(seat: Seat): void {
    this.#notices.shown(seat.userId);
    // The state includes the changes that were kept until the seat goes live.
    this.#resuming.get(seat)?.splice(0);
    const online = this.#parts.presence.online(this.roomId);
    seat.send(seat.wire.presenceState(this.#view(seat, online)));
  }

  #deliver(message: LiveMessage): void {
    this.fanout.broadcast({ encode: (wire) => wire.message(message) });
    if (message.row.notice !== null) this.#obey(JSON.parse(message.row.notice));
  }

  /** From its number on, a notice decides which users may be here. */
  #obey(notice: Notice): void {
    if ('room' in notice) this.#isArchived = notice.room.archived;
    switch (notice.kind) {
      case 'removed':
      case 'left': {
        const { user_id: userId } = notice.member;
        return this.#takeOut(notice.kind, (other) => other === userId);
      }
      case 'deleted':
        return this.#takeOut(notice.kind, () => true);
      case 'made_private': {
        // A leave of a public room has no notice, so that of another process may still be on its way.
        const isAlone = this.#parts.bus.crossingMs === 0;
        return this.#takeOut(notice.kind, (_, seat) => !isAlone || !seat?.holder.isMember(this.roomId));
      }
    }
  }

  /** Those seats get everything up to here, the notice included, and nothing after it. Places are read again. */
  #takeOut(why: TakenOut, isOut: (userId: number, seat?: Seat) => boolean): void {
    for (const place of this.#reserved) if (isOut(place.userId)) place.isTaken = true;
    const seats = [...this.fanout.recipients(), ...this.#resuming.keys()];
    const out = seats.filter((seat) => isOut(seat.userId, seat));
    if (out.length === 0) return;
    this.#parts.outlet.flush();
    for (const seat of out) this.#putOut(seat, why);
  }

  takeOut(seat: Seat, why: TakenOut): void {
    this.#parts.outlet.flush();
    this.#putOut(seat, why);
  }

  #putOut(seat: Seat, why: TakenOut): void {
    this.leave(seat);
    seat.holder.onTakenOut(seat, why);
  }

  #view(seat: Seat, online: number): RoomView {
    const users = () => this.#parts.presence.users(this.roomId, HELLO_MAX_USERS);
    return { roomId: this.roomId, person: seat.person, online, users };
  }

  async #catchUp(seat: Seat, { since }: Cursor): Promise<void> {
    this.#resuming.set(seat, []);
    this.#feed.resuming = this.#resuming.size;
    const goLive = () => this.#goLive(seat);
    try {
      await resume({ seat, roomId: this.roomId, feed: this.#feed, since, goLive });
    } catch (error) {
      seat.holder.fail(error);
    }
  }

  #endResume(seat: Seat): void {
    this.#resuming.delete(seat);
    this.#feed.resuming = this.#resuming.size;
  }

  /** From now on the seat gets everything as it happens, after the presence notices that were kept for it. */
  #goLive(seat: Seat): void {
    seat.phase = 'live';
    this.fanout.add(seat);
    for (const { encode, exceptUserIds } of this.#resuming.get(seat) ?? []) {
      if (!exceptUserIds?.includes(seat.userId)) seat.send(encode(seat.wire));
    }
    this.#endResume(seat);
  }

  #broadcastNotice(frame: RoomFrame): void {
    this.fanout.broadcast(frame);
    for (const [seat, kept] of this.#resuming) {
      if (kept.length < MAX_KEPT_NOTICES) kept.push(frame);
      // It gets the present state after it has caught up.
      else seat.missedEphemeral = true;
    }
  }

  #refreshLater(userIds: ReadonlySet<number>): void {
    for (const seats of [this.fanout.recipients(), this.#resuming.keys()]) {
      for (const seat of seats) {
        if (seat.wire.summarizesPresence && userIds.has(seat.userId)) seat.missedEphemeral = true;
      }
    }
  }
}

function personOf({ userId, username }: User): Person {
  return { user_id: userId, username };
}
