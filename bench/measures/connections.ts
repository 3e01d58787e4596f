/** Connecting: how many sockets per second can enter, including authentication, the first time and again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from '../contenders/contender.ts';
import { contendersWithoutBun, serverOptions } from '../contenders/contenders.ts';
import type { ServerProcess } from '../contenders/server-process.ts';
import { Load } from '../load/load.ts';
import { type Door, planReturners } from '../load/plan.ts';
import { median, percentile } from '../statistics.ts';
import { count, decimal } from '../table.ts';
import type { Bench, Result } from './measure.ts';

const SOCKETS = 2000;
const ROOMS = 20;
const AT_ONCE = 64;
/** Between the cut and the return. */
const SETTLE_MS = 1000;

interface Way {
  perSecond: number;
  p50: number;
  p99: number;
  /** Of the server, for each socket, in milliseconds. */
  cpuMs: number;
}

interface Waves {
  first: Way;
  /** All of them once more, with a return ticket where there is one. */
  again: Way;
}

/** Both, of a server that has just started, and then of one that has run for two waves. */
type Run = Record<'cold' | 'warm', Waves>;

export async function measureConnections(bench: Bench): Promise<Result> {
  const runs = new Map<Contender, Run[]>(
    contendersWithoutBun(bench.options).map((contender) => [contender, []]),
  );
  for (let round = 1; round <= bench.options.rounds; round++) {
    for (const [contender, list] of runs) {
      const run = await connectTwice(bench, contender);
      list.push(run);
      bench.progress(
        `connections, round ${round}, ${contender.name}: ${told(run.cold)}; warm ${told(run.warm)}`,
      );
    }
  }
  return {
    title: 'Connecting',
    note:
      `${SOCKETS} sockets enter ${ROOMS} rooms, ${AT_ONCE} at a time. Roomful, first: it issues a ticket over HTTP, ` +
      'accepts the upgrade, and spends the ticket on disk. Again: all sockets were cut, and come back; to Roomful with ' +
      'the ticket that the first line gave, which is spent on disk, too, and each resumes its room. Warm: as many ' +
      'others do both on the same server afterwards, when its code is compiled. The others admit everybody: they know ' +
      'no users, spend nothing, and resume nothing.',
    table: {
      head: ['server', 'authorised', 'sockets/s', 'p50 ms', 'p99 ms', 'CPU ms a socket'],
      rows: [...runs].flatMap(([contender, list]) => rowsOf(contender, list)),
    },
    data: [...runs].map(([contender, list]) => ({ contender: contender.name, runs: list })),
  };
}

async function connectTwice(bench: Bench, contender: Contender): Promise<Run> {
  const running = await contender.start(serverOptions(contender, bench));
  try {
    const doors = (await running.makeRooms(ROOMS)).flat().map(withoutRecovery);
    const cold = await connectAll(bench, running.process, doors);
    await sleep(SETTLE_MS);
    return { cold, warm: await connectAll(bench, running.process, doors) };
  } finally {
    await running.stop();
  }
}

/** Each time from load processes of their own. */
async function connectAll({ cores }: Bench, server: ServerProcess, doors: Door[]): Promise<Waves> {
  const load = new Load(cores.loadProcesses, cores.load);
  const timed = async (
    connect: () => Promise<{ seconds: number; latencies: Float64Array }>,
  ): Promise<Way> => {
    const cpuFrom = server.cpuSeconds();
    const { seconds, latencies } = await connect();
    return {
      perSecond: SOCKETS / seconds,
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
      cpuMs: ((server.cpuSeconds() - cpuFrom) * 1000) / SOCKETS,
    };
  };
  try {
    const first = await timed(() => load.open(planReturners(doors, SOCKETS, SOCKETS), AT_ONCE));
    await load.cut();
    await sleep(SETTLE_MS);
    const again = await timed(async () => {
      const { seconds, own } = await load.comeBack(0, AT_ONCE);
      return { seconds, latencies: own };
    });
    return { first, again };
  } finally {
    await load.stop();
  }
}

/** Socket.IO's recovery is off, so each of its connections is a new one. */
function withoutRecovery(door: Door): Door {
  return door.comeBack?.ticket ? door : { ...door, comeBack: null };
}

function told({ first, again }: Waves): string {
  return `${Math.round(first.perSecond)}/s, again ${Math.round(again.perSecond)}/s`;
}

function rowsOf({ name, durable }: Contender, runs: Run[]): string[][] {
  const row = (label: string, pick: (run: Run) => Way) =>
    toCells(`${name}, ${label}`, durable, runs.map(pick));
  return [
    row('first', ({ cold }) => cold.first),
    row('again', ({ cold }) => cold.again),
    row('first, warm', ({ warm }) => warm.first),
    row('again, warm', ({ warm }) => warm.again),
  ];
}

function toCells(name: string, isAuthorised: boolean, ways: Way[]): string[] {
  const middle = (pick: (way: Way) => number) => median(ways.map(pick));
  return [
    name,
    isAuthorised ? 'yes' : 'no',
    count(middle((way) => way.perSecond)),
    decimal(middle((way) => way.p50)),
    decimal(middle((way) => way.p99)),
    decimal(middle((way) => way.cpuMs)),
  ];
}
