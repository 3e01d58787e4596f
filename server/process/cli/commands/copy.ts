/** `roomful copy`: moves the data from SQLite to PostgreSQL. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { CopyResult } from '../../../data/storage/copy/copy.ts';
import { readEnvironment } from '../../../platform/config.ts';
import { parseDatabaseAddress } from '../../../platform/database-address.ts';
import { answer, CommandError, say } from '../report.ts';

const AFTER = `
1. Start it while the server runs. It copies the messages, and says when the server is to be stopped.
2. Stop the server. The rest is copied, and the two databases are compared.
3. Start the server with DATABASE_URL, and with the same JWT_SECRET as before.

Of files that people have uploaded only the rows are copied. Their bytes stay in FILES_DIR, which must be the same.

It may be stopped at any moment. The same command then goes on where it stopped.
`;

interface Options {
  /** The data folder. */
  from: string;
  to?: string;
  json?: boolean;
}

export function addCopy(program: Command): void {
  program
    .command('copy')
    .description('copy everything from SQLite to an empty PostgreSQL database')
    .requiredOption('--from <sqlite:DIR>', "the server's DATA_DIR", folderOf)
    .option('--to <postgres://…>', 'the database; without it, the one of DATABASE_URL')
    .option('--json', 'answer in JSON')
    .addHelpText('after', AFTER)
    .action(async (options: Options) => {
      const dataDir = options.from;
      const address = parseDatabaseAddress(options.to ?? readEnvironment().DATABASE_URL ?? '');
      if (address === undefined) {
        const name = options.to === undefined ? 'DATABASE_URL' : '--to';
        const example = 'postgres://user:password@db.example.org:5432/roomful';
        throw new CommandError(`${name} must be an address such as ${example}.`, 2);
      }
      const { copyToPostgres } = await import('../../../data/storage/copy/copy.ts');
      const result = await copyToPostgres({ dataDir, address, say });
      answer({ text: summary(result, dataDir), data: result ?? { already: true } }, options);
    });
}

function folderOf(source: string): string {
  const folder = /^sqlite:(.+)$/s.exec(source)?.[1];
  if (folder === undefined) throw new InvalidArgumentError('It must be sqlite: followed by a folder.');
  return folder;
}

function summary(result: CopyResult, dataDir: string): string {
  const done =
    result === undefined
      ? 'This data was copied before, and the copy is complete.'
      : `Done: ${result.rows} rows are the same in both databases. The server had to stand still for ` +
        `${seconds(result.standstillMs)}, of which the comparison took ${seconds(result.comparisonMs)}.`;
  const file = join(dataDir, 'jwt-secret');
  const secret = `the same value as before${existsSync(file) ? `, which is in ${file} unless you had set it` : ''}`;
  const files = join(dataDir, 'files');
  const uploaded = existsSync(files)
    ? `The bytes of uploaded files stay in ${files}. Set FILES_DIR to it if DATA_DIR changes.\n`
    : '';
  return (
    `${done}\nNow set DATABASE_URL to the new database and JWT_SECRET to ${secret}; then start the server. ` +
    `Nobody has to sign in again.\n${uploaded}`
  );
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
