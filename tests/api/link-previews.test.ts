/** Previews of links: from a text to what its message shows, with real pages on this machine. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { png } from '../../demo/picture.ts';
import type { LinkPreview } from '../../protocol/link-previews.ts';
import { PHOTOS } from '../../protocol/media/testing/phones.ts';
import { SECRETS } from '../../protocol/media/testing/secrets.ts';
import { expectRefusal } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { addMember, createRoom, type Login, readHistory, signUp } from '../support/users.ts';
import { pageOf, WebSite } from '../support/web-site.ts';
import { ChatClient } from '../support/ws-client.ts';

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

  it('is for a client of chatroom.v1 what it was before there were previews', async () => {
    const room = await newRoom();
    const old = await ChatClient.enter(server, bo, room.id);
    const { id, seq } = await room.line.post(site.url('/page'));
    await room.shown(id);
    await room.line.post('the next one');
    await old.waitFor('message', ({ content }) => content === 'the next one');
    const texts = old.of('message').filter((frame) => frame.id === id);
    expect(texts).toEqual([
      {
        ...{ type: 'message', id, room_id: room.id, user_id: ann.userId, username: ann.username, seq },
        ...{ content: site.url('/page'), created_at: texts[0]?.created_at },
      },
    ]);
    await old.close();
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

it('a server that is killed while it opens a link opens it again after its start', async () => {
  let requests = 0;
  site.pages.set('/held', (_, response) => {
    // The first process waits for an answer until it is killed.
    if (++requests > 1) response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf({}, 'Held'));
  });
  const room = await newRoom();
  const { id } = await room.line.post(site.url('/held'));
  await expect.poll(() => requests, { timeout: 20_000 }).toBe(1);
  await server.kill();
  await server.restart();
  expect(await room.shown(id)).toEqual([{ url: site.url('/held'), title: 'Held' }]);
  expect(requests).toBe(2);
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

it.skipIf(whyNotEmbedded() !== undefined)(
  'with its message a preview leaves the files of the database, and its picture the folder',
  async () => {
    const title = `Secret${randomUUID()}`;
    site.pages.set('/secret', pageOf({ 'og:image': '/picture.png' }, title));
    const room = await newRoom();
    const { id } = await room.line.post(site.url('/secret'));
    const key = (await room.shown(id))[0]?.image?.key ?? '';
    const files = () =>
      readdirSync(server.dataDir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
    const left = () =>
      files().filter((path) => path.includes(key) || readFileSync(path).includes(title)).length;
    expect(left()).toBeGreaterThan(1);
    await ask(ann, 'DELETE', room.path(id));
    await expect.poll(left, { timeout: 60_000 }).toBe(0);
  },
);

describe('what is no picture that may be shown', () => {
  const huge = Buffer.from(PICTURE);
  huge.writeUInt32BE(30_000, 16);
  huge.writeUInt32BE(30_000, 20);

  it.each<[string, Buffer | string, string]>([
    [
      'SVG',
      '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><script>alert(1)</script></svg>',
      'image/svg+xml',
    ],
    [
      'SVG that says it is PNG',
      '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>',
      'image/png',
    ],
    ['a page that says it is PNG', '<!doctype html><script>alert(1)</script>', 'image/png'],
    ['a film', Buffer.from('00000018667479706d70343200000000', 'hex'), 'image/png'],
    ['a header of 30 000 by 30 000', huge, 'image/png'],
    ['a pixel that counts visitors', png(1, 1, () => [0, 0, 0]), 'image/png'],
    ['more than 1 MiB', Buffer.concat([PICTURE, Buffer.alloc(1024 * 1024)]), 'image/png'],
    ['nothing', Buffer.alloc(0), 'image/png'],
  ])('%s: the preview comes without it', async (name, body, type) => {
    const path = `/odd/${encodeURIComponent(name)}`;
    site.pages.set(`${path}.png`, (_, response) =>
      response.writeHead(200, { 'content-type': type }).end(body),
    );
    site.pages.set(path, pageOf({ 'og:image': `${path}.png` }, name));
    const room = await newRoom();
    const { id } = await room.line.post(site.url(path));
    expect(await room.shown(id)).toEqual([{ url: site.url(path), title: name }]);
    const usage = await ask(ann, 'GET', `/rooms/${room.id}/files`);
    expect(usage.json).toMatchObject({ files: [] });
  });

  it('a photo loses what it tells of its place', async () => {
    const photo = Buffer.from(PHOTOS.find(({ kind }) => kind === 'jpeg')?.bytes ?? []);
    // As large as a picture of a page.
    for (let at = photo.indexOf('ffc0', 0, 'hex'); at !== -1; at = photo.indexOf('ffc0', at + 1, 'hex'))
      photo.write('00800080', at + 5, 'hex');
    expect(photo.includes(SECRETS[0])).toBe(true);
    site.pages.set('/photo.jpg', (_, response) =>
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo),
    );
    const room = await newRoom();
    const { id } = await room.line.post(site.url('/photo.jpg'));
    const key = (await room.shown(id))[0]?.image?.key ?? '';
    const { text } = await open(bo, key);
    expect(text.length).toBeGreaterThan(0);
    for (const secret of SECRETS) expect(text).not.toContain(secret);
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
