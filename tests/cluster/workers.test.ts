/** WEB_CONCURRENCY: several workers on one port. */
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { PostgresServer } from '../support/postgres.ts';
import { RoomLine } from '../support/room-line.ts';
import { createRoom, signUp } from '../support/users.ts';

const WORKERS = 3;

describe.skipIf(whyNoCluster() !== undefined)('several workers', () => {
  test('one line says that all are ready, and each of them serves', async () => {
    await using cluster = await start({ LOG_LEVEL: 'debug' });
    const server = cluster.process(0);
    expect(server.stdout.match(/is ready/g)).toHaveLength(1);
    const serving = () => new Set(server.logs.filter(({ msg }) => msg === 'request').map(({ pid }) => pid));
    await eventually('each worker has served', async () => {
      await send(server, '/healthz');
      return serving().size === WORKERS ? true : undefined;
    });
    expect([...serving()].sort()).toEqual(workersOf(server.pid).sort());
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });

  test('a worker that is killed is replaced, and the sockets of the others stay', async () => {
    await using cluster = await start();
    const server = cluster.process(0);
    const ann = await signUp(server);
    const room = await createRoom(server, ann);
    const lines = await Promise.all(
      Array.from({ length: 2 * WORKERS }, () => RoomLine.enter(server, ann, room.id)),
    );
    const [first = 0, ...others] = workersOf(server.pid);
    process.kill(first, 'SIGKILL');
    await eventually('a new worker', () => {
      const now = workersOf(server.pid);
      return now.length === WORKERS && !now.includes(first) ? true : undefined;
    });
    expect(workersOf(server.pid)).toEqual(expect.arrayContaining(others));
    const open = lines.filter((line) => line.isOpen);
    expect(open.length).toBeGreaterThan(0);
    await open[0]?.post('still here');
    for (const line of open) await line.waitFor('message', ({ content }) => content === 'still here');
  });

  test('SIGHUP replaces all workers: each client is cut once, with a time to come back, and nobody leaves', async () => {
    await using cluster = await start();
    const server = cluster.process(0);
    const ann = await signUp(server);
    const room = await createRoom(server, ann);
    const before = workersOf(server.pid);
    const lines = await Promise.all(Array.from({ length: 4 }, () => RoomLine.enter(server, ann, room.id)));
    process.kill(server.pid, 'SIGHUP');
    for (const line of lines) {
      expect((await line.closed).code).toBe(4000);
      expect(line.of('restart')).toHaveLength(1);
    }
    await server.logged(({ msg }) => msg === 'the workers are replaced');
    const after = workersOf(server.pid);
    expect(after).toHaveLength(WORKERS);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    await (await RoomLine.enter(server, ann, room.id)).post('after it');
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });

  test('SIGHUP with a bad setting: the log says so, and the old workers stay', async () => {
    await using cluster = await start();
    const server = cluster.process(0);
    const before = workersOf(server.pid);
    await writeFile(join(server.dataDir, '.env'), 'LOG_LEVEL=loud\n');
    process.kill(server.pid, 'SIGHUP');
    await eventually('the log line', () => server.stderr.includes('the old ones go on') || undefined);
    expect(server.stderr).toContain('LOG_LEVEL must be one of');
    expect(workersOf(server.pid)).toEqual(expect.arrayContaining(before));
    expect((await send(server, '/healthz')).status).toBe(200);
  });

  test('workers end with their primary process', async () => {
    await using cluster = await start();
    const server = cluster.process(0);
    const workers = workersOf(server.pid);
    await server.kill();
    await eventually('no worker is left', () => (workers.some(isAlive) ? undefined : true));
  });

  test('a bad setting ends the start with 2, and is named once', async () => {
    await using postgres = await PostgresServer.start();
    const refused = start({ DATABASE_URL: postgres.url.replace(/\/[^/]*$/, '/none') });
    await expect(refused).rejects.toMatchObject({ exit: { code: 2, signal: null } });
    await refused.catch(({ stderr }) => expect(stderr.match(/Check DATABASE_URL/g)).toHaveLength(1));
  });
});

function start(env: Record<string, string> = {}): Promise<Cluster> {
  return Cluster.start({ processes: 1, env: { WEB_CONCURRENCY: String(WORKERS), ...env } });
}

/** The child processes. */
function workersOf(primary: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && parentOf(pid) === primary);
}

function isAlive(pid: number): boolean {
  return parentOf(pid) !== undefined;
}

/** Undefined for a process that has ended. */
function parentOf(pid: number): number | undefined {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return state === 'Z' ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}
