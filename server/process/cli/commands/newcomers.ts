/** `roomful user newcomers` and `end-newcomers`: accounts by where and when they were registered. */
import { type Command, InvalidArgumentError } from 'commander';
import { askOperator, withOperator } from '../ask-operator.ts';
import { answer, CommandError } from '../report.ts';
import { formatTable } from '../table.ts';

interface Json {
  json?: boolean;
}

/** `roomful user newcomers`. */
export function addNewcomers(user: Command): void {
  user
    .command('newcomers')
    .description('list the addresses from which accounts were registered in the last 7 days, busy ones first')
    .option('--since <time>', 'such as 2026-01-31T12:00Z', timeOf)
    .option('--like <name>', 'only the address of this account')
    .option('--json', 'answer in JSON')
    .action(async ({ since = 0, like, ...options }: Json & { since?: number; like?: string }) => {
      const data = await askOperator('registrations', { since, ...(like !== undefined && { like }) });
      const rows = data.addresses.map(({ address, accounts, suspended, first_at, last_at }) => [
        address,
        String(accounts),
        String(suspended),
        first_at,
        last_at,
      ]);
      const head = ['address', 'accounts', 'disabled', 'first', 'last'];
      answer({ text: rows.length === 0 ? 'There is none.' : formatTable([head, ...rows]), data }, options);
    });
}

interface EndOptions extends Json {
  address?: string;
  anyAddress?: boolean;
  since: number;
  until?: number;
  keep?: string[];
  remove?: boolean;
  reason?: string;
  yes?: boolean;
}

/** `roomful user end-newcomers`. */
export function addEndNewcomers(user: Command): void {
  user
    .command('end-newcomers')
    .description('disable, or remove, all accounts that were registered from an address in a span of time')
    .option('--address <address>', 'as `newcomers` lists it')
    .option('--any-address', 'all accounts of that time')
    .requiredOption('--since <time>', 'such as 2026-01-31T12:00Z', timeOf)
    .option('--until <time>', 'without it: now', timeOf)
    .option(
      '--keep <names...>',
      'accounts that are left alone; admins, and moderators of rooms of others, always are',
    )
    .option('--remove', 'remove them for good, with all texts')
    .option('--reason <text>', 'why, for the audit log')
    .option('--yes', 'without it, the command only says who they are: the first 100 by name')
    .option('--json', 'answer in JSON')
    .action(async ({ anyAddress, since, until, remove, yes, json, ...rest }: EndOptions) => {
      if ((rest.address === undefined) !== (anyAddress === true))
        throw new CommandError('Either --address or --any-address is needed.', 2);
      const { keep = [], ...others } = rest;
      const act = remove ? ('remove' as const) : ('suspend' as const);
      const terms = { ...others, since, until: until ?? Date.now(), act, keep, dry: !yes };
      const data = await withOperator(async (ask) => {
        let piece = await ask('endRegistrations', { ...terms, audit_id: null, done: 0 });
        let accounts = piece.accounts;
        while (piece.has_more) {
          piece = await ask('endRegistrations', { ...terms, audit_id: piece.audit_id, done: accounts });
          accounts += piece.accounts;
        }
        while (yes && remove && !(await ask('deleteTexts', {})).done);
        return { accounts, spared: piece.spared, ...(!yes && { names: piece.names }) };
      });
      const what = remove ? 'removed' : 'disabled';
      const verb = yes ? (data.accounts === 1 ? 'is' : 'are') : 'would be';
      const count = data.accounts === 1 ? '1 account' : `${data.accounts} accounts`;
      const hint = yes ? '' : ' Add --yes.';
      const names = data.names?.map((name) => `\n  ${name}`).join('') ?? '';
      answer(
        { text: `${count} ${verb} ${what}; ${data.spared} left alone.${hint}${names}`, data },
        { ...(json !== undefined && { json }) },
      );
    });
}

/** Unix milliseconds. */
function timeOf(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isFinite(time)) throw new InvalidArgumentError('It must be a time, such as 2026-01-31T12:00Z.');
  return time;
}
