/** Commands about the index of the search. */
import { z } from 'zod';
import { command } from './operator-command.ts';

export const SEARCH_COMMANDS = {
  searchStatus: command(z.object({}), ({ search }) => search.status()),
  /** Empties the index. The server fills it again. */
  rebuildSearch: command(z.object({}), async ({ search }) => {
    await search.rebuild();
    return {};
  }),
} as const;
