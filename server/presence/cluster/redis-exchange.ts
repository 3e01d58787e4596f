/**
 * The exchange of rosters over Redis: notices on one channel, and each roster under a key that expires without its
 * process. The set of their names is only for processes that start; what has vanished comes back with the heartbeats.
 */
import type { Redis } from '../../redis/redis.ts';
import type { RosterEntry } from '../presence.ts';
import type { RosterExchange, RosterNotice, StoredRoster } from './exchange.ts';

const CHANNEL = 'presence';
/** Of all processes that have stored a roster lately. */
const NAMES = 'rosters';
/** Another version of the format is ignored: during an upgrade its processes are not seen, and nobody is misread. */
const VERSION = 1;

/** The part of Redis that carries the exchange. */
export type Wire = Pick<
  Redis,
  'publish' | 'subscribe' | 'unsubscribe' | 'isInDoubt' | 'onDoubt' | 'command' | 'key'
>;

interface Packed {
  v: number;
  n: number;
  isLeaving: boolean;
  /** Of each room: its users, and their names. */
  rooms: [roomId: number, userIds: number[], usernames: string[]][];
}

export class RedisExchange implements RosterExchange {
  readonly #redis: Wire;

  constructor(redis: Wire) {
    this.#redis = redis;
  }

  get isInDoubt(): boolean {
    return this.#redis.isInDoubt;
  }

  onDoubt(listener: () => void): () => void {
    return this.#redis.onDoubt(listener);
  }

  send(notice: RosterNotice): void {
    this.#redis.publish(CHANNEL, JSON.stringify({ v: VERSION, notice }));
  }

  /** Has one listener: the last one. Our own notices come back, too. */
  async listen(listener: (notice: RosterNotice) => void): Promise<() => void> {
    await this.#redis.subscribe(CHANNEL, (payload) => {
      const notice = noticeOf(payload);
      if (notice) listener(notice);
    });
    return () => this.#redis.unsubscribe(CHANNEL);
  }

  async store(roster: StoredRoster, leaseMs: number): Promise<void> {
    const { process } = roster;
    await Promise.all([
      this.#redis.command(['SET', this.#keyOf(process), pack(roster), 'PX', String(leaseMs)]),
      this.#redis.command(['SADD', this.#redis.key(NAMES), process]),
    ]);
  }

  async prolong(process: string, leaseMs: number): Promise<boolean> {
    return (await this.#redis.command(['PEXPIRE', this.#keyOf(process), String(leaseMs)])) === 1;
  }

  async read(process: string): Promise<StoredRoster | null> {
    return unpack(process, await this.#redis.command(['GET', this.#keyOf(process)]));
  }

  async readAll(): Promise<StoredRoster[]> {
    const names = (await this.#redis.command(['SMEMBERS', this.#redis.key(NAMES)])) as Iterable<unknown>;
    const processes = [...names].map(String);
    if (processes.length === 0) return [];
    const values = await this.#redis.command(['MGET', ...processes.map((name) => this.#keyOf(name))]);
    const rosters: StoredRoster[] = [];
    for (const [index, process] of processes.entries()) {
      const roster = unpack(process, (values as unknown[])[index]);
      if (roster) rosters.push(roster);
      else await this.#redis.command(['SREM', this.#redis.key(NAMES), process]);
    }
    return rosters;
  }

  async exists(process: string): Promise<boolean> {
    return (await this.#redis.command(['EXISTS', this.#keyOf(process)])) === 1;
  }

  #keyOf(process: string): string {
    return this.#redis.key(`roster:${process}`);
  }
}

/** Null: it is in another form than ours. */
function noticeOf(payload: string): RosterNotice | null {
  try {
    const { v, notice } = JSON.parse(payload) as { v: number; notice: RosterNotice };
    return v === VERSION ? notice : null;
  } catch {
    return null;
  }
}

function pack({ n, isLeaving, entries }: StoredRoster): string {
  const rooms = new Map<number, [roomId: number, userIds: number[], usernames: string[]]>();
  for (const { roomId, userId, username } of entries) {
    const room = rooms.get(roomId) ?? [roomId, [], []];
    rooms.set(roomId, room);
    room[1].push(userId);
    room[2].push(username);
  }
  return JSON.stringify({ v: VERSION, n, isLeaving, rooms: [...rooms.values()] } satisfies Packed);
}

function unpack(process: string, value: unknown): StoredRoster | null {
  if (typeof value !== 'string') return null;
  const { v, n, isLeaving, rooms } = JSON.parse(value) as Packed;
  if (v !== VERSION) return null;
  const entries = rooms.flatMap(([roomId, userIds, usernames]): RosterEntry[] =>
    userIds.map((userId, index) => ({ roomId, userId, username: usernames[index] ?? '' })),
  );
  return { process, n, isLeaving, entries };
}
