/** Processes of one database compare their settings, and `roomful doctor` compares all of them. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { send } from '../support/http.ts';
import { PostgresServer } from '../support/postgres.ts';
import { RedisServer } from '../support/redis.ts';
import { ServerProcess } from '../support/server-process.ts';

const ONE = randomBytes(32).toString('hex');
const ANOTHER = randomBytes(32).toString('hex');
const DIFFERS = /use this database with another JWT_SECRET/;
const SAME_AGAIN = /have the same JWT_SECRET again/;

describe.skipIf(whyNoCluster() !== undefined)('processes of one database', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let url: string;
  let port: number;
  let first: ServerProcess;
  let second: ServerProcess;

  beforeAll(async () => {
    [postgres, redis, port] = await Promise.all([PostgresServer.start(), RedisServer.start(), freePort()]);
    url = await postgres.createDatabase();
    first = await start(ONE);
    second = await start(ONE);
  }, 120_000);
  afterAll(async () => {
    await Promise.all([first?.dispose(), second?.dispose()]);
    await Promise.all([postgres?.[Symbol.asyncDispose](), redis?.[Symbol.asyncDispose]()]);
  });

  async function start(secret: string): Promise<ServerProcess> {
    return await ServerProcess.start({
      env: { DATABASE_URL: url, REDIS_URL: redis.url, JWT_SECRET: secret },
    });
  }

  async function doctor(secret = ONE) {
    const env = { DATABASE_URL: url, REDIS_URL: redis.url, JWT_SECRET: secret, PORT: String(port) };
    const { code, stdout } = await runCommand(first, ['doctor', '--json'], { env });
    const { checks } = JSON.parse(stdout) as { checks: { name: string; verdict: string; told: string }[] };
    return { code, stdout, of: (name: string) => checks.find((check) => check.name === name) };
  }

  /** By their numbers. */
  async function seen(...pids: (number | undefined)[]) {
    return await eventually('the doctor sees these processes and no other', async () => {
      const found = await doctor();
      const told = found.of('processes')?.told ?? '';
      const all = [...told.matchAll(/\((\d+)\)/g)].map(([, pid]) => Number(pid));
      return all.sort().join() === pids.sort().join() ? found : undefined;
    });
  }

  it('that have the same settings: the doctor says so of each thing that it compares', async () => {
    const { code, of } = await seen(first.pid, second.pid);
    expect(code).toBe(0);
    expect(of('processes')?.told).toMatch(/^2 on this database: /);
    for (const what of ['secret', 'build', 'timeline', 'clock'])
      expect(of(`${what} of processes`), what).toMatchObject({ verdict: 'ok' });
    expect(of('accounts')).toMatchObject({
      verdict: 'warning',
      told: expect.stringContaining('admin grant'),
    });
    expect(of('backup')).toMatchObject({ verdict: 'ok', told: expect.stringContaining('None') });
    for (const server of [first, second]) expect(server.stderr).not.toMatch(DIFFERS);
  });

  it('the doctor with another JWT_SECRET than all of them: a problem of its own settings', async () => {
    const { code, of } = await doctor(ANOTHER);
    expect(code).toBe(1);
    expect(of('secret of processes')).toMatchObject({
      verdict: 'problem',
      told: expect.stringContaining('another in these settings'),
    });
  });

  it('of which one has another JWT_SECRET: both say so, the doctor names them, and /ready is as before', async () => {
    await second.stop();
    await second.restart({ JWT_SECRET: ANOTHER });
    for (const [server, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const [line] = await server.logged(({ msg }) => DIFFERS.test(String(msg)));
      expect(line).toMatchObject({ level: 50, others: [expect.stringContaining(`(${other.pid})`)] });
      expect((await send(server, '/ready')).status).toBe(200);
      expect((await send(server, '/metrics')).text).toMatch(/^roomful_other_secrets 1$/m);
    }
    const { code, stdout, of } = await seen(first.pid, second.pid);
    expect(code).toBe(1);
    expect(of('secret of processes')).toMatchObject({
      verdict: 'problem',
      told: expect.stringMatching(
        /^JWT_SECRET differs: one in .+ \(\d+\); another one in .+ \(\d+\)\. Give all /,
      ),
    });
    for (const text of [stdout, first.stderr, second.stderr, JSON.stringify(await writers())])
      for (const secret of [ONE, ANOTHER]) expect(text).not.toContain(secret);
  });

  it('that have the same one again: said once, and a process that has ended is compared no more', async () => {
    await second.stop();
    await first.logged(({ msg }) => SAME_AGAIN.test(String(msg)));
    await seen(first.pid);
    await second.restart({ JWT_SECRET: ONE });
    const { code } = await seen(first.pid, second.pid);
    expect(code).toBe(0);
    expect(first.logs.filter(({ msg }) => SAME_AGAIN.test(String(msg)))).toHaveLength(1);
  });

  it.each([
    [
      'build',
      "build = '0.0.1 abcdefg'",
      'warning',
      /^It differs: 0\.0\.1 abcdefg \(.+\); .*Complete the update/,
    ],
    ['timeline', 'timeline = timeline + 1', 'problem', /^PostgreSQL is on timeline 1, .+ 1 \(.+\); 2 \(/],
    [
      'clock',
      'clock_offset_ms = -3600000',
      'warning',
      /^Off that of PostgreSQL: .+ by 3600\.0 s\. Run a time/,
    ],
  ])('of which one has another %s: the doctor names it', async (what, change, verdict, told) => {
    await second.stop();
    // What a process of that kind would say.
    await postgres.run(
      `INSERT INTO writers (id, touched_at, process, build, secret_id, timeline, clock_offset_ms)
       SELECT gen_random_uuid(), touched_at + 600000, 'elsewhere (1)', build, secret_id, timeline, clock_offset_ms
       FROM writers WHERE process IS NOT NULL LIMIT 1`,
      url,
    );
    await postgres.run(`UPDATE writers SET ${change} WHERE process = 'elsewhere (1)'`, url);
    const { code, of } = await doctor();
    expect(code).toBe(verdict === 'problem' ? 1 : 0);
    expect(of(`${what} of processes`)).toMatchObject({ verdict, told: expect.stringMatching(told) });
    expect(of(`${what} of processes`)?.told).toContain('elsewhere (1)');
    await postgres.run("DELETE FROM writers WHERE process = 'elsewhere (1)'", url);
  });

  async function writers(): Promise<unknown[]> {
    return await postgres.run('SELECT process, build, secret_id FROM writers', url);
  }
});
