/** The texts of the search for messages, in English. */
import { countEn, many } from './numbers.ts';

export const searchEn = {
  search: {
    title: 'Search messages',
    placeholder: 'Search messages',
    clear: 'Clear search',
    results: 'Messages found',
    count: (n: number, hasMore: boolean): string =>
      hasMore ? `${many(n, 'result', 'results')} so far` : many(n, 'result', 'results'),
    searching: 'Searching…',
    thread: 'in a thread',
    none: 'Nothing found',
    failed: "Couldn't search.",
    again: 'Try again',
    more: 'Show older',
    moreFailed: "Couldn't load more.",
    further: 'Search further back',
    furtherHint: 'There is a lot to look through, and there may be more results further back.',
    busy: 'The server is busy with your searches. It goes on in a moment.',
    start: 'Find what was said',
    startHint: 'In all rooms that you are in, and in your direct messages.',
    files: (n: number): string => `+${countEn.format(n)}`,
    messagesWith: (query: string): string => `Search messages for “${query}”`,
    inRoom: 'Search in this room',
    inConversation: 'Search this conversation',
  },
};

export type SearchTexts = typeof searchEn;
