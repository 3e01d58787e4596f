/** `roomful import` of one room. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inboxResponse } from '../../protocol/rest/notifications.ts';
import { myRoomsResponse } from '../../protocol/rest/rooms.ts';
import { linesOf, NOW, newPerson, newRoom, withoutIds } from '../postgres/a-room.ts';
import { changeManifest, contentOf, rewrite } from '../postgres/exporting.ts';
import { RoomImporting } from '../postgres/room-importing.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { logIn, PASSWORD, readHistory, signUp } from '../support/users.ts';

let importing: RoomImporting;
beforeEach(() => {
  importing = new RoomImporting();
});
afterEach(() => importing.dispose());

describe('the import of one room', () => {
  it('brings back all that the export shows, under ids of this server', async () => {
    const from = await importing.exported();
    const target = await importing.place(async (store) => {
      const zoe = await newPerson(store, 'ZOE');
      await newRoom(store, zoe, 'Here');
      await newPerson(store, 'max');
    });
    const { room, matched, made } = await importing.bring(target, from);
    expect(matched.toSorted()).toEqual(['ZOE', 'max']);
    expect(made).toEqual(['olga', 'mia', 'guy', expect.stringMatching(/^Removed user \d+$/)]);
    const again = await importing.exportRoom(target, room.id);
    const expected = withoutIds(from);
    // The people of this server keep their own spelling.
    const spelled = Object.fromEntries(
      Object.entries(expected).map(([name, lines]) => [
        name,
        lines.map((line) => line.replaceAll('"zoe"', '"ZOE"').replaceAll('\\"zoe\\"', '\\"ZOE\\"')),
      ]),
    );
    expect(sorted(withoutIds(again))).toEqual(sorted(spelled));
    await importing.expectSound(target);
  });

  it('into an empty database: an export of it and an import of that give identical files, whatever has happened', async () => {
    const step = fc.record({ act: fc.nat(9), by: fc.nat(5), on: fc.nat(30) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const first = await importing.exported(steps);
        const [one, two] = [await importing.place(), await importing.place()];
        const second = await importing.exportRoom(one, (await importing.bring(one, first)).room.id);
        expect(withoutIds(second)).toEqual(withoutIds(first));
        const third = await importing.exportRoom(two, (await importing.bring(two, second)).room.id);
        expect(contentOf(third)).toEqual(contentOf(second));
        await importing.expectSound(two);
      }),
      { numRuns: 5 },
    );
  }, 120_000);

  it('gives ids above all that were ever given, and a second import makes a second room', async () => {
    const from = await importing.exported();
    const target = await importing.place();
    const first = await importing.bring(target, from);
    await importing.inStore(target, (store) =>
      store.deleteRoom({ roomId: first.room.id, actorId: null, now: NOW + 9e6 }),
    );
    const second = await importing.bring(target, from, { name: 'Second' });
    expect(second.room).toEqual({ id: first.room.id + 1, name: 'Second' });
    // Removed accounts have no name by which they could be found.
    expect(second.made).toHaveLength(1);
    const ids = (folder: string) => linesOf(folder, 'messages').map(({ id }) => Number(id));
    const [one, two] = [
      await importing.exportRoom(target, first.room.id),
      await importing.exportRoom(target, second.room.id),
    ];
    expect(Math.min(...ids(two))).toBeGreaterThan(Math.max(...ids(one)));
    await importing.expectSound(target);
  });

  it('raises nobody: accounts that are made are members, and the people of this server keep their roles', async () => {
    const from = await importing.exported();
    const target = await importing.place(async (store) => {
      await store.setRole({
        actorId: null,
        userId: await newPerson(store, 'olga'),
        role: 'guest',
        now: NOW,
      });
    });
    await importing.bring(target, from);
    const people = linesOf(await importing.export(target), 'users');
    expect(people.map(({ username, role }) => [username, role])).toEqual([
      ['olga', 'guest'],
      ...['max', 'mia', 'guy', 'zoe', expect.anything()].map((name) => [name, 'member']),
    ]);
  });

  it('the export has no name of somebody whose account was removed', async () => {
    const notices = linesOf(await importing.exported(), 'messages').filter(({ kind }) => kind === 1);
    const roles = notices.map(({ extra }) => JSON.parse(String(extra))).filter(({ kind }) => kind === 'role');
    expect(roles.map(({ member }) => member.username)).toEqual([
      'max',
      expect.stringMatching(/^Removed user \d+$/),
    ]);
  });

  it('a room keeps its hue, and an export from before hues gives it none', async () => {
    const source = await importing.place(async (store) => {
      const olga = await newPerson(store, 'olga');
      const roomId = await newRoom(store, olga, 'Colours');
      await store.changeRoom({ roomId, actorId: olga, patch: { hue: 'plum' }, now: NOW });
    });
    const from = await importing.exportRoom(source, 1);
    const target = await importing.place();
    const hueOf = async (id: number) => linesOf(await importing.exportRoom(target, id), 'rooms')[0]?.hue;
    expect(await hueOf((await importing.bring(target, from)).room.id)).toBe('plum');
    rewrite(from, 'rooms.jsonl', (text) => text.replace('"hue":"plum",', ''));
    rewrite(from, 'messages.jsonl', (text) => text.replaceAll('\\"hue\\":\\"plum\\",', ''));
    changeManifest(from, { schema: 11 });
    const older = await importing.bring(target, from, { name: 'Older' });
    expect(await hueOf(older.room.id)).toBeNull();
    changeManifest(from, { schema: 10 });
    await expect(importing.bring(target, from, { name: 'Oldest' })).rejects.toThrow(/schema 10/);
  });

  it('a dry run says what an import would do, and changes nothing', async () => {
    const from = await importing.exported();
    const target = await importing.place((store) => newPerson(store, 'mia'));
    const before = contentOf(await importing.export(target));
    const dry = await importing.bring(target, from, { isDryRun: true });
    expect(contentOf(await importing.export(target))).toEqual(before);
    expect(await importing.bring(target, from)).toEqual(dry);
  });

  it('needs a name that is free, and an owner', async () => {
    const from = await importing.exported();
    const target = await importing.place(async (store) => {
      await newRoom(store, await newPerson(store, 'zoe'), 'CAFÉ');
    });
    await expect(importing.bring(target, from)).rejects.toThrow(
      /^There is a public room with the name "Café", or with one that looks like it\. Give .* --name\.$/,
    );
    await expect(importing.bring(target, from, { name: 'a\u0000b' })).rejects.toThrow(
      /"name" is not allowed/,
    );
    rewrite(from, 'members.jsonl', (text) => text.replace('"owner"', '"member"'));
    const other = { name: 'Other' };
    await expect(importing.bring(target, from, other)).rejects.toThrow(
      /^The room comes without an owner\. Name .* --owner\.$/,
    );
    await expect(importing.bring(target, from, { ...other, owner: 'nobody' })).rejects.toThrow(
      /^There is no person "nobody"/,
    );
    const { room } = await importing.bring(target, from, { ...other, owner: 'Zoe' });
    const members = linesOf(await importing.exportRoom(target, room.id), 'members');
    expect(members.filter(({ role }) => role === 'owner')).toEqual([expect.objectContaining({ user_id: 1 })]);
    await importing.expectSound(target);
  });
});

function sorted(files: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(files).map(([name, lines]) => [name, lines.toSorted()]));
}

describe.skipIf(whyNotEmbedded() !== undefined)('of a running service', () => {
  let server: ServerProcess;
  beforeEach(async () => {
    server = await ServerProcess.start();
  });
  afterEach(async () => await server?.dispose());

  const run = (...args: string[]) => runCommand(server, args);

  it('an imported room is read, paged and written to, nobody is told of its old texts, and no made account signs in', async () => {
    const [ann, max] = [await signUp(server, 'Zoe'), await signUp(server, 'Max')];
    const from = await importing.exported([...Array(40)].map((_, on) => ({ act: 0, by: on % 4, on })));
    const texts = linesOf(from, 'messages').filter(({ kind }) => kind === 0);
    const running = await run('import', '--from', from, '--yes');
    expect([running.code, running.stderr]).toEqual([1, expect.stringMatching(/^Another Roomful is using/)]);
    await server.stop();
    const unsure = await run('import', '--from', from);
    expect([unsure.code, unsure.stderr]).toEqual([
      2,
      expect.stringMatching(/See whose with --dry-run, then import with --yes\.\n$/),
    ]);
    const owner = ['--owner', ann.username];
    const dry = await run('import', '--from', from, '--dry-run', ...owner);
    expect([dry.code, dry.stdout]).toEqual([
      0,
      expect.stringMatching(/^The room "Café" would be imported as \d+: /),
    ]);
    expect(dry.stdout).toMatch(
      /\n2 people of this server would be named in it: Max, Zoe\.\n4 accounts would be made, .*: olga, mia, guy, Removed user \d+\.\nNothing was changed\.\n$/,
    );
    const imported = await run('import', '--from', from, '--yes', ...owner, '--json');
    expect([imported.code, imported.stderr]).toEqual([0, '']);
    const { room, made } = JSON.parse(imported.stdout);
    expect(made).toHaveLength(4);
    await server.restart();
    const again = await logIn(server, ann.username);
    const line = await LineClient.start(server, again);
    const history = await readHistory(server, again, room.id);
    expect(history.map(({ content }) => content)).toEqual(texts.map(({ content }) => content));
    expect((await line.post(room.id, 'after the import')).seq).toBe(
      Number(linesOf(from, 'rooms')[0]?.seq) + 1,
    );
    await line.close();
    const bob = await signUp(server);
    const other = await LineClient.start(server, bob);
    const { id } = await other.post(room.id, '@zoe here');
    await other.close();
    const inbox = await eventually('the mention is in the inbox', async () => {
      const { json } = await send(server, '/api/v1/me/inbox', { token: again.accessToken });
      const { entries } = inboxResponse.parse(json);
      return entries.length > 0 ? entries : undefined;
    });
    expect(inbox.map(({ message }) => message.id)).toEqual([id]);
    expectRefusal(
      await post(server, '/api/v1/auth/login', { username: 'olga', password: PASSWORD }),
      401,
      'invalid credentials',
    );
    const { accessToken: token } = await logIn(server, max.username);
    const { rooms } = myRoomsResponse.parse((await send(server, '/api/v1/me/rooms', { token })).json);
    // The two texts that came after the import.
    expect(rooms).toMatchObject([
      { room: { id: room.id }, me: { role: 'moderator' }, unread: 2, mentions: 0 },
    ]);
    const verified = await run('verify');
    expect([verified.code, verified.stderr]).toEqual([0, '']);
    expect(readFileSync(join(from, 'manifest.json'), 'utf8')).toContain('roomful room 2');
  });
});
