/** A room, as this process serves it: the sockets that are in it, and what they are sent. */
import type { Person } from '../../../protocol/events.ts';
import { HELLO_MAX_USERS } from '../../../protocol/limits.ts';
import type { Presence } from '../../presence/presence.ts';
import type { Typing } from '../../presence/typing.ts';
import type { MessageRow, Store } from '../../storage/store.ts';
import { Fanout } from '../fanout/fanout.ts';
import type { RoomFrame } from '../fanout/turn.ts';
import type { RoomView, TypingChange } from '../wire/wire.ts';
import { Feed } from './feed.ts';
import { PresenceNotices } from './presence-notices.ts';
import { type Cursor, canResume, resume } from './resume.ts';
import { roomLogOf } from './room-log.ts';
import type { RoomSocket } from './room-socket.ts';

/** Notices that are kept for a resuming socket. */
const MAX_KEPT_NOTICES = 200;

export interface ChannelParts {
  store: Store;
  presence: Presence;
  typing: Typing;
  /** Identifies the database's history. */
  epoch: string;
  /** Per socket; zero in either is no limit. */
  messageLimit: { perSecond: number; burst: number };
}

export class Channel {
  readonly roomId: number;
  readonly fanout = new Fanout<RoomSocket>();
  readonly #parts: ChannelParts;
  readonly #feed: Feed;
  readonly #notices: PresenceNotices;
  /** Sockets that are resuming, and the notices that are kept for each until it goes live. */
  readonly #resuming = new Map<RoomSocket, RoomFrame[]>();

  constructor(roomId: number, parts: ChannelParts) {
    this.roomId = roomId;
    this.#parts = parts;
    this.#feed = new Feed(roomLogOf(parts.store, roomId), (message) =>
      this.fanout.broadcast({ encode: (wire) => wire.message(message) }),
    );
    this.#notices = new PresenceNotices(
      roomId,
      (frame) => this.#broadcastNotice(frame),
      (userIds) => this.#refreshLater(new Set(userIds)),
    );
  }

  /** Messages up to `head` are history for every socket that enters. */
  startAt(head: number): void {
    this.#feed.startAt(head);
  }

  /** The bus announced a message of this room. */
  announce(message: MessageRow): void {
    this.#feed.announce(message);
  }

  tellTyping(change: TypingChange): void {
    const encode: RoomFrame['encode'] = (wire) => wire.typing(change);
    this.fanout.broadcast({ encode, ephemeral: true, exceptUserIds: [change.userId] });
  }

  /** A socket enters: it gets the state of the room, then its events after `cursor`, or from now on. */
  enter(socket: RoomSocket, cursor: Cursor | undefined): void {
    const { epoch, presence, messageLimit } = this.#parts;
    const { changed, online } = presence.enter(this.roomId, socket.user);
    if (changed) this.#notices.changed('join', personOf(socket), online);
    this.#notices.shown(socket.userId);
    const { head } = this.#feed;
    const wire = socket.wire.resume;
    const resumed = wire !== null && cursor !== undefined && canResume(cursor, head, epoch);
    socket.send(socket.wire.entered({ ...this.#view(socket, online), epoch, head, resumed, messageLimit }));
    if (resumed) return this.#catchUp(socket, wire, cursor);
    if (wire && cursor) socket.send(wire.reset(head, epoch));
    this.#goLive(socket);
  }

  leave(socket: RoomSocket): void {
    this.fanout.delete(socket);
    this.#endResume(socket);
    const { presence, typing } = this.#parts;
    const { changed, online } = presence.leave(this.roomId, socket.userId);
    if (!changed) return;
    typing.stop(this.roomId, socket.user);
    this.#notices.changed('leave', personOf(socket), online);
  }

  /** A user who was expected back after a restart did not come. */
  announceAbsence(user: { userId: number; username: string }, online: number): void {
    this.#notices.changed('leave', { user_id: user.userId, username: user.username }, online);
  }

  /** A socket that missed presence changes gets the present state. */
  refreshPresence(socket: RoomSocket): void {
    this.#notices.shown(socket.userId);
    const online = this.#parts.presence.online(this.roomId);
    socket.send(socket.wire.presenceState(this.#view(socket, online)));
  }

  #view(socket: RoomSocket, online: number): RoomView {
    const users = () => this.#parts.presence.users(this.roomId, HELLO_MAX_USERS);
    return { roomId: this.roomId, person: personOf(socket), online, users };
  }

  #catchUp(socket: RoomSocket, wire: NonNullable<RoomSocket['wire']['resume']>, { since }: Cursor): void {
    this.#resuming.set(socket, []);
    this.#feed.resuming = this.#resuming.size;
    const goLive = () => this.#goLive(socket);
    resume({ socket, wire, feed: this.#feed, since, goLive }).catch((error) => socket.fail(error));
  }

  #endResume(socket: RoomSocket): void {
    this.#resuming.delete(socket);
    this.#feed.resuming = this.#resuming.size;
  }

  /** From now on the socket gets everything as it happens, after the notices that were kept for it. */
  #goLive(socket: RoomSocket): void {
    this.fanout.add(socket);
    for (const { encode, exceptUserIds } of this.#resuming.get(socket) ?? []) {
      if (!exceptUserIds?.includes(socket.userId)) socket.send(encode(socket.wire));
    }
    this.#endResume(socket);
  }

  #broadcastNotice(frame: RoomFrame): void {
    this.fanout.broadcast(frame);
    for (const [socket, kept] of this.#resuming) {
      if (kept.length < MAX_KEPT_NOTICES) kept.push(frame);
      // It gets the present state after it has caught up.
      else socket.missedEphemeral = true;
    }
  }

  #refreshLater(userIds: ReadonlySet<number>): void {
    for (const sockets of [this.fanout.recipients(), this.#resuming.keys()]) {
      for (const socket of sockets) {
        if (socket.wire.summarizesPresence && userIds.has(socket.userId)) socket.missedEphemeral = true;
      }
    }
  }
}

function personOf({ user }: RoomSocket): Person {
  return { user_id: user.userId, username: user.username };
}
