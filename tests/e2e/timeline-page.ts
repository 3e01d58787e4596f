/** A room with a long past, and what its timeline shows: for the tests of the timeline. */
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { readUpTo } from '../support/read-marks.ts';
import { createRoom } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { plantPast } from './long-past.ts';
import type { Person } from './person.ts';
import type { Stage } from './stage.ts';

/** The requests for older messages. */
export const OLDER = '**/messages?*before_id=*';
/** The requests for the latest messages. */
export const LATEST = /\/messages\?(?!.*(?:before|after|around)_)/;

/** Ann opens a room with a long past in which Bo is. */
export async function visitPast(
  stage: Stage,
  { count, readUpTo: seq, origin }: { count: number; readUpTo?: number; origin?: string },
) {
  const [boLogin, cy, annLogin] = [
    await stage.account('bo'),
    await stage.account('cy'),
    await stage.account('ann'),
  ];
  const room = await createRoom(stage.server, boLogin);
  plantPast(stage.server, { roomId: room.id, userIds: [boLogin.userId, cy.userId], count });
  const bo = await ChatClient.enter(stage.server, boLogin, room.id);
  // What goes through a worker, no route of a test may see.
  const seat = { login: annLogin, path: '/', worker: false };
  const ann = await stage.seat({ ...seat, ...(origin && { origin }) });
  if (seq !== undefined) await readUpTo(stage.server, annLogin, room.id, seq);
  await haveListFirst(ann);
  await ann.page.goto(`/rooms/${room.id}`);
  await ann.isIn(room.name);
  return { ann, annLogin, bo, boLogin, room };
}

/**
 * From the next page on, history comes after the list of rooms, however slow the machine is: a room that has waited a
 * second for its read mark opens at the end.
 */
async function haveListFirst({ page }: Person): Promise<void> {
  let isListed = false;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isListed = false;
  });
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      isListed ||= JSON.parse(payload.toString()).type === 'rooms';
    }),
  );
  await page.route(LATEST, async (route) => {
    // The page may be gone by then.
    await eventually('the list of rooms', () => isListed || page.isClosed() || undefined)
      .then(() => route.fallback())
      .catch(() => undefined);
  });
}

/** From the next page on, the list of rooms does not come. Returns the function that lets it through. */
export async function holdRoomList({ page }: Person): Promise<() => void> {
  await page.unroute(LATEST);
  let isHeld = true;
  const held: (() => void)[] = [];
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((data) => {
      const pass = () => socket.send(data);
      const isList = JSON.parse(data.toString()).type === 'rooms';
      if (isList && isHeld) held.push(pass);
      else pass();
    });
  });
  return () => {
    isHeld = false;
    for (const pass of held.splice(0)) pass();
  };
}

/** From the next page on, the server receives no read mark on its own. It may still be part of a line's first frame. */
export async function loseReadMarks({ page }: Person): Promise<void> {
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((data) => {
      if (JSON.parse(data.toString()).type !== 'read') server.send(data);
    });
  });
}

/** The seq of the message below the "New" divider; null without a divider. */
export async function lineAbove(person: Person): Promise<number | null> {
  const line = person.page.getByTestId('new-line');
  if ((await line.count()) === 0) return null;
  return await line.evaluate((element) => Number(element.nextElementSibling?.getAttribute('data-seq')));
}

/** Within the box that scrolls. */
export async function isInSight(person: Person, what: Locator): Promise<boolean> {
  const [box, inner] = [await person.log.boundingBox(), await what.boundingBox()];
  return box !== null && inner !== null && inner.y >= box.y && inner.y + inner.height <= box.y + box.height;
}

/** The messages of which any part is in sight. */
export async function seqsInSight(person: Person): Promise<number[]> {
  return await person.log.evaluate((box) => {
    const { top, bottom } = box.getBoundingClientRect();
    return [...box.querySelectorAll<HTMLElement>('[data-seq]')]
      .filter((row) => row.getBoundingClientRect().bottom > top && row.getBoundingClientRect().top < bottom)
      .map((row) => Number(row.dataset.seq));
  });
}

/** The message that has the focus; 0: none has. */
export async function focusedSeq(person: Person): Promise<number> {
  return await person.page.evaluate(() => Number(document.activeElement?.getAttribute('data-seq')));
}

/** The Tab stops among the messages: seqs and link texts. */
export async function tabStops(person: Person): Promise<string[]> {
  return await person.log.evaluate((box) =>
    [...box.querySelectorAll<HTMLElement>('[data-row], [data-row] *')]
      .filter((element) => element.tabIndex >= 0 && element.closest('[role=toolbar]') === null)
      .map((element) => element.getAttribute('data-seq') ?? element.textContent ?? ''),
  );
}

export async function distanceToEnd(person: Person): Promise<number> {
  return await person.log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
}

/** The seqs of the messages in the document, from top to bottom. */
export async function shownSeqs(person: Person): Promise<number[]> {
  return await person.messages.evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-seq'))));
}

export async function firstShown(person: Person): Promise<number> {
  return (await shownSeqs(person))[0] ?? 0;
}

export async function lastShown(person: Person): Promise<number> {
  return (await shownSeqs(person)).at(-1) ?? 0;
}

/** Neighbours in the document whose seqs do not follow each other. */
export async function gaps(person: Person): Promise<number[][]> {
  const seqs = await shownSeqs(person);
  return seqs
    .slice(1)
    .flatMap((seq, index) => (seq === (seqs[index] ?? 0) + 1 ? [] : [[seqs[index] ?? 0, seq]]));
}

/** Waits for this many frames. */
export async function frames(person: Person, count: number): Promise<void> {
  await person.page.evaluate(async (left) => {
    for (; left > 0; left--) await new Promise(requestAnimationFrame);
  }, count);
}

/** Returns a function that gives all announcements since. */
export async function watchAnnounced(person: Person): Promise<() => Promise<string[]>> {
  const heard = await person.page.evaluateHandle(() => {
    const texts: string[] = [];
    const announcer = document.querySelector('[data-testid=announcer]') as HTMLElement;
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) texts.push(node.textContent ?? '');
    }).observe(announcer, { childList: true });
    return texts;
  });
  return () => heard.evaluate((texts) => [...texts]);
}

/** Counts the messages in the document after every change. Returns a function that gives the counts since. */
export async function watchCount(person: Person): Promise<() => Promise<number[]>> {
  const seen = await person.page.evaluateHandle(() => {
    const counts = new Set<number>();
    const count = () => counts.add(document.querySelectorAll('[role=log] [data-row=message]').length);
    count();
    new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
    return counts;
  });
  return () => seen.evaluate((counts) => [...counts]);
}

/**
 * Watches the visible messages in every picture. From then on only `scroll` may scroll; `worst` returns the most pixels
 * that a message moved by itself.
 */
export async function watchGaze(person: Person) {
  const gaze = await person.page.evaluateHandle(() => {
    const box = document.querySelector('[role=log]') as HTMLElement;
    const state = { worst: 0, before: new Map<string, number>() };
    const look = () => {
      const { top, bottom } = box.getBoundingClientRect();
      const inSight = new Map<string, number>();
      for (const text of box.querySelectorAll('[data-testid=message-content]')) {
        const rect = text.getBoundingClientRect();
        const seq = text.closest('[data-seq]')?.getAttribute('data-seq');
        if (rect.top >= top && rect.top < bottom && seq) inSight.set(seq, rect.top);
      }
      return inSight;
    };
    const compare = () => {
      const now = look();
      for (const [seq, top] of now) {
        const was = state.before.get(seq);
        if (was !== undefined) state.worst = Math.max(state.worst, Math.abs(top - was));
      }
      state.before = now;
    };
    // The newest observer is called last, right before the picture: what the page puts right earlier is never seen.
    // A look at any other time would find what is not drawn yet.
    const watch = () => {
      const observer = new ResizeObserver(() => {
        observer.disconnect();
        compare();
      });
      observer.observe(document.documentElement);
      requestAnimationFrame(watch);
    };
    requestAnimationFrame(watch);
    return {
      state,
      scroll: (by: number) => {
        const from = box.scrollTop;
        box.scrollTop += by;
        const scrolled = box.scrollTop - from;
        for (const [seq, top] of state.before) state.before.set(seq, top - scrolled);
      },
    };
  });
  return {
    scroll: async (by: number) => {
      await gaze.evaluate(({ scroll }, pixels) => scroll(pixels), by);
      await frames(person, 3);
    },
    worst: () => gaze.evaluate(({ state }) => state.worst),
  };
}
