/** The texts of what helps one to write, in English. It is loaded when it is first used. */
import { countEn, many } from './numbers.ts';

export const composeEn = {
  /** What the user is doing. */
  status: {
    title: 'Set a status',
    words: 'Status',
    emoji: 'Emoji',
    until: 'Clear after',
    spans: {
      never: "Don't clear",
      half_hour: '30 minutes',
      hour: '1 hour',
      four_hours: '4 hours',
      today: 'Today',
      week: 'This week',
    },
    save: 'Set',
    clear: 'Clear status',
    suggested: 'Suggestions',
    presets: {
      meeting: 'In a meeting',
      commuting: 'Commuting',
      sick: 'Out sick',
      holiday: 'On holiday',
      home: 'Working from home',
    },
  },

  emoji: {
    title: 'Emoji',
    search: 'Search emoji',
    allGroups: 'Groups',
    recent: 'Recently used',
    own: 'Of this server',
    addOwn: 'Add emoji to this server',
    found: 'Results',
    none: 'No emoji found',
    count: (n: number): string => (n === 0 ? 'No emoji found' : `${many(n, 'emoji', 'emoji')} found`),
    groups: {
      smileys: 'Smileys and emotion',
      people: 'People and body',
      nature: 'Animals and nature',
      food: 'Food and drink',
      travel: 'Travel and places',
      activities: 'Activities',
      objects: 'Objects',
      symbols: 'Symbols',
      flags: 'Flags',
    },
    tone: 'Skin tone',
    tones: ['Yellow', 'Light', 'Medium-light', 'Medium', 'Medium-dark', 'Dark'],
  },

  completing: {
    people: 'People to mention',
    emoji: 'Emoji',
    count: (n: number): string => (n === 0 ? 'No suggestions' : many(n, 'suggestion', 'suggestions')),
    notHere: 'not in this room',
    calls: {
      room: (n: number): string => `Notify everyone in this room (${countEn.format(n)})`,
      here: (n: number): string => `Notify everyone online (${countEn.format(n)})`,
    },
    mayNotCall: 'Only moderators can notify everyone in this room. This will notify nobody.',
    outsider: (name: string): string => `${name} isn't in this room and won't be notified.`,
    invite: 'Add to room',
    notify: (n: number): string => `Notify ${many(n, 'person', 'people')}?`,
    notifyHint: {
      room: 'Your message mentions everyone in this room.',
      here: 'Your message mentions everyone who is online in this room.',
    },
    stay: 'Keep editing',
    send: 'Notify and send',
  },
};

export type ComposeTexts = typeof composeEn;
