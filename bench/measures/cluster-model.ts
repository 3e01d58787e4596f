/** The model of several processes (bench/model) beside what was measured, and what it says of machines with more cores. */
import { availableParallelism } from 'node:os';
import { describeMachine } from '../machine.ts';
import { predict, type Shape } from '../model/cluster.ts';
import type { Costs } from '../model/costs.ts';
import { fitCosts, type Measured, processUsOf } from '../model/fit.ts';
import { count, decimal } from '../table.ts';
import { middle, type Row, SAME } from './cluster-table.ts';
import type { Result } from './measure.ts';

const POSTGRES_CORES = 8;
/** The costs come from these numbers of processes; for more they are a prediction. */
const FITTED = 2;
const PREDICTED = [1, 2, 3, 6, 12];

type Load = Pick<Shape, 'rooms' | 'senders' | 'clients' | 'postgresCores'>;

/** None where too little was measured. */
export function modelTables(
  rows: readonly Row[],
  load: Omit<Load, 'postgresCores'>,
): Required<Result>['more'] {
  const fitted = rows.filter(({ processes }) => processes <= FITTED).map(middleOf);
  if (fitted.length < 4) return [];
  const costs = fitCosts(fitted, describeMachine().syncMs * 1000);
  const shape = { ...load, postgresCores: POSTGRES_CORES };
  return [besideMeasured(rows, shape, costs), withMoreCores(rows, shape, costs)];
}

/** The costs, applied to the measured calls; and the simulation, which finds the calls and batches by itself. */
function besideMeasured(rows: readonly Row[], load: Load, costs: Costs): Required<Result>['more'][number] {
  return {
    note:
      `The model beside these figures. Its costs in µs, from one and two processes: ${listCosts(costs)}. "By costs" is ` +
      'the CPU time of a message by these costs and the measured reads and writes, divided by the measured time. The ' +
      'simulation knows the load and the cores only; × is its part of the measured figure.',
    table: {
      head: [
        'load',
        'window',
        'processes',
        'by costs',
        'simulated messages/s',
        '×',
        'batch',
        '×',
        'writes',
        '×',
      ],
      rows: rows.map((row) => {
        const { processes, window } = row;
        const measured = middleOf(row);
        const start = [row.load, String(window), String(processes)];
        const byCosts = (processUsOf(costs, measured) / measured.processUs).toFixed(2);
        if (row.load !== SAME) return [...start, byCosts, '-', '-', '-', '-', '-', '-'];
        const sharedCores = availableParallelism();
        const simulated = predict(
          { ...load, processes, window, sharedCores, clientUs: measured.clientUs },
          costs,
        );
        const beside = (pick: 'messagesPerSecond' | 'batch' | 'writes') =>
          (simulated[pick] / middle(row, (turn) => turn[pick])).toFixed(2);
        return [
          ...[...start, byCosts, count(simulated.messagesPerSecond), beside('messagesPerSecond')],
          ...[decimal(simulated.batch), beside('batch'), decimal(simulated.writes), beside('writes')],
        ];
      }),
    },
  };
}

/** The load grows with the processes, as it would in use. */
function withMoreCores(rows: readonly Row[], load: Load, costs: Costs): Required<Result>['more'][number] {
  const windows = [...new Set(rows.filter((row) => row.load === SAME).map(({ window }) => window))];
  return {
    note:
      `What the simulation says of machines with a core for each process and ${POSTGRES_CORES} for PostgreSQL: ` +
      `messages/s of ${load.rooms} rooms of ${load.senders} for each process, and × one process.`,
    table: {
      head: ['window', ...PREDICTED.map((processes) => `${processes} processes`)],
      rows: windows.map((window) => {
        const rates = PREDICTED.map((processes) => {
          const rooms = load.rooms * processes;
          return predict({ ...load, rooms, processes, window, clientUs: 0 }, costs).messagesPerSecond;
        });
        const cells = rates.map((rate) => `${count(rate)} (${(rate / (rates[0] ?? rate)).toFixed(2)} ×)`);
        return [String(window), ...cells];
      }),
    },
  };
}

function listCosts(costs: Costs): string {
  return Object.entries(costs)
    .map(([name, us]) => `${name.replace(/Us$/, '')} ${decimal(us)}`)
    .join(', ');
}

function middleOf(row: Row): Measured {
  return {
    processes: row.processes,
    batch: middle(row, (turn) => turn.batch),
    reads: middle(row, (turn) => turn.reads),
    writes: middle(row, (turn) => turn.writes),
    processUs: middle(row, (turn) => turn.processUs),
    postgresUs: middle(row, (turn) => turn.postgresUs),
    redisUs: middle(row, (turn) => turn.redisUs),
    clientUs: middle(row, (turn) => turn.clientUs),
  };
}
