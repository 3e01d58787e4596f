/** `roomful admin`: who administers the server. */
import type { Command } from 'commander';
import { askOperator } from '../ask-operator.ts';
import { answer } from '../report.ts';

export function addAdmin(program: Command): void {
  const admin = program.command('admin').description('decide who administers the server');
  admin
    .command('grant')
    .description('make the user with this name an admin; `roomful user role NAME member` takes it back')
    .argument('<name>', 'the username')
    .option('--json', 'answer in JSON')
    .action(async (name: string, options: { json?: boolean }) => answer(await grant(name), options));
}

async function grant(name: string) {
  const data = await askOperator('changeUser', { name, role: 'admin' });
  return { text: `${data.user.username} is ${data.changed ? 'now' : 'already'} an admin.`, data };
}
