/** `roomful export` and `import`. */
import type { Command } from 'commander';
import { readConfig, readEnvironment } from '../../config.ts';
import { namedRoom } from '../named-room.ts';
import { createProgress } from '../progress.ts';
import { answer, say } from '../report.ts';

interface Json {
  json?: boolean;
}

const ABOUT_EXPORT = `
The folder gets a manifest and a file of JSON Lines for each table: people, rooms, messages, and what belongs to them.
docs/EXPORT.md describes every field. Nobody else may read it: it holds every message.

With --room: one room, its texts and reactions, and the names of its people. Such an export cannot be imported.

Works while the server runs, on SQLite and on PostgreSQL. The server's secret, sessions, invitations and links for a
new password are not exported.
`;

const ABOUT_IMPORT = `
The server must be stopped, and its database must be empty: a data folder without one, or an empty database of
PostgreSQL. Everybody signs in again afterwards, with the same password. The ids of new rooms and messages begin a
thousand million above the old ones.
`;

export function addExport(program: Command): void {
  program
    .command('export')
    .description('write everything as JSON Lines, while the server runs')
    .requiredOption('--to <folder>', 'a folder that is not there yet')
    .option('--room <room>', "only this room: its number or '#name'")
    .option('--no-passwords', 'leave out the hashes of the passwords')
    .option('--json', 'answer in JSON')
    .addHelpText('after', ABOUT_EXPORT)
    .action(async (options: Json & { to: string; room?: string; passwords: boolean }) => {
      const { room } = options;
      const config = readConfig(readEnvironment());
      const { exportAll } = await import('../../export/export.ts');
      const progress = createProgress();
      const manifest = await exportAll({
        ...{ config, to: options.to, withPasswords: options.passwords },
        ...(room !== undefined && { room: (rooms) => namedRoom(rooms, room) }),
        onProgress: progress.tell,
      }).finally(progress.end);
      const rows = (name: string) => manifest.files[`${name}.jsonl`]?.rows ?? 0;
      if (options.passwords && room === undefined)
        say('The export has the hashes of all passwords. Keep it like a backup, or use --no-passwords.');
      const text = `${options.to}: ${rows('messages')} messages, ${rows('users')} users, ${rows('rooms')} rooms.`;
      answer({ text, data: manifest }, options);
    });

  program
    .command('import')
    .description('fill an empty database with an export')
    .requiredOption('--from <folder>', 'the folder of the export')
    .option('--force', 'also data that breaks a rule of `roomful verify`')
    .option('--json', 'answer in JSON')
    .addHelpText('after', ABOUT_IMPORT)
    .action(async (options: Json & { from: string; force?: boolean }) => {
      const config = readConfig(readEnvironment());
      const { importAll } = await import('../../export/import.ts');
      const progress = createProgress();
      const { manifest, report } = await importAll({
        ...{ config, from: options.from, isForced: options.force === true },
        onProgress: progress.tell,
      }).finally(progress.end);
      const { messages = 0, users = 0 } = report.counts;
      const state = report.findings.length === 0 ? 'It is sound.' : 'It has the damage of the export.';
      const passwords = manifest.has_passwords
        ? 'Everybody signs in again.'
        : 'Nobody has a password: give each person a link with `roomful user reset-password`.';
      const text = `The state of ${manifest.made_at} is imported: ${messages} messages, ${users} users. ${state} ${passwords} Start the server.`;
      answer({ text, data: { manifest, findings: report.findings } }, options);
    });
}
