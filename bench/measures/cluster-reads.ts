/** Reads of several processes on one PostgreSQL: pages of a long history, and the list of rooms. */
import { whyNoCluster } from '../../tests/support/cluster.ts';
import { type Build, buildsOf, Cluster, FIRST_ID } from '../contenders/cluster.ts';
import { percentile } from '../statistics.ts';
import { count, decimal } from '../table.ts';
import type { Bench, Result } from './measure.ts';
import { requestAtRate } from './request-at-rate.ts';

const PROCESSES = 3;
const ROOMS = 500;
const PAGE = 50;
const PAGES_PER_SECOND = 100;
const LISTS_PER_SECOND = 10;
const FILL_STEP = 1_000_000;
/** Until V8 has compiled what a read takes: to each process, before those that are counted. */
const WARM_UP_REQUESTS = 200;
const WARM_UPS_PER_SECOND = 60;

interface Row {
  server: string;
  what: string;
  messages: number;
  latencies: number[];
}

export async function measureClusterReads(bench: Bench): Promise<Result> {
  const title = 'Reads of several processes';
  const why = whyNoCluster();
  const rows: Row[] = [];
  if (why === undefined) {
    for (const build of buildsOf(bench.options)) rows.push(...(await measureBuild(bench, build)));
  }
  return {
    title,
    note:
      why === undefined
        ? `${PROCESSES} processes, ${ROOMS} rooms. ${PAGES_PER_SECOND} requests per second for pages of ${PAGE} before ` +
          `random messages, and ${LISTS_PER_SECOND} for the list of rooms, to each process in turn, after ${WARM_UP_REQUESTS} to ` +
          'each that are not counted. A request is timed from the moment at which it was due.'
        : `Not measured: ${why}.`,
    table: {
      head: ['server', 'read', 'messages', 'requests', 'p50 ms', 'p99 ms', 'max ms'],
      rows: rows.map(({ server, what, messages, latencies }) => [
        server,
        what,
        count(messages),
        count(latencies.length),
        decimal(percentile(latencies, 0.5)),
        decimal(percentile(latencies, 0.99)),
        decimal(percentile(latencies, 1)),
      ]),
    },
    data: rows,
  };
}

async function measureBuild(bench: Bench, build: Build): Promise<Row[]> {
  const cluster = await Cluster.start(bench, build, { count: PROCESSES, users: 1 });
  try {
    const rows = await measureReads(bench, cluster);
    return rows.map((row) => ({ server: build.name, ...row }));
  } finally {
    await cluster.stop();
  }
}

async function measureReads({ options, progress }: Bench, cluster: Cluster): Promise<Omit<Row, 'server'>[]> {
  const rows: Omit<Row, 'server'>[] = [];
  const rooms: number[] = [];
  for (let index = 0; index < ROOMS; index++) rooms.push(await cluster.makeEmptyRoom());
  const random = (most: number) => Math.floor(Math.random() * most);
  let messages = 0;
  for (const size of [...options.history].sort((a, b) => a - b)) {
    for (; messages < size; messages += FILL_STEP) {
      await cluster.insertMessages(rooms, { from: messages, to: Math.min(size, messages + FILL_STEP) });
      progress(
        `cluster-reads: ${count(Math.min(size, messages + FILL_STEP))} of ${count(size)} messages written`,
      );
    }
    messages = size;
    await cluster.settle();
    const page = () =>
      `/api/v1/rooms/${rooms[random(ROOMS)]}/messages?limit=${PAGE}&before_id=${FIRST_ID + random(messages)}`;
    for (const [what, perSecond, path] of [
      ['page of history', PAGES_PER_SECOND, page],
      ['list of rooms', LISTS_PER_SECOND, () => '/api/v1/rooms'],
    ] as const) {
      const load = { perSecond, path };
      const warmUp = { perSecond: PROCESSES * WARM_UPS_PER_SECOND, path };
      await requestOfEach(cluster, { ...warmUp, seconds: WARM_UP_REQUESTS / WARM_UPS_PER_SECOND });
      const seconds = options.seconds * options.rounds;
      rows.push({ what, messages, latencies: await requestOfEach(cluster, { ...load, seconds }) });
    }
  }
  return rows;
}

/** A share of the rate to each process, at the same time. */
async function requestOfEach(
  cluster: Cluster,
  load: { perSecond: number; seconds: number; path(): string },
): Promise<number[]> {
  const { token, ports } = cluster;
  const perSecond = load.perSecond / ports.length;
  const latencies = await Promise.all(
    ports.map((port) => requestAtRate({ ...load, perSecond, port, token })),
  );
  return latencies.flat();
}
