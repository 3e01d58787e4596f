/** The texts of the screens that the first paint does not need, in English. They are loaded with those screens. */
import { administrationEn } from './administration-en.ts';
import { composeEn } from './compose-en.ts';
import { filesEn } from './files-en.ts';
import { formsEn } from './forms-en.ts';
import { messagesEn } from './messages-en.ts';
import { namesEn } from './names-en.ts';
import { notificationsEn } from './notifications-en.ts';
import { countEn, many } from './numbers.ts';
import { picturesEn } from './pictures-en.ts';
import { roomEn } from './room-en.ts';
import { searchEn } from './search-en.ts';

export const screensEn = {
  ...formsEn,
  ...roomEn,
  ...messagesEn,
  ...composeEn,
  ...filesEn,
  ...picturesEn,
  ...notificationsEn,
  ...administrationEn,
  ...searchEn,

  hiddenCharacter: 'This contains a character that nobody can see. Type it again without it.',
  failed: "Couldn't load this.",
  offline: "You're offline",
  offlineHint: "This page isn't on this device yet. It comes with the connection.",
  again: 'Try again',
  loading: 'Loading…',
  save: 'Save',
  saved: 'Saved',
  close: 'Close',
  back: 'Back',
  /** Where a room begins. */
  threshold: {
    welcome: (name: string): string => `Welcome to ${name}`,
    isPublic: 'Anyone on this server can find it and come in.',
    isPrivate: 'Only people who were invited can find it.',
    isArchived: 'It is archived: it can be read, but nobody writes here any more.',
    first: 'Nothing has been said yet.',
    invite: 'Invite people',
    copyInvite: 'Copy invite link',
    copyLink: 'Copy link to this room',
    copied: 'Link copied',
    door: 'Change the door',
    topic: 'Set a topic',
  },

  update: {
    ready: 'A new version is ready',
    reload: 'Reload',
    later: 'Not now',
  },

  broken: {
    title: "This can't be shown",
    hint: 'Nothing that you wrote is lost. Reload to try again.',
  },

  menu: {
    theme: 'Theme',
    auto: 'Auto',
    light: 'Light',
    dark: 'Dark',
    language: 'Language',
    settings: 'Settings',
    signOut: 'Sign out',
    signedInAs: 'Signed in as',
    latency: (ms: number): string => `Connection: ${countEn.format(ms)} ms`,
  },

  list: {
    createFirst: 'Create a room',
    createIt: (query: string): string => `Create “${query}”`,
    searching: 'Searching…',
    none: 'No rooms yet',
    noneHint: 'Create one and invite others.',
    failed: "Couldn't load rooms.",
    retry: 'Try again',
  },

  browse: {
    title: 'Browse rooms',
    hint: 'Every public room on this server. Look around freely; join to keep a room in your list.',
    search: 'Find a room',
    members: (n: number): string => many(n, 'member', 'members'),
    join: 'Join',
    joined: 'Joined',
    none: 'No rooms found',
    noneHint: 'Try another word, or create the room yourself.',
  },

  invite: {
    to: (inviter: string, name: string): string => `${inviter} invites you to ${name}`,
    toServer: (name: string): string => `You are invited to ${name}`,
    topic: (topic: string): string => `“${topic}”`,
    members: (n: number): string => many(n, 'person is in.', 'people are in.'),
    people: (names: readonly string[]): string => namesEn(names),
    serverHint: 'A name and a password are all you need.',
    accept: 'Join room',
    ended: 'This invite has ended',
    endedHint: 'Ask the person who sent it for a new one.',
    toRooms: 'Go to your rooms',
    endedNotice: 'This invite has ended. Ask the person who sent it for a new one.',
  },

  invitePeople: {
    title: 'Invite people',
    hint: 'They open the link, sign up or sign in, and are in the room.',
    room: 'Room',
    none: 'You have no room to invite people to yet.',
  },

  home: {
    pick: 'Pick a room',
    pickHint: 'Choose one on the left, or create a new one.',
    welcome: (name: string): string => `Welcome, ${name}`,
    welcomeHint: 'Create a room and invite others, or look around.',
  },

  setup: {
    title: 'You hold the keys',
    hint: 'This server has no admin yet. Admins look after its rooms and people.',
    claim: 'Become admin',
    done: "You're the admin now",
    doneHint: 'The link has done its work: nobody else can use it.',
    ended: 'This link has ended',
    endedHint: 'It works once, and until the next start of the server, whose log shows a new one.',
    administer: 'Open administration',
    toRooms: 'Go to your rooms',
    signIn: 'Sign up or sign in: that account can become the admin.',
  },

  dm: {
    title: 'New message',
    hint: 'Pick one person or up to nine. Only they and you read it.',
    find: 'Find people',
    start: 'Start',
    notes: 'Write to yourself',
    choose: 'Choose',
    chosen: 'Chosen',
    take: 'Remove',
    nobody: 'Nobody found',
    beginning: (names: string): string => `This is the beginning of your conversation with ${names}.`,
    readBy: (names: string): string => `Only you and ${names} can read what is written here.`,
    readNotes: 'Only you can read what is written here.',
  },

  profile: {
    title: (name: string): string => `Profile of ${name}`,
    message: 'Message',
    notes: 'Your notes',
    edit: 'Edit profile',
    block: 'Block',
    unblock: 'Unblock',
    time: (clock: string): string => `${clock} local time`,
    admin: 'Admin',
    guest: 'Guest',
    bot: 'Bot',
    gone: 'This account is suspended.',
    more: 'More',
    copyName: 'Copy username',
    nameCopied: 'Username copied',
    blocked: (name: string): string =>
      `You blocked ${name}. You won't see their messages, and they can't write to you.`,
    isBlocked: 'You have blocked this person.',
    undo: 'Undo',
    until: (when: string): string => `Until ${when}`,
  },

  settings: {
    title: 'Settings',
    profile: 'Profile',
    name: 'Display name',
    nameRule: (username: string): string =>
      `Others see it in place of ${username}, which people still mention you by.`,
    zone: 'Time zone',
    zoneRule: 'Others see what time it is for you.',
    look: 'Appearance',
    notifications: 'Notifications',
    password: 'Password',
    passwordHint: 'A new password signs you out everywhere but here.',
    currentPassword: 'Current password',
    newPassword: 'New password',
    changePassword: 'Change password',
    wrongPassword: 'This is not your password.',
    sessions: 'Devices',
    sessionsHint: "Where you're signed in. Sign out of any that you don't know.",
    current: 'This one',
    end: 'Sign out',
    endOne: (name: string): string => `Sign out ${name}`,
    used: (when: string): string => `last used ${when}`,
    unknown: 'Unknown device',
    blocked: 'Blocked people',
    noBlocked: 'You have blocked nobody',
    noBlockedHint: 'Open a profile to block someone.',
  },

  create: {
    public: 'Public',
    private: 'Private',
    kind: 'Visibility',
    publicHint: 'Anyone on this server can find and join it.',
    privateHint: 'Only the people you add know of it.',
    topic: 'Topic (optional)',
  },

  /** Of a room of the list. */
  rowMenu: {
    read: 'Mark as read',
    unread: 'Mark as unread',
    star: 'Star',
    unstar: 'Remove star',
    mute: 'Mute',
    unmute: 'Unmute',
    copyLink: 'Copy link',
    linkNotCopied: (link: string): string => `Couldn't copy. Here's the link: ${link}`,
    settings: 'Room settings',
    conversation: 'About this conversation',
    leave: 'Leave room',
    leavePrivate: 'Leave room…',
    left: (name: string): string => `You left ${name}`,
    undo: 'Undo',
  },

  readAll: {
    done: 'All rooms are marked as read',
    undo: 'Undo',
  },
};

export type ScreenTexts = typeof screensEn;
