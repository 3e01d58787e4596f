/** `roomful admin`: who administers the server. */
import type { Command } from 'commander';
import { usernameKeys } from '../../../protocol/names.ts';
import { withStore } from '../open-store.ts';
import { answer, CommandError } from '../report.ts';

export function addAdmin(program: Command): void {
  const admin = program.command('admin').description('decide who administers the server');
  admin
    .command('grant')
    .description('make the user with this name an admin; the server must be stopped')
    .argument('<name>', 'the username')
    .option('--json', 'answer in JSON')
    .action(async (name: string, options: { json?: boolean }) => answer(await grant(name), options));
}

async function grant(name: string) {
  return await withStore(async (store) => {
    for (const key of usernameKeys(name)) {
      const user = await store.findUser(key);
      if (!user) continue;
      const isNew = await store.grantAdmin({ userId: user.id, isForced: true });
      const text = `${user.username} is ${isNew ? 'now' : 'already'} an admin.`;
      return { text, data: { user: { id: user.id, username: user.username }, changed: isNew } };
    }
    throw new CommandError(`There is no user ${JSON.stringify(name)}.`);
  });
}
