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
    order: 'Order of the results',
    newestFirst: 'Newest first',
    oldestFirst: 'Oldest first',
    searching: 'Searching…',
    thread: 'in a thread',
    none: 'Nothing found',
    /** What was looked at. */
    looked: (rooms: number): string =>
      `In ${many(rooms, 'room or conversation', 'rooms and conversations')} that you are in, back to the first message.`,
    lookedNarrowed: 'Only messages that fit your filters were looked at.',
    trying: 'Looking whether a filter is in the way…',
    without: (part: string): string => `Without “${part}”`,
    everywhereToo: 'In public rooms that you are not in, too',
    found: 'There are messages:',
    noneHelps: 'Leaving out one part finds nothing either. Try other words.',
    fewer: 'Try other words, or fewer.',
    indexing: (since: string): string =>
      `The server is still reading earlier messages. So far, those since ${since} can be found.`,
    onDevice: (rooms: number): string =>
      `No connection. This is what this device has: the latest messages of ${many(rooms, 'room', 'rooms')}.`,
    nothingOnDevice: "You're offline, and this device has no messages to look through.",
    invalid: {
      nothing: 'Type a word, or choose a filter.',
      tooMuch: 'That is too much at once. A search can have 12 words and filters.',
      day: (value: string): string =>
        `“${value}” is no day. Write 2026-11-28, 2026-11, 2026, today or yesterday.`,
      other: "The server can't read this search.",
    },
    unreachable: "The server can't be reached.",
    recent: 'Recent searches',
    forget: (query: string): string => `Remove “${query}”`,
    forgetAll: 'Clear all',
    failed: "Couldn't search.",
    again: 'Try again',
    more: { newest: 'Show older', oldest: 'Show newer' },
    moreFailed: "Couldn't load more.",
    further: { newest: 'Search further back', oldest: 'Search further on' },
    furtherHint: {
      newest: 'There is a lot to look through, and there may be more results further back.',
      oldest: 'There is a lot to look through, and there may be more results further on.',
    },
    busy: 'The server is busy with your searches. It goes on in a moment.',
    allFiles: (room: string): string => `All files of ${room}`,
    files: (n: number): string => `+${countEn.format(n)}`,
    filters: 'Filters',
    /** Of the buttons that begin a filter. */
    begin: {
      from: 'From a person',
      in: 'In a room',
      with: 'In a direct message with a person',
      has: 'With a file, picture or link',
      is: 'Pinned, saved or in a thread',
      before: 'Before a day',
      after: 'After a day',
      on: 'On a day',
    },
    /** What a filter says, once it has its value. */
    chips: {
      from: (who: string): string => `From ${who}`,
      in: (where: string): string => `In ${where}`,
      with: (who: string): string => `With ${who}`,
      has: (what: string): string => `Has ${what}`,
      is: (what: string): string => `Is ${what}`,
      before: (day: string): string => `Before ${day}`,
      after: (day: string): string => `After ${day}`,
      on: (day: string): string => `On ${day}`,
    },
    not: (filter: string): string => `Not: ${filter}`,
    remove: (filter: string): string => `Remove filter: ${filter}`,
    me: 'me',
    everywhere: { label: 'all rooms', note: 'Public rooms that you are not in, too' },
    has: {
      file: 'a file',
      picture: 'a picture',
      video: 'a video',
      sound: 'a sound',
      link: 'a link',
      reaction: 'a reaction',
    },
    is: { thread: 'in a thread', pinned: 'pinned', saved: 'saved', edited: 'edited' },
    today: 'today',
    yesterday: 'yesterday',
    otherDay: 'Another day',
    take: 'Choose',
    options: 'Values of the filter',
    offered: (n: number): string => many(n, 'suggestion', 'suggestions'),
    messagesWith: (query: string): string => `Search messages for “${query}”`,
    inRoom: 'Search in this room',
    inConversation: 'Search this conversation',
  },
};

export type SearchTexts = typeof searchEn;
