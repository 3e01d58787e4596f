/** Long messages are folded: nobody should scroll through a log file to reach the next message. */
import { expect, test } from 'vitest';
import { readUpTo } from '../support/read-marks.ts';
import { createRoom } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { checkScreen } from './check-screen.ts';
import { UNREACHABLE } from './console-watch.ts';
import { plantPast } from './long-past.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';

const LONG = linesOf(60);
/** What counts as a move, in pixels. */
const MOVED_PX = 2;

onStage('long messages', (stage) => {
  test('more than 25 lines are folded, 25 are not; code counts like any other text', async () => {
    const { ann, bo } = await meet(stage);
    bo.send({ type: 'message', content: `short\n${linesOf(24)}` });
    bo.send({ type: 'message', content: `\`\`\`\n${linesOf(300)}\n\`\`\`` });
    bo.send({ type: 'message', content: `one line ${'without a break '.repeat(200)}` });
    bo.send({ type: 'message', content: `long\n${LONG}` });
    await ann.message('long').waitFor();
    expect(await toggle(ann, 'short').count()).toBe(0);
    await ann.messages.nth(1).getByRole('button', { name: 'Show all' }).waitFor();
    await toggle(ann, 'one line').waitFor();
    await toggle(ann, 'long').waitFor();
    expect(await heightOf(ann, 'long')).toBeLessThan(await heightOf(ann, 'short'));
    await checkScreen(ann);
  });

  test('by keyboard: the button is reached from its message, names its author, and keeps the focus', async () => {
    const { ann, bo, boLogin } = await meet(stage);
    bo.send({ type: 'message', content: LONG });
    await ann.message('line 60').waitFor();
    const { keyboard } = ann.page;
    await ann.composer.focus();
    await keyboard.press('Shift+Tab');
    const button = toggle(ann, 'line 60');
    const described = () =>
      button.evaluate((element) => {
        const id = element.getAttribute('aria-describedby') ?? '';
        return document.getElementById(id)?.textContent ?? '';
      });
    const hasFocus = () => button.evaluate((element) => element === document.activeElement);
    expect([await hasFocus(), await button.textContent()]).toEqual([true, 'Show all']);
    expect(await described()).toContain(boLogin.username);
    const folded = await heightOf(ann, 'line 60');
    await keyboard.press('Enter');
    // Its name says what it does; that and a state, too, would be "Show less, expanded".
    expect([await hasFocus(), await button.textContent()]).toEqual([true, 'Show less']);
    expect(await button.getAttribute('aria-expanded')).toBeNull();
    expect(await heightOf(ann, 'line 60')).toBeGreaterThan(2 * folded);
    await checkScreen(ann);
    await button.focus();
    await keyboard.press('Enter');
    expect(await heightOf(ann, 'line 60')).toBe(folded);
    await keyboard.press('ArrowUp');
    expect(await ann.log.evaluate((box) => box.contains(document.activeElement))).toBe(true);
  });

  test('nothing moves where the reader looks: opening keeps the text in place, closing the button', async () => {
    const { ann, bo } = await meet(stage);
    for (let n = 1; n <= 20; n++) bo.send({ type: 'message', content: `before ${n}` });
    bo.send({ type: 'message', content: LONG });
    for (let n = 1; n <= 3; n++) bo.send({ type: 'message', content: `after ${n}` });
    await ann.message('after 3').waitFor();
    const button = toggle(ann, 'line 60');
    const text = ann.message('line 60').getByTestId('message-content');
    await ann.still();
    const textTop = await topOf(text);
    await button.click();
    await ann.still();
    expect(Math.abs((await topOf(text)) - textTop)).toBeLessThan(MOVED_PX);

    for (let turn = 0; (await ann.toEnd.count()) > 0 && turn < 50; turn++) {
      await ann.wheel(200);
    }
    // What follows is in sight, and so is the button; the beginning is not.
    await ann.wheel(-150);
    expect(await topOf(text)).toBeLessThan(0);
    const [buttonTop, afterTop] = [await topOf(button), await topOf(ann.message('after 1'))];
    await button.evaluate((element: HTMLElement) => element.click());
    await ann.still();
    expect(Math.abs((await topOf(button)) - buttonTop)).toBeLessThan(MOVED_PX);
    expect(Math.abs((await topOf(ann.message('after 1'))) - afterTop)).toBeLessThan(MOVED_PX);
  });

  test('an opened message is still open when it returns to the document', async () => {
    const { ann, bo } = await meet(stage, 600);
    bo.send({ type: 'message', content: LONG });
    await toggle(ann, 'line 60').click();
    while ((await ann.message('line 60').count()) > 0) await ann.wheel(-1500);
    await ann.toEnd.click();
    await ann.message('line 60').waitFor();
    expect(await toggle(ann, 'line 60').textContent()).toBe('Show less');
  });

  test('an own message is folded while it waits, and stays as it is once sent', async () => {
    await using proxy = await stage.proxy();
    const { ann } = await meet(stage, 0, proxy.url);
    ann.console.expect(UNREACHABLE);
    await proxy.cut();
    await ann.connection('waiting').waitFor();
    await ann.say(LONG);
    // The button moves when this line comes in below it.
    await ann.pending.getByText('Sends when').waitFor();
    await ann.pending.getByRole('button', { name: 'Show all' }).click();
    await ann.pending.getByRole('button', { name: 'Show less' }).waitFor();
    await proxy.restore();
    await ann.message('line 60').waitFor();
    expect(await toggle(ann, 'line 60').textContent()).toBe('Show less');
  });

  test('the hidden part is copied with the rest, and shown when it gets the focus', async () => {
    const { ann, bo } = await meet(stage);
    bo.send({ type: 'message', content: `${LONG}\nhttps://example.org/end` });
    await ann.message('line 60').waitFor();
    const copied = await ann.log.evaluate((box) => {
      getSelection()?.selectAllChildren(box);
      return getSelection()?.toString() ?? '';
    });
    expect(copied).toContain('line 60\nhttps://example.org/end');
    expect(copied).not.toContain('Show all');
    await ann.message('line 60').getByRole('link').focus();
    await soon(() => toggle(ann, 'line 60').textContent()).toBe('Show less');
  });

  test('when a wider window unfolds a message, the focus stays at the message', async () => {
    const { ann, bo } = await meet(stage);
    await ann.page.setViewportSize({ width: 360, height: 700 });
    bo.send({ type: 'message', content: `wide ${'and wider '.repeat(150)}` });
    const button = toggle(ann, 'wide');
    await button.focus();
    await ann.page.setViewportSize({ width: 1400, height: 700 });
    await soon(() => button.count()).toBe(0);
    expect(await ann.message('wide').evaluate((row) => row === document.activeElement)).toBe(true);
  });
});

/** Ann is in a room, maybe with a past, in which Bo is. */
async function meet(stage: Stage, past = 0, origin = stage.server.url) {
  const [annLogin, boLogin] = [await stage.account('ann'), await stage.account('bo')];
  const room = await createRoom(stage.server, boLogin);
  if (past > 0) plantPast(stage.server, { roomId: room.id, userIds: [boLogin.userId], count: past });
  const bo = await ChatClient.enter(stage.server, boLogin, room.id);
  await readUpTo(stage.server, annLogin, room.id, past);
  const ann = await stage.seat({ login: annLogin, path: `/rooms/${room.id}`, origin });
  await ann.isIn(room.name);
  return { ann, bo, boLogin };
}

function linesOf(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');
}

function toggle(person: Person, content: string) {
  return person.message(content).getByRole('button', { name: /^Show (all|less)$/ });
}

async function heightOf(person: Person, content: string): Promise<number> {
  return (await person.message(content).boundingBox())?.height ?? 0;
}

async function topOf(what: ReturnType<Person['message']>): Promise<number> {
  return (await what.boundingBox())?.y ?? Number.NaN;
}
