/** Files cannot be sent yet: pasting or dropping one says so, and what to do meanwhile. */
import { expect, test } from 'vitest';
import { createRoom } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';

const HINT = /^Pictures and files can't be sent yet\. .* paste its link here\.$/;

onStage('files', (stage) => {
  test('a pasted picture is answered by a hint that screen readers hear, and the draft stays', async () => {
    const ann = await writer(stage);
    await ann.composer.fill('look at this');
    await give(ann, 'paste', { file: 'cat.png' });
    await soon(() => hints(ann)).toEqual([expect.stringMatching(HINT)]);
    expect(await ann.page.getByTestId('toasts').getAttribute('role')).toBe('status');
    expect(await ann.composer.inputValue()).toBe('look at this');
    await checkScreen(ann);
  });

  test('a dropped file is answered by the hint, wherever it is dropped, and the page stays', async () => {
    const ann = await writer(stage);
    await ann.composer.fill('half a sentence');
    expect(await give(ann, 'dragover', { file: 'plan.pdf' })).toBe('taken');
    expect(await give(ann, 'drop', { file: 'plan.pdf' })).toBe('taken');
    await soon(() => hints(ann)).toEqual([expect.stringMatching(HINT)]);
    expect(await ann.composer.inputValue()).toBe('half a sentence');
  });

  test('text that comes with a picture of itself is pasted, and dragged text is left to the browser', async () => {
    const ann = await writer(stage);
    expect(await give(ann, 'paste', { file: 'table.png', text: 'a table' })).toBe('left');
    expect(await give(ann, 'drop', { text: 'a word' })).toBe('left');
    expect(await hints(ann)).toEqual([]);
  });
});

async function writer(stage: Stage): Promise<Person> {
  const login = await stage.account('ann');
  const room = await createRoom(stage.server, login);
  const ann = await stage.seat({ login, path: `/rooms/${room.id}` });
  await ann.isIn(room.name);
  // The code comes after the first paint.
  await soon(() => give(ann, 'dragover', { file: 'any.png' })).toBe('taken');
  return ann;
}

function hints(person: Person): Promise<string[]> {
  return person.page.getByTestId('toasts').locator('p').allTextContents();
}

/** Whether the page took the event. */
async function give(
  { composer }: Person,
  type: 'paste' | 'dragover' | 'drop',
  what: { file?: string; text?: string },
): Promise<'taken' | 'left'> {
  return await composer.evaluate(
    (box, [type, { file, text }]) => {
      const data = new DataTransfer();
      if (file !== undefined) data.items.add(new File(['…'], file));
      if (text !== undefined) data.setData('text/plain', text);
      const options = { bubbles: true, cancelable: true };
      const event =
        type === 'paste'
          ? new ClipboardEvent(type, { ...options, clipboardData: data })
          : new DragEvent(type, { ...options, dataTransfer: data });
      return box.dispatchEvent(event) ? 'left' : 'taken';
    },
    [type, what] as const,
  );
}
