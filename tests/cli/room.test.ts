/** `roomful room`, while the server runs and while it is stopped. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { createRoom, findRoom, type Login, readHistory, signUp, uniqueName } from '../support/users.ts';

let server: ServerProcess;
let ann: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  ann = await signUp(server);
}, 60_000);
afterAll(async () => await server?.dispose());

const run = (...args: string[]) => runCommand(server, args);
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

describe.skipIf(whyNotEmbedded() !== undefined)('roomful room', () => {
  it('renames, archives and opens a room on a running server; clients hear of it at once', async () => {
    const room = await createRoom(server, ann);
    const name = uniqueName('new');
    const line = await LineClient.start(server, ann);
    await line.look(room.id);
    expect((await run('room', 'rename', `#${room.name}`, name)).stdout).toBe(
      `The room is now called ${name}.\n`,
    );
    expect(await line.waitFor('message')).toMatchObject({ notice: { kind: 'renamed', room: { name } } });
    await line.close();
    expect((await run('room', 'archive', String(room.id))).stdout).toBe(`${name} is now archived.\n`);
    expect(await findRoom(server, ann, room.id)).toMatchObject({ archived: true });
    const refused = await run('room', 'rename', String(room.id), uniqueName('other'));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('must be unarchived first') });
    expect((await run('room', 'unarchive', String(room.id))).stdout).toBe(`${name} is now open.\n`);
    expect((await run('room', 'unarchive', String(room.id))).stdout).toBe(`${name} is already open.\n`);
    const { entries } = await json('audit');
    expect(entries[0]).toMatchObject({ action: 'room_changed', actor: null, room: { id: room.id } });
  });

  it('deletes a room, lists it, and restores it while the server is stopped', async () => {
    const room = await createRoom(server, ann);
    const line = await LineClient.start(server, ann);
    await line.post(room.id, 'stays');
    expect((await run('room', 'delete', `#${room.name}`)).code).toBe(2);
    expect((await run('room', 'delete', `#${room.name}`, '--yes')).code).toBe(0);
    expect(await line.waitFor('gone')).toMatchObject({ room_id: room.id });
    await line.close();
    expect((await json('room', 'list')).rooms.map(({ id }: { id: number }) => id)).not.toContain(room.id);
    expect((await json('room', 'list', '--deleted')).rooms).toMatchObject([{ id: room.id, kind: 'public' }]);
    await server.stop();
    expect((await run('room', 'restore', `#${room.name}`)).stdout).toBe(`${room.name} is restored.\n`);
    expect((await run('verify')).code).toBe(0);
    await server.restart();
    expect((await readHistory(server, ann, room.id)).map(({ content }) => content)).toEqual(['stays']);
  });

  it('says what it cannot do', async () => {
    const [one, other] = [await createRoom(server, ann), await createRoom(server, ann)];
    for (const [args, sentence] of [
      [['rename', '#nowhere', 'x'], 'There is no room "#nowhere".\n'],
      [['rename', String(one.id), other.name], /^There is a public room with this name/],
      [['restore', String(one.id)], /^There is no room/],
    ] as const) {
      const { code, stderr } = await run('room', ...args);
      expect(code, args.join(' ')).toBe(1);
      if (typeof sentence === 'string') expect(stderr).toBe(sentence);
      else expect(stderr).toMatch(sentence);
    }
  });
});
