/** `roomful backup`, `restore` and `verify`. */
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { BackedUp, BackupOptions } from '../../../data/backup/backup.ts';
import type { PostgresManifest } from '../../../data/backup/manifest.ts';
import type { RestoreOptions } from '../../../data/backup/restore.ts';
import { backupName, keepLatest } from '../../../data/backup/rotation.ts';
import { describeReport, type Report } from '../../../data/backup/verify.ts';
import { databaseFile } from '../../../data/storage/sqlite/data-dir.ts';
import { type Config, readConfig, readEnvironment } from '../../../platform/config.ts';
import { createProgress } from '../progress.ts';
import { answer, CommandError, say } from '../report.ts';

interface Json {
  json?: boolean;
}

type DumpedUp = Omit<BackedUp, 'manifest'> & { manifest: PostgresManifest };

const ABOUT_BACKUP = `
The folder gets the database, the secret of the tokens unless it is in JWT_SECRET, and a manifest. The copy is checked,
and restored once as a trial. Nobody else may read it: it holds every message. Of PostgreSQL the folder gets a dump by
pg_dump, which is read back once.

Works while the server runs, and while it is stopped. Exit code 1: there is no backup, or it has the damage of the
database, which the answer names.
`;

const ABOUT_RESTORE = `
The server must be stopped. On PostgreSQL the database must be an empty one. Everybody signs in again afterwards, and
what was written after the backup is gone. The ids of new rooms and messages begin a thousand million above the old
ones, so that no old link leads to another room.
`;

export function addBackup(program: Command): void {
  addMake(program);
  addRestore(program);
  addVerify(program);
}

function addMake(program: Command): void {
  program
    .command('backup')
    .description('back up the database, while the server runs')
    .option('--to <folder>', 'a folder that is not there yet')
    .option('--into <folder>', 'in place of --to: a folder that gets one with the time in its name')
    .option('--keep <count>', 'with --into: delete all but the latest backups of this database there', count)
    .option('--without-secret', 'leave out the secret of the tokens')
    .option('--no-trial', 'do not restore the copy as a trial')
    .option('--json', 'answer in JSON')
    .addHelpText('after', ABOUT_BACKUP)
    .action(async (options: Json & Where & { withoutSecret?: boolean; trial: boolean }) => {
      const to = folderOf(options);
      const progress = createProgress();
      const { manifest, report, warning } = await makeBackup({
        to,
        withSecret: !options.withoutSecret,
        withTrial: options.trial,
        onProgress: progress.tell,
      }).finally(progress.end);
      const size = `${(manifest.bytes / 2 ** 20).toFixed(1)} MiB`;
      const { messages = 0, users = 0 } = manifest.counts;
      const made = `${to}: ${size}, ${messages} messages, ${users} users.`;
      const isSound = report.findings.length === 0;
      const isDump = manifest.format === 'roomful postgres backup 1';
      const tried = options.trial ? ` ${isDump ? 'It was read back.' : 'A trial restored it.'}` : '';
      const text = isSound
        ? `${made} It is sound.${tried}`
        : `${made}${tried}\nThe database is damaged, and so is its copy.\n${describeReport(report)}`;
      if (warning !== undefined) say(warning);
      // While the database is damaged, older backups may be the good ones.
      const { into, keep } = options;
      const deleted =
        isSound && into !== undefined && keep !== undefined
          ? keepLatest(into, { count: keep, epoch: manifest.epoch })
          : [];
      if (!isSound) process.exitCode = 1;
      answer(
        {
          text,
          data: {
            ...manifest,
            ...(!isSound && { damage: report.findings }),
            ...(into !== undefined && { folder: to, deleted }),
          },
        },
        options,
      );
    });
}

function addRestore(program: Command): void {
  program
    .command('restore')
    .description('put a backup in the place of the database')
    .requiredOption('--from <folder>', 'the folder of the backup')
    .option('--force', 'move a database aside that is there')
    .option('--json', 'answer in JSON')
    .addHelpText('after', ABOUT_RESTORE)
    .action(async (options: Json & { from: string; force?: boolean }) => {
      const progress = createProgress();
      const { manifest, movedTo, report } = await putBack({
        from: options.from,
        isForced: options.force === true,
        onProgress: progress.tell,
      }).finally(progress.end);
      const aside = movedTo === undefined ? '' : `\nThe database that was there is in ${movedTo}.`;
      const state = stateOf(report);
      const text = `The state of ${manifest.made_at} is restored${state}. Start the server.${aside}`;
      answer({ text, data: { manifest, moved_to: movedTo ?? null } }, options);
    });
}

function addVerify(program: Command): void {
  program
    .command('verify')
    .description('check the database, while the server runs or is stopped')
    .option('--file <file>', 'a database file of SQLite, in place of the one of the settings')
    .option('--json', 'answer in JSON')
    .addHelpText('after', '\nExit code 1: something is wrong with the data; the answer names the rows.\n')
    .action(async ({ file, ...options }: Json & { file?: string }) => {
      const config = readConfig(readEnvironment());
      const progress = createProgress();
      const tell = (done: number, all: number) => progress.tell('checking', done, all);
      const report = await verifyDatabase(config, file, tell).finally(progress.end);
      answer({ text: describeReport(report), data: report }, options);
      if (report.findings.length > 0) process.exitCode = 1;
    });
}

interface Where {
  to?: string;
  into?: string;
  keep?: number;
}

function folderOf({ to, into, keep }: Where): string {
  if ((to === undefined) === (into === undefined))
    throw new CommandError('Name a folder: --to or --into.', 2);
  if (keep !== undefined && into === undefined) throw new CommandError('--keep goes with --into.', 2);
  return to ?? join(into ?? '', backupName(new Date()));
}

function count(text: string): number {
  if (!/^[1-9][0-9]{0,4}$/.test(text))
    throw new InvalidArgumentError('It must be a number of backups, such as 7.');
  return Number(text);
}

async function verifyDatabase(
  config: Config,
  file: string | undefined,
  tell: (done: number, all: number) => void,
) {
  if (file === undefined && config.database !== undefined) {
    const { verifyPostgres } = await import('../../../data/backup/verify-postgres.ts');
    return await verifyPostgres(config.database, tell);
  }
  const { verifyFile } = await import('../../../data/backup/sqlite-file.ts');
  return await verifyFile(file ?? databaseFile(config.dataDir), { onRule: tell });
}

/** Backs up the database that the settings name: the embedded one or PostgreSQL. */
async function makeBackup(options: Omit<BackupOptions, 'dataDir'>): Promise<BackedUp | DumpedUp> {
  const { database, dataDir } = readConfig(readEnvironment());
  if (database === undefined) {
    const { backUp } = await import('../../../data/backup/backup.ts');
    return await backUp({ ...options, dataDir });
  }
  const { backUpPostgres } = await import('../../../data/backup/postgres-backup.ts');
  return await backUpPostgres({ ...options, address: database });
}

async function putBack(options: Omit<RestoreOptions, 'dataDir'>) {
  const { database, dataDir } = readConfig(readEnvironment());
  if (database === undefined) {
    const { restore } = await import('../../../data/backup/restore.ts');
    return await restore({ ...options, dataDir });
  }
  if (options.isForced)
    throw new CommandError(
      'On PostgreSQL, restore into an empty database: --force would have nothing to move.',
      2,
    );
  const { restorePostgres } = await import('../../../data/backup/postgres-restore.ts');
  return { ...(await restorePostgres({ ...options, address: database })), movedTo: undefined };
}

/**
 * What is known of a restored database; one with an older schema is checked when the start has brought it up to date.
 */
function stateOf(report: Report | undefined): string {
  if (report === undefined) return ', with the schema of an older version';
  return report.findings.length === 0 ? ' and sound' : ', with the damage that the backup has';
}
