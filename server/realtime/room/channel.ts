/** A room, as this process serves it: the sockets that are in it, and how far they have heard. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerFrameV1 } from '../../../protocol/frames/v1.ts';
import { HEARTBEAT_MS, HELLO_MAX_USERS, MAX_FRAME_BYTES, MESSAGE_CONTENT } from '../../../protocol/limits.ts';
import { toMessage } from '../../messages/messages.ts';
import type { Presence } from '../../presence/presence.ts';
import type { Typing } from '../../presence/typing.ts';
import type { MessageRow, Store } from '../../storage/store.ts';
import type { Connection } from '../connection/connection.ts';
import { Fanout, type RoomFrame } from '../fanout/fanout.ts';
import { type Batch, Missed } from './missed.ts';
import { PresenceNotices } from './presence-notices.ts';
import { Recent } from './recent.ts';
import { canResume, type Place, resume } from './resume.ts';

/** Notices kept for a socket that is still reading what it missed. */
const MAX_KEPT_NOTICES = 200;
/** Messages read at once when some were missed. */
const CATCH_UP_PAGE = 200;
const CATCH_UP_RETRY_MS = 1000;
/** Between looks for a message that was announced and is not to be read yet. */
const CATCH_UP_PAUSE_MS = 50;

export interface ChannelParts {
  store: Store;
  presence: Presence;
  typing: Typing;
  /** The name of the database's life. */
  epoch: string;
  /** What each socket may send; zero in either is no limit. */
  messageLimit: { perSecond: number; burst: number };
}

export class Channel {
  readonly roomId: number;
  readonly fanout = new Fanout();
  readonly #parts: ChannelParts;
  readonly #recent = new Recent();
  readonly #missed: Missed;
  readonly #notices: PresenceNotices;
  /** Sockets that are reading what they missed, and the notices that are kept for them meanwhile. */
  readonly #resuming = new Map<Connection, RoomFrame[]>();
  /** The seq of the last message delivered; -1 until the room's head has been read. */
  #delivered = -1;
  /** The highest seq heard of. */
  #announced = 0;
  #catchingUp = false;

  constructor(roomId: number, parts: ChannelParts) {
    this.roomId = roomId;
    this.#parts = parts;
    this.#missed = new Missed(roomId, parts.store);
    this.#notices = new PresenceNotices(
      roomId,
      (frame) => this.#broadcastNotice(frame),
      (userIds) => this.#refreshLater(new Set(userIds)),
    );
  }

  /** The seq of the last message that the room's live sockets have been sent. */
  get head(): number {
    return this.#delivered;
  }

  /** What is up to `head` is history to everybody who enters from now on; what came meanwhile is fetched. */
  startAt(head: number): void {
    this.#delivered = head;
    if (this.#announced > head) void this.#catchUp();
  }

  /** The doorbell rang. In order it is delivered; after a gap the missing ones are read first. */
  receive(message: MessageRow): void {
    this.#announced = Math.max(this.#announced, message.seq);
    if (this.#delivered < 0 || this.#catchingUp) return;
    if (message.seq === this.#delivered + 1) this.#deliver(message);
    else if (message.seq > this.#delivered) void this.#catchUp();
  }

  typing(typist: { userId: number; username: string; isTyping: boolean }): void {
    const json = JSON.stringify({
      type: 'typing',
      room_id: this.roomId,
      user_id: typist.userId,
      username: typist.username,
      is_typing: typist.isTyping,
    } satisfies ServerFrameV1);
    this.fanout.broadcast({ encode: () => json, ephemeral: true, exceptUserIds: [typist.userId] });
  }

  /** A socket enters, is told where it is, and hears the room from `place` on, or from now on. */
  enter(connection: Connection, place: Place | undefined): void {
    const { presence } = this.#parts;
    const { changed, online } = presence.enter(this.roomId, connection.user);
    if (changed) this.#notices.changed('join', connection.person, online);
    this.#notices.shown(connection.userId);
    if (connection.version === 1) {
      this.fanout.add(connection);
      return connection.sendJson(this.#notices.frame('join', connection.person, online));
    }
    this.#begin(connection, place, online);
  }

  leave(connection: Connection): void {
    this.fanout.delete(connection);
    this.#resuming.delete(connection);
    const { presence, typing } = this.#parts;
    const { changed, online } = presence.leave(this.roomId, connection.userId);
    if (!changed) return;
    typing.stop(this.roomId, connection.user);
    this.#notices.changed('leave', connection.person, online);
  }

  /** Somebody who was expected back after a restart did not come. */
  announceAbsence(user: { userId: number; username: string }, online: number): void {
    this.#notices.changed('leave', { user_id: user.userId, username: user.username }, online);
  }

  /** The messages after `seq` that have been delivered, as JSON, if the room still has them at hand. */
  recentAfter(seq: number): string[] | null {
    return this.#recent.after(seq, this.#delivered);
  }

  /** The next messages after `seq` that have been delivered, from the log; null when there are none to be read yet. */
  missedAfter(seq: number): Promise<Batch | null> {
    return this.#missed.after(seq, () => this.#delivered);
  }

  /** From now on the connection hears everything as it happens, the notices kept for it first. */
  goLive(connection: Connection): void {
    this.fanout.add(connection);
    for (const { encode, exceptUserIds } of this.#resuming.get(connection) ?? []) {
      const json = exceptUserIds?.includes(connection.userId) ? null : encode(connection.version);
      if (json !== null) connection.sendJson(json);
    }
    this.#resuming.delete(connection);
  }

  /** A socket that was spared notices learns what is so now. The base protocol has the number alone to say it with. */
  refreshPresence(connection: Connection): void {
    const { presence } = this.#parts;
    const online = presence.online(this.roomId);
    this.#notices.shown(connection.userId);
    if (connection.version === 1)
      return connection.sendJson(this.#notices.frame('join', connection.person, online));
    const users = presence.users(this.roomId, HELLO_MAX_USERS);
    connection.send({ type: 'presence', online, joined: [], left: [], users });
  }

  #begin(connection: Connection, place: Place | undefined, online: number): void {
    const { epoch, presence } = this.#parts;
    const head = this.#delivered;
    const resumed = place !== undefined && canResume(place, head, epoch);
    this.#sendHello(connection, presence.users(this.roomId, HELLO_MAX_USERS), online, resumed);
    if (resumed) {
      this.#resuming.set(connection, []);
      resume(connection, this, place.since).catch((error) => connection.fail(error));
      return;
    }
    if (place) connection.send({ type: 'reset', seq: head, epoch });
    this.goLive(connection);
  }

  #sendHello(
    connection: Connection,
    users: { user_id: number; username: string }[],
    online: number,
    resumed: boolean,
  ): void {
    const { epoch, messageLimit } = this.#parts;
    connection.send({
      type: 'hello',
      protocol: 2,
      room_id: this.roomId,
      ...connection.person,
      epoch,
      seq: this.#delivered,
      online,
      users,
      server_time: new Date().toISOString(),
      heartbeat_ms: HEARTBEAT_MS,
      limits: {
        content: MESSAGE_CONTENT.max,
        frame_bytes: MAX_FRAME_BYTES,
        messages_per_second: messageLimit.perSecond,
        message_burst: messageLimit.burst,
      },
      resumed,
    });
  }

  #broadcastNotice(frame: RoomFrame): void {
    this.fanout.broadcast(frame);
    for (const [connection, kept] of this.#resuming) {
      if (kept.length < MAX_KEPT_NOTICES) kept.push(frame);
      // It will be told who is here when it has caught up.
      else connection.missedEphemeral = true;
    }
  }

  #refreshLater(userIds: ReadonlySet<number>): void {
    for (const recipients of [this.fanout.recipients(), this.#resuming.keys()]) {
      for (const recipient of recipients) {
        if (recipient.version === 2 && userIds.has(recipient.userId)) recipient.missedEphemeral = true;
      }
    }
  }

  #deliver(message: MessageRow): void {
    this.#delivered = message.seq;
    const json = this.#recent.push(message, this.#resuming.size > 0);
    this.fanout.broadcast({
      // The client's own name for the message is v2's; a v1 client knows nothing of it.
      encode: (version) =>
        version === 2 || message.cid === null ? json : JSON.stringify(toMessage({ ...message, cid: null })),
    });
  }

  async #catchUp(): Promise<void> {
    this.#catchingUp = true;
    while (this.#announced > this.#delivered) {
      try {
        const missed = { roomId: this.roomId, seq: this.#delivered, limit: CATCH_UP_PAGE };
        const messages = await this.#parts.store.messagesAfter(missed);
        for (const message of messages) this.#deliver(message);
        if (messages.length === 0) await sleep(CATCH_UP_PAUSE_MS);
      } catch {
        await sleep(CATCH_UP_RETRY_MS);
      }
    }
    this.#catchingUp = false;
  }
}
