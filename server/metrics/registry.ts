/** The metrics of this process in the format of Prometheus. Loaded at the first request for them. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { LAST_BACKUP } from '../backup/last-backup.ts';
import type { BuildInfo } from '../build-info.ts';
import { type Histogram, histogramMetric } from './histogram.ts';
import { measures } from './measures.ts';

/** What is read at each request. */
export interface MetricsSources {
  build: BuildInfo;
  /** Of the embedded database; undefined on PostgreSQL. */
  dataDir: string | undefined;
  /** Open sockets by protocol, and what is unsent in all of them, in bytes. */
  sockets(): { v1: number; v2: number; unsentBytes: number };
  /** Rooms that this process serves now. */
  rooms(): number;
  /** Rooms whose events the follower of attention has not worked through. */
  roomsBehind(): number;
  /** Whether new work is refused because of overload. */
  isOverloaded(): boolean;
}

/** Registers everything once; the result renders it with the values of the moment. */
export function createRegistry(sources: MetricsSources): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];

  const counter = (name: string, help: string, value: () => number) =>
    new Counter({
      ...{ name: `roomful_${name}`, help, registers },
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  const gauge = (name: string, help: string, value: () => number | undefined) =>
    new Gauge({
      ...{ name: `roomful_${name}`, help, registers },
      collect() {
        this.set(value() ?? Number.NaN);
      },
    });
  const histogram = (name: string, help: string, one: Histogram) =>
    registry.registerMetric(histogramMetric(`roomful_${name}`, help, () => [[{}, one]]));
  const labelled = (name: string, help: string, counts: ReadonlyMap<string, number>) =>
    new Counter({
      ...{ name: `roomful_${name}`, help, registers, labelNames: ['code'] as const },
      collect() {
        this.reset();
        for (const [code, count] of counts) this.inc({ code }, count);
      },
    });

  new Gauge({
    ...{ name: 'roomful_build_info', help: 'The version that runs; the value is 1.', registers },
    ...{ labelNames: ['version', 'commit'] as const },
    collect() {
      this.set({ version: sources.build.version, commit: sources.build.gitCommit }, 1);
    },
  });
  new Gauge({
    ...{ name: 'roomful_sockets', help: 'Open WebSockets by protocol.', registers },
    ...{ labelNames: ['protocol'] as const },
    collect() {
      const { v1, v2 } = sources.sockets();
      this.set({ protocol: 'chatroom.v1' }, v1);
      this.set({ protocol: 'chatroom.v2' }, v2);
    },
  });
  gauge('rooms_open', 'Rooms that somebody has open.', sources.rooms);
  gauge('unsent_bytes', 'Bytes that sockets have not taken yet.', () => sources.sockets().unsentBytes);
  gauge(
    'attention_rooms_behind',
    'Rooms with events whose notifications are not decided yet.',
    sources.roomsBehind,
  );
  gauge('overloaded', '1 while new sockets and writes are refused because of overload.', () =>
    Number(sources.isOverloaded()),
  );
  counter('messages_acked_total', 'Messages stored and acknowledged.', () => measures.acked);
  counter('deliveries_total', 'Frames of rooms, times the sockets each went to.', () => measures.deliveries);
  histogram(
    'fanout_seconds',
    'Time to write to sockets what rooms had for them in one turn.',
    measures.fanOut,
  );
  histogram('commit_seconds', 'Time to commit a batch of writes to the database.', measures.commit);
  histogram('commit_writes', 'Writes in a batch.', measures.batch);
  gauge('commit_max_seconds', 'The longest commit since the last scrape.', () => {
    const longest = measures.commitMaxMs / 1000;
    measures.commitMaxMs = 0;
    return longest;
  });
  histogram('event_loop_delay_seconds', 'How late a timer runs that is due each 100 ms.', measures.loopDelay);
  registry.registerMetric(
    histogramMetric('roomful_request_seconds', 'Time from an HTTP request to the end of its response.', () =>
      Array.from(measures.requests.values(), ({ kind, seconds }) => [{ ...kind }, seconds]),
    ),
  );
  counter(
    'slow_closes_total',
    'Sockets closed because their clients were too slow.',
    () => measures.slowCloses,
  );
  labelled('requests_refused_total', 'Refused HTTP requests by error code.', measures.refused);
  labelled('upgrades_refused_total', 'Refused WebSockets by error code.', measures.refusedUpgrades);
  counter(
    'logins_failed_total',
    'Logins with a wrong name or password.',
    () => measures.refused.get('invalid_credentials') ?? 0,
  );
  const { dataDir } = sources;
  if (dataDir !== undefined) {
    gauge('database_bytes', 'Size of the database file.', () => sizeOf(join(dataDir, 'roomful.db')));
    gauge('wal_bytes', 'Size of the write-ahead log of the database.', () =>
      sizeOf(join(dataDir, 'roomful.db-wal')),
    );
    gauge('last_backup_timestamp_seconds', 'When the latest backup was made; NaN: there was none.', () =>
      timeOf(join(dataDir, LAST_BACKUP)),
    );
  }
  return registry;
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}

function timeOf(file: string): number | undefined {
  try {
    return Date.parse(readFileSync(file, 'utf8').trim()) / 1000;
  } catch {
    return undefined;
  }
}
