/**
 * Several processes on one PostgreSQL and one Redis: what a message and a delivery cost each part. On a machine with few
 * cores the parts take CPU time from each other, so rates are shown and costs are compared.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { whyNoCluster } from '../../tests/support/cluster.ts';
import { buildsOf, Cluster, type Usage } from '../contenders/cluster.ts';
import { roomful } from '../contenders/roomful.ts';
import { Load, span } from '../load/load.ts';
import { type Plan, planRoom, planSenders } from '../load/plan.ts';
import { percentile } from '../statistics.ts';
import { modelTables } from './cluster-model.ts';
import { GROWN, type Row, SAME, type Turn, tableOf } from './cluster-table.ts';
import type { Bench, Result } from './measure.ts';
import { occupy } from './turn.ts';

const PROCESSES = [1, 2, 3];
const WARM_UP_MS = 1000;
/**
 * Before the first turn: each process compiles its code while it runs, and has a part of the load only. A cold process
 * takes twice the time for a message.
 */
const COLD_SECONDS = 10;
/** Many rooms: everybody sends, and the senders of a room are spread over the processes. */
const ROOMS = 100;
const SENDERS_PER_ROOM = 6;
/** One large room, whose sockets are spread over the processes. */
const CROWD = 999;

/** A row, before it is known of which build it is. */
type Measured = Omit<Row, 'server'>;

export async function measureCluster(bench: Bench): Promise<Result> {
  const title = 'Several processes';
  const why = whyNoCluster();
  if (why !== undefined) return { title, note: `Not measured: ${why}.`, table: tableOf([]), data: [] };
  const rows: Row[] = [];
  for (const processes of PROCESSES) {
    for (const build of buildsOf(bench.options)) {
      bench.progress(`cluster: starting ${processes} processes of ${build.name}`);
      const cluster = await Cluster.start(bench, build, { count: processes, users: ROOMS * processes });
      try {
        const measured = await measureAll(bench, cluster, processes);
        rows.push(...measured.map((row) => ({ server: build.name, ...row })));
      } finally {
        await cluster.stop();
      }
    }
  }
  const note =
    `Many rooms: ${ROOMS} rooms of ${SENDERS_PER_ROOM} senders, spread over the processes, each with a window of ` +
    `messages in flight; a message counts when its ack arrives. "${GROWN}": ${ROOMS} such rooms for each process. ` +
    'One room: one sender, and listeners on all processes. No process is pinned, and all parts share the cores with ' +
    'the load, so the rates are those of this machine; what counts is the CPU time of a message in each part.';
  const shape = { rooms: ROOMS, senders: SENDERS_PER_ROOM, clients: bench.cores.loadProcesses };
  rows.sort((one, other) => one.load.localeCompare(other.load) || one.window - other.window);
  return {
    title,
    note,
    table: tableOf(rows),
    more: modelTables(
      rows.filter(({ server }) => server === roomful.name),
      shape,
    ),
    data: rows,
  };
}

async function measureAll(bench: Bench, cluster: Cluster, processes: number): Promise<Measured[]> {
  const rows = await measureRooms(bench, cluster, { load: SAME, rooms: ROOMS, processes });
  if (processes > 1)
    rows.push(...(await measureRooms(bench, cluster, { load: GROWN, rooms: ROOMS * processes, processes })));
  rows.push(...(await measureCrowd(bench, cluster, processes)));
  return rows;
}

async function measureRooms(
  bench: Bench,
  cluster: Cluster,
  { load, rooms: count, processes }: { load: string; rooms: number; processes: number },
): Promise<Measured[]> {
  const rooms = await Promise.all(Array.from({ length: count }, (_, index) => cluster.makeRoom(index)));
  const plan = planSenders(rooms.flat(), SENDERS_PER_ROOM / processes);
  const { windows } = bench.options;
  // The grown load is three times as much in flight on the same cores: with a larger window, messages would expire.
  const affordable = load === GROWN ? [Math.min(...windows)] : windows;
  const turns = await takeTurns(bench, cluster, { plan, copies: SENDERS_PER_ROOM }, affordable);
  return turns.map((row) => ({ load, processes, ...row }));
}

async function measureCrowd(bench: Bench, cluster: Cluster, processes: number): Promise<Measured[]> {
  const plan = planRoom(await cluster.makeRoom(0), CROWD, 1);
  const turns = await takeTurns(bench, cluster, { plan, copies: CROWD }, bench.options.windows);
  return turns.map((row) => ({ load: `one room of ${CROWD}`, processes, ...row }));
}

/** All with the same sockets: other senders would repeat the ids of these senders' messages. */
async function takeTurns(
  bench: Bench,
  cluster: Cluster,
  { plan, copies }: { plan: Plan; copies: number },
  windows: readonly number[],
): Promise<Pick<Row, 'window' | 'turns'>[]> {
  const load = new Load(bench.cores.loadProcesses, null);
  const rows: Pick<Row, 'window' | 'turns'>[] = [];
  try {
    await occupy(load, plan);
    await runTurn(load, cluster, { window: Math.max(...windows), copies, seconds: COLD_SECONDS });
    for (const window of windows) {
      const turns: Turn[] = [];
      for (let round = 1; round <= bench.options.rounds; round++) {
        const turn = await runTurn(load, cluster, { window, copies, seconds: bench.options.seconds });
        bench.progress(
          `cluster, window ${window}, round ${round}: ${Math.round(turn.messagesPerSecond)} messages/s`,
        );
        turns.push(turn);
      }
      rows.push({ window, turns });
    }
    return rows;
  } finally {
    await load.stop();
  }
}

async function runTurn(
  load: Load,
  cluster: Cluster,
  { window, seconds, copies }: { window: number; seconds: number; copies: number },
): Promise<Turn> {
  await cluster.indexed();
  const first = await load.mark(false);
  await load.send(window, false);
  await sleep(WARM_UP_MS);
  const from = await load.mark(true);
  const used = await cluster.usage();
  await sleep(seconds * 1000);
  const to = await load.mark(false);
  const usage = await cluster.usage();
  const { delivery, answer } = await load.halt();
  const haltedAt = performance.now();
  await load.drain(first, copies);
  const lagMs = performance.now() - haltedAt;
  const measured = span(from, to);
  const perMessage = (part: keyof Usage) => (usage[part] - used[part]) / measured.answers;
  return {
    messagesPerSecond: measured.answers / measured.seconds,
    deliveriesPerSecond: (measured.frames - measured.acks) / measured.seconds,
    ackMs: { p50: percentile(answer, 0.5), p99: percentile(answer, 0.99) },
    deliveryMs: { p50: percentile(delivery, 0.5), p99: percentile(delivery, 0.99) },
    batch: 1 / perMessage('batches'),
    reads: perMessage('reads'),
    writes: perMessage('writes'),
    clientUs: (measured.cpuShare * measured.seconds * from.length * 1e6) / measured.answers,
    processUs: perMessage('processes') * 1e6,
    postgresUs: perMessage('postgres') * 1e6,
    redisUs: perMessage('redis') * 1e6,
    lagMs,
    walBytes: perMessage('wal'),
  };
}
