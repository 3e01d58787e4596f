/**
 * G9: processes that are cut off from Redis, from PostgreSQL, or frozen, under traffic. Each process is on a host of its
 * own. PostgreSQL, Redis and the clients are on ours.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Balancer } from '../support/balancer.ts';
import { PostgresServer } from '../support/postgres.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { RedisServer } from '../support/redis.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login } from '../support/users.ts';
import { CUTS, type Cut, Host } from './partition-hosts.ts';
import { type Crowd, Traffic, takeSeats } from './traffic.ts';
import type { Finding } from './trial.ts';

/** GUARANTEES.md names 3 s and 5 s; the rest is slack for a slow machine. */
const DELIVERED_WITHIN_MS = 3000 + 5000;
const NORMAL_WITHIN_MS = 5000 + 10_000;

/** Cut off from Redis, cut off from PostgreSQL, or stopped by SIGSTOP. */
type Kind = 'redis' | 'database' | 'frozen';

/**
 * `half-open` is for Redis: what it sends is lost, and it closes the connections of the process, which hears nothing of
 * that and goes on sending.
 */
type AnyCut = Cut | 'half-open';

export interface PartitionOptions extends Crowd {
  processes: number;
  kinds: readonly Kind[];
  /** By default each of `CUTS`. */
  cuts?: readonly AnyCut[];
  /** Of each kind. */
  rounds: number;
  holdMs: { min: number; max: number };
  frozenMs: number;
  window: number;
  /**
   * The number of members who send. They must not send more to a room than one can resume from (RESUME_MAX_BEHIND) while
   * a process is frozen, or its members get a `reset`.
   */
  talkers: number;
}

interface Node {
  host: Host;
  server: ServerProcess;
  /** Leads to this process alone. */
  way: Balancer;
}

export async function partition(seed: number, options: PartitionOptions): Promise<Finding> {
  const random = seededRandom(seed);
  await using postgres = await startPostgres();
  await using redis = await RedisServer.start({ bind: '0.0.0.0', 'protected-mode': 'no' });
  const nodes = await startNodes(options.processes, postgres, redis);
  await using balancer = await Balancer.start(() => nodes.map(behind));
  const seats = await takeSeats(balancer, options);
  const { window, talkers } = options;
  const traffic = new Traffic({ target: balancer, random, seats, window, talkers });
  await traffic.everybodyIn();
  const [seat] = seats;
  assert(seat);
  // Not a room of the traffic, in which the checker accounts for every message.
  const room = await createRoom(balancer, seat.login);
  const probe = new Probe(nodes, seat.login, room.id);
  const longest = { 'delivery at a cut, ms': 0, 'delivery without Redis, ms': 0, 'normal again, ms': 0 };
  const note = (name: keyof typeof longest, ms: number) => {
    longest[name] = Math.max(longest[name], Math.round(ms));
  };
  /** From the process and to it; the longer time. */
  const deliver = async (when: string, node: number) => {
    const ways = [await probe.from(node), await probe.from((node + 1) % nodes.length)];
    const ms = Math.max(...ways);
    assert(ms < DELIVERED_WITHIN_MS, `${when}: delivered after ${ways.join(' and ')} ms`);
    return ms;
  };
  for (const { kind, cut, node, holdMs } of draw(random, options)) {
    const from = nodes[node];
    assert(from);
    await probe.everywhere();
    if (kind === 'frozen') {
      process.kill(from.server.pid, 'SIGSTOP');
      await sleep(options.frozenMs);
      process.kill(from.server.pid, 'SIGCONT');
    } else {
      const onLink = cut === 'half-open' ? 'lost to it' : cut;
      from.host.cut(kind, onLink);
      if (cut === 'half-open') await closeConnections(redis, from.host.address('redis'));
      if (kind === 'redis') note('delivery at a cut, ms', await deliver(`cut off from Redis (${cut})`, node));
      await sleep(holdMs);
      if (kind === 'redis') note('delivery without Redis, ms', await deliver(`without Redis (${cut})`, node));
      from.host.heal(kind, onLink);
    }
    const ms = await probe.everywhere();
    note('normal again, ms', ms);
    assert(ms < NORMAL_WITHIN_MS, `${kind} ${cut}: normal after ${ms} ms`);
  }
  const report = await traffic.finish();
  await Promise.all(nodes.map(({ way }) => way[Symbol.asyncDispose]()));
  await Promise.all(nodes.map(({ server }) => server.dispose()));
  return {
    report,
    figures: { heard: report.heard, rounds: options.kinds.length * options.rounds, ...longest },
  };
}

interface Round {
  kind: Kind;
  cut: AnyCut;
  node: number;
  holdMs: number;
}

function* draw(
  random: Random,
  { kinds, cuts = CUTS, rounds, processes, holdMs }: PartitionOptions,
): Generator<Round> {
  for (let round = 0; round < rounds; round++) {
    for (const kind of kinds) {
      yield {
        kind,
        cut: cuts[random.integer(0, cuts.length - 1)] ?? 'link down',
        node: random.integer(0, processes - 1),
        holdMs: random.integer(holdMs.min, holdMs.max),
      };
    }
  }
}

/** All connections of this address to Redis. */
async function closeConnections(redis: RedisServer, address: string): Promise<void> {
  const list = String(await redis.run(['CLIENT', 'LIST']));
  for (const [, client = ''] of list.matchAll(/\baddr=(\S+)/g)) {
    if (client.startsWith(`${address}:`)) await redis.run(['CLIENT', 'KILL', 'ADDR', client]);
  }
}

/** Posts through each process, and looks that all others receive it. */
class Probe {
  readonly #nodes: readonly Node[];
  readonly #login: Login;
  readonly #roomId: number;
  readonly #lines = new Map<number, RoomLine>();

  constructor(nodes: readonly Node[], login: Login, roomId: number) {
    this.#nodes = nodes;
    this.#login = login;
    this.#roomId = roomId;
  }

  /** Until what is posted through each process has come to all of them, in milliseconds. */
  async everywhere(): Promise<number> {
    const began = performance.now();
    for (const index of this.#nodes.keys()) await this.from(index);
    return performance.now() - began;
  }

  /** Until what is posted through this process has come to all of them, in milliseconds. */
  async from(index: number): Promise<number> {
    const began = performance.now();
    const deadline = began + 60_000;
    for (;;) {
      try {
        const lines = await Promise.all(this.#nodes.map((_, other) => this.#line(other)));
        const text = randomBytes(8).toString('hex');
        const arrived = lines.map((line) => line.waitFor('message', ({ content }) => content === text));
        for (const arrival of arrived) arrival.catch(() => undefined);
        await lines[index]?.post(text);
        await Promise.all(arrived);
        return performance.now() - began;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await sleep(50);
      }
    }
  }

  async #line(index: number): Promise<RoomLine> {
    const known = this.#lines.get(index);
    if (known?.isOpen) return known;
    const node = this.#nodes[index];
    assert(node);
    const line = await RoomLine.enter(node.way, this.#login, this.#roomId);
    this.#lines.set(index, line);
    return line;
  }
}

async function startNodes(
  count: number,
  postgres: PostgresServer,
  redis: RedisServer,
): Promise<readonly Node[]> {
  const database = new URL(await postgres.createDatabase());
  const secret = randomBytes(32).toString('hex');
  const nodes: Node[] = [];
  for (let index = 0; index < count; index++) {
    const host = new Host(index);
    const { port, pathname, username } = database;
    const server = await ServerProcess.start({
      under: host.under,
      env: {
        HOST: '0.0.0.0',
        DATABASE_URL: `postgres://${username}@${host.ourAddress('database')}:${port}${pathname}`,
        REDIS_URL: `redis://${host.ourAddress('redis')}:${redis.port}`,
        JWT_SECRET: secret,
        MESSAGES_PER_SECOND: '0',
      },
    });
    const way = await Balancer.start(() => [{ address: host.address('clients'), port: server.port }]);
    nodes.push({ host, server, way });
  }
  return nodes;
}

function behind({ host, server }: Node) {
  return { address: host.address('clients'), port: server.port };
}

/** One that takes connections from the hosts. */
async function startPostgres(): Promise<PostgresServer> {
  const dir = mkdtempSync(join(tmpdir(), 'roomful-hba-'));
  chmodSync(dir, 0o755);
  const file = join(dir, 'pg_hba.conf');
  writeFileSync(file, 'host all all all trust\n', { mode: 0o644 });
  const server = await PostgresServer.startOwn({ settings: { listen_addresses: '*', hba_file: file } });
  // It is read at the start only.
  rmSync(dir, { recursive: true });
  return server;
}
