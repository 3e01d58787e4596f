/** Which alert fires in which outage: the rules in deploy/prometheus, evaluated by promtool over series of each outage. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { whyNotInstalled } from '../support/installed.ts';

const run = promisify(execFile);
const PROMTOOL = 'promtool';
const RULES = fileURLToPath(new URL('../../../deploy/prometheus/alerts.yml', import.meta.url));
const PAGE = readFileSync(new URL('../../../docs/OPERATIONS.md', import.meta.url), 'utf8');

/** Samples every 15 s, in the notation of promtool; `_` is a scrape that failed. */
type Series = Readonly<Record<string, string>>;

const HOURS_4 = 960;
const always = (value: number | string) => `${value}x${HOURS_4}`;
const rising = (each: number) => `0+${each}x${HOURS_4}`;
/** As it is at rest for an hour, and then for three hours as in the outage. */
const from1h = (before: string, after: string) => `${before}x239 ${after}x720`;

const ONE = '{job="roomful", instance="a:8080"}';
const labelled = (labels: string) => `{job="roomful", instance="a:8080", ${labels}}`;
const REFUSED = Object.fromEntries(
  ['requests', 'upgrades', 'frames'].flatMap((what) =>
    ['internal_error', 'service_unavailable'].map((code) => [
      `roomful_${what}_refused_total${labelled(`code="${code}"`)}`,
      always(0),
    ]),
  ),
);

/** Two processes with PostgreSQL, Redis and workers at work. No process has all of these series. */
const HEALTHY: Series = {
  [`up${ONE}`]: always(1),
  [`process_start_time_seconds${ONE}`]: always(1000),
  [`roomful_database_healthy${ONE}`]: always(1),
  ...REFUSED,
  [`roomful_overloaded${ONE}`]: always(0),
  [`roomful_workers${labelled('state="silent"')}`]: always(0),
  [`roomful_epoch_info${labelled('epoch="one"')}`]: always(1),
  [`roomful_postgres_timeline${ONE}`]: always(1),
  [`roomful_postgres_primaries${ONE}`]: always(1),
  [`roomful_other_secrets${ONE}`]: always(0),
  [`roomful_postgres_commits_waiting${ONE}`]: always(0),
  [`roomful_postgres_connects_failed_total${ONE}`]: always(0),
  [`roomful_clock_offset_seconds${ONE}`]: always(0.2),
  [`roomful_redis_connected${ONE}`]: always(1),
  [`roomful_redis_publishes_lost_total${ONE}`]: always(0),
  [`roomful_redis_strangers${ONE}`]: always(0),
  [`roomful_roster_processes${ONE}`]: always(2),
  'roomful_roster_processes{job="roomful", instance="b:8080"}': always(2),
  [`roomful_files_scans_failed_total${ONE}`]: always(0),
  [`roomful_disk_bytes${labelled('folder="data"')}`]: always('100000000000'),
  [`roomful_disk_free_bytes${labelled('folder="data"')}`]: always('50000000000'),
  [`roomful_commit_seconds_sum${ONE}`]: rising(0.075),
  [`roomful_commit_seconds_count${ONE}`]: rising(15),
  [`roomful_logins_failed_total${ONE}`]: always(0),
  [`roomful_slow_closes_total${ONE}`]: always(0),
  [`roomful_wal_bytes${ONE}`]: always(4_000_000),
  [`roomful_attention_lag_seconds${ONE}`]: always(0),
  [`roomful_search_lag_seconds${ONE}`]: always(0),
  [`roomful_backups_failed_total${ONE}`]: always(0),
  [`roomful_last_backup_timestamp_seconds${ONE}`]: always(1),
};

/** Each row: what happens after an hour, what it does to the series, after how many minutes, and the alerts that fire. */
const OUTAGES: readonly (readonly [outage: string, series: Series, minutes: number, alerts: string[]])[] = [
  ['nothing', {}, 40, []],
  ['a process is killed, or does not start', { [`up${ONE}`]: from1h('1', '0') }, 2, ['RoomfulDown']],
  [
    'a process ends again and again',
    { [`process_start_time_seconds${ONE}`]: `1000x239 1000+60x720` },
    5,
    ['RoomfulRestarts'],
  ],
  [
    'PostgreSQL is away for a minute, and nobody does anything',
    { [`roomful_database_healthy${ONE}`]: '1x239 0x4 1x720' },
    1,
    ['RoomfulDatabaseAway'],
  ],
  [
    'PostgreSQL is away, and people use sockets only',
    {
      [`roomful_database_healthy${ONE}`]: from1h('1', '0'),
      [`roomful_frames_refused_total${labelled('code="service_unavailable"')}`]: '0x239 0+280x720',
      [`roomful_postgres_connects_failed_total${ONE}`]: '0x239 0+30x720',
    },
    10,
    ['RoomfulDatabaseAway', 'RoomfulErrors', 'RoomfulPostgresConnects'],
  ],
  [
    'PostgreSQL has no more connections for one pool',
    { [`roomful_postgres_connects_failed_total${ONE}`]: '0x239 0+5x720' },
    5,
    ['RoomfulPostgresConnects'],
  ],
  [
    'frames are refused, and requests are not',
    { [`roomful_frames_refused_total${labelled('code="internal_error"')}`]: '0x239 0+15x720' },
    10,
    ['RoomfulErrors'],
  ],
  [
    'new sockets are refused, and nothing else is',
    { [`roomful_upgrades_refused_total${labelled('code="service_unavailable"')}`]: '0x239 0+15x720' },
    10,
    ['RoomfulErrors'],
  ],
  [
    'requests are refused, and nothing else is',
    { [`roomful_requests_refused_total${labelled('code="internal_error"')}`]: '0x239 0+15x720' },
    10,
    ['RoomfulErrors'],
  ],
  [
    'the disk of the data folder fills',
    { [`roomful_disk_free_bytes${labelled('folder="data"')}`]: from1h('50000000000', '9000000000') },
    11,
    ['RoomfulDiskFills'],
  ],
  [
    'the disk is full',
    {
      [`roomful_disk_free_bytes${labelled('folder="data"')}`]: from1h('50000000000', '0'),
      [`roomful_database_healthy${ONE}`]: from1h('1', '0'),
      [`roomful_frames_refused_total${labelled('code="service_unavailable"')}`]: '0x239 0+15x720',
    },
    11,
    ['RoomfulDatabaseAway', 'RoomfulDiskFills', 'RoomfulErrors'],
  ],
  [
    'the disk is slow',
    { [`roomful_commit_seconds_sum${ONE}`]: '0+0.075x239 18+7.5x720' },
    20,
    ['RoomfulSlowCommits'],
  ],
  [
    'a standby takes over that has everything',
    { [`roomful_postgres_timeline${ONE}`]: from1h('1', '2') },
    1,
    ['RoomfulFailover'],
  ],
  [
    'a standby takes over that was behind',
    {
      [`roomful_postgres_timeline${ONE}`]: from1h('1', '2'),
      [`roomful_epoch_info${labelled('epoch="one"')}`]: '1x239',
      [`roomful_epoch_info${labelled('epoch="two"')}`]: '_x239 1x720',
    },
    1,
    ['RoomfulEpochChanged', 'RoomfulFailover'],
  ],
  [
    'a backup is restored',
    {
      [`roomful_epoch_info${labelled('epoch="one"')}`]: '1x239',
      [`roomful_epoch_info${labelled('epoch="two"')}`]: '_x239 1x720',
    },
    1,
    ['RoomfulEpochChanged'],
  ],
  [
    'an old primary comes back after a failover',
    { [`roomful_postgres_primaries${ONE}`]: from1h('1', '2') },
    3,
    ['RoomfulTwoPrimaries'],
  ],
  [
    'a failover, during which both hosts are seen as primaries once',
    { [`roomful_postgres_primaries${ONE}`]: '1x239 2x0 1x720' },
    3,
    [],
  ],
  [
    'a process has another secret',
    { [`roomful_other_secrets${ONE}`]: from1h('0', '1') },
    3,
    ['RoomfulSecretsDiffer'],
  ],
  [
    'a process is restarted with the secret of the others',
    { [`roomful_other_secrets${ONE}`]: '0x239 1x3 0x720' },
    3,
    [],
  ],
  [
    'the synchronous standby is away',
    { [`roomful_postgres_commits_waiting${ONE}`]: from1h('0', '3') },
    4,
    ['RoomfulStandbyAway'],
  ],
  [
    "a machine's clock is off",
    { [`roomful_clock_offset_seconds${ONE}`]: from1h('0', '-3600') },
    11,
    ['RoomfulClockOff'],
  ],
  [
    'Redis is away',
    {
      [`roomful_redis_connected${ONE}`]: from1h('1', '0'),
      [`roomful_redis_publishes_lost_total${ONE}`]: '0x239 0+15x720',
    },
    4,
    ['RoomfulPublishesLost', 'RoomfulRedisAway'],
  ],
  [
    'Redis is full',
    { [`roomful_redis_publishes_lost_total${ONE}`]: '0x239 0+777x1 777x720' },
    2,
    ['RoomfulPublishesLost'],
  ],
  [
    'a copy of the database uses the same Redis',
    { [`roomful_redis_strangers${ONE}`]: from1h('0', '1') },
    3,
    ['RoomfulStrangers'],
  ],
  [
    'processes do not hear each other',
    { [`roomful_roster_processes${ONE}`]: from1h('2', '1') },
    3,
    ['RoomfulProcessesApart'],
  ],
  [
    'clamd is away while a file waits',
    // It is asked every minute.
    { [`roomful_files_scans_failed_total${ONE}`]: '0x239 0+0.25x720' },
    14,
    ['RoomfulScannerAway'],
  ],
  [
    'clamd hangs',
    // It is given up after three minutes, and asked again a minute later.
    {
      [`roomful_files_scans_failed_total${ONE}`]: `0x239 ${[1, 2, 3, 4, 5, 6].map((count) => `${count}x16`).join(' ')}`,
    },
    20,
    ['RoomfulScannerAway'],
  ],
  [
    'clamd is restarted, and reads its signatures for a minute',
    { [`roomful_files_scans_failed_total${ONE}`]: '0x239 1 2 2 3 3 4x715' },
    11,
    [],
  ],
  ['too much to do', { [`roomful_overloaded${ONE}`]: from1h('0', '1') }, 7, ['RoomfulOverloaded']],
  [
    'a worker hangs',
    { [`roomful_workers${labelled('state="silent"')}`]: from1h('0', '1') },
    6,
    ['RoomfulWorkerSilent'],
  ],
  [
    'a program guesses passwords',
    { [`roomful_logins_failed_total${ONE}`]: '0x239 0+60x720' },
    15,
    ['RoomfulGuessing'],
  ],
  [
    'clients do not take what they are sent',
    { [`roomful_slow_closes_total${ONE}`]: '0x239 0+15x720' },
    15,
    ['RoomfulSlowClients'],
  ],
  [
    'a program reads the database without an end',
    { [`roomful_wal_bytes${ONE}`]: from1h('0', '2000000000') },
    16,
    ['RoomfulLogGrows'],
  ],
  [
    'notifications of a room fail',
    { [`roomful_attention_lag_seconds${ONE}`]: '0x239 0+15x720' },
    10,
    ['RoomfulNotificationsLate'],
  ],
  [
    'the index of the search cannot be written',
    { [`roomful_search_lag_seconds${ONE}`]: '0x239 0+15x720' },
    10,
    ['RoomfulSearchLate'],
  ],
  [
    'a backup fails',
    { [`roomful_backups_failed_total${ONE}`]: from1h('0', '1') },
    1,
    ['RoomfulBackupFailed'],
  ],
  [
    // The clock of promtool begins in 1970, and so 36 hours have not passed yet.
    'the latest backup is old',
    { [`roomful_last_backup_timestamp_seconds${ONE}`]: always(-126_000) },
    11,
    ['RoomfulNoBackup'],
  ],
  [
    'PostgreSQL has backups of which Roomful knows nothing',
    { [`roomful_last_backup_timestamp_seconds${ONE}`]: '_x960' },
    40,
    [],
  ],
];

const missing = whyNotInstalled(PROMTOOL, 'prometheus');

describe('alerts', () => {
  it.skipIf(missing !== undefined)(
    'each outage fires its alerts, and no other',
    { timeout: 300_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'roomful-alerts-'));
      try {
        const file = join(folder, 'test.json');
        // JSON is YAML.
        const tests = OUTAGES.map(([name, series, minutes, alerts]) => ({
          name,
          interval: '15s',
          input_series: Object.entries({ ...HEALTHY, ...series }).map(([one, values]) => ({
            series: one,
            values,
          })),
          promql_expr_test: [
            {
              expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
              eval_time: `${60 + minutes}m`,
              exp_samples: alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
            },
          ],
        }));
        writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '30s', tests }));
        const outcome = await run(PROMTOOL, ['test', 'rules', file]).then(
          ({ stdout }) => stdout,
          (error: { stdout: string; stderr: string }) => error.stderr + error.stdout,
        );
        expect(outcome).toMatch(/SUCCESS/);
        expect(outcome).not.toMatch(/FAILED/);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  it('every alert has an outage that fires it', () => {
    const fired = new Set(OUTAGES.flatMap(([, , , alerts]) => alerts));
    const all = [...readFileSync(RULES, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name]) => name);
    expect(all.filter((name) => !fired.has(name ?? ''))).toEqual([]);
  });

  it('every alert names the sections of docs/OPERATIONS.md that say what to do', () => {
    const anchors = new Set(
      [...PAGE.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^\w\- ]/g, '')
          .replaceAll(' ', '-'),
      ),
    );
    const rules = readFileSync(RULES, 'utf8').split('- alert: ').slice(1);
    for (const rule of rules) {
      const named = (/docs: (.+)/.exec(rule)?.[1] ?? '').split(' ');
      for (const one of named) {
        const [page, anchor = ''] = one.split('#');
        expect(page, rule).toBe('OPERATIONS.md');
        expect(anchors.has(anchor), one).toBe(true);
      }
    }
  });
});
