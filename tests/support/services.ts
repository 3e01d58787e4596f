/** `npm run services`: a PostgreSQL and a Redis for a developer, until Ctrl-C. */
import { once } from 'node:events';
import { PostgresServer } from './postgres.ts';
import { whyNoBinaries } from './postgres-binaries.ts';
import { RedisServer, whyNoRedis } from './redis.ts';

const HELP = `Usage: npm run services [-- --help]

Starts a PostgreSQL and a Redis from the installed programs (apt-get install postgresql redis-server), each in a folder
of its own and on a free port, and prints their addresses as settings for the server and for the tests. Ctrl-C ends
both. Their data is deleted.
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
    `DATABASE_URL=${await postgres.createDatabase()}\nREDIS_URL=${redis.url}\n` +
      `JWT_SECRET=${'not-for-production'.padEnd(40, '-')}\n\n` +
      `# For the tests:\nTEST_DATABASE_URL=${postgres.url}\nTEST_REDIS_URL=${redis.url}\n`,
  );
  await ended;
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
