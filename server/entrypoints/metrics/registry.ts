/** The metrics of this process in the format of Prometheus. Loaded at the first request for them. */
import { type StatsFs, statfsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { readBackupTime } from '../../data/backup/last-backup.ts';
import type { HealthCheck } from '../../data/storage/health-check.ts';
import type { Backlog } from '../../features/consumers/work.ts';
import type { BuildInfo } from '../../platform/build-info.ts';
import { measures } from '../../platform/metrics/measures.ts';
import { type FilesSources, registerUploads } from './files.ts';
import { createKit, type Kit } from './kit.ts';
import { latestOf } from './latest.ts';
import { type ProcessesSources, registerProcesses } from './processes.ts';

/** What is read at each request. */
export interface MetricsSources {
  build: BuildInfo;
  /** The embedded database's folder; undefined on PostgreSQL. */
  dataDir: string | undefined;
  /** Open sockets by protocol, and what is unsent in all of them, in bytes. */
  sockets(): { v1: number; v2: number; unsentBytes: number };
  /** Rooms that this process serves now. */
  rooms(): number;
  /** How far the notifier is behind. */
  notifier(): Backlog;
  /** How long the first message waits for the index of the search; 0 in the other processes. */
  searchLagMs(): number;
  /** Messages whose links are still to be looked at by this process. */
  previewsWaiting(): number;
  /** Whether new work is refused because of overload. */
  isOverloaded(): boolean;
  database: HealthCheck;
  /** Where the server makes backups by itself. */
  backupDir: string | undefined;
  epoch: string;
  /** When the latest backup of PostgreSQL was made, as far as is known. */
  lastBackup: (() => string | undefined) | undefined;
  ofProcesses: ProcessesSources;
  files: FilesSources;
  /** The folder of the files that people upload. */
  filesDir: string;
}

/** Registers everything once; the result renders it with the values of the moment. */
export function createRegistry(sources: MetricsSources): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const kit = createKit(registry);
  registerState(kit, sources);
  registerWork(kit);
  registerRefusals(kit);
  registerProcesses(kit, sources.ofProcesses);
  registerDatabaseFiles(kit, sources);
  registerUploads(kit, sources.files);
  registerDisks(kit, sources);
  return registry;
}

/** What runs, and how it is. */
function registerState(kit: Kit, sources: MetricsSources): void {
  const { gauge } = kit;
  kit.gauges('build_info', 'The version that runs; the value is 1.', ['version', 'commit'], () => [
    [{ version: sources.build.version, commit: sources.build.gitCommit }, 1],
  ]);
  kit.gauges('epoch_info', 'The epoch of the database; the value is 1.', ['epoch'], () => [
    [{ epoch: sources.epoch }, 1],
  ]);
  kit.gauges('sockets', 'Open WebSockets by protocol.', ['protocol'], () => {
    const { v1, v2 } = sources.sockets();
    return [
      [{ protocol: 'chatroom.v1' }, v1],
      [{ protocol: 'chatroom.v2' }, v2],
    ];
  });
  gauge('rooms_open', 'Rooms that somebody has open.', sources.rooms);
  gauge('unsent_bytes', 'Bytes that sockets have not taken yet.', () => sources.sockets().unsentBytes);
  // Dashboards and alerts read the metrics by these names.
  gauge(
    'attention_rooms_behind',
    'Rooms with events whose notifications are not decided yet.',
    () => sources.notifier().roomsBehind,
  );
  gauge(
    'attention_lag_seconds',
    'How long the first of these rooms has waited.',
    () => sources.notifier().lagMs / 1000,
  );
  gauge('attention_lease', '1 in the process that decides about notifications.', () =>
    Number(sources.notifier().hasLease),
  );
  gauge(
    'search_lag_seconds',
    'How long the first message has waited for the index of the search.',
    () => sources.searchLagMs() / 1000,
  );
  gauge(
    'previews_waiting',
    'Messages whose links are still to be opened for previews.',
    sources.previewsWaiting,
  );
  gauge('overloaded', '1 while new sockets and writes are refused because of overload.', () =>
    Number(sources.isOverloaded()),
  );
  gauge('database_healthy', '1 while the database takes writes.', () => {
    // A scrape does not wait for it: the next one shows what this check finds.
    void sources.database.check();
    return Number(sources.database.isHealthy);
  });
}

/** What was done, and how long it took. */
function registerWork(kit: Kit): void {
  const { counter, gauge, histogram } = kit;
  counter('messages_acked_total', 'Messages stored and acknowledged.', () => measures.acked);
  counter('deliveries_total', 'Frames of rooms, times the sockets each went to.', () => measures.deliveries);
  counter('gap_reads_total', 'Reads of what was missing in a log.', () => measures.gapReads);
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
  kit.histograms('request_seconds', 'Time from an HTTP request to the end of its response.', () =>
    Array.from(measures.requests.values(), ({ kind, seconds }) => [{ ...kind }, seconds]),
  );
  histogram('search_seconds', 'Time of a search for messages.', measures.searches);
  counter(
    'searches_cut_total',
    'Searches that ended because of their time: the answer says so, and goes on at the next page.',
    () => measures.searchesCut,
  );
  kit.counters(
    'links_fetched_total',
    'Links of messages that were opened for previews, by what came of it.',
    ['kind'],
    () =>
      Object.entries(measures.linksFetched).map(([kind, count]): [Record<string, string>, number] => [
        { kind },
        count,
      ]),
  );
  counter(
    'slow_closes_total',
    'Sockets closed because their clients were too slow.',
    () => measures.slowCloses,
  );
}

function registerRefusals(kit: Kit): void {
  const codes = (counts: ReadonlyMap<string, number>) => () =>
    Array.from(counts, ([code, count]): [Record<string, string>, number] => [{ code }, count]);
  const { refused, refusedUpgrades, refusedFrames } = measures;
  kit.counters('requests_refused_total', 'Refused HTTP requests by error code.', ['code'], codes(refused));
  kit.counters(
    'upgrades_refused_total',
    'Refused WebSockets by error code.',
    ['code'],
    codes(refusedUpgrades),
  );
  kit.counters(
    'frames_refused_total',
    'Frames of sockets that were not performed, by error code.',
    ['code'],
    codes(refusedFrames),
  );
  kit.counter(
    'logins_failed_total',
    'Logins with a wrong name or password.',
    () => measures.refused.get('invalid_credentials') ?? 0,
  );
}

/** The files of the database, and its backups. */
function registerDatabaseFiles({ counter, gauge, gauges }: Kit, sources: MetricsSources): void {
  const { dataDir } = sources;
  if (dataDir !== undefined) {
    gauge('database_bytes', 'Size of the database file.', () => sizeOf(join(dataDir, 'roomful.db')));
    gauge('wal_bytes', 'Size of the write-ahead log of the database.', () =>
      sizeOf(join(dataDir, 'roomful.db-wal')),
    );
  }
  gauges('last_backup_timestamp_seconds', 'When the latest backup was made; 0: there was none.', [], () => {
    const madeAt = dataDir === undefined ? sources.lastBackup?.() : readBackupTime(dataDir);
    const seconds = madeAt === undefined ? 0 : Date.parse(madeAt) / 1000;
    // PostgreSQL may have backups of its own, of which nothing is known here.
    return dataDir === undefined && madeAt === undefined && sources.backupDir === undefined
      ? []
      : [[{}, seconds]];
  });
  counter(
    'backups_failed_total',
    'Backups of BACKUP_DIR that could not be made.',
    () => measures.backupsFailed,
  );
}

function registerDisks({ gauges }: Kit, { dataDir, backupDir, filesDir }: MetricsSources): void {
  // Often a network disk: where it hangs, one read waits, and no scrape and no event loop.
  const backupDisk = backupDir === undefined ? undefined : latestOf(() => statfs(backupDir));
  // There is no such folder before the first file.
  const filesDisk = latestOf(() => statfs(filesDir));
  // Reads what the first scrape shows.
  backupDisk?.();
  filesDisk();
  const disks = (of: (disk: StatsFs) => number) => (): [Record<string, string>, number][] =>
    Object.entries({ data: diskOf(dataDir), backups: backupDisk?.(), files: filesDisk() }).flatMap(
      ([folder, disk]) => (disk ? [[{ folder }, of(disk)]] : []),
    );
  gauges(
    'disk_bytes',
    'Size of the disk that a folder is on.',
    ['folder'],
    disks(({ blocks, bsize }) => blocks * bsize),
  );
  gauges(
    'disk_free_bytes',
    'What is free of it.',
    ['folder'],
    disks(({ bavail, bsize }) => bavail * bsize),
  );
}

function diskOf(path: string | undefined): StatsFs | undefined {
  try {
    return path === undefined ? undefined : statfsSync(path);
  } catch {
    return undefined;
  }
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}
