/** `roomful registration`, `invite`, `usage` and `audit`: the server as a whole. */
import { type Command, InvalidArgumentError } from 'commander';
import { RESTRICTED_WITHOUT_END } from '../../../../protocol/limits.ts';
import type { Usage } from '../../../../protocol/rest/administration.ts';
import { askOperator } from '../ask-operator.ts';
import { answer, CommandError, sayIfLocal } from '../report.ts';
import { formatTable } from '../table.ts';
import { tellIndex } from './search.ts';

const DAY_S = 86_400;
/** The end of a mute or a ban that has none, as in the details of the audit log. */
const NO_END = new Date(RESTRICTED_WITHOUT_END).toISOString();

interface Json {
  json?: boolean;
}

export function addServer(program: Command): void {
  addName(program);
  program
    .command('registration')
    .description('show or decide who may register: open, invite or closed')
    .argument('[who]', 'open: everybody; invite: with an invitation; closed: nobody')
    .option('--json', 'answer in JSON')
    .action(async (who: string | undefined, options: Json) => {
      if (who !== undefined && who !== 'open' && who !== 'invite' && who !== 'closed')
        throw new CommandError('It must be open, invite or closed.', 2);
      const data = await askOperator('registration', who === undefined ? {} : { registration: who });
      answer({ text: SENTENCES[data.registration], data }, options);
    });

  program
    .command('invite')
    .description('make a link with which people can register while registration is by invitation')
    .option('--uses <count>', 'how many people, 1 to 1000; without it, any number', wholeNumber)
    .option('--days <count>', 'how long it works, 1 to 30; without it, 7', wholeNumber)
    .option('--json', 'answer in JSON')
    .action(async ({ uses, days, ...options }: Json & { uses?: number; days?: number }) => {
      const data = await askOperator('invite', {
        ...(uses !== undefined && { max_uses: uses }),
        ...(days !== undefined && { expires_in: days * DAY_S }),
      });
      sayIfLocal(data.url, options);
      answer({ text: `It works until ${data.expires_at}:\n${data.url}`, data }, options);
    });

  program
    .command('usage')
    .description('count people, sessions, rooms and messages')
    .option('--json', 'answer in JSON')
    .action(async (options: Json) => {
      const data = await askOperator('usage', {});
      answer({ text: formatTable(usageRows(data)), data }, options);
    });

  program
    .command('audit')
    .description('show what admins and moderators did, the latest first')
    .option('--limit <count>', 'how many rows, 1 to 1000', wholeNumber, 50)
    .option('--json', 'answer in JSON')
    .action(async ({ limit, ...options }: Json & { limit: number }) => {
      const data = await askOperator('audit', { limit });
      const rows = data.entries.map(({ at, actor, action, user, room, details }) => [
        at,
        actor?.username ?? '(operator)',
        action,
        user?.username ?? '',
        room?.name ?? '',
        Object.entries(details)
          .map(([name, value]) => `${name}: ${value === NO_END ? 'no end' : value}`)
          .join(', '),
      ]);
      const head = ['time', 'by', 'action', 'person', 'room', 'details'];
      answer({ text: formatTable([head, ...rows]), data }, options);
    });
}

/** What has parts has a row for each person, or a sentence. */
function usageRows({ file_people, search, ...counts }: Usage): string[][] {
  return [
    ...Object.entries(counts).map(([name, value]) => [name.replaceAll('_', ' '), String(value)]),
    ...file_people.map(({ username, files, bytes }) => [`files of ${username}`, `${files}, ${bytes} bytes`]),
    ['search', tellIndex(search)],
  ];
}

function addName(program: Command): void {
  program
    .command('name')
    .description('show or decide what the server is called; an empty name is the default one')
    .argument('[name]', 'one line of at most 64 characters')
    .option('--json', 'answer in JSON')
    .action(async (name: string | undefined, options: Json) => {
      const data = await askOperator('serverName', name === undefined ? {} : { server_name: name });
      answer({ text: data.name, data }, options);
    });
}

const SENTENCES = {
  open: 'Everybody may register.',
  invite: 'People with an invitation may register.',
  closed: 'Nobody may register.',
} as const;

function wholeNumber(text: string): number {
  if (!/^[1-9][0-9]{0,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
