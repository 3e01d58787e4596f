/** The texts of a room that the first paint does not need, in English. */
import { namesEn, peopleEn } from './names-en.ts';
import { countEn, many } from './numbers.ts';

export const roomEn = {
  people: {
    you: '(you)',
    more: (n: number): string => `and ${countEn.format(n)} more`,
    /** How many people the room has, and how many of them are online; null: not known. */
    present: (n: number, here: number | null): string =>
      here === null
        ? many(n, 'person', 'people')
        : `${many(n, 'person', 'people')}, ${countEn.format(here)} here`,
    unknown: "Shown when you're back online.",
    here: 'Here now',
    absent: 'Not here',
  },

  roles: { owner: 'an owner', moderator: 'a moderator', member: 'a member' },

  notices: {
    renamed: (by: string, name: string): string => `${by} renamed the room to ${name}`,
    topic: (by: string, topic: string): string => `${by} set the topic: ${topic}`,
    topicGone: (by: string): string => `${by} removed the topic`,
    description: (by: string): string => `${by} changed the description`,
    emoji: (by: string, emoji: string): string => `${by} gave the room the emoji ${emoji}`,
    emojiGone: (by: string): string => `${by} removed the emoji`,
    hue: (by: string, hue: string): string => `${by} painted the door ${hue.toLowerCase()}`,
    hueNew: (by: string): string => `${by} painted the door`,
    hueGone: (by: string): string => `${by} took the paint off the door`,
    made_private: (by: string): string => `${by} made the room private`,
    archived: (by: string): string => `${by} archived the room`,
    restored: (by: string): string => `${by} restored the room`,
    deleted: (by: string): string => `${by} deleted the room`,
    settings: (by: string): string => `${by} changed the settings`,
    other: (by: string): string => `${by} did something that a newer version can show`,
    joined: (who: string): string => `${who} joined`,
    left: (who: string): string => `${who} left`,
    added: (by: string, who: string): string => `${by} added ${who}`,
    removed: (by: string, who: string): string => `${by} removed ${who}`,
    role: (by: string, who: string, role: string): string => `${by} made ${who} ${role}`,
  },

  /** People who come to a public room, and go. */
  arrivals: {
    joined: (names: readonly string[]): string => `${peopleEn(names)} joined`,
    left: (names: readonly string[]): string => `${peopleEn(names)} left`,
    visited: (names: readonly string[]): string => `${peopleEn(names)} joined and left`,
  },

  banner: {
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

  timeline: {
    older: 'Load older messages',
    olderFailed: "Couldn't load older messages.",
    newer: 'Load newer messages',
    newerFailed: "Couldn't load newer messages.",
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
  },

  composing: {
    typing: (names: readonly string[]): string => {
      if (names.length > 2) return 'Several people are typing';
      return `${namesEn(names)} ${names.length === 1 ? 'is' : 'are'} typing`;
    },
    mention: 'Mention someone',
    formatting: 'Formatting',
    link: 'Link',
    list: 'List',
    sendParts: (n: number): string => `Send as ${countEn.format(n)} messages`,
    tooLong: (over: number): string => `${many(over, 'character', 'characters')} too long`,
    counter: (used: number, limit: number): string => `${countEn.format(used)} / ${countEn.format(limit)}`,
  },

  roomGone: {
    unknown: { title: "This room doesn't exist", hint: 'The link may be old or mistyped.' },
    removed: { title: 'You were removed from this room', hint: 'A moderator of the room has removed you.' },
    deleted: {
      title: 'This room was deleted',
      hint: 'One of its owners has deleted it. For 30 days an admin of the server can restore it.',
    },
    left: { title: 'You left this room', hint: 'In another tab, or on another device.' },
    made_private: {
      title: 'This room is private now',
      hint: 'Only its members can read it. One of them can add you.',
    },
    no_access: {
      title: "You can't read this room any more",
      hint: 'Only its members can read it. One of them can add you.',
    },
    action: 'Go to your rooms',
  },

  /** What the user was writing where writing has become impossible. */
  kept: {
    title: 'You were writing this',
    again: "You were writing this. It's kept for when you can write here again.",
    unsent: 'This was not sent',
    copy: 'Copy text',
    copied: 'Copied',
  },

  room: {
    title: 'Room settings',
    about: 'About',
    members: 'People',
    pins: 'Pins',
    files: 'Files',
    invites: 'Invites',
    notifications: 'Notifications',
    parts: 'Parts of the settings',
    name: 'Name',
    topic: 'Topic',
    topicRule: 'One line, shown beneath the name.',
    description: 'Description',
    isPublic: 'Public: anyone on this server can find it, read it and join.',
    isPrivate: 'Private: only its members know of it.',
    isDm: 'A direct conversation: its people stay the same.',
    noTopic: 'No topic yet.',
    leave: 'Leave room',
    leaveThis: (name: string): string => `Leave ${name}?`,
    leaveHint: 'The room is private: to come back, you need to be added or invited.',
    stayIn: 'Stay in the room',
    archive: 'Archive room',
    deleteRoom: 'Delete room',
    deleteThis: (name: string): string => `Delete ${name}?`,
    deleteHint: 'Everybody loses the room at once. For 30 days an admin of the server can restore it.',
    keepRoom: 'Keep the room',
    restore: 'Restore room',
    archived: 'This room is archived. It can be read, and nobody can write in it.',
    refused: 'Use 1–128 visible characters.',
    findMember: 'Find people',
    add: 'Add people',
    addSomeone: (name: string): string => `Add ${name}`,
    remove: (name: string): string => `Remove ${name}`,
    role: (name: string): string => `Role of ${name}`,
    owner: 'Owner',
    moderator: 'Moderator',
    member: 'Member',
    you: '(you)',
    more: 'Show more',
    nobody: 'Nobody found',
    nobodyHint: 'Try a part of the name.',
    invite: 'Create invite link',
    inviteHint: 'Anyone with the link can join. It works for 7 days.',
    inviteOnce: 'The link is shown only now. Copy it before you leave.',
    copy: 'Copy link',
    copied: 'Copied',
    noInvites: 'No live invites',
    noInvitesHint: 'Create a link to bring someone in.',
    mayNotInvite: 'Moderators of this room make its invites.',
    by: (name: string): string => `by ${name}`,
    ends: (when: string): string => `ends ${when}`,
    uses: (n: number, max: number | null): string =>
      max === null
        ? `used ${many(n, 'time', 'times')}`
        : `used ${countEn.format(n)} of ${countEn.format(max)}`,
    revoke: 'Revoke',
    revokeOne: (name: string): string => `Revoke the invite by ${name}`,
    notify: 'Notify me about',
    usual: (level: string): string => `Default (${level})`,
    all: 'All messages',
    mentions: 'Mentions and replies',
    none: 'Nothing',
    threads: 'Threads',
    threadsLevels: { mine: 'Follow mine', all: 'Follow all', none: 'Follow none' },
    threadsRules: {
      mine: 'You follow threads that you start, answer or are mentioned in.',
      all: 'You follow every thread of this room from its next reply on.',
      none: 'You follow only threads that you choose to follow.',
    },
    rights: {
      invite: 'Inviting people',
      pin: 'Pinning messages',
      mention_room: 'Calling everybody with @room',
    },
    rightsOf: { member: 'All members', moderator: 'Moderators' },
    linkPreviews: 'Show previews of links',
    linkPreviewsRule:
      "The server opens the links in new messages and shows what their pages say. Sites don't see who reads here.",
    filesKept: 'Files are kept',
    filesKeptRule: 'Messages stay when their files are deleted.',
    filesForEver: 'For ever',
    filesDays: (days: number): string => (days === 1 ? 'For a day' : `For ${days} days`),
    deleteOldFiles: (days: number): string =>
      days === 1 ? 'Delete files older than a day?' : `Delete files older than ${days} days?`,
    deleteOldFilesHint:
      'The older files of this room are deleted within a day, for everybody. It cannot be undone.',
    keepFiles: 'Keep them',
    deleteFiles: 'Delete old files',
    muteFor: 'Mute',
    muteOff: 'Not muted',
    muteSpans: { hour: 'For an hour', night: 'For 8 hours', week: 'For a week' },
    mutedUntil: (when: string): string => `Until ${when}`,
    muted: 'Muted: it calls for attention only when you are mentioned.',
    star: 'Star this room',
    starHint: 'Starred rooms stand above the others in your list.',
    membersOnly: 'Join the room to change this.',
  },

  /** What a room's door looks like. */
  roomDoor: {
    label: 'Door',
    hue: 'Color of the door',
    hues: {
      gold: 'Gold',
      leaf: 'Leaf green',
      teal: 'Teal',
      sky: 'Sky blue',
      indigo: 'Indigo',
      violet: 'Violet',
      plum: 'Plum',
      rose: 'Rose',
    },
    emoji: 'Emoji',
    noEmoji: 'No emoji',
  },

  bar: {
    muted: (when: string): string => `A moderator muted you here until ${when}`,
    mutedForever: 'A moderator muted you here',
    why: (words: string, reason: string): string => `${words}: ${reason}`,
    looking: (name: string): string => `You're looking at ${name}`,
    /** Beneath it: what writing does. */
    writing: 'You join when you write, too.',
    join: 'Join',
    waiting: "You'll join when you're back online",
    archived: 'This room is archived',
  },
};

export type RoomTexts = typeof roomEn;
