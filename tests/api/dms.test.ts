import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Room, roomSchema } from '../../protocol/rooms.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { post, type RequestOptions, send, type Target } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type Login, signUp, signUpCrowd } from '../support/users.ts';

let server: ServerProcess;
let ann: Login;
let bo: Login;
let cy: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo, cy] = [await signUp(server), await signUp(server), await signUp(server)];
});
afterAll(async () => await server?.dispose());

const ask = (path: string, options: RequestOptions = {}, login = ann) =>
  send(server, `/api/v1${path}`, { token: login.accessToken, ...options });
const talk = (others: unknown, login = ann, target: Target = server) =>
  post(target, '/api/v1/dms', { user_ids: others }, { token: login.accessToken });
const idsOf = (room: Room) => room.people?.map(({ user_id }) => user_id);

describe('POST /api/v1/dms', () => {
  test('201 for a new conversation, 200 for the existing one, for each of its people and in any order', async () => {
    const made = expectReply(await talk([bo.userId, cy.userId]), 201, roomSchema);
    expect(made).toMatchObject({ kind: 'dm', name: '', members: 3, seq: 0 });
    expect(idsOf(made)).toEqual([bo.userId, cy.userId]);
    const found = expectReply(await talk([cy.userId, bo.userId, ann.userId, cy.userId]), 200, roomSchema);
    expect(found.id).toBe(made.id);
    const byBo = expectReply(await talk([ann.userId, cy.userId], bo), 200, roomSchema);
    expect(byBo.id).toBe(made.id);
    expect(idsOf(byBo)).toEqual([ann.userId, cy.userId]);
    const pair = expectReply(await talk([bo.userId]), 201, roomSchema);
    expect(pair.id).not.toBe(made.id);
  });

  test('with oneself alone it is notes', async () => {
    const notes = expectReply(await talk([]), 201, roomSchema);
    expect(notes).toMatchObject({ kind: 'dm', members: 1 });
    expect(idsOf(notes)).toEqual([ann.userId]);
    expect(expectReply(await talk([ann.userId]), 200, roomSchema).id).toBe(notes.id);
  });

  test('of two racers both get one room', async () => {
    const [dee, eve] = [await signUp(server), await signUp(server)];
    const racers = Array.from({ length: 20 }, (_, index) =>
      index % 2 ? talk([dee.userId], eve) : talk([eve.userId], dee),
    );
    const replies = await Promise.all(racers);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(replies.map(({ json }) => (json as Room).id)).size).toBe(1);
  });

  test('10 people at most, oneself included', async () => {
    const ids = (await signUpCrowd(server, 10)).map(({ userId }) => userId);
    expectRefusal(await talk(ids), 400, 'invalid payload');
    expectReply(await talk(ids.slice(1)), 201, roomSchema);
  }, 30_000);

  test.each([undefined, null, 1, [0], ['1'], [1.5], new Array(11).fill(1)])(
    '400 invalid payload: %j',
    async (ids) => {
      expectRefusal(await talk(ids), 400, 'invalid payload');
    },
  );

  test('404 user not found', async () => {
    expectRefusal(await talk([bo.userId, 999_999]), 404, 'user not found');
  });
});

describe('a limit a day', () => {
  test('of new rooms and of new conversations: 409 limit reached; what is there can still be found', async () => {
    await using limited = await ServerProcess.start({ env: { ROOMS_PER_DAY: '2', DMS_PER_DAY: '1' } });
    const [dee, eve, fay] = [await signUp(limited), await signUp(limited), await signUp(limited)];
    const make = (login: Login, name: string) =>
      post(limited, '/api/v1/rooms', { name }, { token: login.accessToken });
    for (const name of ['one', 'two']) expectReply(await make(dee, name), 201, roomSchema);
    expectRefusal(await make(dee, 'three'), 409, 'limit reached');
    expectReply(await make(eve, 'three'), 201, roomSchema);
    expectReply(await talk([eve.userId], dee, limited), 201, roomSchema);
    expectRefusal(await talk([fay.userId], dee, limited), 409, 'limit reached');
    expectReply(await talk([eve.userId], dee, limited), 200, roomSchema);
    expectReply(await talk([dee.userId], eve, limited), 200, roomSchema);
  });
});

describe('hiding a conversation', () => {
  test('takes it off the own list until it is opened again', async () => {
    const dm = expectReply(await talk([(await signUp(server)).userId]), 201, roomSchema);
    const isListed = async () => {
      const { rooms } = (await ask('/me/rooms')).json as { rooms: { room: Room }[] };
      return rooms.some(({ room }) => room.id === dm.id);
    };
    expect(await isListed()).toBe(true);
    expect((await ask(`/rooms/${dm.id}/prefs`, { method: 'PUT', json: { hidden: true } })).status).toBe(200);
    expect(await isListed()).toBe(false);
    expect(idsOf(dm)).toHaveLength(1);
    expectReply(await talk(idsOf(dm)), 200, roomSchema);
    expect(await isListed()).toBe(true);
  });
});
