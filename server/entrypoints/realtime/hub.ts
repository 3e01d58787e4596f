/** All rooms that somebody is in, and all sockets. It listens to the bus and keeps time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOSE } from '../../../protocol/constants.ts';
import { AppError } from '../../../protocol/errors.ts';
import type { BusEvent } from '../../data/bus/bus.ts';
import { type ChangeElsewhere, ONLINE } from '../../features/presence/presence.ts';
import type { Connection } from './connection/connection.ts';
import { Entering } from './entering.ts';
import { Outlet } from './fanout/outlet.ts';
import { Lines, type LinesParts } from './line/lines.ts';
import { type RequestRate, ReturnTimes } from './return-times.ts';
import { Channel } from './room/channel.ts';
import { addServed, type ServedLogs } from './served-logs.ts';
import { wireV1 } from './wire/v1.ts';

const TICK_MS = 1000;
/** A tick that is late by more than this has found the process standing still. */
const STOOD_STILL_MS = 5000;

interface OpenChannel {
  channel: Channel;
  /** Sockets in it or entering it. */
  holders: number;
  opened: Promise<void>;
}

export class Hub {
  readonly outlet = new Outlet();
  readonly lines: Lines;
  readonly #parts: LinesParts;
  readonly #entering: Entering;
  readonly #channels = new Map<number, OpenChannel>();
  readonly #connections = new Set<Connection>();
  readonly #unsubscribe: () => void;
  readonly #ticker: NodeJS.Timeout;
  #closing = false;
  #tickedAt = performance.now();

  constructor(options: Omit<LinesParts, 'outlet'>) {
    const parts = { ...options, outlet: this.outlet };
    this.#parts = parts;
    this.#entering = new Entering(parts.bus);
    this.lines = new Lines(
      parts,
      (roomId) => this.#channels.get(roomId)?.channel.head ?? Number.POSITIVE_INFINITY,
    );
    parts.presence.onChangeElsewhere = (change) => this.#changedElsewhere(change);
    parts.typing.onLost = (change) => this.#channels.get(change.roomId)?.channel.tellTyping(change);
    this.#unsubscribe = parts.bus.subscribe((event) => this.hear(event));
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
    this.#ticker.unref();
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Rooms that somebody has open. */
  get openRooms(): number {
    return this.#channels.size;
  }

  /** Open sockets by protocol, and the bytes that they have not taken yet. */
  sockets(): { v1: number; v2: number; unsentBytes: number } {
    const counts = { v1: 0, v2: 0, unsentBytes: 0 };
    for (const { wire, writer } of this.#connections) {
      if (wire === wireV1) counts.v1++;
      else counts.v2++;
      counts.unsentBytes += writer.unsentBytes;
    }
    return counts;
  }

  /**
   * The room's channel, ready to be entered. The bus brings the room's events before its head is read, so that no
   * message falls between the two; where the bus is too slow for that, the head poll finds them. Every call needs one
   * `release`.
   */
  async hold(roomId: number): Promise<Channel> {
    let open = this.#channels.get(roomId);
    if (!open) {
      const channel = new Channel(roomId, this.#parts);
      open = { channel, holders: 0, opened: this.#open(channel) };
      this.#channels.set(roomId, open);
    }
    open.holders++;
    try {
      await open.opened;
    } catch (error) {
      this.release(roomId);
      throw error;
    }
    return open.channel;
  }

  release(roomId: number): void {
    const open = this.#channels.get(roomId);
    if (!open || --open.holders > 0) return;
    this.#channels.delete(roomId);
    this.#parts.bus.leave(roomId);
  }

  /** Takes a connection in, which begins. */
  enter(connection: Connection): void {
    this.#connections.add(connection);
    this.lines.watching.came(connection.user);
    connection.onClosed(() => {
      this.#connections.delete(connection);
      this.lines.watching.went(connection.userId, performance.now());
      connection.closed(this.#closing);
    });
    connection.begin();
  }

  /**
   * Gives every socket a time of its own to come back at, within the limit of requests of its address. `afterMs`: when
   * the first may come; by default after the time that a restart takes.
   */
  announceRestart(limit: RequestRate, afterMs?: number): void {
    const times = new ReturnTimes(limit, this.#connections.size, afterMs);
    for (const connection of this.#connections) {
      connection.send(connection.wire.restart(times.next(connection.addressKey)));
    }
  }

  /**
   * Sends all users to other processes, one after the other over `overMs`. They count as being here for `graceMs` more,
   * so that nobody is announced as leaving who comes back elsewhere.
   */
  async moveAway(overMs: number, graceMs: number): Promise<void> {
    const { presence } = this.#parts;
    const users = presence.own();
    for (const { roomId, ...user } of users) presence.enter(roomId, user);
    const connections = [...this.#connections];
    for (const [index, connection] of connections.entries()) {
      const close = () => {
        connection.send(connection.wire.restart(0));
        connection.close(connection.wire.closeCodes.shutdown);
      };
      setTimeout(close, (overMs * index) / connections.length).unref();
    }
    await sleep(overMs + graceMs, undefined, { ref: false });
    for (const entry of users) {
      const { changed, online } = presence.leave(entry.roomId, entry.userId);
      if (changed) this.#changedElsewhere({ ...entry, isHere: false, online });
    }
  }

  /** Closes every socket, waits until they are closed, and terminates the rest. No leaves are announced. */
  async closeAll(graceMs: number): Promise<void> {
    this.#closing = true;
    clearInterval(this.#ticker);
    for (const connection of this.#connections) connection.close(connection.wire.closeCodes.shutdown);
    const deadline = performance.now() + graceMs;
    while (this.#connections.size > 0 && performance.now() < deadline) await sleep(20);
    for (const connection of this.#connections) connection.terminate();
    await this.lines.stop();
    this.#unsubscribe();
  }

  /** What is served now. */
  servedLogs(): ServedLogs {
    const logs: ServedLogs = { rooms: new Map(), users: new Map() };
    for (const [roomId, { channel }] of this.#channels) addServed(logs.rooms, roomId, channel.head);
    for (const { roomId, head } of this.lines.heads.all()) addServed(logs.rooms, roomId, head);
    for (const [userId, head] of this.lines.userLogs.heads()) addServed(logs.users, userId, head);
    return logs;
  }

  async #open(channel: Channel): Promise<void> {
    await this.#entering.enter(channel.roomId);
    const room = await this.#parts.store.findRoom(channel.roomId);
    if (!room) throw new AppError('room_not_found');
    channel.startAt(room);
  }

  /** The bus brings this event, or the database shows that it was missed. */
  hear(event: BusEvent): void {
    this.lines.hear(event);
    switch (event.type) {
      case 'message':
        return this.#channels.get(event.roomId)?.channel.announce(event.message.changedSeq, event.message);
      case 'head':
        return this.#channels.get(event.roomId)?.channel.announce(event.seq);
      case 'typing':
        return this.#channels.get(event.roomId)?.channel.tellTyping(event);
      case 'session_revoked':
        for (const connection of this.#connections) {
          if (connection.sessionId === event.sessionId) connection.close(CLOSE.sessionRevoked);
        }
        return;
    }
  }

  #changedElsewhere(change: ChangeElsewhere): void {
    if (change.roomId === ONLINE) this.lines.watching.changedElsewhere(change.userId, change.isHere);
    else this.#channels.get(change.roomId)?.channel.changedElsewhere(change);
  }

  #tick(): void {
    const now = performance.now();
    // After SIGSTOP, or when the machine slept, what clients sent meanwhile is read only after this.
    const lateMs = now - this.#tickedAt - TICK_MS;
    this.#tickedAt = now;
    if (lateMs > STOOD_STILL_MS) for (const connection of this.#connections) connection.stoodStill(lateMs);
    for (const connection of this.#connections) connection.tick(now);
    this.lines.tick(now);
  }
}
