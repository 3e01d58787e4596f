/** Ingest: how many messages a second are stored and heard, with many rooms and everybody talking. */

import type { Contender } from '../contenders/contender.ts';
import { CONTENDERS, serverOptions } from '../contenders/contenders.ts';
import { Load } from '../load/load.ts';
import { planSenders } from '../load/plan.ts';
import { median } from '../statistics.ts';
import { count, decimal, percent } from '../table.ts';
import type { Bench, Result } from './measure.ts';
import { measureRawCommits } from './raw-commits.ts';
import { occupy, perCpuSecond, type Stand, type Turn, takeTurns } from './turn.ts';

const ROOMS = 200;
const SENDERS_PER_ROOM = 5;
const WINDOW = 1;

export async function measureIngest(bench: Bench): Promise<Result> {
  bench.progress('ingest: SQLite alone');
  const before = await measureRawCommits(bench);
  const stands: Stand[] = [];
  try {
    for (const contender of CONTENDERS) {
      bench.progress(`ingest: ${contender.name} fills`);
      stands.push(await setUp(bench, contender));
    }
    const turns = await takeTurns(bench, stands, WINDOW, 'ingest');
    const raw = (before + (await measureRawCommits(bench))) / 2;
    const rows = stands.map(({ running: { contender } }, index) => ({
      contender,
      turns: turns[index] ?? [],
    }));
    return {
      title: 'Ingest',
      note:
        `${ROOMS * SENDERS_PER_ROOM} senders in ${ROOMS} rooms, each sending when its own message has come back; a message counts ` +
        `when its sender hears it. SQLite alone, in one loop with commits of 100: ${count(raw)} messages/s.`,
      table: {
        head: [
          'server',
          'on disk first',
          'messages/s',
          'p50 ms',
          'p99 ms',
          '× SQLite alone',
          'per server CPU s',
          'load CPU',
        ],
        rows: rows.map(({ contender, turns }) => toCells(contender, turns, raw)),
      },
      data: { raw, rows: rows.map(({ contender, turns }) => ({ contender: contender.name, turns })) },
    };
  } finally {
    await Promise.all(stands.map(({ load }) => load.stop()));
    await Promise.all(stands.map(({ running }) => running.stop()));
  }
}

async function setUp(bench: Bench, contender: Contender): Promise<Stand> {
  const running = await contender.start(serverOptions(contender, bench));
  const load = new Load(bench.cores.loadProcesses, bench.cores.load);
  const rooms = await running.makeRooms(ROOMS);
  // Each room through another user's door, so that the senders are spread over all users.
  const doors = rooms.flatMap((ways, index) => ways[index % ways.length] ?? []);
  await occupy(load, planSenders(doors, SENDERS_PER_ROOM));
  return { running, load, copies: SENDERS_PER_ROOM };
}

function toCells(contender: Contender, turns: Turn[], raw: number): string[] {
  const middle = (pick: (turn: Turn) => number) => median(turns.map(pick));
  const perSecond = middle((turn) => turn.echoesPerSecond);
  return [
    contender.name,
    contender.durable ? 'yes' : 'no',
    count(perSecond),
    decimal(middle((turn) => turn.echoMs.p50)),
    decimal(middle((turn) => turn.echoMs.p99)),
    contender.durable ? decimal(perSecond / raw) : '-',
    count(middle(perCpuSecond((turn) => turn.echoesPerSecond))),
    percent(middle((turn) => turn.loadCpu)),
  ];
}
