/** Files in the web client: chosen, pasted, dropped, sent, shown and downloaded, by two people, on a phone, and by keyboard. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { png } from '../../demo/picture.ts';
import { checkScreen } from './check-screen.ts';
import { UNREACHABLE } from './console-watch.ts';
import type { Person } from './person.ts';
import { PHONE } from './phone.ts';
import { onStage, soon } from './stage.ts';
import { two } from './two-people.ts';

const picture = { name: 'pier.png', mimeType: 'image/png', buffer: gradient(320, 240) };
const plan = { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 plan') };

onStage(
  'files',
  (stage) => {
    test('a picture and a file go with a text, and the other person sees, opens and downloads them', async () => {
      const { ann, bo } = await twoWithFiles();
      await choose(ann, [picture, plan]);
      await soon(() => tray(ann).allInnerTexts()).toEqual([
        expect.stringContaining('pier.png'),
        expect.stringContaining('plan.pdf'),
      ]);
      await checkScreen(ann);
      await ann.composer.fill('The pier at noon');
      await ann.composer.press('Enter');
      await soon(() => tray(ann).count()).toBe(0);
      for (const person of [ann, bo]) {
        await soon(() => isLoaded(person.page.getByTestId('picture').locator('img'))).toBe(true);
        await soon(() => person.page.getByTestId('file').getAttribute('download')).toBe('plan.pdf');
      }
      expect(await bo.contents()).toEqual(['The pier at noon']);
      const [download] = await Promise.all([
        bo.page.waitForEvent('download'),
        bo.page.getByTestId('file').click(),
      ]);
      expect(download.suggestedFilename()).toBe('plan.pdf');
      await checkScreen(bo);
    });

    test('files alone are a message, which a reply names', async () => {
      const { ann, bo } = await twoWithFiles();
      await choose(ann, [picture]);
      await ann.button('Send').click();
      await bo.page.getByTestId('picture').waitFor();
      await bo.page.getByTestId('message').last().hover();
      await bo.button('Reply').click();
      await soon(() => bo.page.getByTestId('reply-bar').innerText()).toMatch(/Photo/);
    });

    test('by keyboard alone: a picture is opened, zoomed and closed, and the focus is where it was', async () => {
      const { ann, bo } = await twoWithFiles();
      await choose(ann, [picture, { ...picture, name: 'boat.png', buffer: gradient(200, 300) }]);
      await ann.button('Send').click();
      await soon(() => bo.page.getByTestId('picture').count()).toBe(2);
      await soon(() => isLoaded(bo.page.getByTestId('picture').locator('img').first())).toBe(true);
      await bo.composer.focus();
      await bo.page.keyboard.press('Shift+Tab');
      await bo.page.locator('[data-row=message]').last().focus();
      const first = bo.page.getByTestId('picture').first();
      for (let tabs = 0; tabs < 6 && !(await isFocused(first)); tabs++) await bo.page.keyboard.press('Tab');
      expect(await isFocused(first)).toBe(true);
      await bo.page.keyboard.press('Enter');
      const viewer = bo.page.getByRole('dialog', { name: 'Pictures' });
      await soon(() => isLoaded(viewer.getByTestId('viewed'))).toBe(true);
      await checkScreen(bo);
      expect(await viewer.getByRole('status').innerText()).toBe('1 of 2');
      await bo.page.keyboard.press('ArrowRight');
      await soon(() => viewer.getByRole('status').innerText()).toBe('2 of 2');
      await bo.page.keyboard.press('+');
      await soon(() => viewer.getByTestId('viewed').evaluate((image) => image.style.transform)).toContain(
        'scale(1.5)',
      );
      await bo.page.keyboard.press('Escape');
      await viewer.waitFor({ state: 'detached' });
      await soon(() => isFocused(first)).toBe(true);
    });

    test('a pasted picture waits in the tray; text that comes with a picture of itself is pasted', async () => {
      const { ann } = await twoWithFiles();
      expect(await give(ann, 'paste', { file: 'table.png', text: 'a table' })).toBe('left');
      expect(await tray(ann).count()).toBe(0);
      expect(await give(ann, 'paste', { file: 'shot.png' })).toBe('taken');
      await soon(() => tray(ann).count()).toBe(1);
      await ann.page.getByRole('button', { name: /^Remove .*shot/ }).click();
      await soon(() => tray(ann).count()).toBe(0);
      await soon(() => isFocused(ann.composer)).toBe(true);
    });

    test('a file that is dragged over the room shows where it goes, and a drop puts it into the tray', async () => {
      const { ann, room } = await twoWithFiles();
      await ann.composer.fill('half a sentence');
      await give(ann, 'dragover', { file: 'plan.pdf' });
      const area = ann.page.getByTestId('drop-area');
      await soon(() => area.innerText()).toContain(room.name);
      await give(ann, 'drop', { file: 'plan.pdf' });
      await area.waitFor({ state: 'detached' });
      await soon(() => tray(ann).count()).toBe(1);
      expect(await ann.composer.inputValue()).toBe('half a sentence');
    });

    test('what is too large is left out in plain words, and the rest is sent', async () => {
      const { ann, bo } = await twoWithFiles();
      await choose(ann, [{ ...plan, name: 'film.bin', buffer: Buffer.alloc(3 * 1024 * 1024) }, plan]);
      await soon(() => ann.page.getByTestId('toasts').innerText()).toMatch(
        /film\.bin.* is too large. The limit is 2\.1 MB\./,
      );
      await soon(() => tray(ann).count()).toBe(1);
      await ann.button('Send').click();
      await bo.page.getByTestId('file').waitFor();
    });

    test('the files of a room are listed, by kind, and lead to their messages; an empty kind says so', async () => {
      const { ann, bo, room } = await twoWithFiles();
      await choose(ann, [picture, plan]);
      await ann.button('Send').click();
      // The picture is a card, too, while it is checked.
      await bo.page.getByRole('link', { name: /^Download plan\.pdf/ }).waitFor();
      await bo.page.goto(`/rooms/${room.id}/files`);
      const rows = bo.page.getByTestId('room-file');
      await soon(() => rows.count()).toBe(2);
      await checkScreen(bo);
      await bo.page.getByLabel('Kind of file').selectOption({ label: 'Sounds' });
      await bo.page.getByText('None of this kind').waitFor();
      await bo.page.getByLabel('Kind of file').selectOption({ label: 'Pictures' });
      await soon(() => rows.allInnerTexts()).toEqual([expect.stringContaining('pier.png')]);
      await rows.getByRole('link', { name: /pier\.png.*kB/ }).click();
      await soon(() => isFocused(bo.page.getByTestId('message').last())).toBe(true);
    });

    test('a description goes with a picture', async () => {
      const { ann, bo } = await twoWithFiles();
      await choose(ann, [picture]);
      await ann.page.getByRole('button', { name: /^Describe .*pier/ }).click();
      await ann.page.getByLabel('Description').fill('A pier in the fog');
      await checkScreen(ann);
      await ann.page.keyboard.press('Enter');
      await ann.button('Send').click();
      await bo.button('Open A pier in the fog').waitFor();
    });

    test('offline, files wait on the device, and go when the network is back', async () => {
      const { ann, bo } = await twoWithFiles();
      // What shows files is loaded by the first of them.
      await choose(ann, [picture]);
      await ann.button('Send').click();
      await bo.page.getByTestId('picture').waitFor();
      ann.console.expect(UNREACHABLE);
      await ann.page.context().setOffline(true);
      await choose(ann, [plan]);
      await ann.composer.fill('when I am back');
      await ann.composer.press('Enter');
      await soon(() => ann.page.getByTestId('upload-state').innerText()).toMatch(
        /Resumes when you're back|Uploading/,
      );
      await ann.page.context().setOffline(false);
      await bo.page.getByTestId('file').waitFor();
      expect(await bo.contents()).toEqual(['when I am back']);
    });

    test('files that wait to be sent survive a reload', async () => {
      const { ann, bo } = await twoWithFiles();
      await choose(ann, [picture]);
      await soon(() => tray(ann).allInnerTexts()).toEqual([expect.stringMatching(/kB$/)]);
      await ann.page.reload();
      await soon(() => tray(ann).count()).toBe(1);
      await ann.button('Send').click();
      await bo.page.getByTestId('picture').waitFor();
    });

    test('on a phone the button is in the capsule, and a picture opens as large as the screen', async () => {
      const { ann } = await twoWithFiles({ context: PHONE });
      await choose(ann, [picture]);
      await soon(() => tray(ann).count()).toBe(1);
      await ann.button('Send').tap();
      await soon(() => isLoaded(ann.page.getByTestId('picture').locator('img'))).toBe(true);
      await ann.page.getByTestId('picture').tap();
      const viewer = ann.page.getByRole('dialog', { name: 'Pictures' });
      await viewer.waitFor();
      expect((await viewer.boundingBox())?.width).toBe(390);
      await checkScreen(ann);
      await viewer.getByRole('button', { name: 'Close' }).tap();
      await viewer.waitFor({ state: 'detached' });
    });

    async function twoWithFiles(seat = {}) {
      const people = await two(stage, seat);
      // Its code comes after the first paint.
      await people.ann.button('Attach files').waitFor();
      return people;
    }
  },
  { FILE_MAX_MIB: '2' },
);

onStage(
  'a server that takes no files',
  (stage) => {
    test('has no button for them, and says so of what is dropped', async () => {
      const { ann } = await two(stage);
      await ann.button('Emoji').waitFor();
      expect(await ann.button('Attach files').count()).toBe(0);
      await give(ann, 'drop', { file: 'plan.pdf' });
      await soon(() => ann.page.getByTestId('toasts').innerText()).toContain("You can't send files here.");
    });
  },
  { FILE_MAX_MIB: '0' },
);

function tray({ page }: Person): Locator {
  return page.getByTestId('tray-item');
}

async function choose({ page }: Person, files: { name: string; mimeType: string; buffer: Buffer }[]) {
  await page.getByTestId('file-input').first().setInputFiles(files);
}

async function isLoaded(image: Locator): Promise<boolean> {
  return await image.evaluate((element: HTMLImageElement) => element.complete && element.naturalWidth > 0);
}

async function isFocused(element: Locator): Promise<boolean> {
  return await element.evaluate((one) => one === document.activeElement);
}

/** Whether the page took the event. */
async function give(
  { composer }: Person,
  type: 'paste' | 'dragover' | 'drop',
  what: { file: string; text?: string },
): Promise<'taken' | 'left'> {
  return await composer.evaluate(
    (box, [type, { file, text }]) => {
      const data = new DataTransfer();
      data.items.add(new File(['…'], file));
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

function gradient(width: number, height: number): Buffer {
  return png(width, height, (x, y) => [(255 * x) / width, (255 * y) / height, 128]);
}
