/** `roomful search`: the index of the search. */
import type { Command } from 'commander';
import type { SearchStatus } from '../../../../protocol/rest/administration.ts';
import { askOperator } from '../ask-operator.ts';
import { answer } from '../report.ts';

const AFTER = `
The index can be built anew at any time: it has nothing that is not in the database. People search meanwhile, from the
newest messages back. Works while the server runs; without a server, the next start fills the index. Where several
processes share a database, one of them begins within a minute.
`;

export function addSearch(program: Command): void {
  const search = program.command('search').description('the index of the search');
  search
    .command('status')
    .description('how far the index has come, and what it takes on the disk')
    .option('--json', 'answer in JSON')
    .action(async (options: { json?: boolean }) => {
      const status = await askOperator('searchStatus', {});
      answer({ text: tellIndex(status), data: status }, options);
    });
  search
    .command('rebuild')
    .description('empty the index, and fill it again')
    .option('--json', 'answer in JSON')
    .addHelpText('after', AFTER)
    .action(async (options: { json?: boolean }) => {
      await askOperator('rebuildSearch', {});
      const text = 'The index is empty, and the server fills it again. See: roomful search status';
      answer({ text, data: { rebuilding: true } }, options);
    });
}

/** One or two sentences for the operator. */
export function tellIndex({
  is_complete,
  messages,
  messages_left,
  indexed_from,
  bytes,
}: SearchStatus): string {
  const size = `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  if (is_complete) return `The index is complete: all messages can be found. It takes ${size}.`;
  const part = Math.floor((100 * messages) / Math.max(1, messages + messages_left));
  const since = indexed_from === null ? '' : `, those since ${indexed_from}`;
  return `The index is being filled: about ${part} % of the messages can be found${since}. It takes ${size}.`;
}
