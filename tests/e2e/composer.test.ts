/** Where one writes: keys, input methods, drafts, and what is too long. */
import { expect, test } from 'vitest';
import { createRoom } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

onStage('composer', (stage) => {
  test('Enter that picks a word in an input method does not send', async () => {
    const { ann } = await writer(stage);
    const keys = await ann.page.context().newCDPSession(ann.page);
    await ann.composer.click();
    await keys.send('Input.imeSetComposition', { text: 'ni hao', selectionStart: 6, selectionEnd: 6 });
    await ann.composer.evaluate((box) => {
      box.addEventListener('keydown', (event) => {
        box.dataset.composing = String((event as KeyboardEvent).isComposing);
      });
    });
    const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 };
    await keys.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
    await keys.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
    await soon(() => ann.composer.getAttribute('data-composing')).toBe('true');
    await keys.send('Input.insertText', { text: '你好' });
    await soon(() => ann.composer.inputValue()).toBe('你好');
    expect(await ann.contents()).toEqual([]);
    await ann.composer.press('Enter');
    await soon(() => ann.contents()).toEqual(['你好']);
  });

  test('it grows to ten lines, then scrolls', async () => {
    const { ann } = await writer(stage);
    const heightOf = async (lines: number) => {
      await ann.composer.fill(Array.from({ length: lines }, (_, line) => `line ${line}`).join('\n'));
      return (await ann.composer.boundingBox())?.height ?? 0;
    };
    const one = await heightOf(1);
    const two = await heightOf(2);
    const ten = await heightOf(10);
    expect(ten - one).toBeCloseTo(9 * (two - one), 0);
    expect(await heightOf(50)).toBe(ten);
    expect(await ann.composer.evaluate((box) => box.scrollHeight > box.clientHeight)).toBe(true);
  });

  test('a counter shows from 80 % of the limit; pasted text beyond the limit stays, with the excess', async () => {
    const { ann } = await writer(stage);
    const counter = ann.page.getByTestId('counter');
    await ann.composer.fill('a'.repeat(3199));
    expect(await counter.count()).toBe(0);
    await ann.composer.press('a');
    await soon(() => counter.textContent()).toBe('3,200 / 4,000');
    // Counted in characters as people see them, not in what a computer stores.
    await ann.composer.fill('👍'.repeat(4000));
    await soon(() => counter.textContent()).toBe('4,000 / 4,000');
    await ann.composer.fill('');
    await ann.composer.evaluate((box: HTMLTextAreaElement) => {
      box.focus();
      document.execCommand('insertText', false, 'x'.repeat(4321));
    });
    await soon(() => counter.textContent()).toBe('321 characters too long');
    expect((await ann.composer.inputValue()).length).toBe(4321);
    expect(await ann.button('Send').isDisabled()).toBe(true);
    await ann.composer.press('Enter');
    expect((await ann.composer.inputValue()).length).toBe(4321);
    await checkScreen(ann);
  });

  test('screen readers hear once that the limit is exceeded, not at every key', async () => {
    const { ann } = await writer(stage);
    const said = await heard(ann, 'over-limit');
    await ann.composer.fill('x'.repeat(3999));
    await ann.composer.press('End');
    await ann.composer.pressSequentially('xxxx');
    await soon(() => ann.page.getByTestId('counter').textContent()).toBe('3 characters too long');
    const warning = 'Too long. The limit is 4,000 characters.';
    expect(await said()).toEqual([warning]);
    for (let key = 0; key < 3; key++) await ann.composer.press('Backspace');
    await soon(() => ann.page.getByTestId('counter').textContent()).toBe('4,000 / 4,000');
    await ann.composer.press('x');
    await soon(said).toEqual([warning, '', warning]);
    expect(await ann.page.getByTestId('over-limit').getAttribute('role')).toBe('status');
  });

  test('the tabs of one user share the draft: sending it in one tab clears it in the other', async () => {
    const { ann, room } = await writer(stage);
    const tab = await ann.openTab(`/rooms/${room.id}`);
    await tab.isIn(room.name);
    await ann.composer.fill('begun here');
    await soon(() => tab.composer.inputValue()).toBe('begun here');
    await tab.composer.press('End');
    await tab.composer.pressSequentially(', finished there');
    await soon(() => ann.composer.inputValue()).toBe('begun here, finished there');
    await tab.composer.press('Enter');
    await soon(() => ann.contents()).toEqual(['begun here, finished there']);
    await soon(() => ann.composer.inputValue()).toBe('');
    await ann.page.reload();
    await ann.isIn(room.name);
    expect(await ann.composer.inputValue()).toBe('');
  });

  test('one goes on where the draft ends, however one comes back to it', async () => {
    const { ann, room } = await writer(stage);
    const other = await createRoom(stage.server, await stage.account('bo'));
    const goBack: readonly (() => Promise<unknown>)[] = [
      () => ann.openRoom(room.name),
      () => ann.page.goBack(),
      async () => {
        await ann.page.keyboard.press('Control+k');
        await ann.page.keyboard.type(room.name);
        await ann.page.getByRole('option', { selected: true }).filter({ hasText: room.name }).waitFor();
        await ann.page.keyboard.press('Enter');
      },
    ];
    await ann.composer.fill('hello');
    for (const back of goBack) {
      await ann.openRoom(other.name);
      await back();
      await ann.isIn(room.name);
      await ann.page.keyboard.type('!');
    }
    await ann.page.reload();
    await ann.isIn(room.name);
    await ann.page.keyboard.type('X');
    expect(await ann.composer.inputValue()).toBe('hello!!!X');
  });

  test('a text of a hundred pages is laid out once, and is kept as a draft when typing rests', async () => {
    const { ann } = await writer(stage);
    const line = 'some words of a log that somebody pastes\n';
    const pasted = line.repeat(2000);
    await ann.composer.evaluate((box, text) => {
      const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {};
      set?.call(box, text);
      box.dispatchEvent(new Event('input', { bubbles: true }));
    }, pasted);
    await soon(() => ann.page.getByTestId('counter').textContent()).toMatch(/too long$/);
    // The hidden copy that gives the field its height ends far below ten lines.
    const copied = await ann.composer.evaluate((box) => box.parentElement?.dataset.content?.length ?? 0);
    expect(copied).toBeLessThan(25_000);
    expect(copied).toBeGreaterThan(10_000);
    await ann.page.reload();
    await soon(async () => (await ann.composer.inputValue()).length).toBe(pasted.length);
    await ann.composer.fill('');
    await soon(() => ann.page.getByTestId('counter').count()).toBe(0);
    expect(
      await ann.page.evaluate(() => Object.keys(localStorage).filter((key) => /^chat_draft/.test(key))),
    ).toEqual([]);
  });

  test('Ctrl B, I and E format the selection, and one undo reverts it', async () => {
    const { ann } = await writer(stage);
    await ann.composer.fill('words');
    for (const [key, marked] of [
      ['b', '**words**'],
      ['i', '*words*'],
      ['e', '`words`'],
    ] as const) {
      await ann.composer.press('Control+a');
      await ann.composer.press(`Control+${key}`);
      expect(await ann.composer.inputValue()).toBe(marked);
      await ann.composer.press('Control+z');
      await soon(() => ann.composer.inputValue()).toBe('words');
    }
    await ann.composer.press('Control+a');
    await ann.composer.press('Control+b');
    await ann.composer.press('Enter');
    await soon(() => ann.messages.locator('strong').allTextContents()).toEqual(['words']);
  });

  test('Enter within an open fence is a new line of code; after the closing fence it sends', async () => {
    const { ann } = await writer(stage);
    for (const line of ['```ts', 'const a = 1;', '```']) {
      expect(await ann.messages.count()).toBe(0);
      await ann.composer.pressSequentially(line);
      await ann.composer.press('Enter');
    }
    await soon(() => ann.messages.locator('pre').allTextContents()).toEqual(['const a = 1;']);
    await ann.composer.fill('```\nopen');
    await ann.composer.press('Control+Enter');
    await soon(() => ann.messages.locator('pre').count()).toBe(2);
  });

  test('a text that is too long can be sent as several messages, in order', async () => {
    const { ann } = await writer(stage);
    const lines = Array.from({ length: 400 }, (_, line) => `line ${line} ${'x'.repeat(30)}`);
    await ann.composer.fill(lines.join('\n'));
    await ann.button('Send as 5 messages').click();
    await soon(() => ann.messages.count()).toBe(5);
    const sent = await ann.messages.getByTestId('message-content').locator('p').allInnerTexts();
    expect(sent.join('\n').split('\n')).toEqual(lines);
    expect(await ann.composer.inputValue()).toBe('');
    // A book is not offered to be sent.
    await ann.composer.fill('x'.repeat(41_000));
    await soon(() => ann.page.getByTestId('counter').textContent()).toMatch(/too long/);
    expect(await ann.page.getByRole('button', { name: /^Send as/ }).count()).toBe(0);
  });

  test('a selection brings up the formatting strip, which marks it by click and by keys; undo takes it back', async () => {
    const { ann } = await writer(stage);
    const strip = ann.page.getByTestId('format-strip');
    await ann.composer.fill('some words');
    expect(await strip.count()).toBe(0);
    await ann.composer.press('Control+a');
    await strip.getByRole('button', { name: 'Bold' }).click();
    expect(await ann.composer.inputValue()).toBe('**some words**');
    await ann.composer.press('Control+z');
    await soon(() => ann.composer.inputValue()).toBe('some words');
    await ann.composer.press('Control+a');
    await strip.getByRole('button', { name: 'List' }).press('Enter');
    expect(await ann.composer.inputValue()).toBe('- some words');
    await strip.getByRole('button', { name: 'Link' }).waitFor();
    await checkScreen(ann);
    await ann.composer.press('End');
    await strip.waitFor({ state: 'detached' });
  });

  test('a message has its actions at its upper right, for pointer and focus: its text is copied as it was written', async () => {
    const { ann } = await writer(stage);
    await ann.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const content of ['first', 'a **bold** word']) await ann.say(content);
    await ann.message('bold').waitFor();
    const actions = ann.page.getByTestId('message-actions');
    await ann.composer.hover();
    await soon(() => actions.filter({ visible: true }).count()).toBe(0);
    await ann.message('bold').hover();
    await actions.getByRole('button', { name: 'More' }).click();
    const copy = ann.page.getByTestId('action-menu').getByRole('button', { name: 'Copy text' });
    await copy.click();
    const copied = () => ann.page.evaluate(() => navigator.clipboard.readText());
    await soon(copied).toBe('a **bold** word');
    await ann.composer.click();
    await ann.page.keyboard.press('Shift+F6');
    await ann.page.keyboard.press('ArrowUp');
    for (const key of ['Tab', 'ArrowLeft', 'Enter']) await ann.page.keyboard.press(key);
    await copy.press('Enter');
    await soon(copied).toBe('first');
    await checkScreen(ann);
  });

  test('on a phone a selection brings up the formatting, and the names of people who type fit beside “Send as 2 messages”', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const ann = await stage.seat({ login, path: `/rooms/${room.id}`, context: PHONE });
    await ann.isIn(room.name);
    const strip = ann.page.getByTestId('format-strip');
    await ann.composer.tap();
    await ann.composer.fill('words');
    expect(await strip.count()).toBe(0);
    await ann.composer.selectText();
    await strip.getByRole('button', { name: 'Bold' }).tap();
    expect(await ann.composer.inputValue()).toBe('**words**');
    await ann.composer.fill('x'.repeat(4100));
    await ann.button('Send as 2 messages').waitFor();
    const width = (await ann.typing.boundingBox())?.width ?? 0;
    expect(width).toBeGreaterThan(300);
    await checkScreen(ann);
  });

  test('a mark typed again in the item that a new line began does not nest it', async () => {
    const { ann } = await writer(stage);
    await ann.composer.pressSequentially('- cake');
    await ann.composer.press('Shift+Enter');
    await ann.composer.pressSequentially('- coffee');
    expect(await ann.composer.inputValue()).toBe('- cake\n- coffee');
  });

  test('a new line in a list begins the next item, and an empty item ends the list', async () => {
    const { ann } = await writer(stage);
    await ann.composer.pressSequentially('1. cake');
    await ann.composer.press('Shift+Enter');
    await ann.composer.pressSequentially('coffee');
    await ann.composer.press('Shift+Enter');
    await ann.composer.press('Shift+Enter');
    await ann.composer.pressSequentially('that is all');
    expect(await ann.composer.inputValue()).toBe('1. cake\n2. coffee\nthat is all');
    await ann.composer.press('Enter');
    await soon(() => ann.messages.locator('li').allTextContents()).toEqual(['cake', 'coffee']);
  });
});

/** What a live region says from now on, at each change. */
async function heard(person: Person, testId: string): Promise<() => Promise<string[]>> {
  const said = await person.page.getByTestId(testId).evaluateHandle((region) => {
    const texts: string[] = [];
    const options = { childList: true, characterData: true, subtree: true };
    new MutationObserver(() => texts.push(region.textContent ?? '')).observe(region, options);
    return texts;
  });
  return () => said.jsonValue();
}

/** Ann is in a room of her own. */
async function writer(stage: Stage): Promise<{ ann: Person; room: { id: number; name: string } }> {
  const login = await stage.account('ann');
  const room = await createRoom(stage.server, login);
  const ann = await stage.seat({ login, path: `/rooms/${room.id}` });
  await ann.isIn(room.name);
  // What helps one to write comes after the first paint.
  await ann.button('Emoji').waitFor();
  return { ann, room };
}
