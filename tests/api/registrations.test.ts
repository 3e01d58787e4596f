/** Ending a flood of new accounts by address and time, in one act; and the cap of the default room. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOM_MEMBERS_MAX } from '../../protocol/limits.ts';
import {
  auditResponse,
  endedRegistrations,
  registrationsResponse,
} from '../../protocol/rest/administration.ts';
import { myRoomsResponse } from '../../protocol/rest/rooms.ts';
import { openDatabase } from '../../server/data/storage/sqlite/driver/open.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import {
  createRoom,
  findRoom,
  type Login,
  logIn,
  PASSWORD,
  readHistory,
  signUp,
  uniqueName,
} from '../support/users.ts';

let server: ServerProcess;
let root: Login;
let lobby: number;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { TRUST_PROXY: '127.0.0.1', MESSAGES_PER_SECOND: '0' } });
  root = await signUp(server);
  expect((await runCommand(server, ['admin', 'grant', root.username])).code).toBe(0);
  // The first public room is a default room.
  lobby = (await createRoom(server, root)).id;
}, 60_000);
afterAll(async () => await server?.dispose());

/** The address of the client and its spelling in a request to end a flood. */
let block = 0;
const newAddress = () => `203.0.113.${++block}`;

async function register(address: string): Promise<string> {
  const username = uniqueName('new');
  const headers = { 'x-forwarded-for': address };
  const { status } = await post(
    server,
    '/api/v1/auth/register',
    { username, password: PASSWORD },
    { headers },
  );
  expect(status).toBe(201);
  return username;
}

const end = (body: object, actor = root) =>
  post(
    server,
    '/api/v1/admin/registrations/end',
    { since: '2026-01-01T00:00:00.000Z', act: 'suspend', ...body },
    { token: actor.accessToken },
  );

const ended = async (body: object) => expectReply(await end(body), 200, endedRegistrations);

const login = (username: string) => post(server, '/api/v1/auth/login', { username, password: PASSWORD });

describe('the accounts of an address', () => {
  it('are suspended in one act: sockets close, places in rooms are free, others stay; the log has one row', async () => {
    const [address, other] = [newAddress(), newAddress()];
    const room = await createRoom(server, root);
    const flood = [await register(address), await register(address), await register(address)];
    const bystander = await register(other);
    const people = await Promise.all(flood.map((name) => logIn(server, name)));
    const lines = await Promise.all(people.map((person) => LineClient.start(server, person)));
    for (const { accessToken: token } of people)
      expect(
        (await send(server, `/api/v1/rooms/${room.id}/members/me`, { method: 'PUT', token })).status,
      ).toBe(200);
    expect((await findRoom(server, root, room.id))?.members).toBe(4);

    expect(await ended({ address, dry_run: true })).toEqual({ accounts: 3, spared: 0, has_more: false });
    expect((await login(flood[0] ?? '')).status).toBe(200);
    expect(await ended({ address, reason: 'Advertising' })).toEqual({
      accounts: 3,
      spared: 0,
      has_more: false,
    });
    await Promise.all(lines.map((line) => line.closed));
    for (const { accessToken: token } of people)
      expectRefusal(await send(server, '/api/v1/me', { token }), 401, 'invalid token');
    for (const name of flood) expectRefusal(await login(name), 403, 'account suspended');
    expect((await login(bystander)).status).toBe(200);
    expect((await findRoom(server, root, room.id))?.members).toBe(1);
    expect(await ended({ address })).toEqual({ accounts: 0, spared: 0, has_more: false });

    const audit = await send(server, '/api/v1/admin/audit?limit=1', { token: root.accessToken });
    const [row] = expectReply(audit, 200, auditResponse).entries;
    expect(row).toMatchObject({ action: 'registrations_ended', actor: { user_id: root.userId }, user: null });
    expect(row?.details).toMatchObject({ act: 'suspend', accounts: 3, reason: 'Advertising' });
    expect(JSON.stringify(row)).not.toContain(address);
  });

  it('of a network of IPv6 (/64) count as those of one, in any spelling', async () => {
    for (const host of ['1', '2']) await register(`2001:db8:0:7::${host}`);
    expect(await ended({ address: '2001:DB8:0:7::/64', dry_run: true })).toMatchObject({ accounts: 2 });
    expect(await ended({ address: '2001:db8:0:7::9' })).toMatchObject({ accounts: 2 });
  });

  it('are listed with their numbers, and found by one of them', async () => {
    const address = newAddress();
    const [one] = [await register(address), await register(address)];
    const { userId } = await logIn(server, one);
    const list = (query: string, token = root.accessToken) =>
      send(server, `/api/v1/admin/registrations?${query}`, { token });
    const { addresses } = expectReply(await list(`user_id=${userId}`), 200, registrationsResponse);
    expect(addresses).toMatchObject([{ address, accounts: 2, suspended: 0 }]);
    const all = expectReply(await list('since=2026-01-01T00:00:00.000Z'), 200, registrationsResponse);
    expect(all.addresses).toContainEqual(addresses[0]);
    expect(
      expectReply(await list('until=2026-01-01T00:00:00.000Z'), 200, registrationsResponse).addresses,
    ).toEqual([]);
  });

  it('are for admins only; a wrong address, a time that is none, and a missing address are refused', async () => {
    const address = newAddress();
    await register(address);
    const member = await signUp(server);
    expectRefusal(await end({ address }, member), 404, 'not found');
    expectRefusal(await end({ address, dry_run: true }, member), 404, 'not found');
    const list = await send(server, '/api/v1/admin/registrations', { token: member.accessToken });
    expectRefusal(list, 404, 'not found');
    for (const wrong of [{ address: 'here' }, { address: '203.0.113.1/64' }, { address, since: 'today' }, {}])
      expectRefusal(await end(wrong), 400, 'invalid payload');
    expect(await ended({ address, dry_run: true })).toMatchObject({ accounts: 1 });
  });

  it('admins and named accounts are left alone', async () => {
    const address = newAddress();
    const [admin, named, plain] = [await register(address), await register(address), await register(address)];
    expect((await runCommand(server, ['admin', 'grant', admin])).code).toBe(0);
    const { userId } = await logIn(server, named);
    expect(await ended({ address, keep: [userId] })).toEqual({ accounts: 1, spared: 2, has_more: false });
    expect((await login(admin)).status).toBe(200);
    expect((await login(named)).status).toBe(200);
    expectRefusal(await login(plain), 403, 'account suspended');
  });

  it('are removed with their texts where the admin says so, also after they were suspended', async () => {
    const address = newAddress();
    const room = await createRoom(server, root);
    const person = await logIn(server, await register(address));
    const line = await LineClient.start(server, person);
    await line.post(room.id, 'Buy now!');
    await ended({ address });
    await line.closed;
    const contents = async () => (await readHistory(server, root, room.id)).map(({ content }) => content);
    expect(await contents()).toContain('Buy now!');
    expect(await ended({ address, act: 'remove' })).toMatchObject({ accounts: 1 });
    await eventually('the texts are gone', async () => !(await contents()).includes('Buy now!') || undefined);
    expectRefusal(await login(person.username), 401, 'invalid credentials');
  });
});

describe.skipIf(whyNotEmbedded() !== undefined)('roomful user end-newcomers', () => {
  it('says how many they are, and with --yes disables all, in pieces, with one row of the log', async () => {
    const address = newAddress();
    const names: string[] = [];
    for (let count = 0; count < 60; count++) names.push(await register(address));
    const [kept = '', first = ''] = names;
    const listed = await runCommand(server, ['user', 'newcomers', '--like', kept]);
    expect(listed.stdout.split('\n')[1]?.split(/ {2,}/).slice(0, 3)).toEqual([address, '60', '0']);
    const args = ['user', 'end-newcomers', '--since', '2026-01-01T00:00Z', '--keep', kept];
    const dry = await runCommand(server, [...args, '--address', address]);
    const [sentence, ...listedNames] = dry.stdout.trimEnd().split('\n');
    expect(sentence).toBe('59 accounts would be disabled; 1 left alone. Add --yes.');
    expect(listedNames.map((line) => line.trim())).toEqual(names.filter((name) => name !== kept));
    expect((await login(first)).status).toBe(200);
    const done = await runCommand(server, [...args, '--address', address, '--yes', '--json']);
    expect(done).toEqual({ code: 0, stdout: '{"accounts":59,"spared":1}\n', stderr: '' });
    expectRefusal(await login(first), 403, 'account suspended');
    expect((await login(kept)).status).toBe(200);
    const log = JSON.parse((await runCommand(server, ['audit', '--json'])).stdout);
    expect(log.entries[0]).toMatchObject({
      action: 'registrations_ended',
      actor: null,
      details: { accounts: 59 },
    });
    expect(log.entries[1]?.details?.accounts).not.toBe(50);
    const neither = await runCommand(server, args);
    expect([neither.code, neither.stderr]).toEqual([2, 'Either --address or --any-address is needed.\n']);
    const wrong = await runCommand(server, [...args, '--address', 'here']);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('The address is none')]);
  });
});

describe.skipIf(whyNotEmbedded() !== undefined)('a default room that is full', () => {
  /** As many members as a room may have. */
  async function fill(members: number): Promise<number> {
    await server.stop();
    const sqlite = openDatabase(join(server.dataDir, 'data/roomful.db'), { timeoutMs: 5000 });
    const [row] = sqlite
      .prepare<[number], { members: number }>('SELECT members FROM rooms WHERE id = ?')
      .all(lobby);
    sqlite.prepare('UPDATE rooms SET members = ? WHERE id = ?').run(members, lobby);
    sqlite.close();
    await server.restart();
    return row?.members ?? 0;
  }

  const roomsOf = async (person: Login) => {
    const reply = await send(server, '/api/v1/me/rooms', { token: person.accessToken });
    return expectReply(reply, 200, myRoomsResponse).rooms.map(({ room }) => room.id);
  };

  it('is not joined: the account is made without it, and can still find and read it; when a place is free others join', async () => {
    const before = await fill(ROOM_MEMBERS_MAX);
    const person = await signUp(server);
    expect(await roomsOf(person)).not.toContain(lobby);
    const join = { method: 'PUT', token: person.accessToken };
    expectRefusal(await send(server, `/api/v1/rooms/${lobby}/members/me`, join), 409, 'limit reached');
    expect((await findRoom(server, person, lobby))?.id).toBe(lobby);
    await readHistory(server, person, lobby);
    await fill(before);
    expect(await roomsOf(await signUp(server))).toContain(lobby);
  });
});
