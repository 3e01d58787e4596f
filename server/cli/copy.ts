/** Moves the data from SQLite to PostgreSQL: `npm run copy -- --from sqlite:DIR --to postgres://…`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, readEnvironment } from '../config.ts';
import { type CopyResult, copyToPostgres } from '../storage/copy/copy.ts';
import { parseDatabaseAddress } from '../storage/postgres/address.ts';
import { UnusableDatabaseError, WrongDatabaseError } from '../storage/unusable-database.ts';

const HELP = `Usage: npm run copy -- --from sqlite:DIR [--to postgres://USER:PASSWORD@HOST:PORT/DATABASE]

Copies everything to an empty PostgreSQL database: DIR is the server's DATA_DIR.

1. Start it while the server runs. It copies the messages, and says when the server is to be stopped.
2. Stop the server. The rest is copied, and the two databases are compared.
3. Start the server with DATABASE_URL, and with the same JWT_SECRET as before.

It may be stopped at any moment. The same command then goes on where it stopped.
Without --to, the database is the one of DATABASE_URL, from the environment or from a .env file.

Exit codes: 0 the copy is complete, 1 it is not, 2 an argument is wrong.
`;

interface Arguments {
  from: string;
  to: string | undefined;
}

async function main(args: string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  const parsed = parse(args);
  const dataDir = parsed && /^sqlite:(.+)$/s.exec(parsed.from)?.[1];
  if (parsed === undefined || dataDir === undefined) {
    process.stderr.write(HELP);
    return 2;
  }
  const address = parseDatabaseAddress(parsed.to ?? readEnvironment().DATABASE_URL ?? '');
  if (address === undefined) {
    const name = parsed.to === undefined ? 'DATABASE_URL' : '--to';
    say(`${name} must be an address such as postgres://user:password@db.example.org:5432/roomful.`);
    return 2;
  }
  process.stdout.write(summary(await copyToPostgres({ dataDir, address, say }), dataDir));
  return 0;
}

function parse(args: string[]): Arguments | undefined {
  try {
    const { values } = parseArgs({ args, options: { from: { type: 'string' }, to: { type: 'string' } } });
    return values.from === undefined ? undefined : { from: values.from, to: values.to };
  } catch {
    return undefined;
  }
}

function summary(result: CopyResult, dataDir: string): string {
  const done =
    result === undefined
      ? 'This data was copied before, and the copy is complete.'
      : `Done: ${result.rows} rows are the same in both databases. The server had to stand still for ` +
        `${seconds(result.standstillMs)}, of which the comparison took ${seconds(result.comparisonMs)}.`;
  const file = join(dataDir, 'jwt-secret');
  const secret = `the same value as before${existsSync(file) ? `, which is in ${file} unless you had set it` : ''}`;
  return (
    `${done}\nNow set DATABASE_URL to the new database and JWT_SECRET to ${secret}; then start the server. ` +
    'Nobody has to sign in again.\n'
  );
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

function fail(error: unknown): number {
  if (!(error instanceof UnusableDatabaseError || error instanceof ConfigError)) throw error;
  say(error.message);
  return error instanceof WrongDatabaseError || error instanceof ConfigError ? 2 : 1;
}

process.exitCode = await main(process.argv.slice(2)).catch(fail);
