/** The client on a device without its server: it opens, shows what was last seen, and takes what is written. */
import { expect, test } from 'vitest';
import { createRoom } from '../support/users.ts';
import { UNREACHABLE } from './console-watch.ts';
import { onStage, type Stage } from './stage.ts';

onStage('without a server', (stage) => {
  test('the client opens at any of its addresses, and is itself again when the server is back', async () => {
    const { ann, room } = await keptClient(stage);
    await stage.server.kill();
    await ann.page.reload();
    await ann.composer.waitFor();
    const tab = await ann.openTab('/');
    tab.console.expect(UNREACHABLE);
    await tab.rooms.waitFor();
    await stage.server.restart();
    await ann.isIn(room.name);
  });

  test('an address of the interface is never answered from the device', async () => {
    const { ann } = await keptClient(stage);
    const asked = ['/api/v1/rooms', '/health', '/healthz', '/ready', '/version', '/icons/icon-192.png'];
    const answered = () =>
      ann.page.evaluate(
        (paths) =>
          Promise.all(
            paths.map((path) =>
              fetch(path).then(
                ({ status }) => status,
                () => 0,
              ),
            ),
          ),
        asked,
      );
    expect(await answered()).toEqual([401, 200, 200, 200, 200, 200]);
    await stage.server.kill();
    expect(await answered()).toEqual(asked.map(() => 0));
  });

  test('it can be installed: a manifest with its icons, all of the size that they say', async () => {
    const ann = await stage.seat();
    const manifest = await ann.page.evaluate(async () => {
      const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
      const reply = await fetch(link?.href ?? '');
      return { type: reply.headers.get('content-type'), ...(await reply.json()) };
    });
    expect(manifest.type).toMatch(/^application\/manifest\+json/);
    expect(manifest).toMatchObject({ name: 'Roomful', start_url: '/', display: 'standalone' });
    const icons = manifest.icons.filter(({ type }: { type: string }) => type === 'image/png');
    for (const { src, sizes } of icons) expect(await sizeOf(src)).toBe(sizes);
    expect(await sizeOf('/icons/apple-touch-icon.png')).toBe('180x180');

    async function sizeOf(src: string): Promise<string> {
      return await ann.page.evaluate(async (path) => {
        const image = new Image();
        image.src = path;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
    }
  });
});

/** Ann is in a room, and the client is on her device. */
async function keptClient(stage: Stage) {
  const owner = await stage.account('ann');
  const room = await createRoom(stage.server, owner);
  const ann = await stage.seat({ login: owner, path: `/rooms/${room.id}` });
  ann.console.expect(UNREACHABLE, /status of 401/);
  await ann.isIn(room.name);
  await ann.isKept();
  return { ann, owner, room };
}
