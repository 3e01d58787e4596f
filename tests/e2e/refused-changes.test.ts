/** Changes of messages that meet another change, or that the server refuses. */
import { expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { checkScreen } from './check-screen.ts';
import { REFUSED, UNREACHABLE } from './console-watch.ts';
import { holder, pressOn } from './message-focus.ts';
import type { Person } from './person.ts';
import { onStageWithWorker, soon } from './stage.ts';
import { two } from './two-people.ts';

onStageWithWorker('changes that are refused', (stage) => {
  test('an edit that met another one shows both texts, and each choice works in all tabs', async () => {
    const { ann, bo, room } = await two(stage);
    ann.console.expect(REFUSED);
    const tab = await ann.openTab(`/rooms/${room.id}`);
    await tab.isIn(room.name);
    await ann.say('first');
    await tab.message('first').waitFor();
    await meet(ann, tab, 'from one', 'from the other');
    const box = ann.page.getByTestId('edit-conflict');
    await soon(() => box.locator('blockquote').textContent()).toBe('from one');
    expect(await ann.contents()).toEqual(['from the other']);
    await checkScreen(ann);
    // By keyboard: the focus stays where the choice was.
    await box.getByRole('button', { name: 'Use mine' }).focus();
    await ann.page.keyboard.press('Enter');
    for (const person of [ann, tab, bo]) await soon(() => person.contents()).toEqual(['from one']);
    await soon(() => holder(ann)).toBe('from one');
    expect(await box.count()).toBe(0);

    await meet(ann, tab, 'mine again', 'theirs again');
    // What one tab cannot decide, another may.
    const there = tab.page.getByTestId('edit-conflict');
    await soon(() => there.locator('blockquote').textContent()).toBe('mine again');
    await there.getByRole('button', { name: 'Keep the one above' }).click();
    for (const person of [ann, tab]) {
      await soon(() => person.page.getByTestId('edit-conflict').count()).toBe(0);
      expect(await person.contents()).toEqual(['theirs again']);
    }
    expect(await bo.contents()).toEqual(['theirs again']);
  });

  test('what is refused after a time offline is taken back, and a toast says why', async () => {
    await using proxy = await stage.proxy();
    const { ann, bo, room, login } = await two(stage, {}, { origin: proxy.url });
    bo.console.expect(UNREACHABLE, REFUSED, /status of 403/);
    await ann.say('from ann');
    await bo.message('from ann').waitFor();
    await bo.say('from bo');
    await bo.message('from bo').waitFor();
    const change = (json: object) =>
      send(stage.server, `/api/v1/rooms/${room.id}`, { method: 'PATCH', token: login.accessToken, json });

    await proxy.cut();
    await bo.connection('waiting').waitFor();
    await pressOn(bo, 'from ann', 'p');
    await bo.page.getByText('Pinned', { exact: true }).waitFor();
    expect((await change({ settings: { pin: 'moderator' } })).status).toBe(200);
    await proxy.restore();
    await bo.page.getByText('The pin was not changed: you may not do that here.').waitFor();
    expect(await bo.page.getByText('Pinned', { exact: true }).count()).toBe(0);
    await checkScreen(bo);

    await proxy.cut();
    await bo.connection('waiting').waitFor();
    await pressOn(bo, 'from bo', 'e');
    await editor(bo).fill('from bo, edited');
    await editor(bo).press('Enter');
    // The keys have led last: the pointer has to move.
    await bo.composer.hover();
    await bo.message('from ann').hover();
    await bo.message('from ann').getByRole('button', { name: 'React with 👍' }).click();
    await soon(() => bo.page.getByTestId('clock').count()).toBe(2);
    expect(await bo.contents()).toEqual(['from ann', 'from bo, edited']);
    expect((await change({ archived: true })).status).toBe(200);
    await proxy.restore();
    await bo.page.getByText('Your edit was not saved: the room is archived.').waitFor();
    await bo.page.getByText('Your reaction was not saved: the room is archived.').waitFor();
    // The text is not lost with the edit.
    await soon(() => editor(bo).inputValue()).toBe('from bo, edited');
    await bo.page.getByTestId('editor').getByText('This room is archived.').waitFor();
    await bo.page.getByTestId('editor').getByRole('button', { name: 'Close' }).click();
    expect(await bo.contents()).toEqual(['from ann', 'from bo']);
    expect(await bo.page.getByTestId('reaction').count()).toBe(0);
    expect(await bo.page.getByTestId('clock').count()).toBe(0);
  });
});

const editor = ({ page }: Person) => page.getByRole('textbox', { name: 'Edit message' });

/** Both edit the only message, and the other one is faster. */
async function meet(one: Person, other: Person, mine: string, theirs: string): Promise<void> {
  await one.composer.press('ArrowUp');
  await editor(one).fill(mine);
  await other.composer.press('ArrowUp');
  await editor(other).fill(theirs);
  await editor(other).press('Enter');
  await soon(() => other.contents()).toEqual([theirs]);
  await soon(() => other.page.getByTestId('clock').count()).toBe(0);
  await editor(one).press('Enter');
}
