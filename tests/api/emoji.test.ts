/** Emoji of the server. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filePath } from '../../protocol/file-names.ts';
import { PICTURE_MAX } from '../../protocol/limits.ts';
import { JPEG, PNG } from '../../protocol/media/testing/samples.ts';
import { auditResponse } from '../../protocol/rest/administration.ts';
import { emojiResponse, serverEmoji } from '../../protocol/rest/emoji.ts';
import { reactionsResponse } from '../../protocol/rest/messages.ts';
import { expectReply } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { bearer, fetchBytes } from '../support/sent-files.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp, signUpAdmin, signUpCrowd } from '../support/users.ts';

const PATH = '/api/v1/emoji';

let server: ServerProcess;
let root: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  root = await signUpAdmin(server);
});
afterAll(async () => await server?.dispose());

async function put(login: Login, name: string, bytes: Uint8Array = PNG) {
  const response = await fetch(`${server.url}${PATH}/${encodeURIComponent(name)}`, {
    method: 'PUT',
    headers: bearer(login),
    body: Uint8Array.from(bytes),
  });
  return { status: response.status, json: await response.json() };
}

const refused = (status: number, error: string) => ({ status, json: { error } });
const remove = async ({ accessToken: token }: Login, name: string) =>
  await send(server, `${PATH}/${name}`, { method: 'DELETE', token });
const list = async ({ accessToken: token }: Login) =>
  expectReply(await send(server, PATH, { token }), 200, emojiResponse).emoji;
const named = async (login: Login, name: string) => (await list(login)).find((one) => one.name === name);
const open = (login: Login, key: string) =>
  fetchBytes(server, filePath(key, 'emoji'), { headers: bearer(login) });

/** Somebody with another role than that of a new user. */
async function signUpAs(role: 'admin' | 'guest'): Promise<Login> {
  const login = await signUp(server);
  const { status } = await send(server, `/api/v1/admin/users/${login.userId}`, {
    ...{ method: 'PATCH', token: root.accessToken, json: { role } },
  });
  expect(status).toBe(200);
  return login;
}

describe('PUT /api/v1/emoji/:name', () => {
  test('everybody finds it in the list, and may keep its picture: another one has another key', async () => {
    const [ann, bo] = [await signUp(server), await signUp(server)];
    const { status, json } = await put(ann, 'party-parrot');
    expect(status).toBe(201);
    const emoji = serverEmoji.parse(json);
    expect(emoji).toMatchObject({ name: 'party-parrot', created_by: ann.userId });
    expect(await named(bo, 'party-parrot')).toEqual(emoji);
    const picture = await open(bo, emoji.key);
    expect([picture.status, picture.headers['content-type'], picture.headers['cache-control']]).toEqual([
      200,
      'image/png',
      'private, max-age=31536000, immutable',
    ]);
    expect((await fetchBytes(server, filePath(emoji.key, 'emoji'))).status).toBe(401);
  });

  test('400 invalid payload: a name of other characters, too short, too long, or with a mark at an end', async () => {
    const ann = await signUp(server);
    for (const name of ['y', 'Party', 'par ty', 'partü', '-party', 'party_', 'y'.repeat(33), ':party:', '🎉'])
      expect(await put(ann, name), name).toEqual(refused(400, 'invalid payload'));
    for (const name of ['a1', '77', 'a_b-c', 'y'.repeat(32)])
      expect((await put(ann, name)).status, name).toBe(201);
  });

  test('409 emoji name taken: a name that an emoji has, of the server or of Unicode', async () => {
    const [ann, bo] = [await signUp(server), await signUp(server)];
    expect((await put(ann, 'taken')).status).toBe(201);
    for (const name of ['taken', 'tada', 'thumbsup', 'flag-at', 'heart'])
      expect(await put(bo, name), name).toEqual(refused(409, 'emoji name taken'));
    expect(await named(bo, 'taken')).toMatchObject({ created_by: ann.userId });
  });

  test('400 invalid picture: no picture, a script, an empty body; 413 above 256 KiB; nothing of it stays', async () => {
    const ann = await signUp(server);
    for (const text of ['hello', '', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a<script>'])
      expect(await put(ann, 'no-picture', new TextEncoder().encode(text))).toEqual(
        refused(400, 'invalid picture'),
      );
    const long = await put(ann, 'no-picture', new Uint8Array(PICTURE_MAX + 1));
    expect(long).toEqual(refused(413, 'payload too large'));
    expect(await named(ann, 'no-picture')).toBeUndefined();
    expect((await put(ann, 'no-picture', JPEG)).status).toBe(201);
  });

  test('403 not allowed to guests, who see the others', async () => {
    const guest = await signUpAs('guest');
    expect(await put(guest, 'of-a-guest')).toEqual(refused(403, 'not allowed'));
    expect(await named(guest, 'of-a-guest')).toBeUndefined();
    await put(root, 'for-guests');
    const emoji = await named(guest, 'for-guests');
    expect((await open(guest, emoji?.key ?? '')).status).toBe(200);
  });

  test('20 at once with one name: one has it, the others are refused', async () => {
    const people = await signUpCrowd(server, 5);
    const wanting = Array.from({ length: 20 }, (_, index) => people[index % people.length] as Login);
    const replies = await Promise.all(wanting.map((login) => put(login, 'wanted')));
    const added = replies.filter(({ status }) => status === 201);
    expect(added).toHaveLength(1);
    for (const reply of replies)
      if (reply.status !== 201)
        expect([refused(409, 'emoji name taken'), refused(409, 'limit reached')]).toContainEqual(reply);
    expect(await named(root, 'wanted')).toEqual(added[0]?.json);
  });

  test('429 beyond the budget of changes', async () => {
    const ann = await signUp(server);
    const statuses = new Set<number>();
    for (let count = 0; count < 40; count++) statuses.add((await put(ann, 'tada')).status);
    expect(statuses).toEqual(new Set([409, 429]));
  });
});

describe('DELETE /api/v1/emoji/:name', () => {
  test('whoever added it may, and an admin, whose act the audit log has; nobody else may', async () => {
    const [ann, bo, guest] = [await signUp(server), await signUp(server), await signUpAs('guest')];
    const admin = await signUpAs('admin');
    for (const name of ['first', 'second']) await put(ann, name);
    for (const login of [bo, guest])
      expect(await remove(login, 'first')).toMatchObject(refused(403, 'not allowed'));
    const key = (await named(bo, 'first'))?.key ?? '';
    expect((await remove(ann, 'first')).status).toBe(204);
    expect((await open(bo, key)).status).toBe(404);
    expect((await remove(admin, 'second')).status).toBe(204);
    expect(await remove(admin, 'second')).toMatchObject(refused(404, 'emoji not found'));
    expect(await remove(admin, 'Second')).toMatchObject(refused(400, 'invalid payload'));
    const audit = await send(server, '/api/v1/admin/audit', { token: root.accessToken });
    const entries = expectReply(audit, 200, auditResponse).entries.filter(
      ({ action }) => action === 'emoji_deleted',
    );
    expect(entries.map(({ actor, user, details }) => [actor?.user_id, user?.user_id, details])).toEqual([
      [admin.userId, ann.userId, { emoji: 'second' }],
    ]);
  });
});

describe('a reaction with an emoji of the server', () => {
  test('is refused with 404 until there is one, by a request and on a line; taking it back always works', async () => {
    const [ann, bo] = [await signUp(server), await signUp(server)];
    const { id: roomId } = await createRoom(server, ann);
    const line = await LineClient.start(server, bo);
    line.send({ type: 'message', room_id: roomId, content: 'hello', cid: 'c1' });
    const { id: messageId } = await line.waitFor('ack', ({ cid }) => cid === 'c1');
    const path = `/api/v1/rooms/${roomId}/messages/${messageId}/reactions`;
    const react = async (login: Login, emoji: string, method = 'PUT') =>
      await send(server, `${path}/${encodeURIComponent(emoji)}`, { method, token: login.accessToken });
    const shown = async () =>
      expectReply(await send(server, path, { token: ann.accessToken }), 200, reactionsResponse).reactions.map(
        ({ emoji, count }) => [emoji, count],
      );

    expect(await react(ann, ':dance1:')).toMatchObject(refused(404, 'emoji not found'));
    for (const bad of [':Dance:', ':dance', ':d:', ':-dance:', '::', ': :'])
      expect(await react(ann, bad), bad).toMatchObject(refused(400, 'bad request'));
    await put(ann, 'dance1');
    for (const login of [ann, bo]) expect((await react(login, ':dance1:')).status).toBe(204);
    expect(await shown()).toEqual([[':dance1:', 2]]);

    const change = { type: 'react' as const, room_id: roomId, id: messageId };
    line.send({ ...change, emoji: ':nothing:', on: true, ref: 'r1' });
    expect(await line.waitFor('error', ({ ref }) => ref === 'r1')).toMatchObject({ code: 'emoji_not_found' });
    expect((await remove(ann, 'dance1')).status).toBe(204);
    expect(await shown()).toEqual([[':dance1:', 2]]);
    line.send({ ...change, emoji: ':dance1:', on: false, ref: 'r2' });
    await line.waitFor('changed', ({ ref }) => ref === 'r2');
    await line.close();
    expect(await react(bo, ':dance1:')).toMatchObject(refused(404, 'emoji not found'));
    expect((await react(ann, ':dance1:', 'DELETE')).status).toBe(204);
    expect(await shown()).toEqual([]);
  });

  test('the emoji of a room and of a status are those of Unicode', async () => {
    const ann = await signUp(server);
    await put(ann, 'only-text');
    const { id } = await createRoom(server, ann);
    const token = ann.accessToken;
    const [emoji, text] = [':only-text:', 'busy'];
    for (const [path, json] of [
      [`/api/v1/rooms/${id}`, { emoji }],
      ['/api/v1/me', { status: { text, emoji } }],
    ] as const)
      expect(await send(server, path, { method: 'PATCH', token, json })).toMatchObject(
        refused(400, 'invalid payload'),
      );
  });
});

describe('hello', () => {
  test('has another stamp whenever the emoji have changed, and none while there are none', async () => {
    const alone = await ServerProcess.start();
    try {
      const ann = await signUp(alone);
      const stamp = async () => {
        const line = await LineClient.start(alone, ann);
        await line.close();
        return line.hello.emoji;
      };
      const change = async (method: string, name: string) => {
        const body = method === 'PUT' ? { body: Uint8Array.from(PNG) } : {};
        const path = `${alone.url}${PATH}/${name}`;
        expect((await fetch(path, { method, headers: bearer(ann), ...body })).ok).toBe(true);
      };
      expect(await stamp()).toBeUndefined();
      await change('PUT', 'ours-a');
      const first = await stamp();
      await change('PUT', 'ours-b');
      const second = await stamp();
      expect(await stamp()).toBe(second);
      await change('DELETE', 'ours-a');
      const third = await stamp();
      expect(new Set([undefined, first, second, third]).size).toBe(4);
      await change('DELETE', 'ours-b');
      expect(await stamp()).toBeUndefined();
    } finally {
      await alone.dispose();
    }
  });
});

test('the names of emoji of Unicode are those of the data of pickers and completion', () => {
  const written = execFileSync(process.execPath, ['scripts/emoji-names.mjs'], { encoding: 'utf8' });
  expect(readFileSync('server/rules/names/standard-emoji-names.ts', 'utf8')).toBe(written);
});
