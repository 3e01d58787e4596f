/** What the person who looks at the demo finds: who has written to them, what is unread, and what rooms look like. */
import type { RoomHue } from '../protocol/hues.ts';
import { ME } from './people.ts';

export interface Look {
  /** The line beneath its name. */
  readonly line?: string;
  readonly emoji?: string;
  readonly hue?: RoomHue;
}

export const LOOKS: Readonly<Record<string, Look>> = {
  General: { line: 'For everybody', hue: 'gold' },
  'Release 2.4': { line: 'Ships Thursday 15:00. Blockers only, please.', emoji: '🚀', hue: 'indigo' },
  Backend: { line: 'Services, queues and the database', emoji: '🛠️', hue: 'sky' },
  Design: { line: 'Sketches, copy and pixels', emoji: '🎨', hue: 'rose' },
  Support: { line: 'What customers ask, and who replies', emoji: '💬', hue: 'violet' },
  Lunch: { line: 'Twelve sharp, downstairs', emoji: '🍜', hue: 'leaf' },
  上海办公室: { line: '上海办公室的日常', emoji: '🏙️', hue: 'rose' },
  Deploys: { hue: 'teal' },
  'On call': { emoji: '🌙', hue: 'indigo' },
  'Reading group': { emoji: '📚', hue: 'plum' },
  Music: { emoji: '🎧', hue: 'teal' },
  'Weekend plans': { emoji: '⛰️', hue: 'leaf' },
};

/** What the server calls itself. */
export const SERVER_NAME = 'Northwind';
export const DEFAULT_ROOM = 'General';
export const STARRED: readonly string[] = ['Release 2.4', 'General'];
export const MUTED: readonly string[] = ['Music'];
/** How many of the last messages of a room are unread, but for what the script mentions the reader in. */
export const UNREAD: Readonly<Record<string, number>> = {
  Backend: 6,
  Support: 13,
  上海办公室: 3,
  Deploys: 2,
};
/** Rooms of the reader beside those of the plan. */
export const PRIVATE_ROOM = 'Hiring';
export const ARCHIVED_ROOM = 'Release 2.3';

/** Direct conversations, the oldest first, with what was said there. What others say last is unread. */
export const DIRECT: readonly { readonly people: readonly string[]; readonly says: readonly Says[] }[] = [
  {
    people: ['Jonas Weber'],
    says: [
      { who: 'Jonas Weber', ago: 1500, text: 'Do we do the retrospective on Friday or on Monday?' },
      { who: ME, ago: 1490, text: 'Friday, with what is left of the cake.', read: true },
    ],
  },
  {
    people: ['Noor Haddad', 'Tomás Ferreira'],
    says: [
      { who: 'Noor Haddad', ago: 200, text: 'I booked the small room for the three of us.' },
      { who: ME, ago: 190, text: 'Perfect, thank you!', read: true },
    ],
  },
  {
    people: ['Ines Moreau'],
    says: [
      { who: 'Ines Moreau', ago: 26, text: 'Do you have a minute before the rollout?' },
      {
        who: 'Ines Moreau',
        ago: 25,
        text: 'Could you look at the iOS build? I only need a second pair of eyes.',
      },
    ],
  },
];

interface Says {
  readonly who: string;
  /** Minutes before the demo starts. */
  readonly ago: number;
  readonly text: string;
  /** The reader has read the conversation up to here. */
  readonly read?: boolean;
}

/** Something that is said in a room, and what others did with it. */
export interface Line extends Says {
  readonly room: string;
  /** A name for `answers` and `thread` of later lines. */
  readonly key?: string;
  readonly answers?: string;
  readonly thread?: string;
  readonly title?: string;
  readonly isPinned?: boolean;
  readonly isSaved?: boolean;
  readonly reactions?: Readonly<Record<string, readonly string[]>>;
}

const RELEASE = 'Release 2.4';

/** When the script begins in each room, in Unix milliseconds. */
export function scriptedFrom(now: number): ReadonlyMap<string, number> {
  const from = new Map<string, number>();
  for (const { room, ago } of LINES) from.set(room, Math.min(now - ago * 60_000, from.get(room) ?? now));
  return from;
}

/** In the order of time. */
export const LINES: readonly Line[] = [
  {
    ...{ room: RELEASE, who: 'Jonas Weber', ago: 1080, isPinned: true },
    text: 'The branch is cut. Please add your lines to the [release notes](https://docs.example.org/notes) before noon.',
    reactions: { '👍': [ME, 'Ines Moreau', 'Tomás Ferreira'] },
  },
  {
    room: RELEASE,
    who: 'Ines Moreau',
    ago: 1076,
    text: 'Added the accessibility fixes and the new empty states.',
  },
  {
    ...{ room: RELEASE, who: 'Sam Okafor', ago: 1050 },
    text: 'Translations are complete in all eleven languages 🎉 Portuguese came in an hour ago.',
    reactions: { '🎉': [ME, 'Jonas Weber', 'Ines Moreau', 'Noor Haddad'] },
  },
  { room: RELEASE, who: ME, ago: 1046, text: 'The first time that we are complete before the freeze!' },
  {
    ...{ room: RELEASE, who: 'Aiko Tanaka', ago: 84, isSaved: true },
    text: 'Good morning! The soak test ran all night: 14 hours, 2.1 million messages, none lost :green-build:',
    reactions: {
      ':ship-it:': ['Jonas Weber', 'Sam Okafor'],
      '🚀': ['Jonas Weber', 'Tomás Ferreira'],
      '👏': [ME, 'Ines Moreau', 'Noor Haddad'],
    },
  },
  {
    ...{ room: RELEASE, who: 'Noor Haddad', ago: 55, key: 'ipad' },
    text: 'One thing from support: on an old iPad the send button hides behind the keyboard. Only in landscape.',
  },
  {
    ...{ room: RELEASE, who: 'Ines Moreau', ago: 29, key: 'fix' },
    text: 'Fixed and pushed, it is **one line**. @"Tomás Ferreira" could you have a look?\n\n```css\n.composer {\n  bottom: max(0px, env(keyboard-inset-height));\n}\n```',
    reactions: {
      '🎉': [ME, 'Jonas Weber', 'Noor Haddad', 'Sam Okafor'],
      '👀': ['Tomás Ferreira', 'Aiko Tanaka'],
    },
  },
  {
    ...{
      room: RELEASE,
      who: 'Tomás Ferreira',
      ago: 27,
      thread: 'fix',
      title: 'Keyboard covers the composer',
    },
    text: 'Does `env(keyboard-inset-height)` exist on iOS 17?',
  },
  {
    ...{ room: RELEASE, who: 'Ines Moreau', ago: 25, thread: 'fix' },
    text: 'It falls back to 0, and the visual viewport covers the rest. Tried on both.',
    reactions: { '👍': ['Tomás Ferreira'] },
  },
  {
    ...{ room: RELEASE, who: 'Tomás Ferreira', ago: 23, thread: 'fix' },
    text: 'Approved, and merged into the release branch :ship-it:',
  },
  {
    ...{ room: RELEASE, who: ME, ago: 18, key: 'rollout' },
    text: 'Thank you both! If nothing else turns up, the rollout starts on the hour: 5 % first, then half, everybody by *15:00*.',
    reactions: { ':ship-it:': ['Ines Moreau', 'Tomás Ferreira', 'Noor Haddad'] },
  },
  { room: RELEASE, who: ME, ago: 17, key: 'watch', text: 'Watch `error_rate` and `crash_free`, please.' },
  { room: RELEASE, who: 'Jonas Weber', ago: 16, answers: 'watch', text: 'I will keep an eye on both 👀' },
  {
    ...{ room: RELEASE, who: 'Noor Haddad', ago: 5 },
    text: `@"${ME}" the customer confirmed it with the new build: landscape works. She says thanks!`,
    reactions: { '🙌': ['Ines Moreau', 'Tomás Ferreira'] },
  },
  { room: 'Design', who: 'Tomás Ferreira', ago: 70, key: 'icons', text: 'Are the new icons in the file?' },
  {
    ...{ room: 'Design', who: 'Aiko Tanaka', ago: 64, answers: 'icons', isPinned: true },
    text: 'They are, in two weights. I kept the arch.',
    reactions: { '💚': [ME, 'Ines Moreau'] },
  },
  {
    ...{ room: 'General', who: 'Rafael Costa', ago: 110 },
    text: 'The coffee machine answers to the left button only. It knows what it did :oat-latte:',
    reactions: {
      '😂': ['Sam Okafor', 'Jonas Weber', 'Noor Haddad'],
      ':oat-latte:': [ME, '林小雨', 'Priya Raman'],
    },
  },
  { room: 'Backend', who: 'Ravi Menon', ago: 9, key: 'migration', text: 'The staging migration is through.' },
  {
    ...{ room: 'Backend', who: 'Tomás Ferreira', ago: 7, answers: 'migration' },
    text: `@"${ME}" it took 4 s for two million rows. Shall I go on with production?`,
  },
];
