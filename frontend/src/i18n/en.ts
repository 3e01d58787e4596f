/** Everything the client says, in English. Another language is another object of the same type. */

const count = new Intl.NumberFormat('en');
const plural = new Intl.PluralRules('en');
// British lists have no comma before "and", as the sentences here have none.
const conjunction = new Intl.ListFormat('en-GB', { type: 'conjunction' });

function many(n: number, one: string, other: string): string {
  return `${count.format(n)} ${plural.select(n) === 'one' ? one : other}`;
}

/** "ann", "ann and bo", "ann, bo and 3 others". */
function people(names: readonly string[]): string {
  if (names.length <= 3) return conjunction.format(names);
  return `${names.slice(0, 2).join(', ')} and ${many(names.length - 2, 'other', 'others')}`;
}

export const en = {
  locale: 'en',
  appName: 'Roomful',
  number: (n: number): string => count.format(n),

  auth: {
    welcome: 'Welcome back',
    welcomeHint: 'Sign in to pick up where you left off.',
    signInHint: 'To your rooms and conversations.',
    join: 'Create your account',
    joinHint: 'A name and a password are all it takes.',
    modes: 'Sign in or sign up',
    signInTab: 'Sign in',
    signUpTab: 'Sign up',
    signIn: 'Sign in',
    signUp: 'Create account',
    working: 'One moment…',
    username: 'Username',
    usernameRule: '2–64 characters. Others will see it.',
    usernameBroken: 'A username has 2 to 64 visible characters.',
    usernameTaken: 'Somebody already has this name, or one that looks like it. Try another.',
    usernameMissing: 'Enter your username.',
    password: 'Password',
    passwordRule: '8–128 characters. Any kind will do.',
    passwordBroken: 'A password has 8 to 128 characters.',
    passwordMissing: 'Enter your password.',
    showPassword: 'Show password',
    hidePassword: 'Hide password',
    capsLock: 'Caps Lock is on',
    wrong: 'This username and password do not match.',
    tooMany: (seconds: number): string => `Too many tries. Try again in ${count.format(seconds)} s.`,
    expired: 'Your session has ended. Sign in again to go on; your drafts are kept.',
    elsewhere: 'You signed out in another tab.',
  },

  errors: {
    unreachable: 'The server cannot be reached. Check your connection and try again.',
    tooMany: 'That was a bit fast. Wait a moment and try again.',
    server: 'The server has a problem. Please try again in a moment.',
    other: 'That did not work. Please try again.',
    notLoaded: 'This could not be loaded. Check your connection and try again.',
  },

  sidebar: {
    label: 'Rooms',
    newRoom: 'New room',
    search: 'Search rooms',
    clearSearch: 'Clear search',
    online: (n: number): string => `${count.format(n)} online`,
    none: 'No rooms yet',
    createFirst: 'Create a room',
    noneHint: 'Create the first one and invite the others.',
    noMatch: (query: string): string => `No room is called “${query}”.`,
    createIt: (query: string): string => `Create “${query}”`,
    failed: 'The rooms could not be loaded.',
    retry: 'Try again',
    loading: 'Loading rooms',
    searching: 'Searching…',
    unread: (n: number): string => many(n, 'unread message', 'unread messages'),
    /** A badge has space for two figures. */
    badge: (n: number): string => (n > 99 ? '99+' : count.format(n)),
    draft: 'Draft',
    switcher: 'Jump to a room',
  },

  createRoom: {
    title: 'New room',
    hint: 'Everybody here can find it and join.',
    name: 'Room name',
    placeholder: 'e.g. Coffee corner',
    rule: '1–128 characters',
    broken: 'A room name has 1 to 128 visible characters.',
    taken: 'There is already a room with this name.',
    create: 'Create room',
    creating: 'Creating…',
    cancel: 'Cancel',
  },

  me: {
    menu: 'Account menu',
    signedInAs: 'Signed in as',
    theme: 'Theme',
    auto: 'Auto',
    light: 'Light',
    dark: 'Dark',
    language: 'Language',
    latency: (ms: number): string => `Connection: ${count.format(ms)} ms`,
    signOut: 'Sign out',
  },

  room: {
    unnamed: (id: number): string => `Room ${id}`,
    back: 'Back to rooms',
    online: (n: number): string => `${count.format(n)} online`,
    pick: 'Pick a room',
    pickHint: 'Choose one on the left, or create a new one.',
    welcome: (name: string): string => `Welcome, ${name}`,
    welcomeHint: 'As soon as there is a room, its conversation appears here.',
    createFirst: 'Create the first room',
    gone: 'This room does not exist',
    goneHint: 'The link may be old, or mistyped.',
    goneAction: 'Go to your rooms',
    timeline: (name: string): string => `Messages in ${name}`,
    empty: 'No messages yet',
    emptyHint: (name: string): string => `Say hello and start the conversation in ${name}.`,
    beginning: (name: string): string => `This is where ${name} begins.`,
    older: 'Load older messages',
    olderFailed: 'Older messages could not be loaded.',
    loading: 'Loading messages',
    newLine: 'New',
    unread: (n: number): string => many(n, 'new message', 'new messages'),
    toUnread: 'Go to the first',
    markRead: 'Mark as read',
    seekingUnread: 'Loading…',
    announce: (name: string, content: string): string => `${name}: ${content}`,
    announceMany: (n: number, last: string): string =>
      `${many(n, 'new message', 'new messages')}, the last from ${last}`,
    newMessages: (n: number): string => `${count.format(n)} new`,
    toEnd: (n: number): string =>
      n === 0 ? 'Go to the end' : `Go to the end, ${many(n, 'new message', 'new messages')}`,
    today: 'Today',
    yesterday: 'Yesterday',
    joined: (names: readonly string[]): string => `${people(names)} joined`,
    left: (names: readonly string[]): string => `${people(names)} left`,
    visited: (names: readonly string[]): string => `${people(names)} joined and left`,
    whenBack: 'Will be sent when you are back',
    notSent: 'Not sent',
    showAll: 'Show all',
    showLess: 'Show less',
    retry: 'Retry',
    edit: 'Edit',
    discard: 'Discard',
    copyLink: 'Copy the link to this room',
    linkCopied: 'Link copied',
    linkNotCopied: (link: string): string => `The browser does not let us copy. This is the link: ${link}`,
  },

  people: {
    title: 'Who is here',
    close: 'Close',
    you: '(you)',
    more: (n: number): string => `and ${count.format(n)} more`,
    unknown: 'You will see who is here once you are connected again.',
  },

  dialogs: {
    close: 'Close',
  },

  signOut: {
    title: (n: number): string => `${many(n, 'message has', 'messages have')} not been sent`,
    hint: 'Signing out deletes what is unsent from this device. If you stay, it is sent as soon as the server is back.',
    stay: 'Stay signed in',
  },

  content: {
    code: 'Code',
    copy: 'Copy code',
    copied: 'Copied',
  },

  switcher: {
    title: 'Jump to a room or run a command',
    placeholder: 'Where to?',
    results: 'Results',
    unread: 'Unread',
    rooms: 'Rooms',
    commands: 'Commands',
    none: 'Nothing is called that.',
    found: (n: number): string => many(n, 'result', 'results'),
  },

  commands: {
    createRoom: 'Create a room',
    theme: (name: string): string => `Theme: ${name}`,
    language: (name: string): string => `Language: ${name}`,
  },

  help: {
    title: 'Keyboard shortcuts',
    everywhere: 'Everywhere',
    switcher: 'Jump to a room or run a command',
    nextRoom: 'Next room',
    previousRoom: 'Previous room',
    nextUnread: 'Next unread room',
    previousUnread: 'Previous unread room',
    nextRegion: 'Next part of the window',
    previousRegion: 'Previous part of the window',
    composer: 'Back to writing',
    help: 'This overview',
    writing: 'Writing',
    send: 'Send the message',
    newLine: 'New line',
    reading: 'Reading',
    messages: 'From message to message',
    ends: 'First and last message',
  },

  composer: {
    label: 'Message',
    placeholder: (room: string): string => `Message ${room}`,
    send: 'Send',
    overLimit: (limit: number): string =>
      `Too long to be sent: a message has ${count.format(limit)} characters at most.`,
    tooLong: (over: number): string => `${many(over, 'character', 'characters')} too long`,
    counter: (used: number, limit: number): string => `${count.format(used)} / ${count.format(limit)}`,
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
    retryIn: (seconds: number): string => `Reconnecting in ${count.format(seconds)} s`,
    retryNow: 'Retry now',
    /** `line`: how the line is, in one of the ways above. */
    waiting: (line: string, n: number): string => `${line}, ${many(n, 'message', 'messages')} waiting`,
    upToDate: (missed: number): string =>
      missed === 0 ? 'Up to date' : `Up to date, ${count.format(missed)} new`,
  },
};

export type Catalogue = typeof en;
