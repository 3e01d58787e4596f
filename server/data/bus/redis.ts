/**
 * The bus between processes, over channels of Redis: one for each room, heard by the processes that have it open; 64
 * for the heads and notices of all rooms, and 64 for users, which everybody hears; and one for revoked sessions.
 */
import { measures } from '../../platform/metrics/measures.ts';
import type { Peers } from '../../platform/redis/peers.ts';
import type { Redis } from '../../platform/redis/redis.ts';
import type { MessageRow } from '../storage/store.ts';
import type { Bus, BusEvent } from './bus.ts';
import { CrossingTime } from './crossing-time.ts';
import { EnteredRooms } from './entered-rooms.ts';
import type { ControlEnvelope, HeadsEnvelope, RoomEnvelope, UsersEnvelope } from './envelopes.ts';
import { Envelopes, FOR_CONTROL, FOR_HEADS, FOR_ROOM, FOR_USERS, plainHeads, senderOf } from './envelopes.ts';
import { createMemoryBus } from './memory.ts';
import { Outbox, SLOTS } from './outbox.ts';

/** Above this many characters an envelope has the numbers of logs alone. */
const ENVELOPE_MAX = 64 * 1024;

/** The part of Redis that carries the bus. */
export type Wire = Pick<
  Redis,
  'processId' | 'publish' | 'subscribe' | 'unsubscribe' | 'isInDoubt' | 'onDoubt'
>;

export interface RedisBus extends Bus {
  /** Says now what waits for the end of the turn. */
  flush(): void;
}

/**
 * Resolves when everything but rooms is heard. `redis` stays open when the bus is closed. Processes of different epochs
 * do not hear each other: the numbers of one mean nothing to the other, which is about to end. A payload that no
 * process sends is dropped, and reported to `onGarbage` with its channel. `peers`: whom to believe; by default
 * everybody.
 */
export async function createRedisBus(
  wire: Wire,
  epoch: string,
  onGarbage: (channel: string) => void = () => undefined,
  peers?: Pick<Peers, 'hear'>,
): Promise<RedisBus> {
  const redis = inEpoch(wire, epoch);
  const local = createMemoryBus();
  const { processId: from } = redis;
  const codecs = codecsOf(from);
  const crossing = new CrossingTime();
  let isClosed = false;

  /** All events of a payload, or none. */
  function take(channel: string, payload: string, read: (payload: string) => Iterable<BusEvent>): void {
    if (isClosed) return;
    let events: BusEvent[];
    try {
      events = [...read(payload)];
    } catch {
      return onGarbage(channel);
    }
    for (const event of events) local.publish(event);
  }
  const listen = (channel: string, read: (payload: string) => Iterable<BusEvent>) =>
    redis.subscribe(channel, (payload) => {
      const sender = senderOf(payload);
      if (isClosed || sender === from) return;
      if (!peers) take(channel, payload, read);
      else if (sender === undefined) onGarbage(channel);
      else peers.hear(sender, () => take(channel, payload, read), { bytes: 2 * payload.length });
    });
  const rooms = new EnteredRooms({
    subscribe: (roomId) =>
      listen(roomChannel(roomId), (payload) => roomEvents(roomId, codecs.room.decode(payload))),
    unsubscribe: (roomId) => redis.unsubscribe(roomChannel(roomId)),
  });
  const outbox = outboxOver(redis, codecs);

  const heard = [listen('control', (payload) => controlEvents(codecs.control.decode(payload)))];
  for (let slot = 0; slot < SLOTS; slot++) {
    heard.push(listen(`h:${slot}`, (payload) => headEvents(codecs.heads.decode(payload))));
    heard.push(listen(`u:${slot}`, (payload) => userEvents(codecs.users.decode(payload))));
  }
  await Promise.all(heard);

  return {
    publish(event) {
      if (isClosed) return;
      outbox.add(event);
      local.publish(event);
    },
    subscribe: local.subscribe,
    enter: (roomId) => rooms.enter(roomId),
    leave: (roomId) => rooms.leave(roomId),
    get crossingMs() {
      // What is lost does not come by itself, so nothing is gained by a longer wait.
      return wire.isInDoubt ? CrossingTime.LEAST_MS : crossing.ms;
    },
    crossed(ms) {
      crossing.observe(ms);
      measures.crossing.observe(ms / 1000);
    },
    get isInDoubt() {
      return wire.isInDoubt;
    },
    onDoubt: (listener) => wire.onDoubt(listener),
    flush: () => outbox.flush(),
    async close() {
      outbox.flush();
      isClosed = true;
      rooms.close();
      await local.close();
    },
  };
}

interface Codecs {
  readonly room: Envelopes<RoomEnvelope>;
  readonly heads: Envelopes<HeadsEnvelope>;
  readonly users: Envelopes<UsersEnvelope>;
  readonly control: Envelopes<ControlEnvelope>;
}

/** From envelopes to payloads of the process `from`, and back. */
function codecsOf(from: string): Codecs {
  return {
    room: new Envelopes(from, FOR_ROOM),
    heads: new Envelopes(from, FOR_HEADS),
    users: new Envelopes(from, FOR_USERS),
    control: new Envelopes(from, FOR_CONTROL),
  };
}

/** Publishes what this process has to say. Of an envelope that is too large, only the numbers of logs go out. */
function outboxOver(redis: Pick<Wire, 'publish'>, { room, heads, users, control }: Codecs): Outbox {
  return new Outbox({
    toRoom(roomId, envelope) {
      const payload = room.encode(envelope);
      const isSmall = payload.length <= ENVELOPE_MAX;
      redis.publish(roomChannel(roomId), isSmall ? payload : room.encode({ head: envelope.head }));
    },
    toHeads(slot, envelope) {
      const payload = heads.encode(envelope);
      const isSmall = payload.length <= ENVELOPE_MAX;
      redis.publish(`h:${slot}`, isSmall ? payload : heads.encode(plainHeads(envelope)));
    },
    toUsers: (slot, envelope) => redis.publish(`u:${slot}`, users.encode(envelope)),
    toControl: (envelope) => redis.publish('control', control.encode(envelope)),
  });
}

/** The same Redis, with channels of this epoch alone. */
function inEpoch(
  wire: Wire,
  epoch: string,
): Pick<Wire, 'processId' | 'publish' | 'subscribe' | 'unsubscribe'> {
  const channelOf = (name: string) => `${epoch}:${name}`;
  return {
    processId: wire.processId,
    publish: (name, payload) => wire.publish(channelOf(name), payload),
    subscribe: (name, listener) => wire.subscribe(channelOf(name), listener),
    unsubscribe: (name) => wire.unsubscribe(channelOf(name)),
  };
}

/** The slot is in braces, so that a cluster of Redis servers would keep the rooms of one slot together. */
function roomChannel(roomId: number): string {
  return `r:{${roomId % SLOTS}}:${roomId}`;
}

function* roomEvents(roomId: number, envelope: RoomEnvelope | null): Iterable<BusEvent> {
  if (!envelope) return;
  for (const event of envelope.events ?? []) {
    if (!Array.isArray(event)) yield messageOf(roomId, event);
    else yield { type: 'typing', roomId, userId: event[0], username: event[1], isTyping: event[2] };
  }
  if (!envelope.events && envelope.head > 0) yield { type: 'head', roomId, seq: envelope.head };
}

function* headEvents(envelope: HeadsEnvelope | null): Iterable<BusEvent> {
  for (const [roomId, seq, notices = []] of envelope?.rooms ?? []) {
    for (const message of notices) yield messageOf(roomId, message);
    yield { type: 'head', roomId, seq };
  }
}

function messageOf(roomId: number, message: MessageRow): BusEvent {
  if (message.roomId !== roomId) throw new Error('a message of another room');
  return { type: 'message', roomId, message };
}

function* userEvents(envelope: UsersEnvelope | null): Iterable<BusEvent> {
  for (const [userId, seq] of envelope?.logs ?? []) yield { type: 'user_log', userId, seq };
  for (const [userId, version] of envelope?.profiles ?? []) yield { type: 'profile', userId, version };
  for (const [userId, notice] of envelope?.notices ?? []) yield { type: 'notify', userId, notice };
}

function* controlEvents(envelope: ControlEnvelope | null): Iterable<BusEvent> {
  for (const sessionId of envelope?.revoked ?? []) yield { type: 'session_revoked', sessionId };
}
