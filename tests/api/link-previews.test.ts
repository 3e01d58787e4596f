/** Previews of links: from a text to what its message shows, with real pages on this machine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { png } from '../../demo/picture.ts';
import type { LinkPreview } from '../../protocol/link-previews.ts';
import { expectRefusal } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { addMember, createRoom, type Login, readHistory, signUp } from '../support/users.ts';
import { pageOf, WebSite } from '../support/web-site.ts';

const PICTURE = png(120, 63, (x, y) => [x, y, 128]);

let site: WebSite;
let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  site = await WebSite.start();
  const env = { LINK_PREVIEWS: 'on', OUTGOING_ALLOW: site.host, PUBLIC_URL: 'https://chat.example.org' };
  server = await ServerProcess.start({ env });
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
  site.pages.set(
    '/page',
    pageOf({ 'og:description': 'About it', 'og:image': '/picture.png', 'og:site_name': 'Site' }),
  );
  site.pages.set('/plain', pageOf({}, 'Plain'));
  site.pages.set('/picture.png', PICTURE);
});
afterAll(async () => {
  await server?.dispose();
  site?.stop();
});

const ask = (login: Login, method: string, path: string, body?: object) =>
  send(server, `/api/v1${path}`, {
    ...{ method, token: login.accessToken },
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
const open = (login: Login, key: string) => send(server, `/files/${key}/x`, { token: login.accessToken });

/** A room of Ann that wants previews, with Bo, and what is posted there. */
async function newRoom({ isOn = true, kind = 'public' as 'public' | 'private' } = {}) {
  const { id } = await createRoom(server, ann);
  await addMember(server, ann, id, bo.userId);
  if (kind === 'private') await ask(ann, 'PATCH', `/rooms/${id}`, { kind });
  if (isOn) await ask(ann, 'PATCH', `/rooms/${id}`, { settings: { link_previews: true } });
  const line = await RoomLine.enter(server, ann, id);
  const path = (message: number) => `/rooms/${id}/messages/${message}`;
  const message = async (messageId: number) =>
    (await readHistory(server, bo, id)).find((one) => one.id === messageId);
  const previews = async (messageId: number) => (await message(messageId))?.previews;
  const shown = async (
    messageId: number,
    isThere = (found: LinkPreview[] | undefined) => found !== undefined,
  ) => {
    await expect.poll(async () => isThere(await previews(messageId)), { timeout: 20_000 }).toBe(true);
    return (await previews(messageId)) ?? [];
  };
  return { id, line, path, message, previews, shown };
}

describe('a text with links', () => {
  it('gets previews in a room that wants them, as a change that comes over the line and is no edit', async () => {
    const room = await newRoom();
    const { id } = await room.line.post(`see ${site.url('/page#part')} and ${site.url('/plain')}`);
    const [first, second] = await room.shown(id);
    expect(first).toEqual({
      ...{ url: site.url('/page#part'), title: 'A page', site: 'Site', description: 'About it' },
      image: { key: first?.image?.key, width: 120, height: 63 },
    });
    expect(second).toEqual({ url: site.url('/plain'), title: 'Plain' });
    const changed = await room.line.waitFor(
      'message',
      (frame) => frame.id === id && frame.previews !== undefined,
    );
    expect(changed).toMatchObject({ changed_seq: changed.seq + 1 });
    expect(changed).not.toHaveProperty('revision');
    const picture = await open(bo, first?.image?.key ?? '');
    expect(picture.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PICTURE.length),
    });
  });

  it('gets none in a room that does not, and none for links to the server itself', async () => {
    const quiet = await newRoom({ isOn: false });
    const room = await newRoom();
    const path = '/never';
    await quiet.line.post(site.url(path));
    const own = await room.line.post('https://chat.example.org/room/1');
    const { id } = await room.line.post(site.url('/plain'));
    await room.shown(id);
    expect(await room.message(own.id)).not.toHaveProperty('previews');
    expect(site.asked(path)).toBe(0);
    expect(room.line.hello.limits).toMatchObject({ link_previews: 3 });
  });

  it('of several rooms has the site asked once, and each message has a file of its own', async () => {
    site.pages.set('/once', pageOf({ 'og:image': '/once.png' }));
    site.pages.set('/once.png', PICTURE);
    const keys: (string | undefined)[] = [];
    for (const room of [await newRoom(), await newRoom()]) {
      const { id } = await room.line.post(site.url('/once'));
      keys.push((await room.shown(id))[0]?.image?.key);
    }
    expect(new Set(keys).size).toBe(2);
    expect([site.asked('/once'), site.asked('/once.png')]).toEqual([1, 1]);
  });

  it('that is a picture shows that', async () => {
    const room = await newRoom();
    const { id } = await room.line.post(site.url('/picture.png'));
    expect(await room.shown(id)).toMatchObject([{ title: '', image: { width: 120, height: 63 } }]);
  });

  it('to what is no page, away, or too large gets none, and is not asked again', async () => {
    site.pages.set('/json', (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    );
    site.pages.set('/broken', (_, response) => response.writeHead(500).end());
    const room = await newRoom();
    for (let round = 0; round < 2; round++) {
      const { id } = await room.line.post(['/json', '/broken'].map((path) => site.url(path)).join(' '));
      const last = await room.line.post(site.url('/plain'));
      await room.shown(last.id);
      await expect.poll(() => site.asked('/broken')).toBe(1);
      expect(await room.message(id)).not.toHaveProperty('previews');
    }
    expect([site.asked('/json'), site.asked('/broken')]).toEqual([1, 1]);
  });

  it('tells the site neither who asks nor from which page', async () => {
    expect(site.heads.length).toBeGreaterThan(0);
    for (const head of site.heads) {
      expect(Object.keys(head).sort()).toEqual([
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ]);
      expect(head['user-agent']).toContain('Roomful');
    }
  });
});

describe('a picture', () => {
  it('is for those who may read the message, and gone with it', async () => {
    const room = await newRoom({ kind: 'private' });
    const stranger = await signUp(server);
    const { id } = await room.line.post(site.url('/page'));
    const key = (await room.shown(id))[0]?.image?.key ?? '';
    expect((await open(stranger, key)).status).toBe(404);
    expect((await open(bo, key)).status).toBe(200);
    await ask(ann, 'DELETE', room.path(id));
    expect((await open(bo, key)).status).toBe(404);
    expect(await room.message(id)).not.toHaveProperty('previews');
  });
});

describe('an edit', () => {
  it('takes the preview of a link that is gone, and brings that of a new one', async () => {
    const room = await newRoom();
    const { id } = await room.line.post(site.url('/page'));
    const key = (await room.shown(id))[0]?.image?.key ?? '';
    const edit = { content: `now ${site.url('/plain')}`, base_revision: 0 };
    await ask(ann, 'PUT', room.path(id), edit);
    expect(await room.shown(id)).toEqual([{ url: site.url('/plain'), title: 'Plain' }]);
    expect((await open(bo, key)).status).toBe(404);
  });
});

describe('DELETE …/previews', () => {
  it('is for the author and for moderators; the previews do not come back', async () => {
    const room = await newRoom();
    const { id } = await room.line.post(site.url('/page'));
    const key = (await room.shown(id))[0]?.image?.key ?? '';
    expectRefusal(await ask(bo, 'DELETE', `${room.path(id)}/previews`), 403, 'not allowed');
    expect((await ask(ann, 'DELETE', `${room.path(id)}/previews`)).status).toBe(204);
    expect(await room.previews(id)).toEqual([]);
    expect((await open(bo, key)).status).toBe(404);
    await ask(ann, 'PUT', room.path(id), { content: `again ${site.url('/page')}`, base_revision: 0 });
    const { id: last } = await room.line.post(site.url('/plain'));
    await room.shown(last);
    expect(await room.previews(id)).toEqual([]);
  });
});
