/** Every text of the client, in English. Another language is another object of the same type. */
import { countEn, many } from './numbers.ts';

export const en = {
  locale: 'en',
  appName: 'Roomful',
  number: (n: number): string => countEn.format(n),

  errors: {
    unreachable: "Can't reach the server. Check your connection and try again.",
    tooMany: "You're going too fast. Wait a moment and try again.",
    server: 'Something went wrong on the server. Try again in a moment.',
    other: "That didn't work. Try again.",
    notLoaded: "Couldn't load this. Check your connection and try again.",
  },

  sidebar: {
    label: 'Rooms',
    new: 'New',
    search: 'Search or jump',
    loading: 'Loading rooms',
    results: 'Results',
    unread: (n: number): string => many(n, 'unread message', 'unread messages'),
    /** A badge has space for two figures. */
    badge: (n: number): string => (n > 99 ? '99+' : countEn.format(n)),
    browse: 'Browse rooms',
    browseShort: 'Browse',
    readAll: 'Mark all read',
    more: (n: number): string => `${countEn.format(n)} more`,
    fewer: 'Show fewer',
    newMessage: 'New message',
    menu: (room: string): string => `Menu of ${room}`,
    draft: 'Draft',
    you: 'You',
    last: (author: string, words: string): string => `${author}: ${words}`,
    lastFiles: (n: number): string => (n > 0 ? many(n, 'file', 'files') : 'Message deleted'),
    groups: { unread: 'Unread', starred: 'Starred', rooms: 'Rooms', direct: 'People' },
    mentions: (n: number): string => many(n, 'mention', 'mentions'),
    muted: 'Muted',
  },

  /** The bar of a phone. */
  tabs: { label: 'Pages', rooms: 'Rooms', you: 'You' },

  me: {
    menu: 'Account menu',
  },

  room: {
    unnamed: (id: number): string => `Room ${id}`,
    back: 'Back to rooms',
    online: (n: number): string => `${countEn.format(n)} online`,
    timeline: (name: string): string => `Messages in ${name}`,
    notLoaded: "Loads when you're back online",
    loading: 'Loading messages',
    newDivider: 'New',
    today: 'Today',
    yesterday: 'Yesterday',
    whenBack: "Sends when you're back online",
    edited: '(edited)',
    showAll: 'Show all',
    showLess: 'Show less',
  },

  people: {
    title: "Who's here",
  },

  dialogs: {
    close: 'Close',
  },

  content: {
    copy: 'Copy code',
    copied: 'Copied',
  },

  composer: {
    label: 'Message',
    placeholder: (room: string): string => `Message ${room}`,
    send: 'Send',
    overLimit: (limit: number): string => `Too long. The limit is ${countEn.format(limit)} characters.`,
  },

  connection: {
    connected: 'Connected',
    connecting: 'Connecting…',
    reconnecting: 'Reconnecting…',
    offline: 'Offline',
    online: 'Online',
  },
};

export type Catalogue = typeof en;
