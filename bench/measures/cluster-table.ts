/** The figures of several processes, as a table. */
import { median } from '../statistics.ts';
import { count, decimal, type Table } from '../table.ts';

export interface Turn {
  messagesPerSecond: number;
  deliveriesPerSecond: number;
  ackMs: { p50: number; p99: number };
  deliveryMs: { p50: number; p99: number };
  /** Messages of a batch. */
  batch: number;
  /** Calls of the system, of all processes of Roomful, for a message. */
  reads: number;
  writes: number;
  /** CPU microseconds of a message in each part. */
  clientUs: number;
  processUs: number;
  postgresUs: number;
  redisUs: number;
  /** From the last send until every socket has everything. */
  lagMs: number;
  walBytes: number;
}

/** The same load for any number of processes, and one that grows with them. */
export const SAME = 'many rooms';
export const GROWN = 'many for each';

export interface Row {
  server: string;
  load: string;
  processes: number;
  window: number;
  turns: Turn[];
}

export function tableOf(rows: readonly Row[]): Table {
  return {
    head: [
      ...[
        'server',
        'load',
        'window',
        'processes',
        'messages/s',
        'deliveries/s',
        'ack p50 ms',
        'ack p99 ms',
        'delivery p99 ms',
        'all delivered after ms',
      ],
      ...[
        'batch',
        'reads',
        'writes',
        'µs Roomful',
        'µs PostgreSQL',
        'µs Redis',
        '× one process',
        'WAL bytes',
      ],
    ],
    rows: rows.map((row) => toCells(row, rows)),
  };
}

function toCells(row: Row, rows: readonly Row[]): string[] {
  const { server, load, window, processes } = row;
  const compared = load === GROWN ? SAME : load;
  const alone = rows.find(
    (other) =>
      other.server === server && other.load === compared && other.window === window && other.processes === 1,
  );
  return [
    server,
    load,
    String(window),
    String(processes),
    count(middle(row, (turn) => turn.messagesPerSecond)),
    count(middle(row, (turn) => turn.deliveriesPerSecond)),
    decimal(middle(row, (turn) => turn.ackMs.p50)),
    decimal(middle(row, (turn) => turn.ackMs.p99)),
    decimal(middle(row, (turn) => turn.deliveryMs.p99)),
    count(middle(row, (turn) => turn.lagMs)),
    decimal(middle(row, (turn) => turn.batch)),
    decimal(middle(row, (turn) => turn.reads)),
    decimal(middle(row, (turn) => turn.writes)),
    decimal(middle(row, (turn) => turn.processUs)),
    decimal(middle(row, (turn) => turn.postgresUs)),
    decimal(middle(row, (turn) => turn.redisUs)),
    alone ? (middle(row, wholeCost) / middle(alone, wholeCost)).toFixed(2) : '-',
    count(middle(row, (turn) => turn.walBytes)),
  ];
}

/** The median of the row's turns. */
export function middle({ turns }: Row, pick: (turn: Turn) => number): number {
  return median(turns.map(pick));
}

function wholeCost({ processUs, postgresUs, redisUs }: Turn): number {
  return processUs + postgresUs + redisUs;
}
