/** Fan-out: how many copies of messages per second one core delivers to a room. */

import type { Contender } from '../contenders/contender.ts';
import { contendersOf, serverOptions } from '../contenders/contenders.ts';
import { roomful } from '../contenders/roomful.ts';
import { Load } from '../load/load.ts';
import { planRoom } from '../load/plan.ts';
import { median } from '../statistics.ts';
import { count, decimal, percent } from '../table.ts';
import type { Bench, Result } from './measure.ts';
import { occupy, perCpuSecond, type Stand, type Turn, takeTurns } from './turn.ts';

const SENDERS = 10;

interface Row {
  room: number;
  window: number;
  contender: Contender;
  turns: Turn[];
  /** By the name of the other server: the median, over the rounds, of the ratio of deliveries in the same round. */
  ratios: Record<string, number>;
}

export async function measureFanOut(bench: Bench): Promise<Result> {
  const contenders = contendersOf(bench.options);
  const others = contenders.filter((contender) => contender !== roomful);
  const rows: Row[] = [];
  for (const room of bench.options.rooms) rows.push(...(await measureRoom(bench, contenders, room)));
  return {
    title: 'Fan-out',
    note:
      `${SENDERS} senders in one room, each with a window of messages in flight: the next one is sent when the sender ` +
      'has received one. Latency is from sending to receiving. Roomful has each message on disk first.',
    table: {
      head: [
        'room',
        'window',
        'server',
        'leaves out',
        'deliveries/s',
        'p50 ms',
        'p99 ms',
        ...others.map(({ name }) => `× ${name}`),
        'per server CPU s',
        'load CPU',
      ],
      rows: rows.map((row) => toCells(row, others)),
    },
    data: rows.map(({ contender, ...row }) => ({
      ...row,
      contender: contender.name,
      durable: contender.durable,
    })),
  };
}

/** Rooms of this size, one for each contender, which take turns. */
export async function measureRoom(bench: Bench, contenders: Contender[], room: number): Promise<Row[]> {
  const stands: Stand[] = [];
  try {
    for (const contender of contenders) {
      bench.progress(`room of ${room}: ${contender.name} opens its sockets`);
      stands.push(await setUp(bench, contender, room));
    }
    const rows: Row[] = [];
    for (const window of bench.options.windows) {
      const turns = await takeTurns(bench, stands, window, `room of ${room}, window ${window}`);
      for (const [index, { running }] of stands.entries()) {
        const own = turns[index] ?? [];
        rows.push({
          room,
          window,
          contender: running.contender,
          turns: own,
          ratios: ratiosTo(own, stands, turns),
        });
      }
    }
    return rows;
  } finally {
    await Promise.all(stands.map(({ load }) => load.stop()));
    await Promise.all(stands.map(({ running }) => running.stop()));
  }
}

async function setUp(bench: Bench, contender: Contender, room: number): Promise<Stand> {
  const running = await contender.start(serverOptions(contender, bench));
  const load = new Load(bench.cores.loadProcesses, bench.cores.load);
  const [doors = []] = await running.makeRooms(1);
  await occupy(load, planRoom(doors, room, Math.min(SENDERS, room)));
  return { running, load, isServerAlone: bench.cores.server !== null, copies: room };
}

function ratiosTo(own: Turn[], stands: Stand[], turns: Turn[][]): Record<string, number> {
  const ratios = stands.map(({ running }, index) => {
    const rounds = own.map(
      (turn, round) => turn.deliveriesPerSecond / (turns[index]?.[round]?.deliveriesPerSecond ?? Number.NaN),
    );
    return [running.contender.name, median(rounds)] as const;
  });
  return Object.fromEntries(ratios);
}

function toCells({ room, window, contender, turns, ratios }: Row, others: Contender[]): string[] {
  const middle = (pick: (turn: Turn) => number) => median(turns.map(pick));
  return [
    count(room),
    String(window),
    contender.name,
    contender.leavesOut,
    count(middle((turn) => turn.deliveriesPerSecond)),
    decimal(middle((turn) => turn.deliveryMs.p50)),
    decimal(middle((turn) => turn.deliveryMs.p99)),
    ...others.map(({ name }) => decimal(ratios[name] ?? Number.NaN)),
    count(middle(perCpuSecond((turn) => turn.deliveriesPerSecond))),
    percent(middle((turn) => turn.loadCpu)),
  ];
}
