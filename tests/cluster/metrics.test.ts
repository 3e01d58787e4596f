/** `/metrics` of several workers on one port. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { post, send } from '../support/http.ts';
import { namesInDocs } from '../support/metric-names.ts';
import { RoomLine } from '../support/room-line.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { createRoom, signUp } from '../support/users.ts';

const LINES = 4;

describe.skipIf(whyNoCluster() !== undefined)('/metrics of two workers', () => {
  test('one scrape has the figures of both, each with the number of its worker', async () => {
    await using cluster = await start();
    const server = cluster.process(0);
    const ann = await signUp(server);
    const room = await createRoom(server, ann);
    const lines = await Promise.all(
      Array.from({ length: LINES }, () => RoomLine.enter(server, ann, room.id)),
    );
    for (const line of lines) await line.post('a text');
    const text = await scrape(server);
    expect(sumOf(text, 'roomful_sockets')).toBe(LINES);
    expect(sumOf(text, 'roomful_messages_acked_total')).toBe(LINES);
    expect(linesOf(text, 'roomful_messages_acked_total').map(workerIn).sort()).toEqual(['1', '2']);
    expect(text).toContain('roomful_workers{state="answered"} 2\nroomful_workers{state="silent"} 0');
    const names = [...text.matchAll(/^# HELP (roomful_\w+)/gm)].map(([, name]) => name);
    expect(names.sort()).toEqual(namesInDocs('all', 'PostgreSQL', 'Redis', 'workers'));
  });

  test('a worker that hangs is left out and counted, and its number goes to its successor', async () => {
    await using cluster = await start();
    const server = cluster.process(0);
    const [hanging = 0] = workersOf(server.pid);
    process.kill(hanging, 'SIGSTOP');
    // One of the connections goes to the worker that hangs.
    const text = await Promise.any([scrape(server), scrape(server)]);
    expect(text).toContain('roomful_workers{state="answered"} 1\nroomful_workers{state="silent"} 1');
    expect(linesOf(text, 'roomful_messages_acked_total')).toHaveLength(1);
    process.kill(hanging, 'SIGKILL');
    await eventually('both again', async () => {
      const now = await scrape(server);
      const workers = linesOf(now, 'roomful_messages_acked_total').map(workerIn).sort();
      return workers.join() === '1,2' ? true : undefined;
    });
  });
});

describe.skipIf(whyNoCluster({ canBeStopped: true }) !== undefined)(
  '/metrics about PostgreSQL and Redis',
  () => {
    test('one process has the lease, both know each other, and commits and echoes are timed', async () => {
      await using cluster = await start();
      const server = cluster.process(0);
      const ann = await signUp(server);
      const room = await createRoom(server, ann);
      await (await RoomLine.enter(server, ann, room.id)).post('a text');
      const text = await eventually('the lease, the rosters and an echo', async () => {
        const now = await scrape(server);
        const isThere =
          sumOf(now, 'roomful_attention_lease') === 1 &&
          sumOf(now, 'roomful_roster_processes') === 4 &&
          sumOf(now, 'roomful_redis_echo_seconds_count') > 1;
        return isThere ? now : undefined;
      });
      expect(sumOf(text, 'roomful_redis_connected')).toBe(2);
      expect(sumOf(text, 'roomful_commit_seconds_count')).toBe(1);
      expect(sumOf(text, 'roomful_commit_writes_sum')).toBe(1);
      // The accounts and the room.
      expect(sumOf(text, 'roomful_postgres_lock_seconds_count')).toBeGreaterThanOrEqual(2);
      expect(sumOf(text, 'roomful_postgres_timeline')).toBeGreaterThanOrEqual(2);
      const open = linesOf(text, 'roomful_postgres_connections').filter((line) =>
        line.includes('state="open"'),
      );
      expect(open).toHaveLength(6);
      expect(open.some((line) => Number(line.split(' ').at(-1)) > 0)).toBe(true);
      expect(sumOf(text, 'roomful_postgres_connections_lost_total')).toBe(0);
    });

    test('broken connections to PostgreSQL, and Redis that goes away, are counted', async () => {
      await using cluster = await start();
      const server = cluster.process(0);
      const ann = await signUp(server);
      await cluster.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      await cluster.redis.kill();
      const text = await eventually('both', async () => {
        await createRoom(server, ann).catch(() => undefined);
        const now = await scrape(server);
        const isThere =
          sumOf(now, 'roomful_postgres_connections_lost_total') > 0 &&
          sumOf(now, 'roomful_redis_losses_total') === 2;
        return isThere ? now : undefined;
      });
      expect(sumOf(text, 'roomful_redis_connected')).toBe(0);
      const later = await eventually('announcements and limits without Redis', async () => {
        await createRoom(server, ann).catch(() => undefined);
        await post(server, '/api/v1/auth/login', { username: ann.username, password: 'a wrong password' });
        const now = await scrape(server);
        return sumOf(now, 'roomful_redis_publishes_lost_total') > 0 ? now : undefined;
      });
      expect(sumOf(later, 'roomful_limiter_fallbacks_total')).toBeGreaterThan(0);
    });
  },
);

function start(): Promise<Cluster> {
  return Cluster.start({ processes: 1, env: { WEB_CONCURRENCY: '2' } });
}

async function scrape(server: ServerProcess): Promise<string> {
  return (await send(server, '/metrics')).text;
}

/** The lines of a metric's figures. */
function linesOf(text: string, name: string): string[] {
  return text.split('\n').filter((line) => line.startsWith(`${name}{`));
}

function workerIn(line: string): string | undefined {
  return /worker="(\d+)"/.exec(line)?.[1];
}

function sumOf(text: string, name: string): number {
  return linesOf(text, name).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** The child processes. */
function workersOf(primary: number): number[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/stat`, 'utf8')
            .replace(/^.*\) /s, '')
            .split(' ')[1] === String(primary)
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}
