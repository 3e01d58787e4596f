/** `roomful user`: accounts. */
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { askOperator, withOperator } from '../ask-operator.ts';
import { answer, CommandError, say, sayIfLocal } from '../report.ts';
import { formatTable } from '../table.ts';
import { addEndNewcomers, addNewcomers } from './newcomers.ts';

const PASSWORD_BYTES = 15;

interface RemoveOptions extends Json {
  texts: string;
  reason?: string;
  yes?: boolean;
}

interface Json {
  json?: boolean;
}

export function addUser(program: Command): void {
  const user = program
    .command('user')
    .description('list, create, disable and change accounts')
    .addHelpText('after', '\nEach works while the server runs, and while it is stopped.\n');
  addList(user);
  addCreate(user);
  addRename(user);
  addResetPassword(user);
  addSignInLink(user);
  addNewcomers(user);
  addEndNewcomers(user);
  addDisableAndEnable(user);
  addRemove(user);
  addRole(user);
  addSessions(user);
}

function addList(user: Command): void {
  user
    .command('list')
    .description('list accounts')
    .argument('[start]', 'only names that begin so')
    .option('--disabled', 'only accounts that are disabled')
    .option('--json', 'answer in JSON')
    .action(async (q: string | undefined, { disabled, ...options }: Json & { disabled?: boolean }) => {
      const data = await askOperator('listUsers', {
        ...(q !== undefined && { q }),
        ...(disabled && { suspended: true }),
      });
      const rows = data.users.map(({ username, role, suspended_at, created_at, last_used_at, sessions }) => [
        username,
        role,
        suspended_at === null ? '' : 'disabled',
        dayOf(created_at),
        last_used_at === null ? 'never' : dayOf(last_used_at),
        String(sessions),
      ]);
      const head = ['name', 'role', 'state', 'created', 'last seen', 'sessions'];
      answer({ text: rows.length === 0 ? 'There is none.' : formatTable([head, ...rows]), data }, options);
    });
}

function addCreate(user: Command): void {
  user
    .command('create')
    .description('create an account, also while registration is closed')
    .argument('<name>', 'the username')
    .option('--password-stdin', 'read the password from standard input; without it, one is made and printed')
    .option('--json', 'answer in JSON')
    .action(async (username: string, options: Json & { passwordStdin?: boolean }) => {
      const password = options.passwordStdin
        ? await readPassword()
        : randomBytes(PASSWORD_BYTES).toString('base64url');
      const { user: created } = await askOperator('createUser', { username, password });
      const shown = options.passwordStdin ? {} : { password };
      const text = options.passwordStdin
        ? `${created.username} can sign in.`
        : `${created.username} can sign in with the password ${password}`;
      answer({ text, data: { user: created, ...shown } }, options);
    });
}

function addRename(user: Command): void {
  user
    .command('rename')
    .description('give an account another username; the person is signed out, and signs in by the new one')
    .argument('<name>', 'the username')
    .argument('<new-name>', 'the new username')
    .option('--json', 'answer in JSON')
    .action(async (name: string, to: string, options: Json) => {
      const data = await askOperator('renameUser', { name, to });
      answer({ text: `${data.from} is now ${data.user.username}.`, data }, options);
    });
}

function addResetPassword(user: Command): void {
  user
    .command('reset-password')
    .description('make a link with which the person sets a new password, once, within a day')
    .argument('<name>', 'the username')
    .option('--json', 'answer in JSON')
    .action(async (name: string, options: Json) => {
      const data = await askOperator('resetPassword', { name });
      sayIfLocal(data.url, options);
      const text = `Give this link to ${data.user.username}. It works once, until ${data.expires_at}:\n${data.url}`;
      answer({ text, data }, options);
    });
}

function addSignInLink(user: Command): void {
  user
    .command('sign-in-link')
    .description('make a link that signs a person in, once, within ten minutes')
    .argument('<name>', 'the username')
    .option('--json', 'answer in JSON')
    .action(async (name: string, options: Json) => {
      const data = await askOperator('signInLink', { name });
      sayIfLocal(data.url, options);
      const text = `This link signs in as ${data.user.username}, once, until ${data.expires_at}:\n${data.url}`;
      answer({ text, data }, options);
    });
}

function addDisableAndEnable(user: Command): void {
  for (const [command, suspended, description] of [
    ['disable', true, 'sign a person out everywhere, and keep them out'],
    ['enable', false, 'let a person sign in again'],
  ] as const)
    user
      .command(command)
      .description(description)
      .argument('<name>', 'the username')
      .option('--reason <text>', 'why; the person reads it')
      .option('--json', 'answer in JSON')
      .action(async (name: string, { reason, ...options }: Json & { reason?: string }) => {
        const change = { name, suspended, ...(reason !== undefined && { reason }) };
        const data = await askOperator('changeUser', change);
        const state = suspended ? 'disabled' : 'enabled';
        const text = `${data.user.username} is ${data.changed ? 'now' : 'already'} ${state}.`;
        answer({ text, data }, options);
      });
}

function addRemove(user: Command): void {
  user
    .command('remove')
    .description('remove an account for good; what the person said stays without the name, or is deleted')
    .argument('<name>', 'the username')
    .requiredOption('--texts <what>', 'keep or delete')
    .option('--reason <text>', 'why, for the audit log')
    .option('--yes', 'needed: nothing brings the account back')
    .option('--json', 'answer in JSON')
    .action(async (name: string, { texts, reason, yes, ...options }: RemoveOptions) => {
      if (texts !== 'keep' && texts !== 'delete')
        throw new CommandError('--texts must be keep or delete.', 2);
      if (!yes) throw new CommandError('Nothing brings the account back. Add --yes.', 2);
      const data = await withOperator(async (ask) => {
        const removed = await ask('removeUser', { name, texts, ...(reason !== undefined && { reason }) });
        while (texts === 'delete' && !(await ask('deleteTexts', {})).done);
        return removed;
      });
      const what = texts === 'delete' ? ', with all that they wrote' : '';
      sayIfNoAdmin(data, options);
      answer({ text: `${data.user.username} is removed${what}.`, data }, options);
    });
}

function addRole(user: Command): void {
  user
    .command('role')
    .description('make a person an admin, a member, or a guest')
    .argument('<name>', 'the username')
    .argument('<role>', 'admin, member or guest')
    .option('--json', 'answer in JSON')
    .action(async (name: string, role: string, options: Json) => {
      if (role !== 'admin' && role !== 'member' && role !== 'guest')
        throw new CommandError('The role must be admin, member or guest.', 2);
      const data = await askOperator('changeUser', { name, role });
      const { username } = data.user;
      sayIfNoAdmin(data, options);
      answer({ text: `${username} is ${data.changed ? 'now' : 'already'} ${role}.`, data }, options);
    });
}

function addSessions(user: Command): void {
  user
    .command('sessions')
    .description('list where a person is signed in, or sign the person out')
    .argument('<name>', 'the username')
    .option('--end', 'end all sessions')
    .option('--json', 'answer in JSON')
    .action(async (name: string, { end, ...options }: Json & { end?: boolean }) => {
      if (end) {
        const data = await askOperator('endSessions', { name });
        return answer({ text: `${data.ended} sessions of ${data.user.username} have ended.`, data }, options);
      }
      const data = await askOperator('listSessions', { name });
      const rows = data.sessions.map(({ id, created_at, last_used_at, user_agent }) => [
        String(id),
        created_at,
        last_used_at,
        user_agent,
      ]);
      const head = ['id', 'since', 'last used', 'program'];
      answer({ text: rows.length === 0 ? 'There is none.' : formatTable([head, ...rows]), data }, options);
    });
}

async function readPassword(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
  return text.replace(/\r?\n$/, '');
}

function dayOf(time: string): string {
  return time.slice(0, 10);
}

function sayIfNoAdmin({ has_admin: hasAdmin }: { has_admin: boolean }, { json }: Json): void {
  if (!json && !hasAdmin) say('There is no admin now. To make one: roomful admin grant NAME');
}
