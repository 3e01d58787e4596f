/** Resume storm: all sockets are cut at once, miss some messages, and reconnect at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender, RunningContender } from '../contenders/contender.ts';
import { contendersWithoutBun, serverOptions } from '../contenders/contenders.ts';
import { Load } from '../load/load.ts';
import { type Door, planReturners, planSenders, type Returned } from '../load/plan.ts';
import { median, percentile } from '../statistics.ts';
import { count, decimal } from '../table.ts';
import type { Bench, Result } from './measure.ts';
import { occupy } from './turn.ts';

const SOCKETS_PER_ROOM = 100;
/** The number of messages that each socket misses. */
const MISSED = 50;
/** One socket in this number checks the seq of each event that it gets. */
const AUDITED_OF = 50;
const SETTLE_MS = 1000;

interface Run extends Omit<Returned, 'live' | 'own'> {
  liveP50: number;
  liveP99: number;
  serverCpuSeconds: number;
}

export async function measureResumeStorm(bench: Bench): Promise<Result> {
  const sockets = bench.options.storm;
  const runs = new Map<Contender, Run[]>(
    contendersWithoutBun(bench.options).map((contender) => [contender, []]),
  );
  for (let round = 1; round <= bench.options.rounds; round++) {
    for (const [contender, list] of runs) {
      const run = await storm(bench, contender);
      list.push(run);
      bench.progress(
        `resume storm, round ${round}, ${contender.name}: ${decimal(run.seconds)} s, ` +
          `${run.complete} of ${sockets} complete`,
      );
    }
  }
  return {
    title: 'Resume storm',
    note:
      `${sockets} sockets in ${roomsFor(sockets)} rooms are cut at once. ${MISSED} messages are posted to each room. ` +
      'Then all sockets reconnect at once, without jitter. Roomful: the upgrade with the ticket that the last line ' +
      'gave, start, and open with since, until sync; its users are members of all rooms, so each line also ' +
      'gets its list of rooms, all of which have changed. Socket.IO: connection state recovery. Plain ws: a new ' +
      'connection, which recovers nothing. Seconds: until all sockets are live and nothing more arrives. Complete: ' +
      `sockets that got exactly the ${MISSED} messages. Right: sockets without a gap, a repeat or a wrong order, of ` +
      `the one in ${AUDITED_OF} that is checked.`,
    table: {
      head: ['server', 'seconds', 'live p50 ms', 'live p99 ms', 'complete', 'right', 'server CPU s'],
      rows: [...runs].map(([contender, list]) => toCells(contender, list)),
    },
    data: [...runs].map(([contender, list]) => ({ contender: contender.name, sockets, runs: list })),
  };
}

function roomsFor(sockets: number): number {
  return Math.ceil(sockets / SOCKETS_PER_ROOM);
}

async function storm(bench: Bench, contender: Contender): Promise<Run> {
  const { cores, options } = bench;
  const running = await contender.start({
    ...serverOptions(contender, bench),
    ...{ isRecovering: true, isMember: true },
  });
  const load = new Load(cores.loadProcesses, cores.load);
  const posters = new Load(1, cores.load);
  try {
    await fill(running, { load, posters, sockets: options.storm });
    await load.cut();
    await posters.post(MISSED);
    await sleep(SETTLE_MS);
    const cpuFrom = running.process.cpuSeconds();
    const { live, own: _, ...returned } = await load.comeBack(MISSED);
    const serverCpuSeconds = running.process.cpuSeconds() - cpuFrom;
    const run = {
      ...returned,
      liveP50: percentile(live, 0.5),
      liveP99: percentile(live, 0.99),
      serverCpuSeconds,
    };
    expectComplete(contender, run, options.storm);
    return run;
  } finally {
    await Promise.all([load.stop(), posters.stop()]);
    await running.stop();
  }
}

/** Opens all sockets in their rooms. Each receives one message, which Socket.IO's recovery needs. */
async function fill(
  running: RunningContender,
  { load, posters, sockets }: { load: Load; posters: Load; sockets: number },
): Promise<void> {
  const rooms = await running.makeRooms(roomsFor(sockets));
  const ways: Door[] = [];
  for (let index = 0; index < sockets; index++) {
    const room = rooms[index % rooms.length] ?? [];
    const way = room[Math.floor(index / rooms.length) % room.length];
    if (way) ways.push(way);
  }
  await occupy(load, planReturners(ways, sockets, AUDITED_OF));
  const entrances = rooms.flatMap(([first]) => first ?? []);
  await occupy(posters, planSenders(entrances, 1));
  await sleep(SETTLE_MS);
}

/** Throws when a server that promises complete resumes did not keep its promise. */
function expectComplete(contender: Contender, run: Run, sockets: number): void {
  if (!contender.durable) return;
  const isComplete = run.complete === sockets && run.events === sockets * MISSED;
  if (isComplete && run.auditedRight === run.audited) return;
  throw new Error(`${contender.name}: of ${sockets} sockets ${run.complete} are complete`);
}

function toCells(contender: Contender, runs: Run[]): string[] {
  const middle = (pick: (run: Run) => number) => median(runs.map(pick));
  const worst = (pick: (run: Run) => number) => Math.min(...runs.map(pick));
  return [
    contender.name,
    decimal(middle((run) => run.seconds)),
    count(middle((run) => run.liveP50)),
    count(middle((run) => run.liveP99)),
    count(worst((run) => run.complete)),
    `${worst((run) => run.auditedRight)} of ${worst((run) => run.audited)}`,
    decimal(middle((run) => run.serverCpuSeconds)),
  ];
}
