/** Every text of the client, in English. Another language is another object of the same type. */
import { countEn, many } from './numbers.ts';

// British lists have no comma before "and", as the sentences here have none.
const conjunction = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** "ann", "ann and bo", "ann, bo and 3 others". */
function people(names: readonly string[]): string {
  if (names.length <= 3) return conjunction.format(names);
  return `${names.slice(0, 2).join(', ')} and ${many(names.length - 2, 'other', 'others')}`;
}

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
    newRoom: 'New room',
    search: 'Search rooms',
    clearSearch: 'Clear search',
    online: (n: number): string => `${countEn.format(n)} online`,
    none: 'No rooms yet',
    createFirst: 'Create a room',
    noneHint: 'Create one and invite others.',
    noMatch: (query: string): string => `No rooms match “${query}”.`,
    createIt: (query: string): string => `Create “${query}”`,
    failed: "Couldn't load rooms.",
    retry: 'Try again',
    loading: 'Loading rooms',
    results: 'Results',
    searching: 'Searching…',
    unread: (n: number): string => many(n, 'unread message', 'unread messages'),
    /** A badge has space for two figures. */
    badge: (n: number): string => (n > 99 ? '99+' : countEn.format(n)),
    browse: 'Browse rooms',
    newMessage: 'New message',
    draft: 'Draft',
    you: 'You',
    last: (author: string, excerpt: string): string => `${author}: ${excerpt}`,
    groups: { unread: 'Unread', starred: 'Starred', rooms: 'Rooms', direct: 'Direct messages' },
    mentions: (n: number): string => many(n, 'mention', 'mentions'),
    muted: 'Muted',
    switcher: 'Jump to a room',
  },

  me: {
    menu: 'Account menu',
    signedInAs: 'Signed in as',
    theme: 'Theme',
    auto: 'Auto',
    light: 'Light',
    dark: 'Dark',
    language: 'Language',
    latency: (ms: number): string => `Connection: ${countEn.format(ms)} ms`,
    settings: 'Settings',
    signOut: 'Sign out',
  },

  room: {
    unnamed: (id: number): string => `Room ${id}`,
    back: 'Back to rooms',
    online: (n: number): string => `${countEn.format(n)} online`,
    gone: "This room doesn't exist",
    goneHint: 'The link may be old or mistyped.',
    goneAction: 'Go to your rooms',
    timeline: (name: string): string => `Messages in ${name}`,
    empty: 'No messages yet',
    emptyHint: (name: string): string => `Say hello and start the conversation in ${name}.`,
    copyInvite: 'Copy invite link',
    notLoaded: "Loads when you're back online",
    beginning: (name: string): string => `This is the beginning of ${name}.`,
    older: 'Load older messages',
    olderFailed: "Couldn't load older messages.",
    loading: 'Loading messages',
    newDivider: 'New',
    unread: (n: number): string => many(n, 'new message', 'new messages'),
    toUnread: 'Jump to first unread',
    markRead: 'Mark as read',
    seekingUnread: 'Loading…',
    announce: (name: string, content: string): string => `${name}: ${content}`,
    announceMany: (n: number, last: string): string =>
      `${many(n, 'new message', 'new messages')}, the last from ${last}`,
    newMessages: (n: number): string => `${countEn.format(n)} new`,
    toEnd: (n: number): string =>
      n === 0 ? 'Jump to latest' : `Jump to latest, ${many(n, 'new message', 'new messages')}`,
    today: 'Today',
    yesterday: 'Yesterday',
    joined: (names: readonly string[]): string => `${people(names)} joined`,
    left: (names: readonly string[]): string => `${people(names)} left`,
    visited: (names: readonly string[]): string => `${people(names)} joined and left`,
    whenBack: "Sends when you're back online",
    showAll: 'Show all',
    showLess: 'Show less',
    copyText: 'Copy text',
    actions: 'Message actions',
    copyLink: 'Copy link to this room',
    linkCopied: 'Link copied',
    linkNotCopied: (link: string): string => `Couldn't copy. Here's the link: ${link}`,
  },

  roles: { owner: 'an owner', moderator: 'a moderator', member: 'a member' },

  notices: {
    renamed: (by: string, name: string): string => `${by} renamed the room to ${name}`,
    topic: (by: string, topic: string): string => `${by} set the topic: ${topic}`,
    topicGone: (by: string): string => `${by} removed the topic`,
    description: (by: string): string => `${by} changed the description`,
    emoji: (by: string, emoji: string): string => `${by} gave the room the emoji ${emoji}`,
    emojiGone: (by: string): string => `${by} removed the emoji`,
    made_private: (by: string): string => `${by} made the room private`,
    archived: (by: string): string => `${by} archived the room`,
    restored: (by: string): string => `${by} restored the room`,
    settings: (by: string): string => `${by} changed the settings`,
    joined: (who: string): string => `${who} joined`,
    left: (who: string): string => `${who} left`,
    added: (by: string, who: string): string => `${by} added ${who}`,
    removed: (by: string, who: string): string => `${by} removed ${who}`,
    role: (by: string, who: string, role: string): string => `${by} made ${who} ${role}`,
  },

  people: {
    title: "Who's here",
    close: 'Close',
    you: '(you)',
    more: (n: number): string => `and ${countEn.format(n)} more`,
    unknown: "Shown when you're back online.",
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
    formatting: 'Formatting',
    link: 'Link',
    list: 'List',
    sendParts: (n: number): string => `Send as ${countEn.format(n)} messages`,
    tooLong: (over: number): string => `${many(over, 'character', 'characters')} too long`,
    counter: (used: number, limit: number): string => `${countEn.format(used)} / ${countEn.format(limit)}`,
    typing: (names: readonly string[]): string => {
      if (names.length > 2) return 'Several people are typing';
      return `${conjunction.format(names)} ${names.length === 1 ? 'is' : 'are'} typing`;
    },
  },

  update: {
    ready: 'A new version is ready',
    reload: 'Reload',
    later: 'Not now',
  },

  connection: {
    connected: 'Connected',
    connecting: 'Connecting…',
    reconnecting: 'Reconnecting…',
    offline: 'Offline',
    online: 'Online',
    /** The server answers, but refuses the connection: a setting is wrong. */
    originRefused: (origin: string): string =>
      `This server refuses live connections from ${origin}. Ask its administrator to check the proxy settings.`,
    retryIn: (seconds: number): string => `Reconnecting in ${countEn.format(seconds)} s`,
    retryNow: 'Retry now',
    /** `status`: one of the texts above. */
    waiting: (status: string, n: number): string => `${status}, ${many(n, 'message', 'messages')} waiting`,
    upToDate: (missed: number): string =>
      missed === 0 ? 'Up to date' : `Up to date, ${countEn.format(missed)} new`,
  },
};

export type Catalogue = typeof en;
