/** Connecting: how many sockets per second can enter, including authentication. */

import type { Contender } from '../contenders/contender.ts';
import { contendersWithoutBun, serverOptions } from '../contenders/contenders.ts';
import { Load } from '../load/load.ts';
import { planListeners } from '../load/plan.ts';
import { median, percentile } from '../statistics.ts';
import { count, decimal, percent } from '../table.ts';
import type { Bench, Result } from './measure.ts';

const SOCKETS = 2000;
const ROOMS = 20;
const AT_ONCE = 64;

interface Run {
  perSecond: number;
  p50: number;
  p99: number;
  serverCpu: number;
}

export async function measureConnections(bench: Bench): Promise<Result> {
  const runs = new Map<Contender, Run[]>(
    contendersWithoutBun(bench.options).map((contender) => [contender, []]),
  );
  for (let round = 1; round <= bench.options.rounds; round++) {
    for (const [contender, list] of runs) {
      const run = await connectAll(bench, contender);
      list.push(run);
      bench.progress(`connections, round ${round}, ${contender.name}: ${Math.round(run.perSecond)}/s`);
    }
  }
  return {
    title: 'Connecting',
    note:
      `${SOCKETS} sockets enter ${ROOMS} rooms, ${AT_ONCE} at a time. Roomful issues a ticket over HTTP, accepts ` +
      'the upgrade, and spends the ticket on disk. The others admit everybody.',
    table: {
      head: ['server', 'authorised', 'sockets/s', 'p50 ms', 'p99 ms', 'server CPU'],
      rows: [...runs].map(([contender, list]) => toCells(contender, list)),
    },
    data: [...runs].map(([contender, list]) => ({ contender: contender.name, runs: list })),
  };
}

async function connectAll(bench: Bench, contender: Contender): Promise<Run> {
  const running = await contender.start(serverOptions(contender, bench));
  const load = new Load(bench.cores.loadProcesses, bench.cores.load);
  try {
    const doors = (await running.makeRooms(ROOMS)).flat();
    const cpuFrom = running.process.cpuSeconds();
    const { seconds, latencies } = await load.open(planListeners(doors, SOCKETS), AT_ONCE);
    return {
      perSecond: SOCKETS / seconds,
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
      serverCpu: (running.process.cpuSeconds() - cpuFrom) / seconds,
    };
  } finally {
    await load.stop();
    await running.stop();
  }
}

function toCells(contender: Contender, runs: Run[]): string[] {
  const middle = (pick: (run: Run) => number) => median(runs.map(pick));
  return [
    contender.name,
    contender.durable ? 'yes' : 'no',
    count(middle((run) => run.perSecond)),
    decimal(middle((run) => run.p50)),
    decimal(middle((run) => run.p99)),
    percent(middle((run) => run.serverCpu)),
  ];
}
