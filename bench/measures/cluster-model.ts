/** The model beside the measurement, and what it says of machines with more cores. */
import { availableParallelism } from 'node:os';
import { describeMachine } from '../machine.ts';
import { type Costs, predict, type Shape } from '../model/cluster.ts';
import { fitCosts, type Measured } from '../model/fit.ts';
import { count, decimal } from '../table.ts';
import { middle, type Row } from './cluster-table.ts';

const POSTGRES_CORES = 8;

/** A sentence for each prediction; empty when a row that the model needs was not measured. */
export function predictions(rows: readonly Row[], load: Pick<Shape, 'rooms' | 'senders'>): string {
  const many = rows.filter((row) => row.load === 'many rooms');
  const windows = [...new Set(many.map(({ window }) => window))].sort((one, other) => one - other);
  const [least = 0, most = 0] = [windows[0], windows.at(-1)];
  const rowOf = (processes: number, window: number) =>
    many.find((row) => row.processes === processes && row.window === window);
  const [small, large, two] = [rowOf(1, least), rowOf(1, most), rowOf(2, most)];
  if (!small || !large || !two || small === large) return '';
  const measured = { small: middleOf(small), large: middleOf(large), two: middleOf(two) };
  const costs = fitCosts(measured, describeMachine().syncMs * 1000);
  const shape = { ...load, window: most, postgresCores: POSTGRES_CORES };
  const compared = many
    .filter(({ window }) => window === most)
    .map((row) => {
      const { processes } = row;
      const here = predict({ ...shape, processes, sharedCores: availableParallelism() }, costs);
      const ratio = here.messagesPerSecond / middle(row, (turn) => turn.messagesPerSecond);
      return `${processes}: ${count(here.messagesPerSecond)} (${ratio.toFixed(2)} of the measured)`;
    });
  return (
    `The model (bench/model) with window ${most} on these cores, messages/s by processes: ${compared.join(', ')}. ` +
    `With a core for each process and ${POSTGRES_CORES} for PostgreSQL: ${speedUp(shape, costs)}. ` +
    `Its costs in µs: ${listCosts(costs)}.`
  );
}

function speedUp(shape: Omit<Shape, 'processes'>, costs: Costs): string {
  const alone = predict({ ...shape, processes: 1 }, costs).messagesPerSecond;
  return [1, 2, 3, 6, 12]
    .map((processes) => {
      const { messagesPerSecond } = predict({ ...shape, processes }, costs);
      return `${processes}: ${count(messagesPerSecond)} (${(messagesPerSecond / alone).toFixed(2)} ×)`;
    })
    .join(', ');
}

function listCosts(costs: Costs): string {
  return Object.entries(costs)
    .map(([name, us]) => `${name.replace(/Us$/, '')} ${decimal(us)}`)
    .join(', ');
}

function middleOf(row: Row): Measured {
  return {
    batch: middle(row, (turn) => turn.batch),
    processUs: middle(row, (turn) => turn.processUs),
    postgresUs: middle(row, (turn) => turn.postgresUs),
    redisUs: middle(row, (turn) => turn.redisUs),
    clientUs: middle(row, (turn) => turn.clientUs),
  };
}
