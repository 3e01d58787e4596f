/** Threads by keyboard, without a connection, and in two tabs. */
import { expect, test } from 'vitest';
import { RoomLine } from '../support/room-line.ts';
import { UNREACHABLE } from './console-watch.ts';
import { holder, pressOn } from './message-focus.ts';
import type { Person } from './person.ts';
import { onStage, soon } from './stage.ts';
import { two } from './two-people.ts';

onStage('threads', (stage) => {
  test('by keyboard alone one opens, answers, edits and leaves a thread, and the focus is never lost', async () => {
    const { ann, bo } = await two(stage);
    await ann.say('where shall we meet?');
    await ann.say('and when?');
    await bo.message('and when?').waitFor();
    const { keyboard } = bo.page;
    await pressOn(bo, 'where shall', 't');
    await soon(() => holder(bo)).toBe('Reply in this thread');
    await keyboard.type('at the station');
    await keyboard.press('Enter');
    await soon(() => replies(bo)).toEqual(['at the station']);
    // Only what the server has can be edited.
    await soon(() => panel(bo).getByTestId('pending-message').count()).toBe(0);
    expect(await holder(bo)).toBe('Reply in this thread');
    // Its replies come before the field.
    for (let stops = 0; stops < 8 && (await holder(bo)) !== 'at the station'; stops++)
      await keyboard.press('Shift+Tab');
    expect(await holder(bo)).toBe('at the station');
    await keyboard.press('e');
    await soon(() => holder(bo)).toBe('Edit message');
    await keyboard.press('End');
    await keyboard.type(' at ten');
    await keyboard.press('Enter');
    await soon(() => replies(bo)).toEqual(['at the station at ten']);
    await soon(() => holder(bo)).toBe('Reply in this thread');
    // A key that means nothing on a reply writes into the thread.
    for (let stops = 0; stops < 8 && (await holder(bo)) !== 'at the station at ten'; stops++)
      await keyboard.press('Shift+Tab');
    await keyboard.press('x');
    await soon(() => holder(bo)).toBe('Reply in this thread');
    expect(await field(bo).inputValue()).toBe('x');
    await keyboard.press('Backspace');
    await keyboard.press('Escape');
    await soon(() => panel(bo).count()).toBe(0);
    await soon(() => holder(bo)).toBe('where shall we meet?');
    // The line under the root opens it, too.
    await keyboard.press('Tab');
    for (let stops = 0; stops < 6 && !(await holder(bo)).includes('1 reply'); stops++)
      await keyboard.press('Tab');
    await keyboard.press('Enter');
    await soon(() => holder(bo)).toBe('Reply in this thread');
    await keyboard.press('Escape');
    await soon(() => holder(bo)).toBe('where shall we meet?');
  });

  test('all messages of a thread are one Tab stop, which the arrows move', async () => {
    const { ann } = await two(stage);
    await ann.say('the root');
    await ann.message('the root').waitFor();
    await pressOn(ann, 'the root', 't');
    for (const text of ['one', 'two', 'three']) {
      await field(ann).fill(text);
      await field(ann).press('Enter');
    }
    await soon(() => replies(ann)).toEqual(['one', 'two', 'three']);
    // Own replies are there before the thread has loaded, and the root after that.
    await soon(() => panel(ann).getByTestId('message').count()).toBe(4);
    const { keyboard } = ann.page;
    const stops = panel(ann).locator('[data-row=message][tabindex="0"]');
    expect(await stops.count()).toBe(1);
    for (let presses = 0; presses < 6 && (await holder(ann)) !== 'three'; presses++)
      await keyboard.press('Shift+Tab');
    for (const [key, text] of [
      ['ArrowUp', 'two'],
      ['Home', 'the root'],
      ['ArrowUp', 'the root'],
      ['ArrowDown', 'one'],
      ['End', 'three'],
      ['ArrowDown', 'three'],
    ] as const) {
      await keyboard.press(key);
      await soon(() => holder(ann)).toBe(text);
    }
    await keyboard.press('ArrowUp');
    await soon(() => holder(ann)).toBe('two');
    expect(await stops.count()).toBe(1);
    // The Tab stop stays where the reader was.
    await field(ann).focus();
    for (let presses = 0; presses < 6 && (await holder(ann)) !== 'two'; presses++)
      await keyboard.press('Shift+Tab');
    expect(await holder(ann)).toBe('two');
  });

  test('a reply written offline waits in its thread, over a reload, and is sent once', async () => {
    await using proxy = await stage.proxy();
    const { ann, bo } = await two(stage, {}, { origin: proxy.url });
    bo.console.expect(UNREACHABLE);
    await ann.say('a question');
    await bo.message('a question').waitFor();
    await pressOn(bo, 'a question', 't');
    await field(bo).fill('first');
    await field(bo).press('Enter');
    await soon(() => replies(bo)).toEqual(['first']);
    await proxy.cut();
    await bo.connection('waiting').waitFor();
    await field(bo).fill('from the tunnel');
    await field(bo).press('Enter');
    await soon(() => replies(bo)).toEqual(['first', 'from the tunnel']);
    await panel(bo).getByTestId('clock').waitFor();
    await bo.page.reload();
    // The thread itself is on the server.
    await soon(() => panel(bo).getByTestId('pending-message').allTextContents()).toHaveLength(1);
    await panel(bo).getByTestId('pending-message').focus();
    // The reply is confirmed before the thread is loaded.
    let load: () => void = () => undefined;
    const loads = new Promise<void>((resolve) => {
      load = resolve;
    });
    await bo.page.route(/\/threads\/\d+/, async (route) => {
      await loads;
      await route.continue();
    });
    await proxy.restore();
    await ann.page.getByTestId('thread-line').getByText('2 replies').waitFor();
    expect(await holder(bo)).toBe('from the tunnel');
    load();
    await soon(() => replies(bo)).toEqual(['first', 'from the tunnel']);
    await soon(() => panel(bo).getByTestId('clock').count()).toBe(0);
    // It is the same row once the server has it.
    expect(await holder(bo)).toBe('from the tunnel');
    await ann.page.getByTestId('thread-line').click();
    await soon(() => replies(ann)).toEqual(['first', 'from the tunnel']);
  });

  test('what is new in a thread is counted in all tabs, and reading it in one clears the others', async () => {
    const { ann, room, other } = await two(stage);
    await ann.say('the plan');
    await ann.message('the plan').waitFor();
    const id = Number(await ann.message('the plan').getAttribute('data-message-id'));
    const elsewhere = await ann.openTab('/saved');
    const count = ({ page }: Person) => page.getByTestId('threads-count').allTextContents();
    const line = await RoomLine.enter(stage.server, other, room.id);
    line.send({ type: 'message', room_id: room.id, content: 'looks good', cid: 'reply', thread_id: id });
    for (const tab of [ann, elsewhere]) await soon(() => count(tab)).toEqual(['1']);
    await soon(() => ann.page.getByTestId('thread-line').textContent()).toContain('1 new');
    await elsewhere.page.goto(`/rooms/${room.id}/t/${id}`);
    await soon(() => replies(elsewhere)).toEqual(['looks good']);
    for (const tab of [ann, elsewhere]) await soon(() => count(tab)).toEqual([]);
    await soon(() => ann.page.getByTestId('thread-line').textContent()).not.toContain('new');
    await line.close();
  });
});

const panel = ({ page }: Person) => page.getByTestId('thread-panel');
const field = (person: Person) => panel(person).getByRole('textbox', { name: 'Reply in this thread' });
const replies = (person: Person) =>
  panel(person).getByTestId('thread-replies').getByTestId('message-content').allTextContents();
