/** What is said in the pictures beside what the demo's world says by itself. Times are local to the pictures: UTC. */
import { ME } from '../../../demo/people.ts';

export { ME };

/** When the pictures are taken. */
export const NOW = '2026-11-19T10:24:00Z';
export const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenh';

/** Those of the demo that are shown, and two of the pictures' own. */
export const ROOMS = {
  quiet: 'Quiet corner',
  edges: 'Rough edges',
  weekend: 'Weekend plans',
  music: 'Music',
  onCall: 'On call',
  past: 'Deploys',
  shanghai: '上海办公室',
  lunch: 'Lunch',
  support: 'Support',
  design: 'Design',
  backend: 'Backend',
  release: 'Release 2.4',
  general: 'General',
} as const;
export type RoomKey = keyof typeof ROOMS;
/** Empty at first, and not part of the demo. */
export const OWN_ROOMS = [ROOMS.quiet, ROOMS.edges] as const;

/** The people who are always in each room; the list counts them. */
export const PRESENT: Readonly<Partial<Record<RoomKey, readonly string[]>>> = {
  general: ['Jonas Weber', 'Ines Moreau', 'Aiko Tanaka', 'Noor Haddad', 'Sam Okafor', '林小雨'],
  backend: ['Jonas Weber', 'Ravi Menon', 'Bea Novak'],
  support: ['Noor Haddad', 'Sam Okafor'],
  design: ['Ines Moreau', 'Aiko Tanaka', 'Tomás Ferreira'],
  onCall: ['Ravi Menon'],
  past: ['Jonas Weber'],
  shanghai: ['林小雨', '陈昊', '王思远'],
  release: ['Jonas Weber', 'Ines Moreau', 'Noor Haddad', 'Tomás Ferreira'],
};

/** How many of the last messages of a room the user of the pictures has not read. */
export const UNREAD: Readonly<Partial<Record<RoomKey, number>>> = { backend: 6, support: 14, shanghai: 3 };

/** What rooms say of themselves. */
export const LOOKS: Readonly<Partial<Record<RoomKey, { line: string; emoji?: string }>>> = {
  release: { line: 'Ships Thursday 15:00. Blockers only, please.', emoji: '🚀' },
  backend: { line: 'Services, queues and the database', emoji: '🛠️' },
  design: { line: 'Sketches, copy and pixels', emoji: '🎨' },
  support: { line: 'What customers ask, and who replies' },
  general: { line: 'For everybody' },
};
export const STARRED: readonly RoomKey[] = ['release', 'general'];
export const MUTED: readonly RoomKey[] = ['music'];

/** Rooms of the user beside the public ones. */
export const PRIVATE_ROOM = 'Hiring';
export const ARCHIVED_ROOM = 'Release 2.3';
/** Direct conversations, by their people, the oldest first. What is said there is not read yet. */
export const DIRECT: readonly { readonly people: readonly string[]; readonly says: readonly string[] }[] = [
  { people: ['Jonas Weber'], says: [] },
  { people: ['Noor Haddad', 'Tomás Ferreira'], says: [] },
  { people: ['Ines Moreau'], says: ['Do you have a minute before the rollout?', 'It is about the copy.'] },
];
/** The people who are online without being in a room. */
export const ONLINE = ['Ines Moreau', 'Jonas Weber'] as const;

export interface Line {
  readonly at: string;
  readonly room: RoomKey;
  readonly who: string;
  readonly says: string;
}

const YESTERDAY = '2026-11-18T';
const TODAY = '2026-11-19T';

function line(at: string, room: RoomKey, who: string, says: string): Line {
  return { at: `${at}:00Z`, room, who, says };
}

const release: readonly Line[] = [
  line(
    `${YESTERDAY}16:38`,
    'release',
    'Jonas Weber',
    'The branch is cut. Please add your lines to the release notes before noon tomorrow.',
  ),
  line(
    `${YESTERDAY}16:41`,
    'release',
    'Ines Moreau',
    'Added the accessibility fixes and the new empty states.',
  ),
  line(
    `${YESTERDAY}16:42`,
    'release',
    'Ines Moreau',
    'The screenshots follow in the morning, with the final copy.',
  ),
  line(
    `${YESTERDAY}17:05`,
    'release',
    'Sam Okafor',
    'Translations are complete in all eleven languages 🎉 Portuguese came in an hour ago.',
  ),
  line(`${YESTERDAY}17:09`, 'release', ME, 'The first time that we are complete before the freeze!'),
  line(
    `${TODAY}09:02`,
    'release',
    'Aiko Tanaka',
    'Good morning! The soak test ran all night: 14 hours, 2.1 million messages, none lost, none out of order.',
  ),
  line(
    `${TODAY}09:03`,
    'release',
    'Aiko Tanaka',
    'Memory stays flat at 180 MB. Graphs: https://status.example.org/soak/2.4',
  ),
  line(`${TODAY}09:05`, 'release', 'Tomás Ferreira', 'Beautiful. That was the last box on my list.'),
  line(
    `${TODAY}09:31`,
    'release',
    'Noor Haddad',
    'One thing from support: on an old iPad the send button hides behind the keyboard. I can reproduce it, but only in landscape.',
  ),
  line(
    `${TODAY}09:34`,
    'release',
    'Ines Moreau',
    'Looking. I think the composer does not follow the visual viewport there.',
  ),
  line(
    `${TODAY}09:58`,
    'release',
    'Ines Moreau',
    'Fixed and pushed, it is **one line**. Tomás, could you have a look?\n\n```css\n.composer {\n  bottom: max(0px, env(keyboard-inset-height)); /* the keyboard lies over the page there */\n}\n```',
  ),
  line(`${TODAY}10:06`, 'release', 'Tomás Ferreira', 'Approved, and merged into the release branch.'),
  line(
    `${TODAY}10:09`,
    'release',
    ME,
    'Thank you both! If nothing else turns up, the rollout starts at **11:00**:\n\n1. 5 % first\n2. then half\n3. everybody by *15:00*',
  ),
  line(`${TODAY}10:11`, 'release', 'Jonas Weber', 'I will keep an eye on the error rate 👀'),
];

/** Said while the picture of the room is being taken. */
export const LIVE: readonly Line[] = [
  line(
    `${TODAY}10:22`,
    'release',
    'Noor Haddad',
    'The customer confirmed it with the new build: landscape works. She says thanks!',
  ),
  line(`${TODAY}10:23`, 'release', ME, 'That is the best start into a release day 🚀'),
  line(`${TODAY}10:23`, 'release', ME, 'Cake at four, then?'),
];

const edges: readonly Line[] = [
  line(`${TODAY}09:40`, 'edges', LONG_NAME, 'My name has 64 letters and no break in it. Does it fit?'),
  line(
    `${TODAY}09:41`,
    'edges',
    'Sam Okafor',
    `A word without end: ${'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(4)}`,
  ),
  line(
    `${TODAY}09:42`,
    'edges',
    'Sam Okafor',
    `https://example.org/${'a/very/long/path/'.repeat(14)}end?with=${'query'.repeat(20)}`,
  ),
  line(
    `${TODAY}09:43`,
    'edges',
    'Noor Haddad',
    'مرحبا! هذه رسالة من اليمين إلى اليسار، with a few English words في الوسط.',
  ),
  line(
    `${TODAY}09:44`,
    'edges',
    'Aiko Tanaka',
    '今日の会議は午後三時からです。資料は共有フォルダにあります。よろしくお願いします。',
  ),
  line(
    `${TODAY}09:50`,
    'edges',
    'Tomás Ferreira',
    '<script>alert("hello")</script> <img src=x onerror=alert(1)> &amp; {{7*7}}',
  ),
  line(
    `${TODAY}09:51`,
    'edges',
    'Tomás Ferreira',
    Array.from('zalgo', (letter) => letter + '\u0316\u0317\u0301\u0302\u0303'.repeat(3)).join(''),
  ),
  line(
    `${TODAY}09:52`,
    'edges',
    'Jonas Weber',
    'function fold(values) {\n    return values\n        .map((value) => value * 2)\n        .reduce((sum, value) => sum + value, 0);\n}',
  ),
  line(`${TODAY}09:53`, 'edges', 'Jonas Weber', `e${'\u0301'.repeat(400)} combines four hundred times.`),
  line(
    `${TODAY}09:54`,
    'edges',
    'Tomás Ferreira',
    '[click me](javascript:alert(1)) ![picture](https://example.org/x.png) [right](https://example.org "title") \u202Edesrever si siht',
  ),
  line(`${TODAY}09:55`, 'edges', 'Sam Okafor', '😀'),
  line(`${TODAY}09:55`, 'edges', 'Noor Haddad', '👩‍👩‍👧‍👦🇵🇹👍🏽'),
  line(
    `${TODAY}09:58`,
    'edges',
    'Aiko Tanaka',
    "All of **bold**, *italic*, ~~gone~~, `code` and [links](https://example.org) in one line.\n\n> A quote\n> of two lines\n\n1. first\n2. second\n   - nested\n   - list\n\n```ts\nexport function longest(lines: readonly string[]): string {\n  // A line of code that is much longer than any screen is wide, so that it has to be scrolled sideways: 0123456789 0123456789\n  return lines.reduce((a, b) => (b.length > a.length ? b : a), '');\n}\n```",
  ),
];

const essay = line(
  `${TODAY}10:02`,
  'design',
  'Ines Moreau',
  `Notes from the session, in full.\n\n${'We looked at how people find their way back into a conversation after lunch. Most scroll, some search, nobody uses the calendar. '.repeat(40)}`.slice(
    0,
    4000,
  ),
);

/** All that was said before, in the order of time. */
export const PAST: readonly Line[] = [
  ...release,
  ...edges,
  line(`${TODAY}09:15`, 'design', 'Tomás Ferreira', 'How did the interviews go?'),
  essay,
].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
