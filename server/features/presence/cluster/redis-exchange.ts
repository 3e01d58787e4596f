/**
 * The exchange of rosters over Redis: notices on one channel, and each roster under a key that expires without its
 * process. The set of their names is only for processes that start; what has vanished comes back with the heartbeats.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { id } from '../../../../protocol/fields.ts';
import { MAX_ID } from '../../../../protocol/limits.ts';
import type { Peers } from '../../../platform/redis/peers.ts';
import type { Redis } from '../../../platform/redis/redis.ts';
import type { RosterEntry } from '../presence.ts';
import type { RosterExchange, RosterNotice, RosterToStore, StoredRoster } from './exchange.ts';

const CHANNEL = 'presence';
/** The key of the list of processes that have stored a roster lately. */
const NAMES = 'rosters';
/** Another version of the format is ignored: during an upgrade its processes are not seen, and nobody is misread. */
const VERSION = 1;
/** Entries that are encoded in one turn of the event loop: about a millisecond of work. */
const ENTRIES_A_TURN = 2000;

/** The part of Redis that carries the exchange. */
export type Wire = Pick<
  Redis,
  'publish' | 'subscribe' | 'unsubscribe' | 'isInDoubt' | 'onDoubt' | 'command' | 'key' | 'connected'
>;

/** Which processes to believe. */
type Witnesses = Pick<Peers, 'hear' | 'among' | 'leave'>;

/** ONLINE counts as one (presence.ts). */
const rosterRoom = z.int().min(0).max(MAX_ID);
/** Counts changes. */
const n = z.int().min(0);
const processName = z.string().min(1).max(64);
const rosterChange = z.tuple([rosterRoom, id, z.string(), z.union([z.literal(0), z.literal(1)])]);
const notice = z.discriminatedUnion('type', [
  z.object({ type: z.literal('changes'), from: processName, n, changes: z.array(rosterChange) }),
  z.object({
    type: z.literal('heartbeat'),
    from: processName,
    n,
    hasDatabase: z.boolean(),
    isListed: z.literal(true).exactOptional(),
  }),
  z.object({ type: z.literal('leaving'), from: processName, n }),
  z.object({ type: z.literal('ask'), from: processName, to: processName }),
  z.object({ type: z.literal('stored'), from: processName, n }),
]) satisfies z.ZodType<RosterNotice>;
const said = z.object({ v: z.literal(VERSION), notice });

const packedRoster = z.object({
  v: z.literal(VERSION),
  n,
  isLeaving: z.boolean(),
  /** Of a process that is leaving: what shows that it was of our database (platform/redis/peers.ts). */
  leftAt: n.exactOptional(),
  /** Each room with its users and their names. */
  rooms: z.array(
    z
      .tuple([rosterRoom, z.custom<number[]>(areIds), z.custom<string[]>(areNames)])
      .refine(([, userIds, usernames]) => userIds.length === usernames.length),
  ),
});
type Packed = z.infer<typeof packedRoster>;
/** All that is read of another version's roster. */
const otherVersion = z.object({
  v: z
    .int()
    .min(1)
    .refine((v) => v !== VERSION),
});

export class RedisExchange implements RosterExchange {
  readonly #redis: Wire;
  readonly #onGarbage: (where: string) => void;
  readonly #peers: Witnesses | undefined;

  /**
   * `onGarbage`: is called with the channel or the key of a payload that no process sends, which is dropped. `peers`:
   * whom to believe; by default everybody.
   */
  constructor(redis: Wire, onGarbage: (where: string) => void = () => undefined, peers?: Witnesses) {
    this.#peers = peers;
    this.#redis = redis;
    this.#onGarbage = onGarbage;
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
      const heard = this.#read(CHANNEL, said, payload);
      if (!heard) return;
      const { notice } = heard;
      const isClaim = notice.type === 'heartbeat' && notice.hasDatabase && notice.isListed === true;
      if (this.#peers)
        this.#peers.hear(notice.from, () => listener(notice), { isClaim, bytes: 2 * payload.length });
      else listener(notice);
    });
    return () => this.#redis.unsubscribe(CHANNEL);
  }

  async store(roster: RosterToStore, leaseMs: number): Promise<void> {
    const { process } = roster;
    const leftAt = roster.isLeaving ? await this.#peers?.leave() : undefined;
    const packed = await pack(roster, leftAt);
    await Promise.all([
      this.#redis.command(['SET', this.#keyOf(process), packed, 'PX', String(leaseMs)]),
      this.#redis.command(['SADD', this.#redis.key(NAMES), process]),
    ]);
  }

  async prolong(process: string, leaseMs: number): Promise<boolean> {
    return (await this.#redis.command(['PEXPIRE', this.#keyOf(process), String(leaseMs)])) === 1;
  }

  async read(process: string): Promise<StoredRoster | null> {
    const roster = this.#parse(await this.#redis.command(['GET', this.#keyOf(process)]));
    return roster && unpack(process, roster);
  }

  async readAll(): Promise<StoredRoster[]> {
    const names = (await this.#redis.command(['SMEMBERS', this.#redis.key(NAMES)])) as Iterable<unknown>;
    const processes = [...names].map(String);
    if (processes.length === 0) return [];
    const values = await this.#redis.command(['MGET', ...processes.map((name) => this.#keyOf(name))]);
    const packed = new Map(processes.map((name, index) => [name, this.#parse((values as unknown[])[index])]));
    const rosters: StoredRoster[] = [];
    for (const process of await this.#believed(packed)) {
      const roster = packed.get(process);
      if (roster) rosters.push(unpack(process, roster));
      else await this.#redis.command(['SREM', this.#redis.key(NAMES), process]);
    }
    return rosters;
  }

  async #believed(packed: ReadonlyMap<string, Packed | null>): Promise<string[]> {
    const processes = [...packed.keys()];
    if (!this.#peers) return processes;
    const leftAt = new Map<string, number>();
    for (const [process, roster] of packed)
      if (roster?.leftAt !== undefined) leftAt.set(process, roster.leftAt);
    return await this.#peers.among(processes, leftAt);
  }

  async exists(process: string): Promise<boolean> {
    return (await this.#redis.command(['EXISTS', this.#keyOf(process)])) === 1;
  }

  connected(processes: readonly string[]): Promise<string[]> {
    return this.#redis.connected(processes);
  }

  #parse(value: unknown): Packed | null {
    return typeof value === 'string' ? this.#read(NAMES, packedRoster, value) : null;
  }

  #read<T>(where: string, schema: z.ZodType<T>, payload: string): T | null {
    try {
      return read(schema, payload);
    } catch {
      this.#onGarbage(where);
      return null;
    }
  }

  #keyOf(process: string): string {
    return this.#redis.key(`roster:${process}`);
  }
}

/** Rosters are long, and zod takes ten times as long for each element. */
function areIds(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => Number.isSafeInteger(one) && one >= 1 && one <= MAX_ID);
}

function areNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** Null: it is of another version. Throws for what no process says. */
function read<T>(schema: z.ZodType<T>, payload: string): T | null {
  const value: unknown = JSON.parse(payload);
  return otherVersion.safeParse(value).success ? null : schema.parse(value);
}

/** Encodes in pieces, with other work between them: a large roster would block the event loop for too long. */
async function pack({ n, isLeaving, entries }: RosterToStore, leftAt: number | undefined): Promise<string> {
  const rooms: string[] = [];
  let piece: RosterEntry[] = [];
  for (const entry of entries) {
    piece.push(entry);
    if (piece.length < ENTRIES_A_TURN) continue;
    rooms.push(...packRooms(piece));
    piece = [];
    await nextTurn();
  }
  rooms.push(...packRooms(piece));
  const left = leftAt === undefined ? {} : { leftAt };
  const head = JSON.stringify({ v: VERSION, n, isLeaving, ...left } satisfies Omit<Packed, 'rooms'>);
  return `${head.slice(0, -1)},"rooms":[${rooms.join(',')}]}`;
}

/** A room whose users are in several pieces appears several times. */
function packRooms(entries: readonly RosterEntry[]): string[] {
  const rooms = new Map<number, Packed['rooms'][number]>();
  for (const { roomId, userId, username } of entries) {
    const room = rooms.get(roomId) ?? [roomId, [], []];
    rooms.set(roomId, room);
    room[1].push(userId);
    room[2].push(username);
  }
  return [...rooms.values()].map((room) => JSON.stringify(room));
}

function unpack(process: string, { n, isLeaving, rooms }: Packed): StoredRoster {
  const entries = rooms.flatMap(([roomId, userIds, usernames]): RosterEntry[] =>
    userIds.map((userId, index) => ({ roomId, userId, username: usernames[index] ?? '' })),
  );
  return { process, n, isLeaving, entries };
}
