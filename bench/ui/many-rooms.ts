/** Hundreds of rooms on one line: the start, going to a room, and the count of unread messages in another tab. */
import type { Page } from 'playwright-core';
import { roomSchema } from '../../protocol/rooms.ts';
import { expectReply } from '../../tests/support/expect-reply.ts';
import { post, send } from '../../tests/support/http.ts';
import { LineClient } from '../../tests/support/line-client.ts';
import { createRoom, type Login, signUp } from '../../tests/support/users.ts';
import { median } from '../statistics.ts';
import { longest } from './frames.ts';
import { type ClientBench, type Finding, profiled } from './measure.ts';
import type { Stage } from './stage.ts';
import { mainThreadMs } from './trace.ts';

const ROOMS = 500;
const UNREAD_ROOMS = 200;
const REQUESTS_AT_ONCE = 10;
const STARTS = 5;
const SWITCHES = 30;
const NEWS = 20;
const TARGET_START_MS = 300;
const TARGET_OPEN_MS = 50;
const TARGET_BRIEF_MS = 150;
const TARGET_BADGE_MS = 1500;
/** A response within this time is felt to be immediate. */
const AT_ONCE_MS = 100;

/** A reader with many rooms, and another member of all of them. */
interface ManyRooms {
  readonly reader: Login;
  readonly writer: Login;
  /** In the order of their last message, the newest first: as the list shows them. */
  readonly newestFirst: readonly number[];
  readonly directId: number;
}

export async function measureManyRooms(bench: ClientBench): Promise<Finding[]> {
  bench.progress(`${ROOMS} rooms`);
  const many = await fill(bench.stage);
  return [
    ...(await measureStart(bench, many)),
    ...(await measureGoing(bench, many)),
    ...(await measureBadge(bench, many)),
  ];
}

async function fill(stage: Stage): Promise<ManyRooms> {
  const [reader, writer] = [await signUp(stage.server, 'reader'), await signUp(stage.server, 'writer')];
  const ids: number[] = [];
  while (ids.length < ROOMS - 1) {
    const next = Math.min(REQUESTS_AT_ONCE, ROOMS - 1 - ids.length);
    const made = Array.from({ length: next }, (_, index) =>
      makeRoom(stage, reader, writer, ids.length + index),
    );
    ids.push(...(await Promise.all(made)));
  }
  const body = { user_ids: [reader.userId] };
  const direct = await post(stage.server, '/api/v1/dms', body, { token: writer.accessToken });
  const line = await LineClient.start(stage.server, writer);
  // The first rooms are those without news: their message is the reader's own, who has therefore read it.
  const own = await LineClient.start(stage.server, reader);
  for (const id of ids.slice(0, -UNREAD_ROOMS)) await own.post(id, 'I have read everything here.');
  for (const id of ids.slice(-UNREAD_ROOMS)) {
    for (let n = 1; n <= 3; n++) await line.post(id, `News number ${n}, of which nobody has heard before.`);
  }
  const { id: directId } = expectReply(direct, direct.status, roomSchema);
  await line.post(directId, 'Hello.');
  await Promise.all([line.close(), own.close()]);
  return { reader, writer, newestFirst: ids.toReversed(), directId };
}

async function makeRoom(stage: Stage, reader: Login, writer: Login, index: number): Promise<number> {
  const { id } = await createRoom(stage.server, writer, `Room ${String(index).padStart(3, '0')}`);
  const path = `/api/v1/rooms/${id}/members/me`;
  expectReply(await send(stage.server, path, { method: 'PUT', token: reader.accessToken }), 200, roomSchema);
  return id;
}

/** First on a device that has nothing, then on one that has the list. */
async function measureStart(bench: ClientBench, { reader }: ManyRooms): Promise<Finding[]> {
  bench.progress('the start');
  const first: number[] = [];
  const again: number[] = [];
  for (let round = 0; round < STARTS; round++) {
    const { person, devtools, close } = await bench.stage.seat({ path: '/favicon.svg', login: reader });
    first.push(await profiled(bench, devtools, 'first start', () => start(person.page)));
    await person.page.goto('/favicon.svg');
    again.push(await profiled(bench, devtools, 'start', () => start(person.page)));
    await close();
  }
  const what = (device: string) => `start with ${ROOMS} rooms, ${UNREAD_ROOMS} of them unread, ${device}`;
  return [
    startFinding(what('on a new device'), first),
    startFinding(what('on a device that has the list'), again),
  ];
}

function startFinding(what: string, times: readonly number[]): Finding {
  return {
    what,
    figure: `${median([...times]).toFixed(0)} ms of the main thread's processor time, most ${longest(times).toFixed(0)} ms`,
    target: `≤ ${TARGET_START_MS} ms`,
    isMet: median([...times]) <= TARGET_START_MS,
  };
}

/** Opens the client and waits until it shows the list and has nothing more to do; returns the main thread's time. */
async function start(page: Page): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser of its own');
  await browser.startTracing(page, { categories: ['toplevel'] });
  await page.goto('/');
  await page.getByTestId('room-unread').first().waitFor();
  await page.waitForLoadState('networkidle');
  return mainThreadMs(await browser.stopTracing());
}

async function measureGoing(bench: ClientBench, many: ManyRooms): Promise<Finding[]> {
  bench.progress('going from room to room');
  const ids = many.newestFirst;
  const { person, devtools, close } = await bench.stage.seat({
    path: `/rooms/${ids[0]}`,
    login: many.reader,
  });
  await person.messages.last().waitFor();
  const brief: number[] = [];
  const open: number[] = [];
  await profiled(bench, devtools, 'going', async () => {
    const known = [ids[0] ?? 0];
    for (let n = 0; n < SWITCHES; n++) {
      const { ms, roomId } = await goToNext(person.page, known);
      brief.push(ms);
      known.push(roomId);
    }
    // The client keeps the room in sight and the two used last open.
    for (let n = 0; n < SWITCHES; n++) open.push(await goAlong(person.page, n % 2 === 0 ? -1 : 1));
  });
  await close();
  return [
    goingFinding('an open room', open, TARGET_OPEN_MS),
    goingFinding('a room not opened before', brief, TARGET_BRIEF_MS),
  ];
}

function goingFinding(room: string, times: readonly number[], targetMs: number): Finding {
  return timesFinding(`from the click to the paint of ${room}, ${ROOMS} rooms`, times, targetMs);
}

/** The median must meet the target. */
function timesFinding(what: string, times: readonly number[], targetMs: number): Finding {
  return {
    what,
    figure: `${median([...times]).toFixed(0)} ms, longest of ${times.length}: ${longest(times).toFixed(0)} ms`,
    target: `≤ ${targetMs} ms`,
    isMet: median([...times]) <= targetMs,
  };
}

/** Clicks the first room of the list that is not among the `known`, and waits until its messages have been painted. */
async function goToNext(page: Page, known: readonly number[]): Promise<{ ms: number; roomId: number }> {
  const links = await page.locator('a[data-testid=room]').all();
  for (const link of links) {
    const roomId = Number(/\/rooms\/(\d+)$/.exec((await link.getAttribute('href')) ?? '')?.[1]);
    if (known.includes(roomId)) continue;
    const name = (await link.locator('[title]').first().getAttribute('title')) ?? '';
    return { roomId, ms: await link.evaluate(untilPainted, name) };
  }
  throw new Error('the list shows no further room');
}

/** Runs in the page. Clicks the link to a room; returns the time until its messages have been painted, in ms. */
async function untilPainted(link: HTMLElement | SVGElement, name: string): Promise<number> {
  const isShown = () =>
    document.querySelector('h1')?.textContent === name &&
    document.querySelector('[role=log] [data-testid=message]') !== null;
  const from = performance.now();
  (link as HTMLElement).click();
  do await new Promise((resolve) => requestAnimationFrame(resolve));
  while (!isShown());
  // A task that is queued in an animation frame runs after the frame has been painted.
  await new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
  return performance.now() - from;
}

/** Goes back or forward in the tab's history; returns the time until another room's messages have been painted. */
async function goAlong(page: Page, step: -1 | 1): Promise<number> {
  return await page.evaluate(async (by) => {
    const before = document.querySelector('h1')?.textContent;
    const isShown = () =>
      document.querySelector('h1')?.textContent !== before &&
      document.querySelector('[role=log] [data-testid=message]') !== null;
    const from = performance.now();
    history.go(by);
    do await new Promise((resolve) => requestAnimationFrame(resolve));
    while (!isShown());
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve();
      port2.postMessage(null);
    });
    return performance.now() - from;
  }, step);
}

/** The reader has two tabs. Somebody writes into a room that is open in neither. */
async function measureBadge(bench: ClientBench, many: ManyRooms): Promise<Finding[]> {
  bench.progress('unread counts');
  const [first = 0, second = 0, third = 0] = many.newestFirst.slice(-3);
  const { person, close } = await bench.stage.seat({ path: `/rooms/${first}`, login: many.reader });
  const tab = await person.openTab(`/rooms/${second}`);
  await tab.isIn(`Room ${String(1).padStart(3, '0')}`);
  const line = await LineClient.start(bench.stage.server, many.writer);
  const inRoom = await badgeTimes(tab.page, line, third);
  const direct = await badgeTimes(tab.page, line, many.directId);
  await line.close();
  await close();
  return [
    badgeFinding('a message in a room', inRoom, TARGET_BADGE_MS),
    badgeFinding('a direct message', direct, AT_ONCE_MS),
  ];
}

function badgeFinding(what: string, times: readonly number[], targetMs: number): Finding {
  return timesFinding(`from sending ${what} to its count in another tab`, times, targetMs);
}

async function badgeTimes(page: Page, line: LineClient, roomId: number): Promise<number[]> {
  const row = page.locator(`a[data-testid=room][href="/rooms/${roomId}"]`);
  const times: number[] = [];
  for (let n = 0; n < NEWS; n++) {
    // Heads go out on a tick, so the messages must not be in step with it.
    await page.waitForTimeout((n * 137) % 1000);
    // The room stands at the top of the list, because its message is the latest.
    await page.getByRole('navigation', { name: 'Rooms' }).evaluate((list) => {
      for (const box of [list, ...list.querySelectorAll('*')]) box.scrollTop = 0;
    });
    const before = (await row.count()) === 0 ? '' : await row.innerText();
    const from = performance.now();
    await line.post(roomId, `Something new: ${n}`);
    await page.waitForFunction(
      ([path, text]) =>
        (document.querySelector<HTMLElement>(`a[data-testid=room][href="${path}"]`)?.innerText ?? '') !==
        text,
      [`/rooms/${roomId}`, before] as const,
    );
    times.push(performance.now() - from);
  }
  return times;
}
