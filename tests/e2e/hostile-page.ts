/** A room in which somebody has written what is meant to do harm, and what the page must look like then. */
import { expect } from 'vitest';
import { createRoom, uniqueName } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import type { Person } from './person.ts';
import type { Stage } from './stage.ts';

/** Somebody says all this in a new room, and Ann reads it. */
export async function audience(stage: Stage, contents: string[], context = {}) {
  const author = await stage.account('mallory');
  const room = await createRoom(stage.server, author);
  const client = await ChatClient.enter(stage.server, author, room.id);
  const ann = await stage.seat({ login: await stage.account('ann'), path: `/rooms/${room.id}`, context });
  await ann.isIn(room.name);
  // Half of it comes as history, half of it live: both ways are rendered.
  for (const [index, content] of contents.entries()) {
    client.send({ type: 'message', content });
    if (index === Math.floor(contents.length / 2)) {
      await ann.page.reload();
      await ann.isIn(room.name);
    }
  }
  return { ann, author, room };
}

/** Nothing ran, nothing was added to the page but text, links and what shows them. */
export async function expectHarmless(person: Person): Promise<void> {
  const seen = await person.page.evaluate(() => ({
    ran: 'pwned' in window,
    elements: Array.from(
      document.querySelectorAll(
        '[role=log] :is(script, img, iframe, object, embed, style, link, meta, base, form, input, video, audio)',
      ),
      (element) => element.outerHTML,
    ),
    handlers: Array.from(document.querySelectorAll('*')).flatMap((element) =>
      element.getAttributeNames().filter((name) => name.startsWith('on')),
    ),
    addresses: Array.from(document.querySelectorAll('a'), (link) => link.protocol).filter(
      (protocol) => !['http:', 'https:', 'mailto:'].includes(protocol),
    ),
  }));
  expect(seen).toEqual({ ran: false, elements: [], handlers: [], addresses: [] });
}

/** A new name for every attempt, of this length and without a place to break a line. */
export function unbroken(letter: string, length: number): string {
  return uniqueName(letter).replaceAll('-', '').padEnd(length, letter);
}
