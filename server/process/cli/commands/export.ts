/** `roomful export` and `import`. */
import type { Command } from 'commander';
import type { Manifest, RoomManifest } from '../../../data/export/manifest.ts';
import { readConfig, readEnvironment } from '../../../platform/config.ts';
import { openBucket } from '../../composition/places.ts';
import { namedRoom } from '../named-room.ts';
import { createProgress } from '../progress.ts';
import { answer, CommandError, say } from '../report.ts';

interface Json {
  json?: boolean;
}

interface ExportFlags extends Json {
  to: string;
  room?: string;
  passwords: boolean;
  withoutFiles?: boolean;
}

interface ImportFlags extends Json {
  from: string;
  force?: boolean;
  name?: string;
  owner?: string;
  dryRun?: boolean;
  yes?: boolean;
}

const ABOUT_EXPORT = `
The folder gets a manifest and a file of JSON Lines for each table: people, rooms, messages, and what belongs to them.
docs/EXPORT.md describes every field. Nobody else may read it: it holds every message.

The bytes of the files that people have uploaded are in files/, as copies. --without-files leaves them out.

With --room: one room, its texts and reactions, and the names of its people.

Works while the server runs, on SQLite and on PostgreSQL. The server's secret, sessions, invitations and links for a
new password are not exported.
`;

const ABOUT_IMPORT = `
The server must be stopped.

The export of a whole service fills an empty database: a data folder without one, or an empty database of PostgreSQL.
Everybody signs in again afterwards, with the same password. The ids of new rooms and messages begin a thousand million
above the old ones.

The export of one room adds this room to the database of a server. Its texts get the names of the people here who have
the same usernames. For all others accounts are made, with which nobody can sign in until
\`roomful user reset-password\` has made a link. Look at the names with --dry-run, and import with --yes. An import
that is refused or killed has changed nothing.
`;

export function addExport(program: Command): void {
  program
    .command('export')
    .description('write everything as JSON Lines, while the server runs')
    .requiredOption('--to <folder>', 'a folder that is not there yet')
    .option('--room <room>', "only this room: its number or '#name'")
    .option('--no-passwords', 'leave out the hashes of the passwords')
    .option('--without-files', 'leave out the files that people have uploaded')
    .option('--json', 'answer in JSON')
    .addHelpText('after', ABOUT_EXPORT)
    .action(async (options: ExportFlags) => {
      const { room } = options;
      const config = readConfig(readEnvironment());
      const { exportAll } = await import('../../../data/export/export.ts');
      const progress = createProgress();
      const manifest = await exportAll({
        config,
        to: options.to,
        withPasswords: options.passwords,
        filesDir: options.withoutFiles ? undefined : config.files.folder,
        bucket: await openBucket(config.files),
        ...(room !== undefined && { room: (rooms) => namedRoom(rooms, room) }),
        onProgress: progress.tell,
      }).finally(progress.end);
      const rows = (name: string) => manifest.files[`${name}.jsonl`]?.rows ?? 0;
      if (options.passwords && room === undefined)
        say('The export has the hashes of all passwords. Keep it like a backup, or use --no-passwords.');
      const made = `${options.to}: ${rows('messages')} messages, ${rows('users')} users, ${rows('rooms')} rooms.`;
      const text = `${made}${filesTold(manifest)}`;
      answer({ text, data: manifest }, options);
    });

  program
    .command('import')
    .description('fill an empty database with an export, or add an exported room')
    .requiredOption('--from <folder>', 'the folder of the export')
    .option('--force', 'of a service: also data that breaks a rule of `roomful verify`')
    .option('--name <name>', 'of a room: another name')
    .option('--owner <username>', 'of a room: a person of this server who becomes an owner')
    .option('--dry-run', 'of a room: only say whose names its texts get')
    .option('--yes', 'of a room: needed without --dry-run')
    .option('--json', 'answer in JSON')
    .addHelpText('after', ABOUT_IMPORT)
    .action(async (options: ImportFlags) => {
      const { isOfRoom, readManifest } = await import('../../../data/export/manifest.ts');
      await (isOfRoom(readManifest(options.from)) ? importOneRoom(options) : importService(options));
    });
}

async function importService({ from, force, name, owner, dryRun, yes, json }: ImportFlags): Promise<void> {
  if ([name, owner, dryRun, yes].some((option) => option !== undefined))
    throw new CommandError('--name, --owner, --dry-run and --yes are for the export of one room.', 2);
  const config = readConfig(readEnvironment());
  const { importAll } = await import('../../../data/export/import.ts');
  const progress = createProgress();
  const { manifest, report } = await importAll({
    config,
    from,
    filesDir: config.files.folder,
    isForced: force === true,
    onProgress: progress.tell,
  }).finally(progress.end);
  const { messages = 0, users = 0 } = report.counts;
  const state = report.findings.length === 0 ? 'It is sound.' : 'It has the damage of the export.';
  const passwords = manifest.has_passwords
    ? 'Everybody signs in again.'
    : 'Nobody has a password: give each person a link with `roomful user reset-password`.';
  const made = `The state of ${manifest.made_at} is imported: ${messages} messages, ${users} users.${filesTold(manifest)}`;
  const text = `${made} ${state} ${passwords} Start the server.`;
  answer({ text, data: { manifest, findings: report.findings } }, { json });
}

async function importOneRoom({ from, force, name, owner, dryRun, yes, json }: ImportFlags): Promise<void> {
  if (force) throw new CommandError('--force is for the export of a whole service.', 2);
  if (!dryRun === !yes)
    throw new CommandError(
      "Imported texts get the names of this server's people. See whose with --dry-run, then import with --yes.",
      2,
    );
  const config = readConfig(readEnvironment());
  const { importRoom } = await import('../../../data/export/import-room.ts');
  const { ForeignFiles } = await import('../../../features/files/foreign.ts');
  const progress = createProgress();
  const files = new ForeignFiles();
  const { manifest, room, matched, made } = await importRoom({
    config,
    from,
    filesDir: config.files.folder,
    checkFile: (folder, file) => files.check(folder, file),
    name,
    owner,
    isDryRun: dryRun === true,
    onProgress: progress.tell,
  }).finally(async () => {
    progress.end();
    await files.stop();
  });
  const messages = manifest.files['messages.jsonl']?.rows ?? 0;
  const [is, are, end] = dryRun
    ? ['would be', 'would be', 'Nothing was changed.']
    : ['is', 'are', 'Start the server.'];
  const text = [
    `The room ${JSON.stringify(room.name)} ${is} imported as ${room.id}: ${messages} messages.${filesTold(manifest)}`,
    `${matched.length} people of this server ${are} named in it${listed(matched)}`,
    `${made.length} accounts ${are} made, with which nobody can sign in${listed(made)}`,
    end,
  ];
  answer({ text: text.join('\n'), data: { manifest, room, matched, made, changed: !dryRun } }, { json });
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? '.' : `: ${names.join(', ')}.`;
}

/** What an export has of uploaded files. */
function filesTold(manifest: Manifest | RoomManifest): string {
  const { bytes } = manifest;
  if (bytes === null) return ' Uploaded files are not in it.';
  const { count, missing } = bytes;
  if (count + missing.length === 0) return '';
  const told = ` ${count} files, ${(bytes.bytes / 2 ** 20).toFixed(1)} MiB.`;
  return missing.length === 0
    ? told
    : `${told} ${missing.length} were deleted meanwhile: ${missing.join(', ')}.`;
}
