import type { Scene } from './scene.ts';

export const GENERAL: readonly Scene[] = [
  [
    'a **New colleague on {weekday}:** please say hello to Yara, who joins us in support.',
    'b Welcome Yara! {emoji}',
    'c Welcome! The coffee machine answers to the left button only.',
    'd Great news!',
  ],
  [
    'a {customer} has extended for {small} years {emoji}',
    'b Wonderful! Well done everybody who was on those calls.',
    'c And thank you, {A}, for the very last slide.',
  ],
  [
    'a The office is closed on {weekday}: they test the fire alarm, *all day*.',
    'b Home it is.',
    'c Does somebody take the plants with them? Just asking.',
  ],
  [
    'a Notes of the planning meeting:\n\n1. {feature} first, everybody waits for it\n2. then the upgrade guide\n3. no new settings before we have removed {small} old ones\n\nQuestions here, please.',
    'b Number 3 makes me happy.',
    'c Who decides which ones go?',
    'a Whoever finds one that fewer than {pct} people use.',
  ],
  [
    'a There is cake in the kitchen 🍰',
    'b What for?',
    'a Does it need a reason?',
    'c It does not.',
    'd On my way.',
  ],
  [
    'a How was {city}?',
    'b Tiring and wonderful. {small} workshops in two days, and one of them in a boat.',
    'c Pictures, please!',
    'b In the weekend room tonight.',
  ],
];

export const DESIGN: readonly Scene[] = [
  [
    'a New version of {feature} is up: https://design.example.org/f/{issue}',
    'b Much calmer! The borders do more than the shadows did.',
    'c Could the second line be one step darker? On {device} it is hard to read.',
    'a It is 4.1 : 1 now, I will take it to 4.6.',
    'c 💚',
  ],
  [
    'a How did the interviews go?',
    'b Notes from the session:\n\n- {small} of six found {feature} without help\n- nobody used the calendar\n- *everybody* asked where their drafts had gone\n\nThe drafts had not gone anywhere, they were one click away. One click too far.',
    'a So we show them in the list.',
    'c With the little pencil!',
  ],
  [
    'a Which radius do we use for dialogs, 8 or 10?',
    'b 10. And 6 for everything inside.',
    'a Written down:\n\n```css\n:root {\n  --radius-small: 6px;\n  --radius-large: 10px;\n}\n```',
    'c Two numbers. I could cry.',
  ],
  [
    'a The empty state says “No data”. Can we do better?',
    'b “Nothing here yet. Invite somebody and say hello”, with a button for the first half.',
    'a Sold.',
  ],
  [
    'a I measured the contrast of all {n} text styles in both themes. Two fail, both in the dark one: the placeholder and the time.',
    'b Take one step up for both?',
    'a Then all pass, and honestly it looks better, too.',
  ],
  ['a ~~Blue~~ Green it is.', 'b Finally.', 'c I was *so* ready to fight for green.'],
];

export const SUPPORT: readonly Scene[] = [
  [
    'a {customer} asks whether they can export a room as a file.',
    'b Not yet in the client, but over the interface: `GET /api/v1/rooms/:id/messages`, page by page.',
    'a They are not developers.',
    'b Then I will make them a small script. Tell them tomorrow at {time}.',
    'a You are the best {emoji}',
  ],
  [
    'a Ticket {issue}: “The page is blank on {device}.” Anybody seen this?',
    'b An ad blocker, most likely. Ask them for a private window.',
    'a It *was* the ad blocker. They say thank you.',
  ],
  [
    'a A customer writes:\n\n> I pressed Enter too early and everybody has seen it. Can I take it back?\n\nWhat do I say?',
    'b Not today. It is planned, see #{issue}.',
    'c In the meantime: a sense of humour helps.',
    'a I will phrase it differently, but yes 😄',
  ],
  [
    'a {customer} cannot sign in since {time}.',
    'b All of them, or one?',
    'a One. “This was a bit fast”, it tells them.',
    'b They tried eleven passwords in a minute. It opens again by itself.',
    'a Ha. It was Caps Lock.',
  ],
  ['a First response time this week: {small} minutes. A record!', 'b {emoji}', 'c Coffee is on me.'],
];

export const LUNCH: readonly Scene[] = [
  ['a Anybody for {dish}?', 'b Always.', 'c In ten minutes?', 'a Meet at the door.'],
  ['a The queue at {place} goes around the corner.', 'b {dish} instead?', 'a Convinced.'],
  [
    'a I have cooked far too much {dish}. There are {small} portions in the fridge, help yourselves!',
    'b You are a hero.',
    'c Gone 😋 Recipe?',
    'a Onions, patience, and a little more salt than you dare.',
  ],
  ['a What is open on {weekday}?', 'b {place}, until three.', 'a 🙏'],
  ['a Vegetarian options at {place}?', 'b {dish}, and a salad as large as your screen.'],
  ['a 🍜?', 'b 🍜!'],
];

export const READING: readonly Scene[] = [
  [
    'a We meet on {weekday} at {time} for *{book}*, up to chapter {small}.',
    'b I have already finished it, sorry not sorry.',
    'a No spoilers, {B}!',
    'b The dog lives. That is all I say.',
    'c That is all I needed 😌',
  ],
  [
    'a What did you think of *{book}*?',
    'b The first half is slow in the best way. Nothing happens, and I could not stop.',
    'c I stopped, I must confess. Then I tried it again on the train to {city}, and it was a different book.',
    'a > nothing happens, and I could not stop\n\nThat goes on the cover.',
  ],
  ['a Next suggestion: *{book}*.', 'b Is it long?', 'a {n} pages. Well. Yes.', 'b In.'],
];

export const MUSIC: readonly Scene[] = [
  ['a Song of the day: *{song}* 🎵', 'b On repeat since this morning.', 'c The bass from 2:10 on!'],
  [
    'a Rehearsal on {weekday}?',
    'b I am in {city} until Thursday.',
    'a Then the week after. {C}, keys?',
    'c Keys, and I bring the small amplifier.',
  ],
  [
    'a What do you listen to when you debug?',
    'b Rain. Just rain.',
    'c *{song}*, forty times, until it is fixed.',
    'd Silence, and quiet swearing.',
  ],
];

export const WEEKEND: readonly Scene[] = [
  [
    'a Any plans for the weekend?',
    'b A long walk, a short nap.',
    'c Helping a friend to move. Fourth floor, no lift 😭',
    'a Respect.',
  ],
  [
    'a We took the early train to {city} and walked back along the river: 24 km, {small} cafés.',
    'b That is a good ratio.',
    'c Next time I come along!',
  ],
  [
    'a My sourdough has a name now.',
    'b Which one?',
    'a Bread Pitt.',
    'c 😂😂😂',
    'b I am leaving this room.',
  ],
  [
    'a Board games at my place on {weekday}, from {time}. There is space for {small}.',
    'b Me!',
    'c Me too, and I bring {dish}.',
    'a The door is open.',
  ],
  ['a 🏔️☀️', 'b Where is that?', 'a Two hours from {city}. No signal, no e-mail, one goat.'],
];
