/** Ingest: how many messages per second are stored and acknowledged, in many rooms in which everybody sends. */

import type { Contender } from '../contenders/contender.ts';
import { contendersWithoutBun, serverOptions } from '../contenders/contenders.ts';
import { Load } from '../load/load.ts';
import { planSenders } from '../load/plan.ts';
import { median } from '../statistics.ts';
import { count, decimal, percent } from '../table.ts';
import type { Bench, Result } from './measure.ts';
import { measureRawCommits } from './raw-commits.ts';
import { occupy, perCpuSecond, type Stand, type Turn, takeTurns } from './turn.ts';

const ROOMS = 200;
const SENDERS_PER_ROOM = 5;

interface Row {
  window: number;
  contender: Contender;
  turns: Turn[];
}

export async function measureIngest(bench: Bench): Promise<Result> {
  bench.progress('ingest: SQLite alone');
  const before = await measureRawCommits(bench);
  const rows = await measureRows(bench);
  const raw = (before + (await measureRawCommits(bench))) / 2;
  return {
    title: 'Ingest',
    note:
      `${ROOMS * SENDERS_PER_ROOM} senders in ${ROOMS} rooms, each with a window of messages in flight. Nothing is ` +
      'pinned to one core: the server may use what the load leaves. With Roomful each message has a cid, and counts ' +
      'when its ack arrives, which is sent after the message is on disk. The others have no acks: there a message ' +
      'counts when its sender receives it. SQLite alone, in one loop with commits of 100 messages: ' +
      `${count(raw)} messages/s.`,
    table: {
      head: [
        'window',
        'server',
        'counted at',
        'messages/s',
        'p50 ms',
        'p99 ms',
        '× SQLite alone',
        'server CPU',
        'per server CPU s',
        'load CPU',
      ],
      rows: rows.map((row) => toCells(row, raw)),
    },
    data: { raw, rows: rows.map(({ contender, ...row }) => ({ contender: contender.name, ...row })) },
  };
}

async function measureRows(bench: Bench): Promise<Row[]> {
  const stands: Stand[] = [];
  try {
    for (const contender of contendersWithoutBun(bench.options)) {
      bench.progress(`ingest: ${contender.name} opens its sockets`);
      stands.push(await setUp(bench, contender));
    }
    const rows: Row[] = [];
    for (const window of bench.options.windows) {
      const turns = await takeTurns(bench, stands, window, `ingest, window ${window}`);
      for (const [index, { running }] of stands.entries()) {
        rows.push({ window, contender: running.contender, turns: turns[index] ?? [] });
      }
    }
    return rows;
  } finally {
    await Promise.all(stands.map(({ load }) => load.stop()));
    await Promise.all(stands.map(({ running }) => running.stop()));
  }
}

async function setUp(bench: Bench, contender: Contender): Promise<Stand> {
  const { cores } = bench;
  const running = await contender.start({
    ...serverOptions(contender, bench),
    cores: cores.all,
    users: ROOMS,
  });
  const load = new Load(cores.loadProcesses, cores.all);
  const rooms = await running.makeRooms(ROOMS);
  // Each room is entered as another user: the sockets of a user with several rooms would get heads, which count as frames.
  const doors = rooms.flatMap((ways, index) => ways[index % ways.length] ?? []);
  await occupy(load, planSenders(doors, SENDERS_PER_ROOM));
  return { running, load, isServerAlone: false, copies: SENDERS_PER_ROOM };
}

function toCells({ window, contender, turns }: Row, raw: number): string[] {
  const middle = (pick: (turn: Turn) => number) => median(turns.map(pick));
  const perSecond = middle((turn) => turn.answersPerSecond);
  return [
    String(window),
    contender.name,
    contender.durable ? 'durable ack' : 'echo',
    count(perSecond),
    decimal(middle((turn) => turn.answerMs.p50)),
    decimal(middle((turn) => turn.answerMs.p99)),
    contender.durable ? decimal(perSecond / raw) : '-',
    percent(middle((turn) => turn.serverCpu)),
    count(middle(perCpuSecond((turn) => turn.answersPerSecond))),
    percent(middle((turn) => turn.loadCpu)),
  ];
}
