/** Mentions: how they are shown, and what they do. */
import { expect, test } from 'vitest';
import { RoomLine } from '../support/room-line.ts';
import { addMember, createRoom, type Login } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';

onStage('mentions', (stage) => {
  test('of oneself, of others and of the room are marked; a name in code and one that nobody has are not', async () => {
    const { ann, bo, login, says } = await conversation(stage);
    await says(
      `@${login.ann.username} @"${login.bo.username}" @room \`@${login.ann.username}\` @nobody-at-all`,
    );
    const mentions = ann.messages.locator('button, span').filter({ hasText: /^@/ });
    await soon(() => mentions.allTextContents()).toEqual([
      `@${login.ann.username}`,
      `@${login.bo.username}`,
      '@room',
    ]);
    const own = ann.messages.locator('[data-me]');
    await soon(() => own.allTextContents()).toEqual([`@${login.ann.username}`, '@room']);
    await soon(() => bo.messages.locator('[data-me]').allTextContents()).toEqual([
      `@${login.bo.username}`,
      '@room',
    ]);
    await checkScreen(ann);
  });

  test('a known one is coloured as it is written, letter on letter, and stays so while the text scrolls', async () => {
    const { ann, login } = await conversation(stage);
    const mirror = ann.page.getByTestId('mention-mirror');
    const name = login.bo.username;
    await ann.composer.fill('@nobody-at-all');
    await soon(() => ann.page.getByTestId('online-count').textContent()).toBe('2 online');
    expect(await mirror.count()).toBe(0);
    const lines = Array.from({ length: 30 }, (_, line) => `${line} @"${name}", are you there?`);
    await ann.composer.fill(lines.join('\n'));
    await soon(() => mirror.locator(':scope > span').first().innerText()).toBe(`@"${name}"`);
    expect(await mirror.getAttribute('aria-hidden')).toBe('true');
    for (const to of ['Control+Home', 'Control+End'])
      await ann.composer
        .press(to)
        .then(() => soon(() => ann.composer.evaluate(liesOnText)).toEqual([true, true, true, true]));
    // An input method draws what it is composing.
    const keys = await ann.page.context().newCDPSession(ann.page);
    await keys.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 });
    await soon(() => mirror.count()).toBe(0);
    await keys.send('Input.insertText', { text: '你' });
    await mirror.waitFor();
    expect(await ann.composer.inputValue()).toMatch(/你$/);
  });

  test('a button begins one, and another shows the formatting', async () => {
    const { ann, login } = await conversation(stage);
    await ann.composer.fill('hi');
    await ann.button('Mention someone').click();
    await ann.page.keyboard.type(login.bo.username.slice(0, 2));
    await ann.page.getByRole('option', { selected: true }).filter({ hasText: login.bo.username }).waitFor();
    await ann.page.keyboard.press('Enter');
    await soon(() => ann.composer.inputValue()).toMatch(/^hi @/);
    await ann.button('Formatting').click();
    await ann.composer.press('Control+a');
    await ann.page.getByTestId('format-strip').getByRole('button', { name: 'Bold' }).click();
    await soon(() => ann.composer.inputValue()).toMatch(/^\*\*hi @/);
    await checkScreen(ann);
    await ann.button('Formatting').click();
    await ann.composer.press('End');
    await soon(() => ann.page.getByTestId('format-strip').count()).toBe(0);
  });

  test('a press on one shows who it is', async () => {
    const { ann, login, says } = await conversation(stage);
    await says(`ask @${login.bo.username}`);
    await ann.messages.getByRole('button', { name: `@${login.bo.username}` }).click();
    await ann.page.getByRole('dialog', { name: `Profile of ${login.bo.username}` }).waitFor();
    expect(await ann.page.getByRole('dialog').getByText(login.bo.username).count()).toBeGreaterThan(0);
  });
});

/** In the page: the copy has the field's text, place, wrapping and position. */
function liesOnText(field: Element): boolean[] {
  const copy = document.querySelector('[data-testid=mention-mirror]');
  if (!(field instanceof HTMLTextAreaElement) || copy === null) return [];
  const [one, two] = [field, copy].map((element) => JSON.stringify(element.getBoundingClientRect()));
  return [
    copy.textContent === `${field.value} `,
    one === two,
    field.scrollHeight === copy.scrollHeight && field.clientWidth === copy.clientWidth,
    field.scrollTop === copy.scrollTop,
  ];
}

/** Ann and bo are in a room. */
async function conversation(stage: Stage) {
  const login = { ann: await stage.account('ann'), bo: await stage.account('bo') };
  const room = await createRoom(stage.server, login.ann);
  await addMember(stage.server, login.ann, room.id, login.bo.userId);
  const [ann, bo] = await Promise.all([seat(stage, login.ann, room), seat(stage, login.bo, room)]);
  /** Bo says something. */
  const says = async (content: string) => {
    const line = await RoomLine.enter(stage.server, login.bo, room.id);
    await line.post(content, 'c');
    await line.close();
  };
  return { ann, bo, login, room, says };
}

async function seat(stage: Stage, login: Login, room: { id: number; name: string }): Promise<Person> {
  const person = await stage.seat({ login, path: `/rooms/${room.id}` });
  await person.isIn(room.name);
  return person;
}
