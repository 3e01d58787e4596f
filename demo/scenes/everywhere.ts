import type { Scene } from './scene.ts';

/** Conversations for any room. */
export const EVERYWHERE: readonly Scene[] = [
  ['a Good morning everybody!', 'b Morning {A} ☀️', 'c Hi all.'],
  ['a 👍', 'b 🙌'],
  [
    'a Does anybody have five minutes for a quick question?',
    'b Sure, go ahead.',
    'a Thanks, I will come by your desk.',
  ],
  [
    'a Reminder: the all-hands is on {weekday} at {time}.',
    'b Will it be recorded?',
    'a Yes, the link goes into the calendar entry afterwards.',
    'b Perfect, thank you!',
  ],
  [
    'a Who has the projector cable?',
    'b Last seen in the small meeting room.',
    'c It is in the drawer under the plant, next to the dead batteries.',
    'a Found it. Thank you, {C} {emoji}',
  ],
  ['a I am off for the school run, back at {time}.', 'b 👋'],
  [
    'a Working from home today, the train has other plans.',
    'b Same here. *“Signal failure near {city}”*, it says.',
    'c At least they are creative.',
  ],
  [
    'a Small thing: could we please stop sending screenshots of text? My screen reader reads *“image, image, image”*.',
    'b Good point. Text in a code block, from now on.',
    'c +1, I will add it to the handbook.',
  ],
  ['a brb', 'a back'],
  [
    'a What was the name of that tool for comparing pictures?',
    'b Do you mean the one that shows both halves with a slider?',
    'a Exactly.',
    'b I have no idea either 😅 But I will ask {C}.',
    'c It is in our wiki under *Tools → Looking at things*: https://wiki.example.org/tools',
  ],
  ['a Thank you all for today. See you on {weekday}!', 'b Bye {A} 👋', 'c Have a good evening!'],
  [
    'a The door code changes tonight. The new one is on the board in the kitchen, **not** in any chat 🙂',
    'b Very wise.',
  ],
];
