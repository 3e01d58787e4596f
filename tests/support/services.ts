/** `npm run services`: a PostgreSQL and a Redis for a developer, until Ctrl-C. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { PostgresServer } from './postgres.ts';
import { whyNoBinaries } from './postgres-binaries.ts';
import { RedisServer, whyNoRedis } from './redis.ts';

const HELP = `Usage: npm run services [-- --help]

Starts a PostgreSQL and a Redis from the installed programs (apt-get install postgresql redis-server), each in a folder
of its own and on a free port, and prints their addresses as settings for the server and for the tests: paste the lines
into the shell that starts it, or into .env. Ctrl-C ends both. Their data is deleted.
`;

async function main(args: string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  if (args.length > 0) {
    process.stderr.write(HELP);
    return 2;
  }
  const missing = whyNoBinaries() ?? whyNoRedis();
  if (missing !== undefined) {
    process.stderr.write(`${missing}: apt-get install postgresql redis-server\n`);
    return 1;
  }
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await using postgres = await PostgresServer.startOwn();
  await using redis = await RedisServer.start();
  process.stdout.write(
    `export DATABASE_URL=${await postgres.createDatabase()}\nexport REDIS_URL=${redis.url}\n` +
      `export JWT_SECRET=${randomBytes(32).toString('hex')}\n\n` +
      `# For the tests:\nexport TEST_DATABASE_URL=${postgres.url}\nexport TEST_REDIS_URL=${redis.url}\n`,
  );
  await ended;
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
