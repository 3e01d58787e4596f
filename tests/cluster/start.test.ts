/** Several processes at their start. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { PostgresServer } from '../support/postgres.ts';
import { RedisServer } from '../support/redis.ts';
import { ServerProcess, StartError } from '../support/server-process.ts';

test('a process on SQLite loads neither the driver of PostgreSQL nor the client of Redis', async () => {
  await using server = await ServerProcess.start({
    env: { DATABASE_URL: '', REDIS_URL: '', NODE_DEBUG: 'module' },
    asShipped: true,
  });
  expect(server.stderr).toContain('node_modules/fastify/');
  expect(server.stderr).not.toContain('node_modules/pg/');
  expect(server.stderr).not.toContain('node_modules/@redis/');
});

describe.skipIf(whyNoCluster() !== undefined)('a Redis that refuses the login', () => {
  test('ends the start with code 2 and a sentence', async () => {
    await using postgres = await PostgresServer.start();
    await using redis = await RedisServer.start({ requirepass: 'right' });
    const env = {
      DATABASE_URL: await postgres.createDatabase(),
      JWT_SECRET: randomBytes(32).toString('hex'),
      REDIS_URL: redis.url.replace('right', 'secret'),
    };
    const error = await ServerProcess.start({ env }).catch((reason) => reason);
    expect(error).toBeInstanceOf(StartError);
    expect(error.exit.code).toBe(2);
    expect(error.stderr.trim()).toBe(
      `Redis at 127.0.0.1:${redis.port} cannot be used: WRONGPASS invalid username-password pair or user is ` +
        'disabled. Start it, or check REDIS_URL.',
    );
  });
});
