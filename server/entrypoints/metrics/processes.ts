/** Metrics of what several processes share: PostgreSQL and Redis. Those of a part that is not there are left out. */
import type { PostgresFigures, RosterFigures } from '../../platform/metrics/figures.ts';
import { measures } from '../../platform/metrics/measures.ts';
import type { Kit } from './kit.ts';

export interface ProcessesSources {
  postgres: (() => PostgresFigures) | undefined;
  /** How far the database's clock is ahead of this machine's. */
  clockOffsetMs(): number;
  rosters: (() => RosterFigures) | undefined;
  isRedisConnected(): boolean;
  /** Processes of other databases that have the name of this one on Redis. */
  strangers(): number;
}

export function registerProcesses(kit: Kit, sources: ProcessesSources): void {
  const { postgres, clockOffsetMs, rosters } = sources;
  if (postgres) registerPostgres(kit, postgres, clockOffsetMs);
  if (rosters) registerRedis(kit, rosters, sources);
}

function registerPostgres(kit: Kit, figures: () => PostgresFigures, clockOffsetMs: () => number): void {
  const pools = () => Object.entries(figures().pools);
  kit.gauges('postgres_connections', 'Connections by pool and state.', ['pool', 'state'], () =>
    pools().flatMap(([pool, { open, busy }]): [Record<string, string>, number][] => [
      [{ pool, state: 'open' }, open],
      [{ pool, state: 'busy' }, busy],
    ]),
  );
  kit.gauges('postgres_waiting', 'Work that waits for a connection.', ['pool'], () =>
    pools().map(([pool, { waiting }]) => [{ pool }, waiting]),
  );
  kit.counter('postgres_connections_lost_total', 'Connections that broke.', () => measures.connectionsLost);
  kit.counter('postgres_connects_failed_total', 'Failed tries to connect.', () => measures.connectsFailed);
  kit.gauge('postgres_timeline', 'Rises with each failover.', () => measures.timeline);
  kit.gauge('postgres_primaries', 'Hosts of DATABASE_URL that take writes.', () => measures.primaries);
  kit.gauge('other_secrets', 'Processes with another JWT_SECRET than this one.', () => measures.otherSecrets);
  kit.gauge(
    'postgres_commits_waiting',
    'Commits of all processes that wait for a standby.',
    () => figures().commitsWaiting,
  );
  kit.histogram('postgres_lock_seconds', 'Time until a write had its locks.', measures.locks);
  kit.counter('commit_retries_total', 'Batches sent again after a failure.', () => measures.commitRetries);
  kit.counter(
    'commits_unknown_total',
    'Batches whose outcome was not known at first.',
    () => measures.commitsUnknown,
  );
  kit.gauge(
    'clock_offset_seconds',
    "How far the database's clock is ahead of this machine's.",
    () => clockOffsetMs() / 1000,
  );
}

function registerRedis(
  kit: Kit,
  rosters: () => RosterFigures,
  { isRedisConnected, strangers }: Pick<ProcessesSources, 'isRedisConnected' | 'strangers'>,
): void {
  kit.gauge('redis_connected', '1 while what this process publishes comes back to it.', () =>
    Number(isRedisConnected()),
  );
  kit.gauge('redis_strangers', 'Processes of a copy of the database on this Redis.', strangers);
  kit.counter('redis_losses_total', 'Times at which Redis went away.', () => measures.redisLosses);
  kit.counter(
    'redis_publishes_lost_total',
    'Announcements that Redis did not take.',
    () => measures.publishesLost,
  );
  kit.histogram('redis_echo_seconds', 'Time until what a process publishes comes back to it.', measures.echo);
  kit.histogram(
    'redis_crossing_seconds',
    'How much later an event came than one that follows it.',
    measures.crossing,
  );
  kit.counter(
    'head_poll_finds_total',
    'Logs that the poll of the database found ahead of what was announced.',
    () => measures.pollFinds,
  );
  kit.counter(
    'limiter_fallbacks_total',
    'Decisions of rate limits made without Redis.',
    () => measures.limiterFallbacks,
  );
  kit.gauge('roster_processes', 'Processes that this one knows, itself included.', () => rosters().processes);
  kit.gauges('roster_entries', 'Users and rooms in the rosters of who is online.', ['of'], () => {
    const { own, others } = rosters();
    return [
      [{ of: 'own' }, own],
      [{ of: 'others' }, others],
    ];
  });
}
