/** Previews of links with several processes: each link is opened by one of them, and by another one when that dies. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { png } from '../../demo/picture.ts';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { send } from '../support/http.ts';
import { RoomLine } from '../support/room-line.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, readHistory, signUp } from '../support/users.ts';
import { pageOf, WebSite } from '../support/web-site.ts';

const LONG = { timeout: 60_000 };

describe.skipIf(whyNoCluster() !== undefined)('previews of links, with two processes', () => {
  let site: WebSite;
  let cluster: Cluster;
  let folder: string;
  let ann: Login;
  let roomId: number;
  beforeAll(async () => {
    site = await WebSite.start();
    folder = mkdtempSync(join(tmpdir(), 'roomful-previews-'));
    const env = { LINK_PREVIEWS: 'on', OUTGOING_ALLOW: site.host, FILES_DIR: folder };
    cluster = await Cluster.start({ processes: 2, env });
    const server = cluster.process(0);
    ann = await signUp(server);
    roomId = (await createRoom(server, ann)).id;
    const json = { settings: { link_previews: true } };
    await send(server, `/api/v1/rooms/${roomId}`, { method: 'PATCH', token: ann.accessToken, json });
    site.pages.set(
      '/picture.png',
      png(99, 66, (x, y) => [x, y, 0]),
    );
  });
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    site?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  async function post(server: ServerProcess, text: string): Promise<number> {
    const line = await RoomLine.enter(server, ann, roomId);
    const { id } = await line.post(text);
    await line.close();
    return id;
  }

  const previews = async (server: ServerProcess, messageId: number) =>
    (await readHistory(server, ann, roomId)).find(({ id }) => id === messageId)?.previews;

  test('whichever process a message comes to, its link is opened once, and its picture is at both', async () => {
    for (const [index, server] of cluster.processes.entries()) {
      const path = `/page-${index}`;
      site.pages.set(path, pageOf({ 'og:image': '/picture.png' }));
      const id = await post(server, site.url(path));
      await expect.poll(() => previews(server, id), LONG).toMatchObject([{ image: { width: 99 } }]);
      expect(site.asked(path)).toBe(1);
      const key = (await previews(server, id))?.[0]?.image?.key;
      for (const process of cluster.processes) {
        const { status } = await send(process, `/files/${key}/link`, { token: ann.accessToken });
        expect(status).toBe(200);
      }
    }
  });

  test('when one process is killed while it opens a link, the other one opens it', async () => {
    let requests = 0;
    site.pages.set('/held', (_, response) => {
      if (++requests > 1) response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf({}, 'Held'));
    });
    const id = await post(cluster.process(1), site.url('/held'));
    await expect.poll(() => requests, LONG).toBe(1);
    // It was started first, so it has the lease.
    await cluster.process(0).kill();
    await expect.poll(() => previews(cluster.process(1), id), LONG).toMatchObject([{ title: 'Held' }]);
  });
});
