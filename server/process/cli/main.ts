/**
 * The command `roomful`: one file in `commands/` for each group of commands. Exit codes: 0 done, 1 it could not be
 * done, 2 wrong arguments or settings.
 */
import { Command, CommanderError } from 'commander';
import { readBuildInfo } from '../../platform/build-info.ts';
import { addAdmin } from './commands/admin.ts';
import { addBackup } from './commands/backup.ts';
import { addCompact } from './commands/compact.ts';
import { addCopy } from './commands/copy.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExport } from './commands/export.ts';
import { addFiles } from './commands/files.ts';
import { addMigrate } from './commands/migrate.ts';
import { addPrune } from './commands/prune.ts';
import { addRoom } from './commands/room.ts';
import { addSearch } from './commands/search.ts';
import { addServer } from './commands/server.ts';
import { addStart } from './commands/start.ts';
import { addUser } from './commands/user.ts';
import { report } from './report.ts';

const AFTER = `
Settings come from the environment or from a .env file in the working directory, as for the server itself.
Exit codes: 0 done, 1 it could not be done, 2 wrong arguments or settings.
`;

const program = new Command('roomful')
  .description('Runs and administers Roomful, the self-hosted chat.')
  .version(readBuildInfo().version, '--version')
  .helpOption('-h, --help', 'show this help')
  .helpCommand(false)
  .showHelpAfterError()
  .addHelpText('after', AFTER)
  .exitOverride();
// In the order of the help.
for (const add of [
  addStart,
  addMigrate,
  addAdmin,
  addUser,
  addRoom,
  addServer,
  addFiles,
  addSearch,
  addBackup,
  addExport,
  addPrune,
  addCompact,
  addDoctor,
  addCopy,
])
  add(program);

try {
  await program.parseAsync();
} catch (error) {
  // Commander has written its own sentence and the usage.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else process.exitCode = report(error, process.argv.includes('--json'));
}
