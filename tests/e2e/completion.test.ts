/** Completion of mentions and of emoji in the composer, and what it asks before a message is sent. */
import { expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { addMember, createRoom, type Login, signUpCrowd } from '../support/users.ts';
import { checkScreen } from './check-screen.ts';
import type { Person } from './person.ts';
import { onStage, type Stage, soon } from './stage.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

onStage('completion', (stage) => {
  test('by keyboard: arrows choose a member, Enter and Tab put the name in, and Enter then sends', async () => {
    const { ann, login } = await together(stage);
    await ann.composer.pressSequentially(`hi @${login.bo.username.slice(0, 2)}`);
    await soon(() => active(ann)).toContain(login.bo.username);
    expect(await ann.composer.getAttribute('aria-autocomplete')).toBe('list');
    const first = await active(ann);
    await ann.composer.press('ArrowDown');
    await ann.composer.press('ArrowUp');
    expect(await active(ann)).toBe(first);
    await checkScreen(ann);
    await ann.composer.press('Enter');
    await soon(() => ann.composer.inputValue()).toBe(`hi @"${login.bo.username}" `);
    expect(await list(ann).count()).toBe(0);
    expect(await ann.composer.getAttribute('aria-activedescendant')).toBeNull();
    await ann.composer.press('Enter');
    await soon(() => ann.contents()).toEqual([`hi @${login.bo.username} `]);
    await soon(() => ann.messages.getByRole('button', { name: `@${login.bo.username}` }).count()).toBe(1);
  });

  test('people are found without accents, and by several words of the name that they go by', async () => {
    const { ann, bo, login } = await together(stage);
    await bo.say('hello');
    await ann.message('hello').waitFor();
    for (const [name, typed] of [
      ['Zoë Quinn', '@zoe'],
      ['Zoë Quinn', '@zoe q'],
      ['Jürgen Müller', '@jurgen mu'],
      ['Łukasz O’Brien', '@obri'],
      ['Anna Lee Kim', '@Anna L'],
      ['Anna Lee Kim', '@anna lee k'],
    ] as const) {
      await send(stage.server, '/api/v1/me', {
        ...{ method: 'PATCH', token: login.bo.accessToken },
        json: { display_name: name },
      });
      await ann.log.getByText(name).first().waitFor();
      await ann.composer.fill('');
      await ann.composer.pressSequentially(typed);
      await soon(() => active(ann)).toContain(name);
    }
    await ann.composer.press('Enter');
    await soon(() => ann.composer.inputValue()).toBe(`@"${login.bo.username}" `);
    // A sentence after a mention finds nobody.
    await ann.composer.pressSequentially('see you');
    await soon(() => list(ann).count()).toBe(0);
  });

  test('Escape closes it, and the text stays; another @ opens it again', async () => {
    const { ann } = await together(stage);
    await ann.composer.pressSequentially('@bo');
    await list(ann).waitFor();
    await ann.composer.press('Escape');
    await soon(() => list(ann).count()).toBe(0);
    await ann.composer.pressSequentially(' ');
    expect(await ann.composer.inputValue()).toBe('@bo ');
    await ann.composer.pressSequentially('@b');
    await list(ann).waitFor();
  });

  test('emoji by the start of their names; the second colon puts in the one that is named', async () => {
    const { ann } = await together(stage);
    await ann.composer.pressSequentially(':sm');
    await soon(() => active(ann)).toContain(':smile:');
    await ann.composer.press('Tab');
    await soon(() => ann.composer.inputValue()).toBe('😄 ');
    await ann.composer.pressSequentially(':tada:');
    await soon(() => ann.composer.inputValue()).toBe('😄 🎉 ');
    await ann.composer.pressSequentially('at 10:30 :) `:smile:`');
    await soon(() => list(ann).count()).toBe(0);
    expect(await ann.composer.inputValue()).toBe('😄 🎉 at 10:30 :) `:smile:`');
  });

  test('on a phone a tap chooses, and the field keeps the focus', async () => {
    const { ann, login } = await together(stage, PHONE);
    await ann.composer.tap();
    await ann.composer.pressSequentially(`@${login.bo.username.slice(0, 2)}`);
    await list(ann).getByRole('option').filter({ hasText: login.bo.username }).tap();
    await soon(() => ann.composer.inputValue()).toBe(`@"${login.bo.username}" `);
    expect(await ann.composer.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  test('in a private room the composer names people who will not be notified, and offers to add them', async () => {
    const { ann, login, room } = await together(stage, undefined, 'private');
    const cy = await stage.account('cy outside');
    await ann.composer.pressSequentially('@cy');
    const option = list(ann).getByRole('option').filter({ hasText: cy.username });
    await option.filter({ hasText: 'not in this room' }).click();
    const note = ann.page.getByTestId('mention-notes');
    await note.getByText(`${cy.username} isn't in this room`).waitFor();
    await ann.button('Add to room').click();
    await soon(() => note.count()).toBe(0);
    const outsider = await stage.seat({ login: cy, path: `/rooms/${room.id}` });
    await outsider.isIn(room.name);
    expect(login.bo.userId).not.toBe(cy.userId);
  });

  test('a call of more than 20 people asks for confirmation; in a room above 50 a member reads that it calls nobody', async () => {
    const { ann, bo, login, room } = await together(stage);
    const crowd = await signUpCrowd(stage.server, 50);
    for (const { userId } of crowd.slice(0, 19)) await addMember(stage.server, login.ann, room.id, userId);
    // The size of a room is known since it was opened.
    await ann.page.reload();
    await ann.isIn(room.name);
    await ann.composer.fill('@room lunch');
    await ann.composer.press('Enter');
    const question = ann.page.getByRole('alertdialog');
    await question.getByText('Notify 21 people?').waitFor();
    await ann.button('Keep editing').click();
    expect(await ann.composer.inputValue()).toBe('@room lunch');
    await ann.composer.press('Enter');
    await ann.button('Notify and send').click();
    await soon(() => bo.contents()).toEqual(['@room lunch']);
    await soon(() => bo.messages.locator('[data-me]').allTextContents()).toEqual(['@room']);
    for (const { userId } of crowd.slice(19)) await addMember(stage.server, login.ann, room.id, userId);
    await bo.page.reload();
    await bo.isIn(room.name);
    await bo.composer.fill('@all hello');
    await bo.page.getByTestId('mention-notes').getByText('Only moderators can notify everyone').waitFor();
    await bo.composer.press('Enter');
    await soon(() => ann.contents()).toEqual(['@room lunch', '@all hello']);
    expect(await ann.message('@all hello').locator('[data-me]').count()).toBe(0);
  });
});

/** Ann and bo are in a room of ann's. */
async function together(stage: Stage, context?: typeof PHONE, kind: 'public' | 'private' = 'public') {
  const login = { ann: await stage.account('ann'), bo: await stage.account('bo lee') };
  const room = await createRoom(stage.server, login.ann, undefined, kind);
  await addMember(stage.server, login.ann, room.id, login.bo.userId);
  const seat = async (who: Login, options = {}) => {
    const person = await stage.seat({ login: who, path: `/rooms/${room.id}`, ...options });
    await person.isIn(room.name);
    return person;
  };
  const bo = await seat(login.bo);
  return { ann: await seat(login.ann, context && { context }), bo, login, room };
}

const list = (person: Person) => person.page.getByTestId('completion');

/** The text of the option that a screen reader reads. */
async function active(person: Person): Promise<string | null> {
  const id = await person.composer.getAttribute('aria-activedescendant');
  return id === null ? null : await person.page.locator(`[id="${id}"]`).textContent();
}
