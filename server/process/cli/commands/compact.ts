/** `roomful compact`: gives the disk back what is free in the database, while the server is stopped. */
import type { Command } from 'commander';
import { readConfig, readEnvironment } from '../../../platform/config.ts';
import { answer, CommandError } from '../report.ts';

const AFTER = `
The server must be stopped: the file is written anew, which needs twice its size free on the disk. Once is enough. After
that the running server shortens the file by itself, a little at a time, whenever much of it is free. A database that
this version has made needs no such step.
`;

export function addCompact(program: Command): void {
  program
    .command('compact')
    .description('give the disk back what is free in the database')
    .option('--json', 'answer in JSON')
    .addHelpText('after', AFTER)
    .action(async (options: { json?: boolean }) => {
      const { database, dataDir } = readConfig(readEnvironment());
      if (database !== undefined)
        throw new CommandError(
          'PostgreSQL uses free space again by itself. To give it back to the disk, run VACUUM FULL messages there, ' +
            'which stops reads and writes of messages meanwhile.',
          2,
        );
      // SQLite writes the copy into a temporary file, and /var/tmp is often small. It chooses the folder at the import.
      process.env.SQLITE_TMPDIR = dataDir;
      const { compact } = await import('../../../data/backup/compact.ts');
      const { before, after } = compact(dataDir);
      const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
      const text = `The database had ${mib(before)} MiB, and has ${mib(after)} MiB now. Start the server.`;
      answer({ text, data: { bytes_before: before, bytes: after } }, options);
    });
}
