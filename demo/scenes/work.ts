import type { Scene } from './scene.ts';

/** Conversations for rooms of people who work together. */
export const WORK: readonly Scene[] = [
  [
    'a #{issue} is ready for review.',
    'b On it.',
    'b One question in the comments, else fine.',
    'a Answered.',
  ],
  ['a Could somebody look at #{issue} before {time}?', 'b I can.', 'a Thank you {B}!'],
  [
    'a I am stuck with {feature}. Anybody for a quarter of an hour of pairing?',
    'b Call me.',
    'a Solved. It was the *other* flag.',
  ],
  ['a {customer} on the phone, back in ten.', 'b 👍'],
  [
    'a Status of #{issue}: {feature} works, the tests are missing.',
    'b When do you think?',
    'a {weekday}, if nobody finds anything on {device}.',
    'c Narrator: somebody found something on {device}.',
  ],
  ['a Where is the document about {feature}?', 'b https://docs.example.org/guide/{issue}', 'a 🙏'],
  [
    'a Today: #{issue}, then {feature}.',
    'b Today: reviews, reviews, reviews.',
    'c Today: {customer} at {time}, then what is left of me.',
  ],
  [
    'a Does {feature} look right to you on {device}?',
    'b Yes.',
    'c Mine has a gap of one pixel at the right. A *proud* pixel.',
    'a I see it now, too. Gone in the next build.',
  ],
  ['a We have {n} open issues.', 'b Yesterday it was more!', 'a By one.', 'b Still.'],
  [
    'a What would you cut, if we had to leave something out?',
    'b The second half of {feature}. Nobody has asked for it.',
    'c Agreed. A good first half is better than two quick ones.',
    'a Cut. I will tell {customer} myself.',
  ],
  ['a Meeting moved to {time}, same room.', 'b 👍', 'c 👍'],
  [
    'a Is it only me, or is the network slow?',
    'b Only you.',
    'c Me too, since {time}.',
    'a Somebody is uploading {n} photos of a goat. *You know who you are.*',
    'b 🐐',
  ],
  [
    'a Written up, so that we do not have this talk again next year: https://docs.example.org/decisions/{issue}',
    'b Short and clear. Thank you.',
    'c I would add one sentence about {device}.',
    'a Added.',
  ],
  [
    'a Numbers of the week: {n} new people, {pct} % more messages, {small} complaints.',
    'b What were the complaints about?',
    'a {feature}, {feature} and {feature}.',
  ],
];
