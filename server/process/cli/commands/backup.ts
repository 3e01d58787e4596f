/** `roomful backup`, `restore` and `verify`. */
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { BackedUp, BackupOptions } from '../../../data/backup/backup.ts';
import type { Manifest, PostgresManifest } from '../../../data/backup/manifest.ts';
import type { RestoreOptions } from '../../../data/backup/restore.ts';
import { backupName, keepLatest, latestWithFiles } from '../../../data/backup/rotation.ts';
import { refuseUnfinished } from '../../../data/backup/unfinished.ts';
import { describeReport, type Finding, type Report } from '../../../data/backup/verify.ts';
import { databaseFile } from '../../../data/storage/sqlite/data-dir.ts';
import { type Config, readConfig, readEnvironment } from '../../../platform/config.ts';
import { openBucket } from '../../composition/places.ts';
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

It also gets the files that people have uploaded: as hard links where FILES_DIR is on the same disk, which take no
space, and else as copies. Those in S3 are copied. With --into, files that an earlier backup there has are links to those.

Works while the server runs, and while it is stopped. Exit code 1: there is no backup, or it has the damage of the
database, which the answer names.
`;

const ABOUT_RESTORE = `
The server must be stopped. On PostgreSQL the database must be an empty one. Everybody signs in again afterwards, and
what was written after the backup is gone. Its files are put back into FILES_DIR, where others stay. The ids of new
rooms and messages begin a thousand million above the old ones, so that no old link leads to another room.
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
    .option('--without-files', 'leave out the files that people have uploaded')
    .option('--no-trial', 'do not restore the copy as a trial')
    .option('--json', 'answer in JSON')
    .addHelpText('after', ABOUT_BACKUP)
    .action(async (options: Json & Where & MakeFlags) => {
      const to = folderOf(options);
      const progress = createProgress();
      const { manifest, report, warning } = await makeBackup({
        to,
        withSecret: !options.withoutSecret,
        withFiles: !options.withoutFiles,
        earlier: options.into === undefined ? undefined : latestWithFiles(options.into),
        withTrial: options.trial,
        onProgress: progress.tell,
      }).finally(progress.end);
      const size = `${(manifest.bytes / 2 ** 20).toFixed(1)} MiB`;
      const { messages = 0, users = 0 } = manifest.counts;
      const made = `${to}: ${size}, ${messages} messages, ${users} users.${filesTold(manifest)}`;
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
      const { manifest, movedTo, leftFiles, report } = await putBack({
        from: options.from,
        isForced: options.force === true,
        onProgress: progress.tell,
      }).finally(progress.end);
      const aside = movedTo === undefined ? '' : `\nThe database that was there is in ${movedTo}.`;
      const left =
        leftFiles === 0
          ? ''
          : `\n${leftFiles} files of it are in FILES_DIR alone. What the new database does not have is deleted after two days.`;
      const state = stateOf(report);
      const text = `The state of ${manifest.made_at} is restored${state}. Start the server.${aside}${left}${withoutFilesTold(manifest)}`;
      answer({ text, data: { manifest, moved_to: movedTo ?? null } }, options);
    });
}

function addVerify(program: Command): void {
  program
    .command('verify')
    .description('check the database, while the server runs or is stopped')
    .option('--file <file>', 'a database file of SQLite, in place of the one of the settings')
    .option('--files', 'also compare FILES_DIR and S3 with the database, and read all files')
    .option('--json', 'answer in JSON')
    .addHelpText('after', '\nExit code 1: something is wrong with the data; the answer names the rows.\n')
    .action(async ({ file, files, ...options }: Json & { file?: string; files?: boolean }) => {
      if (file !== undefined && files)
        throw new CommandError('--files is for the database of the settings, and not for a --file.', 2);
      const config = readConfig(readEnvironment());
      const progress = createProgress();
      const tell = (done: number, all: number) => progress.tell('checking', done, all);
      const onFile = (done: number, all: number) => progress.tell('reading files', done, all);
      const report = await verifyDatabase(config, file, tell)
        .then(async (found) => {
          if (files) found.findings.push(...(await compareFiles(config, onFile)));
          return found;
        })
        .finally(progress.end);
      answer({ text: describeReport(report), data: report }, options);
      if (report.findings.length > 0) process.exitCode = 1;
    });
}

interface MakeFlags {
  withoutSecret?: boolean;
  withoutFiles?: boolean;
  trial: boolean;
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

async function compareFiles(
  { database, dataDir, files }: Config,
  tell: (done: number, all: number) => void,
): Promise<Finding[]> {
  const { verifyFiles } = await import('../../../data/backup/files/verify.ts');
  const places = { folder: files.folder, bucket: await openBucket(files) };
  if (database !== undefined) {
    const { withQuery } = await import('../../../data/backup/verify-postgres.ts');
    return await withQuery(database, (query) => verifyFiles(places, query, tell));
  }
  const { queryOf, readFile } = await import('../../../data/backup/sqlite-file.ts');
  return await readFile(databaseFile(dataDir), (sqlite) => verifyFiles(places, queryOf(sqlite), tell));
}

/** Backs up the database that the settings name: the embedded one or PostgreSQL. */
async function makeBackup({
  withFiles,
  ...rest
}: Omit<BackupOptions, 'dataDir' | 'filesDir' | 'bucket'> & { withFiles: boolean }): Promise<
  BackedUp | DumpedUp
> {
  const { database, dataDir, files } = readConfig(readEnvironment());
  const options = {
    ...rest,
    filesDir: withFiles ? files.folder : undefined,
    bucket: await openBucket(files),
  };
  if (database === undefined) {
    const { backUp } = await import('../../../data/backup/backup.ts');
    return await backUp({ ...options, dataDir });
  }
  const { backUpPostgres } = await import('../../../data/backup/postgres-backup.ts');
  return await backUpPostgres({ ...options, address: database });
}

async function putBack(rest: Omit<RestoreOptions, 'dataDir' | 'filesDir'>) {
  const { database, dataDir, files } = readConfig(readEnvironment());
  refuseUnfinished(rest.from);
  const options = { ...rest, filesDir: files.folder };
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
  return { ...(await restorePostgres({ ...options, address: database })), movedTo: undefined, leftFiles: 0 };
}

/**
 * What is known of a restored database; one with an older schema is checked when the start has brought it up to date.
 */
function stateOf(report: Report | undefined): string {
  if (report === undefined) return ', with the schema of an older version';
  return report.findings.length === 0 ? ' and sound' : ', with the damage that the backup has';
}

/** What a backup has of uploaded files. */
function filesTold({ files }: Pick<Manifest, 'files'>): string {
  if (!files) return ' Uploaded files are not in it.';
  const { count: all, bytes, linked, deleted } = files;
  if (all === 0 && deleted.length === 0) return '';
  const told = ` ${all} files, ${(bytes / 2 ** 20).toFixed(1)} MiB, ${linked} of them as links.`;
  if (deleted.length === 0) return told;
  const named = deleted.length > 10 ? `${deleted.slice(0, 10).join(', ')} …` : deleted.join(', ');
  return `${told} ${deleted.length} were deleted meanwhile: ${named}.`;
}

function withoutFilesTold({ files }: Pick<Manifest, 'files'>): string {
  return files
    ? ''
    : '\nThe backup has no uploaded files. Those in FILES_DIR are used; see what is missing with: roomful verify --files';
}
