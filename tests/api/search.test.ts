/** Searching for messages, through the server as it runs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchResponse } from '../../protocol/rest/search.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

const ask = (login: Login, method: string, path: string, json?: unknown) =>
  send(server, `/api/v1${path}`, {
    method,
    token: login.accessToken,
    ...(json === undefined ? {} : { json }),
  });

const get = (login: Login, q: string, rest = '') =>
  ask(login, 'GET', `/search?q=${encodeURIComponent(q)}${rest}`);
const pageOf = async (login: Login, q: string, rest?: string) =>
  expectReply(await get(login, q, rest), 200, searchResponse);
const find = async (login: Login, q: string, rest?: string) =>
  (await pageOf(login, q, rest)).results.map(({ message }) => message.id);

/** A public room of Ann's that Bo is in, and lines of both. */
async function furnished() {
  const room = await createRoom(server, ann);
  await ask(bo, 'PUT', `/rooms/${room.id}/members/me`);
  const [talk, reply] = [await LineClient.start(server, ann), await LineClient.start(server, bo)];
  const close = async () => void (await Promise.all([talk.close(), reply.close()]));
  return { room, talk, reply, close };
}

/** Waits until the index has what was posted. */
const found = (login: Login, q: string, ids: readonly number[]) =>
  eventually(`${q}: ${ids.join()}`, async () => {
    const all = await find(login, q);
    return all.join() === ids.join() || undefined;
  });

describe('GET /api/v1/search', () => {
  test('finds messages that one may read, the newest first, and says where the words are', async () => {
    const { room, talk, reply, close } = await furnished();
    const { id: first } = await talk.post(room.id, 'The zeppelin lands at noon');
    const { id: second } = await reply.post(room.id, 'Zeppelins never land');
    await talk.post(room.id, 'An airship, then');
    await found(ann, 'zeppelin', [second, first]);
    const page = await pageOf(bo, 'zeppelin');
    expect(page).toMatchObject({ next_before_id: null, is_complete: true, indexed_from: null });
    expect(page.results.map(({ hits }) => hits)).toEqual([[[0, 9]], [[4, 12]]]);
    expect(await find(ann, '"zeppelin"')).toEqual([first]);
    expect(await find(ann, 'zeppelin -noon')).toEqual([second]);
    expect(await find(ann, `zeppelin from:${bo.username}`)).toEqual([second]);
    expect(await find(ann, 'zeppelin from:me')).toEqual([first]);
    expect(await find(ann, `zeppelin in:"${room.name}"`)).toEqual([second, first]);
    expect(await find(ann, 'zeppelin in:"no such room"')).toEqual([]);
    expect(await find(ann, 'zeppelin from:nobody-at-all')).toEqual([]);
    expect(await find(ann, 'landing zeppelin')).toEqual([second, first]);
    expect(await find(ann, 'zeppelin on:today')).toEqual([second, first]);
    expect(await find(ann, 'zeppelin before:today')).toEqual([]);
    expect(await find(ann, 'zeppelin after:yesterday')).toEqual([second, first]);
    await close();
  });

  test('goes on where a page ended, without a gap and without a repetition', async () => {
    const { room, talk, close } = await furnished();
    const ids: number[] = [];
    for (let at = 0; at < 7; at++) ids.unshift((await talk.post(room.id, `paginated ${at}`)).id);
    await found(ann, 'paginated', ids);
    const walked: number[] = [];
    for (let before: number | null = 0; before !== null; ) {
      const page = await pageOf(ann, 'paginated', `&limit=2${before === 0 ? '' : `&before_id=${before}`}`);
      walked.push(...page.results.map(({ message }) => message.id));
      before = page.next_before_id;
    }
    expect(walked).toEqual(ids);
    const back: number[] = [];
    for (let after: number | null | undefined = 0; typeof after === 'number'; ) {
      const rest = `&sort=oldest&limit=3${after === 0 ? '' : `&after_id=${after}`}`;
      const page = await pageOf(ann, 'paginated after:yesterday', rest);
      back.push(...page.results.map(({ message }) => message.id));
      expect(page.next_before_id).toBe(null);
      after = page.next_after_id;
    }
    expect(back).toEqual(ids.toReversed());
    await close();
  });

  test('never finds an earlier text, a deleted one, a notice, or one of somebody whom the reader blocks', async () => {
    const { room, talk, reply, close } = await furnished();
    const { id } = await talk.post(room.id, 'before quicksilver');
    const { id: gone } = await talk.post(room.id, 'gone quicksilver');
    const { id: ofBo } = await reply.post(room.id, 'quicksilver of Bo');
    await found(ann, 'quicksilver', [ofBo, gone, id]);
    await ask(ann, 'PUT', `/rooms/${room.id}/messages/${id}`, { content: 'after mercury', base_revision: 0 });
    expect(await find(ann, 'quicksilver')).toEqual([ofBo, gone]);
    await found(ann, 'mercury is:edited', [id]);
    await ask(ann, 'DELETE', `/rooms/${room.id}/messages/${gone}`);
    expect(await find(ann, 'quicksilver')).toEqual([ofBo]);
    await ask(ann, 'PUT', `/me/blocks/${bo.userId}`);
    expect(await find(ann, 'quicksilver')).toEqual([]);
    expect(await find(bo, 'quicksilver')).toEqual([ofBo]);
    await ask(ann, 'DELETE', `/me/blocks/${bo.userId}`);
    expect(await find(ann, 'joined')).toEqual([]);
    await close();
  });

  test('finds nothing of a room from the response to leaving it on, and of a public one with in:', async () => {
    const { room, talk, close } = await furnished();
    const { id } = await talk.post(room.id, 'obsidian');
    await found(bo, 'obsidian', [id]);
    await ask(bo, 'DELETE', `/rooms/${room.id}/members/me`);
    expect(await find(bo, 'obsidian')).toEqual([]);
    expect(await find(bo, `obsidian in:"${room.name}"`)).toEqual([id]);
    expect(await find(bo, 'obsidian in:all')).toEqual([id]);
    const secret = await createRoom(server, ann, undefined, 'private');
    const { id: hidden } = await talk.post(secret.id, 'obsidian, too');
    await found(ann, 'obsidian', [hidden, id]);
    for (const q of ['obsidian in:all', `obsidian in:"${secret.name}"`])
      expect(await find(bo, q)).not.toContain(hidden);
    await close();
  });

  test('finds replies of threads, bookmarks, pins, links and reactions by filters alone, too', async () => {
    const { room, talk, close } = await furnished();
    const { id: root } = await talk.post(room.id, 'root https://example.org/page');
    const { id: plain } = await talk.post(room.id, 'plain');
    const within = ` in:"${room.name}"`;
    await found(ann, `root${within}`, [root]);
    await ask(ann, 'PUT', `/rooms/${room.id}/messages/${plain}/saved`, {});
    await ask(ann, 'PUT', `/rooms/${room.id}/messages/${plain}/pin`);
    await ask(ann, 'PUT', `/rooms/${room.id}/messages/${root}/reactions/${encodeURIComponent('👍')}`);
    const from = talk.mark();
    talk.send({ type: 'message', room_id: room.id, content: 'reply', cid: 'r', thread_id: root });
    const { id: reply } = await talk.waitFor('ack', ({ cid }) => cid === 'r', from);
    await found(ann, `reply${within}`, [reply]);
    await found(ann, `is:thread${within}`, [reply, root]);
    await found(ann, `has:link${within}`, [root]);
    await found(ann, `has:reaction${within}`, [root]);
    await found(ann, `is:pinned${within}`, [plain]);
    expect(await find(ann, `is:saved${within}`)).toEqual([plain]);
    await found(ann, `-has:link${within}`, [reply, plain]);
    await close();
  });

  test('refuses a query without anything to look for, with too much, and with a day that is none', async () => {
    const many = Array.from({ length: 13 }, (_, at) => `word${at}`).join(' ');
    for (const q of ['', ' ', '!!!', many, 'before:someday', 'on:2026-02-30', 'x'.repeat(513)])
      expectRefusal(await get(ann, q), 400, 'invalid query');
    expectRefusal(await ask(ann, 'GET', '/search'), 400, 'invalid query');
    expectRefusal(await get(ann, 'x', '&limit=51'), 400, 'invalid limit');
    expectRefusal(await get(ann, 'x', '&before_id=0'), 400, 'invalid before_id');
    expectRefusal(await get(ann, 'x', '&sort=oldest&after_id=x'), 400, 'invalid after_id');
    expectRefusal(await get(ann, 'x', '&sort=best'), 400, 'invalid payload');
  });
});

test('texts from before a restart, and those that were killed on the way to the index, are found', async () => {
  const { room, talk } = await furnished();
  const { id } = await talk.post(room.id, 'basalt');
  const { id: last } = await talk.post(room.id, 'basalt again');
  await server.kill();
  await server.restart();
  await found(ann, 'basalt', [last, id]);
});
