/** The composer of a thread has what that of the room has. */
import { expect, test } from 'vitest';
import { checkScreen } from './check-screen.ts';
import { holder, pressOn } from './message-focus.ts';
import { plant } from './outbox-page.ts';
import type { Person } from './person.ts';
import type { Seat } from './seat.ts';
import { onStage, type Stage, soon } from './stage.ts';
import { two } from './two-people.ts';

onStage('composer of a thread', (stage) => {
  test('a reply that is too long stays whole, and can be sent as several, in the room, too', async () => {
    const { ann } = await threaded(stage);
    const lines = Array.from({ length: 150 }, (_, line) => `line ${line} ${'x'.repeat(30)}`);
    await field(ann).fill(lines.join('\n'));
    await soon(() => panel(ann).getByTestId('counter').textContent()).toMatch(/too long$/);
    await soon(() => panel(ann).getByTestId('over-limit').textContent()).not.toBe('');
    await field(ann).press('Enter');
    expect(await field(ann).inputValue()).toBe(lines.join('\n'));
    await panel(ann).getByLabel('Also in the room').check();
    await checkScreen(ann);
    await panel(ann).getByRole('button', { name: 'Send as 2 messages' }).click();
    await soon(() => texts(panel(ann).getByTestId('thread-replies'))).toEqual(lines);
    expect(await field(ann).inputValue()).toBe('');
    await soon(() => ann.log.getByTestId('quote').count()).toBe(2);
    expect(await texts(ann.log)).toEqual(['the plan', ...lines]);
  });

  test('↑ in it edits the last reply of one’s own, whatever one has said in the room since', async () => {
    const { ann, bo } = await threaded(stage);
    await reply(ann, 'at ten');
    await reply(bo, 'at noon');
    await soon(() => replies(ann)).toEqual(['at ten', 'at noon']);
    await ann.say('in the room');
    await ann.message('in the room').waitFor();
    await field(ann).fill('x');
    await field(ann).press('ArrowUp');
    expect(await ann.page.getByTestId('editor').count()).toBe(0);
    await field(ann).fill('');
    await field(ann).press('ArrowUp');
    const editor = panel(ann).getByRole('textbox', { name: 'Edit message' });
    await soon(() => editor.inputValue()).toBe('at ten');
    await editor.fill('at eleven');
    await editor.press('Enter');
    await soon(() => replies(bo)).toEqual(['at eleven', 'at noon']);
  });

  test('nobody is told that one is typing in a thread', async () => {
    const { ann, bo } = await threaded(stage);
    const typed: string[] = [];
    bo.page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        if (String(payload).includes('"typing"')) typed.push(String(payload));
      }),
    );
    await bo.page.reload();
    await field(bo).pressSequentially('a reply');
    await field(bo).press('Enter');
    await soon(() => replies(ann)).toEqual(['a reply']);
    expect(typed).toEqual([]);
    await bo.composer.pressSequentially('h');
    await soon(() => typed.length).toBe(1);
  });

  test('it completes, formats, takes emoji, and keeps a pasted picture, as that of the room does', async () => {
    const { ann, other } = await threaded(stage);
    await panel(ann).getByRole('button', { name: 'Emoji' }).waitFor();
    await field(ann).pressSequentially(`@${other.username.slice(0, 3)}`);
    await ann.page.getByTestId('completion').getByRole('option', { selected: true }).waitFor();
    await field(ann).press('Enter');
    await soon(() => field(ann).inputValue()).toBe(`@${other.username} `);
    await field(ann).press('Control+a');
    await field(ann).press('Control+b');
    expect(await field(ann).inputValue()).toBe(`**@${other.username}** `);
    await field(ann).fill('');
    await panel(ann).getByRole('button', { name: 'Emoji' }).click();
    await ann.page.getByTestId('emoji-picker').getByRole('combobox').fill('tada');
    await ann.page.getByRole('gridcell', { name: 'party popper' }).waitFor();
    await ann.page.keyboard.press('Enter');
    await soon(() => field(ann).inputValue()).toBe('🎉');
    await ann.page.keyboard.type(' and ');
    await panel(ann).getByRole('button', { name: 'Emoji' }).click();
    await ann.page.getByTestId('emoji-picker').getByRole('combobox').fill('tada');
    await ann.page.getByRole('gridcell', { name: 'party popper' }).waitFor();
    await ann.page.keyboard.press('Enter');
    await soon(() => field(ann).inputValue()).toBe('🎉 and 🎉');
    await field(ann).evaluate((box) => {
      const data = new DataTransfer();
      data.items.add(new File(['…'], 'cat.png'));
      box.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData: data }));
    });
    await soon(() => panel(ann).getByTestId('tray-item').innerText()).toContain('cat.png');
  });

  test('at its address one writes in the thread without a click, after the draft of the last visit', async () => {
    const { ann, room, rootId } = await threaded(stage);
    await field(ann).fill('half a reply');
    for (const open of [
      () => ann.page.reload(),
      () => ann.page.goto('/saved').then(() => ann.page.goto(`/rooms/${room.id}/t/${rootId}`)),
    ]) {
      await open();
      await soon(() => holder(ann)).toBe('Reply in this thread');
      // Its root stands behind it, and leaves it the focus.
      await ann.log.getByTestId('message').waitFor();
      await ann.connection('open').waitFor();
      await ann.page.keyboard.type('.');
    }
    expect(await field(ann).inputValue()).toBe('half a reply..');
    expect(await ann.composer.inputValue()).toBe('');
  });

  test('Page Up and Page Down scroll the replies, and the field keeps the focus', async () => {
    const { ann } = await threaded(stage);
    await reply(ann, Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n'));
    await reply(ann, Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n'));
    await soon(async () => (await replies(ann)).length).toBe(2);
    await soon(() => panel(ann).getByTestId('pending-message').count()).toBe(0);
    const box = panel(ann).getByTestId('thread-replies').locator('..');
    const below = () =>
      box.evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - scrollTop - clientHeight);
    await soon(below).toBeLessThan(2);
    const top = () => box.evaluate(({ scrollTop }) => scrollTop);
    const end = await top();
    await field(ann).press('PageUp');
    await soon(top).toBeLessThan(end);
    await field(ann).press('PageDown');
    await soon(top).toBe(end);
    expect(await field(ann).evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('a reply that the server refused is edited in the composer of its thread', async () => {
    const { ann, login, room, rootId } = await threaded(stage);
    const item = { roomId: room.id, createdAt: Date.now(), refusal: null, epoch: 'another epoch' };
    const cid = '018f0000-0000-7000-8000-000000000001';
    await plant(ann.page, login.userId, [{ ...item, cid, content: 'to edit', threadId: rootId }]);
    await ann.page.reload();
    await field(ann).fill('a draft');
    await panel(ann).getByTestId('pending-message').getByRole('button', { name: 'Edit' }).click();
    await soon(() => field(ann).inputValue()).toBe('to edit\na draft');
    await soon(() => panel(ann).getByTestId('pending-message').count()).toBe(0);
    expect(await field(ann).evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

/** Ann and bo are in a room, and both have the thread of its one message open. */
async function threaded(stage: Stage, annsSeat: Seat = {}) {
  const people = await two(stage, annsSeat);
  const { ann, bo } = people;
  await ann.say('the plan');
  for (const person of [ann, bo]) {
    await person.message('the plan').waitFor();
    await pressOn(person, 'the plan', 't');
    await field(person).waitFor();
  }
  const rootId = Number(await bo.log.getByTestId('message').getAttribute('data-message-id'));
  return { ...people, rootId };
}

async function reply(person: Person, content: string): Promise<void> {
  await field(person).fill(content);
  await field(person).press('Enter');
}

/** The lines of all messages in a box. */
async function texts(box: ReturnType<typeof panel>): Promise<string[]> {
  const shown = await box.getByTestId('message-content').allInnerTexts();
  return shown.join('\n').split('\n');
}

const panel = ({ page }: Person) => page.getByTestId('thread-panel');
const field = (person: Person) => panel(person).getByRole('textbox', { name: 'Reply in this thread' });
const replies = (person: Person) =>
  panel(person).getByTestId('thread-replies').getByTestId('message-content').allTextContents();
