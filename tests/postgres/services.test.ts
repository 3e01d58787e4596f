import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { whyNoRedis } from '../support/redis.ts';

const MAIN = fileURLToPath(new URL('../support/services.js', import.meta.url));

describe.skipIf(whyNoPostgres() !== undefined || whyNoRedis() !== undefined)('npm run services', () => {
  it('prints the addresses of a PostgreSQL and a Redis, and ends both with itself', async () => {
    const { TEST_DATABASE_URL: _, TEST_REDIS_URL: __, ...env } = process.env;
    const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const closed = once(child, 'close');
    try {
      await eventually('addresses', () => (said.includes('TEST_REDIS_URL=') ? true : undefined), 60_000);
      const url = /^export DATABASE_URL=(\S+)$/m.exec(said)?.[1] ?? '';
      expect(said).toMatch(/^export REDIS_URL=redis:\/\/127\.0\.0\.1:\d+$/m);
      expect(await PostgresServer.run('SELECT 1 AS one', url)).toEqual([{ one: 1 }]);
      child.kill('SIGTERM');
      expect(await closed).toEqual([0, null]);
      await expect(PostgresServer.run('SELECT 1', url)).rejects.toThrow('ECONNREFUSED');
    } finally {
      child.kill('SIGKILL');
    }
  });
});
