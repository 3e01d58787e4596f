/** The sheet of a message on a phone, with a real finger: held, released, and each entry tapped. */
import { expect, test } from 'vitest';
import { createRoom } from '../support/users.ts';
import { Finger } from './finger.ts';
import type { Person } from './person.ts';
import { PHONE } from './phone.ts';
import { onStage, type Stage, soon } from './stage.ts';

onStage('the sheet of a message', (stage) => {
  test('opens when a finger holds still and stays when it is lifted; a finger that scrolls opens nothing', async () => {
    const { ann } = await holding(stage);
    const finger = await Finger.of(ann);
    await finger.downOn(ann, 'hold me');
    await sheet(ann).waitFor();
    await finger.up();
    await ann.page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await sheet(ann).count()).toBe(1);
    // A tap beside it closes it.
    await ann.page.touchscreen.tap(195, 40);
    await soon(() => sheet(ann).count()).toBe(0);
    await finger.downOn(ann, 'hold me');
    await finger.move(40);
    await ann.page.waitForFunction(
      (from) => performance.now() > from + 600,
      await ann.page.evaluate(() => performance.now()),
    );
    expect(await sheet(ann).count()).toBe(0);
    await finger.up();
  });

  test('a finger that draws a message far to the left answers it, and one that comes back does not', async () => {
    const { ann } = await holding(stage);
    const finger = await Finger.of(ann);
    const arrow = ann.page.getByTestId('swipe-arrow');
    const answered = ann.page.getByTestId('reply-bar');
    const draw = async (...steps: number[]) => {
      await finger.downOn(ann, 'hold me', { x: 200 });
      for (const x of steps) await finger.move(0, x);
    };
    await draw(-20, -30, -30);
    await soon(() => arrow.getAttribute('data-far')).toBe('true');
    await finger.move(0, 40);
    await soon(() => arrow.getAttribute('data-far')).toBe('false');
    await finger.up();
    await soon(() => arrow.count()).toBe(0);
    expect(await answered.count()).toBe(0);
    await draw(20, -60, -60);
    expect(await arrow.count()).toBe(0);
    await finger.up();
    await draw(-20, -30, -30);
    await finger.up();
    await answered.getByText('hold me').waitFor();
    expect(await arrow.count()).toBe(0);
    expect(await sheet(ann).count()).toBe(0);
  });

  test('each of its entries works with a finger', async () => {
    const { ann } = await holding(stage);
    const { page } = ann;
    const finger = await Finger.of(ann);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const choose = async (name: string) => {
      await finger.downOn(ann, 'hold me');
      await sheet(ann).waitFor();
      await finger.up();
      await sheet(ann).getByRole('button', { name, exact: true }).tap();
      await soon(() => sheet(ann).count()).toBe(0);
    };
    await choose('React with 🎉');
    await soon(() => page.getByTestId('reaction').allTextContents()).toEqual(['🎉1']);
    await choose('Add reaction');
    const cell = page.getByTestId('emoji-picker').getByRole('gridcell').first();
    await cell.tap();
    await soon(() => page.getByTestId('reaction').count()).toBe(2);
    await choose('Reply');
    await page.getByTestId('reply-bar').waitFor();
    await ann.button('Cancel the reply').tap();
    await choose('Edit');
    const editor = page.getByRole('textbox', { name: 'Edit message' });
    await editor.fill('hold me, edited');
    await page.getByTestId('editor').getByRole('button', { name: 'Save' }).tap();
    await soon(() => ann.contents()).toEqual(['hold me, edited']);
    await choose('Pin to room');
    await page.getByText('Pinned', { exact: true }).waitFor();
    await choose('Unpin');
    await soon(() => page.getByText('Pinned', { exact: true }).count()).toBe(0);
    await choose('Save for later');
    await page.getByText('Saved for later', { exact: true }).waitFor();
    await choose('Remove from saved');
    await page.getByText('Removed from saved', { exact: true }).waitFor();
    await choose('Copy text');
    await soon(copied).toBe('hold me, edited');
    await choose('Copy link');
    await soon(copied).toMatch(/\/rooms\/\d+\/m\/\d+$/);
    await choose('Mark unread from here');
    await page.getByText('Marked as unread from there').waitFor();
    // An own message notifies nobody of its own words.
    await finger.downOn(ann, 'hold me');
    await sheet(ann).waitFor();
    await finger.up();
    expect(
      await sheet(ann)
        .getByRole('button', { name: /^Why was I notified/ })
        .count(),
    ).toBe(0);
    await page.keyboard.press('Escape');
    await choose('Profile');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await soon(() => page.getByRole('dialog').count()).toBe(0);
    await choose('Thread');
    const panel = page.getByTestId('thread-panel');
    await panel.getByRole('textbox', { name: 'Reply in this thread' }).fill('an answer');
    await panel.getByRole('button', { name: 'Send' }).tap();
    await soon(() => panel.getByTestId('thread-replies').locator('li').count()).toBe(1);
    await panel.getByRole('button', { name: 'Back', exact: true }).tap();
    await soon(() => panel.count()).toBe(0);
    await choose('Delete');
    await page.getByTestId('deleted-message').getByRole('button', { name: 'Undo' }).tap();
    await soon(() => ann.contents()).toEqual(['hold me, edited']);
  });
});

const sheet = ({ page }: Person) => page.getByTestId('action-menu');

/** Ann on a phone, in a room with one message. */
async function holding(stage: Stage) {
  const login = await stage.account('ann');
  const room = await createRoom(stage.server, login);
  const context = { ...PHONE, permissions: ['clipboard-read', 'clipboard-write'] };
  const ann = await stage.seat({ login, path: `/rooms/${room.id}`, context });
  await ann.isIn(room.name);
  await ann.composer.fill('hold me');
  await ann.button('Send').tap();
  await ann.message('hold me').waitFor();
  return { ann };
}
