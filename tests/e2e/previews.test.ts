/** What stands for a picture or a film until it is there: a blur, and a picture of the film. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { png } from '../../demo/picture.ts';
import { checkScreen } from './check-screen.ts';
import type { Person } from './person.ts';
import { onStage, soon } from './stage.ts';
import { two } from './two-people.ts';

const SUNSET = png(640, 400, (_, y) => [255 - y / 2, 140 - y / 4, 60 + y / 4]);

onStage('previews', (stage) => {
  test('until a picture is there, a blur of it is in its place, and then nothing is behind it', async () => {
    const { ann, bo } = await two(stage);
    let open = () => {};
    const isOpen = new Promise<void>((resolve) => {
      open = resolve;
    });
    await bo.page.route('**/files/*/*', async (route) => {
      await isOpen;
      await route.continue();
    });
    await send(ann, { name: 'sunset.png', mimeType: 'image/png', buffer: SUNSET });
    const tile = bo.page.getByTestId('picture');
    await soon(() => tile.evaluate(({ style }) => style.backgroundImage)).toMatch(/^url\("data:image\/png/);
    open();
    await soon(() => tile.evaluate(({ style }) => style.backgroundImage)).toBe('');
    await soon(() => isLoaded(tile.locator('img'))).toBe(true);
  });

  test('a film shows a picture of itself, and nothing of the film is loaded before it is played', async () => {
    const { ann, bo } = await two(stage);
    const loaded: string[] = [];
    bo.page.on('request', (request) => loaded.push(request.url()));
    await send(ann, { name: 'boat.webm', mimeType: 'video/webm', buffer: await film(ann) });
    const video = bo.page.locator('video');
    await soon(() => video.evaluate(({ poster }: HTMLVideoElement) => poster)).toMatch(
      /\/files\/[\w-]{22}\/boat\.webm$/,
    );
    const [source, poster] = await video.evaluate(({ src, poster }: HTMLVideoElement) => [src, poster]);
    await soon(() => Promise.resolve(loaded)).toContain(poster);
    expect(loaded).not.toContain(source);
    await checkScreen(bo);
    await video.evaluate(async (element: HTMLVideoElement) => await element.play());
    await soon(() => Promise.resolve(loaded)).toContain(source);
  });

  test('a tab that is closed during an upload: the next one goes on from what the server has', async () => {
    const { ann, bo } = await two(stage);
    const context = ann.page.context();
    const offsets: string[] = [];
    let isSlow = true;
    await context.route('**/api/v1/uploads/*', async (route) => {
      const request = route.request();
      if (request.method() !== 'PATCH') return await route.continue();
      offsets.push(request.headers()['upload-offset'] ?? '');
      // The first part arrives; of the next ones nothing does.
      if (isSlow && offsets.length > 1) return;
      await route.continue();
    });
    const bytes = Buffer.alloc(3 * 1024 * 1024, 7);
    await ann.page
      .getByTestId('file-input')
      .first()
      .setInputFiles([{ name: 'disk.bin', mimeType: 'application/octet-stream', buffer: bytes }]);
    await soon(() => Promise.resolve(offsets.length)).toBeGreaterThan(1);
    await ann.page.close();
    isSlow = false;
    const next = await context.newPage();
    await next.goto(ann.page.url());
    await soon(() => next.getByTestId('tray-item').count()).toBe(1);
    await next.getByRole('button', { name: 'Send', exact: true }).click();
    await bo.page.getByTestId('file').waitFor();
    expect(offsets.filter((offset) => offset === '0')).toHaveLength(1);
  });
});

async function isLoaded(image: Locator): Promise<boolean> {
  return await image.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth > 0);
}

async function send(person: Person, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  await person.button('Attach files').waitFor();
  await person.page.getByTestId('file-input').first().setInputFiles([file]);
  await soon(() => person.page.getByTestId('tray-item').innerText()).toMatch(/[kM]?B$/);
  await person.button('Send').click();
}

/** A film of a second, which the browser itself records from what a page draws. */
async function film({ page }: Person): Promise<Buffer> {
  const encoded = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 320;
    canvas.height = 180;
    const context = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' });
    const parts: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    const ended = new Promise((resolve) => recorder.addEventListener('stop', resolve));
    recorder.start();
    for (let frame = 0; frame < 30; frame++) {
      if (context) {
        context.fillStyle = `rgb(${frame * 8}, 120, 200)`;
        context.fillRect(0, 0, canvas.width, canvas.height);
      }
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    recorder.stop();
    await ended;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  });
  return Buffer.from(encoded, 'latin1');
}
